/// A value that code of the mapping's author makes from another one and its issues.
final class HookOperations<Source, Value>: TypedOperations<Value>, @unchecked Sendable {
  typealias Process = @Sendable (Source, inout ValueIssues) throws -> Value

  private let make: Process
  private let change: Patch.Process

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
    store(try make(source.assumingMemoryBound(to: Source.self).move(), &issues), in: slot)
  }
}
