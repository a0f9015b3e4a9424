/// How a JSON value becomes a `Value`, and a `Value` becomes JSON again.
///
/// A mapping is an immutable description, which ``Mapper`` compiles. There are mappings
///
/// - of scalars: `.string`, `.int`, `.double`, `.url`, …;
/// - made from other mappings: `.array(of:)`, `.dictionary(of:)`, `.nullable(_:when:)`, …;
/// - made from fields: ``object(_:_:)``;
/// - declared by a type: ``Mappable``.
///
/// A combinator that keeps the type is a suffix (`.int.default(0)`); one that changes the type is a prefix
/// (`.nullable(.int)`).
///
/// ```swift
/// let ages: Mapping<[Int]> = .array(of: .int)
/// try Mapper(ages).decode("[31, 29]").get()  // [31, 29]
/// ```
public struct Mapping<Value>: Sendable {
  let definition: Definition

  init(_ definition: Definition) {
    self.definition = definition
  }

  init(scalar type: ScalarType, _ options: ScalarOptions? = nil) {
    self.init(Definition(type, options, operations: ScalarOperations<Value>()))
  }
}

/// A type that declares its mapping, so fields of that type need none.
///
/// `String`, `Substring`, `Bool`, all integer types, `Float`, `Double`, `Decimal`, `URL`, `UUID`, `Date`, `Duration`, `Data`,
/// ``JSONValue`` and ``RawJSON`` conform. So do arrays, sets, dictionaries with string keys and Optionals of such types. Enums with raw values
/// only have to declare the conformance. A type may contain itself.
///
/// ```swift
/// struct Person: Mappable {
///   let name: String
///   let children: [Person]
///   static let mapping = Mapping.object(Person.self) { field in
///     let name = field("name", \.name)
///     let children = field("children", \.children)
///     return field.make(Person.init, name, children)
///   }
/// }
/// ```
public protocol Mappable: SendableMetatype {
  /// The mapping of the type.
  static var mapping: Mapping<Self> { get }
}

extension Mapping where Value: Mappable {
  /// The mapping that the type declares, by reference, so a type can contain itself.
  @inlinable
  public static var declared: Mapping<Value> { Mapping(declaredBy: { Value.mapping }) }

  // PERF: the closure is made in inlinable code, so the mapping is specialised for the program's types.
  @usableFromInline
  init(declaredBy make: @escaping @Sendable () -> Mapping<Value>) {
    self.init(
      Definition(
        .reference(
          Definition.Identity(object: ObjectIdentifier(Value.self), name: typeName(Value.self)),
          { registrations in registrations.mapping(of: Value.self) ?? make().definition }),
        policy: nil, expected: typeName(Value.self)))
  }
}
