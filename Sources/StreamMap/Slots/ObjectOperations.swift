/// Makes an object of type `Root` from its fields, and reads its fields.
final class ObjectOperations<Root>: TypedOperations<Root>, @unchecked Sendable {
  /// Makes the object from its fields' slots, in the given slot; as an Optional if the caller asks for it.
  typealias Make =
    @Sendable (
      _ slots: UnsafeMutableRawPointer, _ offsets: UnsafePointer<Int>,
      _ slot: UnsafeMutableRawPointer, _ isOptional: Bool
    ) -> Void

  private let make: Make
  override var properties: [PropertyAccess] { fields }
  private let fields: [PropertyAccess]
  private let storesOnlyFields: Bool

  /// Operations on a type.
  ///
  /// - Parameters:
  ///   - isOptional: Whether an Optional of it is stored.
  ///   - make: Makes the object.
  ///   - fields: Its fields, in their order.
  ///   - storesOnlyFields: Whether the type is a struct whose stored properties are these fields, and `make` only sets them.
  init(
    isOptional: Bool = false, make: @escaping Make, fields: [PropertyAccess],
    storesOnlyFields: Bool = false
  ) {
    self.make = make
    self.fields = fields
    self.storesOnlyFields = storesOnlyFields
    super.init(isOptional: isOptional)
  }

  override func optional() -> ValueOperations {
    ObjectOperations(
      isOptional: true, make: make, fields: fields, storesOnlyFields: storesOnlyFields)
  }

  // The layout checks the code's claim, because other macros may add properties that the code does not show.
  override var isMadeOfFields: Bool {
    storesOnlyFields && !isOptional
      && PropertyAccess.fill(MemoryLayout<Root>.size, with: fields)
  }

  override func patched(
    makesWhole: Bool, by rules: [@Sendable (UnsafeRawPointer) -> (any Error)?]
  ) -> ValueOperations? {
    PatchOperations<Root>(
      isOptional: isOptional, makeWhole: makesWhole ? make : nil, fields: fields, rules: rules)
  }

  override func construct(
    _ slots: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>,
    into slot: UnsafeMutableRawPointer
  ) {
    make(slots, offsets, slot, isOptional)
  }
}

/// Moves the fields of an object out of their slots, one after the other.
@frozen
@usableFromInline
struct SlotReader {
  @usableFromInline let slots: UnsafeMutableRawPointer
  @usableFromInline let offsets: UnsafePointer<Int>
  @usableFromInline var index = 0

  @inlinable
  init(slots: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>) {
    self.slots = slots
    self.offsets = offsets
  }

  /// Moves the next field's value out of its slot.
  @inlinable
  @inline(__always)
  mutating func take<Value>(_: Value.Type) -> Value {
    defer { index += 1 }
    return (slots + offsets[index]).assumingMemoryBound(to: Value.self).move()
  }
}
