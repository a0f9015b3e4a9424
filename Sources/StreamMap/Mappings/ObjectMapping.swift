extension Mapping {
  // PERF: the closure is made in inlinable code, so it is specialised for the program's types.
  @usableFromInline
  init(
    _ fields: [ErasedField], storesOnlyFields: Bool = false,
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
        operations: ObjectOperations<Value>(
          make: make, fields: fields.map(\.access), storesOnlyFields: storesOnlyFields),
        expected: object.expected))
  }

  /// A mapping that contains itself, for recursive types that do not declare ``Mappable``.
  ///
  /// ```swift
  /// let tree: Mapping<Tree> = .recursive { tree in
  ///   .object { field in
  ///     field.make(Tree.init, field("name", \.name), field("children", \.children, .array(of: tree)))
  ///   }
  /// }
  /// ```
  public static func recursive(_ make: @escaping @Sendable (Mapping) -> Mapping) -> Mapping {
    recursive(Knot(), make)
  }

  /// Names one recursive mapping.
  private final class Knot: Sendable {}

  // Each reference makes a new definition, and the compiler resolves it once. So no definition refers to itself, and
  // none has to be kept alive.
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

/// A field without its type parameters.
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

  /// The field of an object whose properties are written after it is made.
  var writable: ErasedField {
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
  /// Compiling the mapping has already rejected properties that cannot be written.
  mutating func write<Root, Value>(
    _ property: Property<Root, Value>, of object: inout Root
  ) {
    property.write(take(Value.self), to: &object)
  }
}
