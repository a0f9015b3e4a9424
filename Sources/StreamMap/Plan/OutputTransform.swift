/// A function on JSON values, in a plan for output records.
final class OutputTransform: ValueOperations, @unchecked Sendable {
  let change: @Sendable (JSONValue) throws -> JSONValue

  init(_ change: @escaping @Sendable (JSONValue) throws -> JSONValue) {
    self.change = change
    super.init(
      size: MemoryLayout<TextRange>.stride, alignment: MemoryLayout<TextRange>.alignment,
      isOptional: false)
  }
}
