/// A property of an object, and where its value is in the JSON; made by a ``FieldBuilder``.
///
/// Several fields may have the same source, and the path of one may lead through the source of another. When several
/// fields encode to the same place, objects are merged into one with the members of all; otherwise the first field's value is
/// written.
public struct Field<Root, Value>: Sendable {
  let source: FieldSource
  let property: Property<Root, Value>
  let mapping: Mapping<Value>
  /// The name given by ``named(_:)``; nil if there is none.
  private var name: String?
  /// What an update does to the value that the property holds.
  var update = ObjectDefinition.Update.replacing
  /// How it changes that value; nil if it replaces it.
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
      fallbacks: source.fallbacks, property: property.keyPath, update: update)
  }

  /// The field, with a name for its property.
  ///
  /// ```swift
  /// field("full_name", \.name).named("name")   // a var of a class that is not final
  /// ```
  ///
  /// ``MappingError/target``, messages about the definition and ``EncodingOptions/fields-swift.property`` use this name.
  /// It is known without this method if the key path leads through stored properties of structs and final classes, or if
  /// the type has `@Mappable`. It is not known for computed properties, properties with observers, and properties that a
  /// subclass can override: messages then use the field's number, as in `field 2`.
  ///
  /// - Parameter name: The property's name; for a key path of several steps, with dots, as in `inner.date`.
  /// - Returns: The field with the name.
  public func named(_ name: String) -> Field {
    var field = self
    field.name = name
    return field
  }

  /// The names of the key path's steps; empty if they are not known.
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
