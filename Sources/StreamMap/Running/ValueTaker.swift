/// Takes the values of a known type from where they were built.
///
/// PERF: inlinable, so that a program that uses it gets code for its own type. Generic code would look up the type's description
/// at each record (7 % of the time of a typed feed).
@usableFromInline
struct ValueTaker<Value> {
  @usableFromInline let destination: UnsafeMutableRawPointer
  /// Makes a value from an output record's text; nil if values are built in place.
  @usableFromInline let take: ((UnsafeMutableRawPointer) -> Value)?

  @inlinable
  @inline(__always)
  func record(_ outcome: RecordOutcome) -> Record<Value> { Self.record(outcome, by: self) }

  /// The record of an outcome; without a taker, which takes memory, it has an error.
  ///
  /// PERF: made in one place. Where a record is made in two, the compiler keeps its value in memory, and copies it out of there.
  @inlinable
  @inline(__always)
  static func record(_ outcome: RecordOutcome, by taker: Self?) -> Record<Value> {
    let result: Result<Value, MappingError> =
      if let error = outcome.notes?.error { .failure(error) } else if let taker {
        .success(taker.value())
      } else { .failure(.outOfMemory) }
    return Record(
      number: outcome.number, address: outcome.address, result: result, notes: outcome.notes)
  }

  /// The value of a record that has one.
  @inlinable
  @inline(__always)
  func value() -> Value {
    if let take { return take(destination) }
    return destination.assumingMemoryBound(to: Value.self).move()
  }
}
