/// A value that code of the mapping's author makes of another one and of what was wrong with that.
final class HookOperations<Source, Value>: TypedOperations<Value>, @unchecked Sendable {
  typealias Process = @Sendable (Source, inout ValueIssues) throws -> Value

  private let process: Process

  init(isOptional: Bool = false, _ process: @escaping Process) {
    self.process = process
    super.init(isOptional: isOptional)
  }

  override func optional() -> ValueOperations { HookOperations(isOptional: true, process) }

  // The mapping's own reverse is that of the value.
  override var isReversible: Bool { false }
  override var seesIssues: Bool { true }

  override func transform(
    _ source: UnsafeMutableRawPointer, into slot: UnsafeMutableRawPointer,
    issues: inout ValueIssues
  ) throws {
    store(try process(source.assumingMemoryBound(to: Source.self).move(), &issues), in: slot)
  }
}
