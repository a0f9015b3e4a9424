/// How a JSON value becomes a `Value`, and a `Value` a JSON value again.
///
/// A mapping is an immutable description. ``Mapper`` compiles it. Mappings are made
///
/// - from scalars: `.string`, `.int`, `.double`, `.url`, …;
/// - from other mappings: `.array(of:)`, `.dictionary(of:)`, `.nullable(_:)`, …;
/// - from fields: ``object(_:_:)``;
/// - or by a type that says itself how it maps: ``Mappable``.
///
/// A combinator that keeps the type is a suffix (`.int.default(0)`), one that changes it a prefix (`.nullable(.int)`).
///
/// ```swift
/// let ages: Mapping<[Int]> = .array(of: .int)
/// try Mapper(ages).decode("[31, 29]".utf8).get()  // [31, 29]
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

/// A type that says how it maps, so that fields of it need no mapping argument.
///
/// `String`, `Bool`, all integer types, `Float`, `Double`, `Decimal`, `URL`, `UUID`, `Date`, ``JSONValue`` and
/// ``RawJSON`` do; arrays, dictionaries with string keys and Optionals of such types do, too; and enums with raw
/// values need only declare it. A type may contain itself.
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
  /// How the type maps.
  static var mapping: Mapping<Self> { get }
}

extension Mapping where Value: Mappable {
  /// The mapping that the type declares, by reference: so that a type can contain itself.
  @inlinable
  public static var declared: Mapping<Value> { Mapping(declaredBy: { Value.mapping }) }

  // PERF: the closure is made in inlinable code, so that a program gets the mapping made for its types.
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
