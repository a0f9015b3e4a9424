extension Mapping {
  /// An object made by an initialiser from its fields: for immutable structs and classes.
  ///
  /// ```swift
  /// struct Point { let x: Double; let y: Double }
  /// let point = Object(Point.init, Field("x", \.x), Field("y", \.y))
  /// ```
  ///
  /// All fields are examined before the object fails, and all their errors reported together.
  ///
  /// - Parameters:
  ///   - make: Takes the fields' values in their order.
  ///   - field: The fields; each property at most once.
  @inlinable
  public init<each Part>(
    _ make: @escaping @Sendable (repeat each Part) -> Value, _ field: repeat Field<Value, each Part>
  ) {
    var fields: [ErasedField] = []
    for field in repeat each field { fields.append(field.erased) }
    self.init(fields) { slots, offsets, slot, isOptional in
      var reader = SlotReader(slots: slots, offsets: offsets)
      Slot.store(make(repeat reader.take((each Part).self)), in: slot, isOptional: isOptional)
    }
  }

  /// An object made empty, whose properties are then written: for classes and structs with writable properties.
  ///
  /// ```swift
  /// final class Settings { var theme = "light"; var size = 12 }
  /// let settings = Object(creating: Settings.init, Field("theme", \.theme), Field("size", \.size))
  /// ```
  ///
  /// - Parameters:
  ///   - make: Makes the object.
  ///   - field: The fields; each property at most once, and writable.
  public init<each Part>(
    creating make: @escaping @Sendable () -> Value, _ field: repeat Field<Value, each Part>
  ) {
    var fields: [ErasedField] = []
    for field in repeat each field { fields.append(field.writable) }
    let properties = (repeat (each field).property)
    self.init(fields) { slots, offsets, slot, isOptional in
      var reader = SlotReader(slots: slots, offsets: offsets)
      var object = make()
      for property in repeat each properties { reader.write(property, of: &object) }
      Slot.store(object, in: slot, isOptional: isOptional)
    }
  }

  // PERF: the closure is made in inlinable code, so that a program that uses it gets one that knows its types.
  @usableFromInline
  init(
    _ fields: [ErasedField],
    make:
      @escaping @Sendable (
        _ slots: UnsafeMutableRawPointer, _ offsets: UnsafePointer<Int>,
        _ slot: UnsafeMutableRawPointer, _ isOptional: Bool
      ) -> Void
  ) {
    let object = ObjectDefinition(name: typeName(Value.self), fields: fields.map(\.definition))
    self.init(
      Definition(
        .object(object), policy: object.policy,
        operations: ObjectOperations<Value>(make: make, fields: fields.map(\.access)),
        expected: object.expected))
  }

  /// A mapping that contains itself, for types that do not declare ``Mappable``.
  ///
  /// ```swift
  /// let tree: Mapping<Tree> = .recursive { tree in
  ///   Object(Tree.init, Field("name", \.name), Field("children", \.children, .array(of: tree)))
  /// }
  /// ```
  public static func recursive(_ make: @escaping @Sendable (Mapping) -> Mapping) -> Mapping {
    recursive(Knot(), make)
  }

  /// Names one recursive mapping.
  private final class Knot: Sendable {}

  // The definition is made anew where it is referred to, and the compiler resolves it once: so nothing refers to itself
  // and nothing has to be kept alive for ever.
  private static func recursive(_ knot: Knot, _ make: @escaping @Sendable (Mapping) -> Mapping)
    -> Mapping
  {
    Mapping(
      Definition(
        .reference(
          Definition.Identity(object: ObjectIdentifier(knot), name: typeName(Value.self)),
          { _ in make(recursive(knot, make)).definition }),
        policy: nil, expected: typeName(Value.self)))
  }
}

/// A field without its type.
@usableFromInline
struct ErasedField {
  let definition: ObjectDefinition.Field
  let access: PropertyAccess
}

extension Field {
  @usableFromInline
  var erased: ErasedField {
    ErasedField(definition: definition, access: updating ?? PropertyAccess(property))
  }

  /// The field of an object that is written to.
  fileprivate var writable: ErasedField {
    if property.isWritable { return erased }
    var field = definition
    field.definition = Definition(
      .mistake("the property cannot be written; give an initialiser that takes the fields instead"),
      operations: field.definition.operations, expected: field.definition.expected)
    return ErasedField(definition: field, access: PropertyAccess(property))
  }
}

extension SlotReader {
  /// Moves the next field's value into a property.
  ///
  /// A property that cannot be written was refused when the mapping was compiled.
  fileprivate mutating func write<Root, Value>(
    _ property: Property<Root, Value>, of object: inout Root
  ) {
    property.write(take(Value.self), to: &object)
  }
}
