/// A value with the JSON that it was made from, side by side in memory: what a hook receives.
///
/// It is only ever the source of a hook, so it is never nil.
// PERF: no struct of both, because its type would be looked up for each value. Invariant: the JSON is at the start, the value at `offset`.
final class HookSource<JSON, Value>: ValueOperations, @unchecked Sendable {
  override var properties: [PropertyAccess] { fields }
  private let fields: [PropertyAccess]
  private let offset = HookSource.offset

  /// Where the value is.
  static var offset: Int {
    Self.rounded(MemoryLayout<JSON>.size, to: MemoryLayout<Value>.alignment)
  }

  init(fields: [PropertyAccess]) {
    self.fields = fields
    let alignment = max(MemoryLayout<JSON>.alignment, MemoryLayout<Value>.alignment)
    super.init(
      size: Self.rounded(Self.offset + MemoryLayout<Value>.size, to: alignment),
      alignment: alignment, isOptional: false)
  }

  private static func rounded(_ size: Int, to alignment: Int) -> Int {
    (size + alignment - 1) / alignment * alignment
  }

  override func destroy(_ slot: UnsafeMutableRawPointer) {
    slot.assumingMemoryBound(to: JSON.self).deinitialize(count: 1)
    (slot + offset).assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }

  override func withValue(_ slot: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) -> Bool {
    body(slot)
    return true
  }

  override func construct(
    _ slots: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>,
    into slot: UnsafeMutableRawPointer
  ) {
    slot.moveInitializeMemory(
      as: JSON.self, from: (slots + offsets[0]).assumingMemoryBound(to: JSON.self),
      count: 1)
    (slot + offset).moveInitializeMemory(
      as: Value.self, from: (slots + offsets[1]).assumingMemoryBound(to: Value.self), count: 1)
  }
}

/// A value that code of the mapping's author makes from another one, its JSON and its issues.
final class HookOperations<JSON, Value>: TypedOperations<Value>, @unchecked Sendable {
  typealias Process = @Sendable (JSON, Value, inout ValueIssues) throws -> Value

  private let make: Process
  private let change: Patch.Process
  private let offset = HookSource<JSON, Value>.offset

  /// - Parameters:
  ///   - isOptional: Whether an Optional of the value is stored.
  ///   - process: What the code does to a value that an update has changed.
  ///   - make: Makes the value.
  init(isOptional: Bool = false, process: @escaping Patch.Process, _ make: @escaping Process) {
    self.make = make
    change = process
    super.init(isOptional: isOptional)
  }

  override func optional() -> ValueOperations {
    HookOperations(isOptional: true, process: change, make)
  }

  override var process: Patch.Process? { change }

  // The reverse of the mapping is that of the value.
  override var isReversible: Bool { false }
  override var seesIssues: Bool { true }

  override func transform(
    _ source: UnsafeMutableRawPointer, into slot: UnsafeMutableRawPointer,
    issues: inout ValueIssues
  ) throws {
    let json = source.assumingMemoryBound(to: JSON.self).move()
    let value = (source + offset).assumingMemoryBound(to: Value.self).move()
    store(try make(json, value, &issues), in: slot)
  }
}
