/// An object whose fields are partly read, for encoding; it is never made.
final class ChosenFields: ValueOperations, @unchecked Sendable {
  private let object: ValueOperations
  private let chosen: [PropertyAccess]

  /// - Parameters:
  ///   - object: The operations on the object.
  ///   - chosen: How the fields are read.
  init(of object: ValueOperations, _ chosen: [PropertyAccess]) {
    self.object = object
    self.chosen = chosen
    super.init(size: object.size, alignment: object.alignment, isOptional: object.isOptional)
  }

  override var properties: [PropertyAccess] { chosen }

  override func withValue(_ slot: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) -> Bool {
    object.withValue(slot, body)
  }

  override func optional() -> ValueOperations { ChosenFields(of: object.optional(), chosen) }
}
