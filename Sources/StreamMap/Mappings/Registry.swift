/// Mappings by type and conversions by name, registered once for every mapping that refers to them.
///
/// ```swift
/// var registry = Registry()
/// registry.register(Date.self, .date(format: "yyyy-MM-dd"))     // instead of what the type declares
/// registry.register(Money.self, .converted(from: .string, by: .money))   // a type that declares nothing
/// registry.unknownKeys = .report
/// let mapper = try Mapper(Order.self, registry: registry)
/// ```
///
/// For a ``Mappable`` type, the registry's mapping replaces the one that the type declares, at any depth, wherever a field
/// gives no mapping of its own. Refer to any other type by ``Mapping/registered(_:)``. A registry is a value: a mapper
/// keeps the one that it was made with.
public struct Registry: Sendable {
  private(set) var registrations: Registrations

  /// An empty registry: all types map as they declare.
  public init() {
    registrations = Registrations()
  }

  init(_ registrations: Registrations) {
    self.registrations = registrations
  }

  // MARK: Mappings

  /// Registers the mapping of a type, and replaces an earlier registration.
  ///
  /// The mapping may refer to the type itself, for children of the same type. To build on the mapping that the type
  /// declares, use its `mapping`.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - mapping: Maps the values of the type wherever no other mapping is given.
  public mutating func register<Value>(
    _ type: Value.Type, _ mapping: Mapping<Value>
  ) {
    registrations.mappings[ObjectIdentifier(type)] = mapping.definition
  }

  // MARK: Conversions

  /// Registers a conversion by a name, and replaces an earlier registration.
  ///
  /// - Parameters:
  ///   - conversion: For ``Mapping/converted(from:byNamed:)``.
  ///   - name: Its name in the registry; nil for its own name.
  public mutating func register<Source, Target>(
    _ conversion: Conversion<Source, Target>, as name: String? = nil
  ) {
    registrations.conversions[ExactText(name ?? conversion.name)] = Registrations.NamedConversion(
      conversion: conversion, types: Self.types(Source.self, Target.self))
  }

  /// The conversion with a name.
  ///
  /// If no conversion has that name, or one of other types has it, the result has a ``Conversion/mistake``.
  public func conversion<Source, Target>(
    _ name: String, from source: Source.Type = Source.self, to target: Target.Type = Target.self
  ) -> Conversion<Source, Target> {
    guard let registered = registrations.conversions[ExactText(name)] else {
      let names = registrations.conversions.keys.map(\.text).sorted()
      let known = names.isEmpty ? "there is none" : "there is " + ValueList.text(oneOf: names)
      return Conversion(name, mistake: "no conversion '\(name)' is registered; \(known)")
    }
    guard let conversion = registered.conversion as? Conversion<Source, Target> else {
      return Conversion(
        name,
        mistake: """
          the conversion '\(name)' is registered \(registered.types), not \
          \(Self.types(source, target))
          """)
    }
    return conversion
  }

  private static func types<Source, Target>(_ source: Source.Type, _ target: Target.Type) -> String
  {
    "from \(typeName(source)) to \(typeName(target))"
  }

  // MARK: Policies

  /// What happens to members that are not the source of any field, in objects whose mapping does not say so itself.
  public var unknownKeys: UnknownKeyPolicy {
    get { registrations.unknownKeys }
    set { registrations.unknownKeys = newValue }
  }

  /// What happens to members whose key occurred before, in objects whose mapping does not say so itself.
  public var duplicateKeys: DuplicateKeyPolicy {
    get { registrations.duplicateKeys }
    set { registrations.duplicateKeys = newValue }
  }
}

extension Mapping {
  /// The mapping that the mapper's registry has for the type; without one, the mapping that the type declares.
  ///
  /// ```swift
  /// field("price", \.price, .registered(Money.self))
  /// ```
  ///
  /// If there is neither, compiling the mapping throws.
  public static func registered(_ type: Value.Type) -> Mapping {
    Mapping(
      Definition(
        .reference(
          Definition.Identity(object: ObjectIdentifier(type), name: typeName(type)),
          { registrations in
            if let registered = registrations.mapping(of: Value.self) { return registered }
            guard let type = Value.self as? any Mappable.Type else { return unregistered }
            return declared(by: type)
          }), policy: nil, expected: typeName(type)))
  }

  private static func declared<Declaring: Mappable>(by type: Declaring.Type) -> Definition {
    type.mapping.definition
  }

  private static var unregistered: Definition {
    let name = typeName(Value.self)
    return Definition(
      .mistake("no mapping is registered for \(name), and it is not Mappable"),
      operations: ScalarOperations<Value>(), expected: name)
  }

  /// A value made from another value by a conversion of the mapper's registry, found by its name.
  ///
  /// ```swift
  /// field("price", \.price, .converted(from: .string, byNamed: "money"))
  /// ```
  ///
  /// If no conversion has that name, or one of other types has it, compiling the mapping throws.
  public static func converted<Source>(from source: Mapping<Source>, byNamed name: String)
    -> Mapping
  {
    let use = Use()
    return Mapping(
      Definition(
        .reference(
          Definition.Identity(object: ObjectIdentifier(use), name: "the conversion '\(name)'"),
          { registrations in
            // The object has to live as long as its identity is in use.
            withExtendedLifetime(use) {
              let conversion: Conversion<Source, Value> = Registry(registrations).conversion(name)
              return converted(from: source, by: conversion).definition
            }
          }), policy: nil, expected: name))
  }

  /// Names one use of a conversion.
  private final class Use: Sendable {}
}
