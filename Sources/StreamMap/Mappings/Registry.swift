/// Mappings by type and conversions by name, registered once and found wherever a mapping refers to them.
///
/// ```swift
/// var registry = Registry()
/// registry.register(Date.self, .date(format: "yyyy-MM-dd"))     // instead of what the type declares
/// registry.register(Money.self, .converted(from: .string, by: .money))   // a type that declares nothing
/// registry.unknownKeys = .report
/// let mapper = try Mapper(Order.self, registry: registry)
/// ```
///
/// A type that is ``Mappable`` gets the registry's mapping, where there is one, at any depth: wherever no mapping is given
/// for it. A type that is not is referred to by ``Mapping/registered(_:)``. A registry is a value: a mapper keeps
/// the one that it was made with.
public struct Registry: Sendable {
  private(set) var registrations: Registrations

  /// An empty registry: types map as they declare.
  public init() {
    registrations = Registrations()
  }

  init(_ registrations: Registrations) {
    self.registrations = registrations
  }

  // MARK: Mappings

  /// Registers the mapping of a type, instead of one that was registered before.
  ///
  /// The mapping may refer to the type inside, for children of the same kind. To build on what the type declares, use
  /// its `mapping`.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - mapping: Maps all its values that no other mapping is given for.
  public mutating func register<Value>(
    _ type: Value.Type, _ mapping: Mapping<Value>
  ) {
    registrations.mappings[ObjectIdentifier(type)] = mapping.definition
  }

  // MARK: Conversions

  /// Registers a conversion by a name, instead of one that was registered before.
  ///
  /// - Parameters:
  ///   - conversion: Used by ``Mapping/converted(from:byNamed:)``.
  ///   - name: Its name here; its own where nil.
  public mutating func register<Source, Target>(
    _ conversion: Conversion<Source, Target>, as name: String? = nil
  ) {
    registrations.conversions[name ?? conversion.name] = Registrations.NamedConversion(
      conversion: conversion, types: Self.types(Source.self, Target.self))
  }

  /// The conversion of a name.
  ///
  /// Where none is registered, or one of other types, what this gives carries a ``Conversion/mistake``.
  public func conversion<Source, Target>(
    _ name: String, from source: Source.Type = Source.self, to target: Target.Type = Target.self
  ) -> Conversion<Source, Target> {
    guard let registered = registrations.conversions[name] else {
      let names = registrations.conversions.keys.sorted()
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

  /// What becomes of members that no field has for its source, in objects whose mapping does not say.
  public var unknownKeys: UnknownKeyPolicy {
    get { registrations.unknownKeys }
    set { registrations.unknownKeys = newValue }
  }

  /// What becomes of members whose key occurred before, in objects whose mapping does not say.
  public var duplicateKeys: DuplicateKeyPolicy {
    get { registrations.duplicateKeys }
    set { registrations.duplicateKeys = newValue }
  }
}

extension Mapping {
  /// The mapping that the mapper's registry has for the type, or else that the type declares.
  ///
  /// ```swift
  /// field("price", \.price, .registered(Money.self))
  /// ```
  ///
  /// Where there is neither, that is a mistake of the mapping.
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

  /// A value made from another one by the conversion that the mapper's registry has by a name, and taken back by it.
  ///
  /// ```swift
  /// field("price", \.price, .converted(from: .string, byNamed: "money"))
  /// ```
  ///
  /// A name that is not registered, or for other types, is a mistake of the mapping.
  public static func converted<Source>(from source: Mapping<Source>, byNamed name: String)
    -> Mapping
  {
    let use = Use()
    return Mapping(
      Definition(
        .reference(
          Definition.Identity(object: ObjectIdentifier(use), name: "the conversion '\(name)'"),
          { registrations in
            // The use stays as long as it is referred to.
            withExtendedLifetime(use) {
              let conversion: Conversion<Source, Value> = Registry(registrations).conversion(name)
              return converted(from: source, by: conversion).definition
            }
          }), policy: nil, expected: name))
  }

  /// Names one use of a conversion.
  private final class Use: Sendable {}
}
