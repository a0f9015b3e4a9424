/// The mappings and conversions that are referred to by type or by name, and the rules for objects whose mapping sets none.
struct Registrations: Sendable {
  /// A conversion without its types.
  struct NamedConversion: Sendable {
    let conversion: any Sendable
    /// The types, as in `from String to Int`.
    let types: String
  }

  var mappings: [ObjectIdentifier: Definition] = [:]
  var conversions: [ExactText: NamedConversion] = [:]
  var unknownKeys = UnknownKeyPolicy.ignore
  var duplicateKeys = DuplicateKeyPolicy.last

  /// The mapping that is registered for a type.
  func mapping(of type: Any.Type) -> Definition? {
    mappings.isEmpty ? nil : mappings[ObjectIdentifier(type)]
  }

  /// What happens to keys in an object.
  ///
  /// An object that stands for a part of another one (a value at a path, a joined value) has no keys of its own.
  func keyRules(of object: ObjectDefinition) -> (
    unknown: UnknownKeyPolicy, duplicate: DuplicateKeyPolicy
  ) {
    (
      object.unknownKeys ?? (object.isTransparent ? .ignore : unknownKeys),
      object.duplicateKeys ?? (object.isTransparent ? .last : duplicateKeys)
    )
  }
}
