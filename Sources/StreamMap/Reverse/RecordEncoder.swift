/// Encodes one value after the other.
final class RecordEncoder {
  private let writer = JSONWriter()
  private let walk: ReverseWalk

  init(_ tables: ReverseTables) {
    walk = ReverseWalk(tables, sink: writer)
  }

  /// Gives `take` the JSON text of a value of the plan's type.
  func encode<Result>(
    _ value: UnsafeRawPointer, _ take: (UnsafeBufferPointer<UInt8>) -> Result
  ) throws(MappingError) -> Result {
    defer { writer.clear() }
    try walk.walk(value)
    return take(writer.bytes)
  }
}

/// Makes encoders for a plan, and keeps those that are not in use.
final class RecordEncoders: Sendable {
  private let plan: PlanTables
  private let mostLevels: Int
  private let writesNils: Bool
  private let idle = Pool<RecordEncoder>()
  /// Made when the first value is encoded: most mappers only decode.
  private let tables = Locked<ReverseTables?>(nil)

  /// Encoders of values with at most as many levels as the limits let through.
  init(_ plan: PlanTables, _ limits: Limits, writesNils: Bool = false) {
    self.plan = plan
    mostLevels = limits.depth
    self.writesNils = writesNils
  }

  func encode<Result>(
    _ value: UnsafeRawPointer, _ take: (UnsafeBufferPointer<UInt8>) -> Result
  ) throws(MappingError) -> Result {
    let encoder = idle.take()?.takeRetainedValue() ?? RecordEncoder(reverseTables())
    defer { idle.give(.passRetained(encoder)) }
    return try encoder.encode(value, take)
  }

  /// Sends the events of a value.
  func send(_ value: UnsafeRawPointer, to sink: EventSink) throws(MappingError) {
    try walk(into: sink).walk(value)
  }

  /// A walk over values, one after the other, whose events go to a sink.
  func walk(into sink: EventSink) -> ReverseWalk { ReverseWalk(reverseTables(), sink: sink) }

  private func reverseTables() -> ReverseTables {
    tables.withLock { tables in
      if let tables { return tables }
      let made = ReverseTables(plan, mostLevels: mostLevels, writesNils: writesNils)
      tables = made
      return made
    }
  }
}
