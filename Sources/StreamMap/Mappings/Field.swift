/// One property of an object and where in the JSON it comes from: what a ``FieldBuilder`` makes.
///
/// Several fields may have the same source, and paths may go through a source that another field takes as a whole. On the
/// way back, objects that they write are one object with the members of all; of other values the first field's is written.
public struct Field<Root, Value>: Sendable {
  let source: FieldSource
  let property: Property<Root, Value>
  let mapping: Mapping<Value>
  /// The property's name, where it was given.
  private var name: String?
  /// How an update changes what the property holds; nil where it replaces it.
  var updating: PropertyAccess?

  init(
    _ source: FieldSource, _ property: Property<Root, Value>, _ mapping: Mapping<Value>,
    name: String? = nil
  ) {
    self.source = source
    self.property = property
    self.mapping = mapping
    self.name = name
  }

  var definition: ObjectDefinition.Field {
    ObjectDefinition.Field(
      source: source.source, target: names, definition: mapping.definition,
      fallbacks: source.fallbacks, property: property.keyPath, isUpdatedInside: updating != nil)
  }

  /// The field, with the name of its property.
  ///
  /// ```swift
  /// field("full_name", \.name).named("name")   // a var of a class that is not final
  /// ```
  ///
  /// The name is what ``MappingError/target`` and mistakes of the definition say, and what ``EncodingOptions/fields-swift.property``
  /// asks for. The program knows it by itself where the key path leads through stored properties of structs and final
  /// classes, and in a type with `@Mappable`. Key paths to computed properties, to those with observers and to those that
  /// subclasses can override do not tell it: errors then call the field by its number, as in `field 2`.
  ///
  /// - Parameter name: As the property is written; behind a key path of several steps with dots, as in `inner.date`.
  /// - Returns: The field with the name.
  public func named(_ name: String) -> Field {
    var field = self
    field.name = name
    return field
  }

  /// The names on the way to the property; none where they are not known.
  private var names: [String] {
    if let name {
      return name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
    // PERF: asked directly: an interpolation searches for conformances.
    let text = property.keyPath?.debugDescription ?? ""
    guard text.hasPrefix("\\"), let dot = text.firstIndex(of: ".") else { return [] }
    var names: [String] = []
    for step in text[text.index(after: dot)...].split(
      separator: ".", omittingEmptySubsequences: false)
    {
      var name = step
      while name.last == "?" || name.last == "!" { name.removeLast() }
      guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
        return []
      }
      names.append(String(name))
    }
    return names
  }
}
