/// One property of an object and where in the JSON it comes from.
///
/// ```swift
/// Field("name", \.name)                          // a member
/// Field("user.name", \.userName)                 // a path: through an object
/// Field("tags[0]", \.firstTag)                   // an element; out of range is absent
/// Field(.key("a.b"), \.dotted)                   // a key with a dot in it, taken literally
/// Field("homepage", \.homepage, .url(schemes: ["https"]))
/// Field(constant: "feed", \.origin)              // no source at all
/// ```
///
/// Several fields may have the same source, and paths may go through a source that another field takes as a whole. Going
/// back, objects that they write are one with the members of all; of other values the first field's is written.
public struct Field<Root, Value>: Sendable {
  let source: ObjectDefinition.Source
  let property: KeyPath<Root, Value> & Sendable
  let mapping: Mapping<Value>
  /// How an update changes what the property holds; nil where it replaces it.
  var updating: PropertyAccess?
  /// The property's name, where it was given.
  private var name: String?

  /// A property and the mapping of its value.
  ///
  /// - Parameters:
  ///   - source: Where the value is, relative to the object. A path that cannot be read is reported when the mapping is
  ///     compiled.
  ///   - property: Read to encode; in ``Mapping/init(creating:_:)`` written, too.
  ///   - mapping: How the value maps.
  public init(
    _ source: FieldSource, _ property: KeyPath<Root, Value> & Sendable, _ mapping: Mapping<Value>
  ) {
    self.source = source.source
    self.property = property
    self.mapping = mapping
  }

  /// An Optional property, nil where the value is absent or `null` and the mapping says nothing else of that.
  ///
  /// What the mapping says holds: with `.string.default("x")` it is "x", with `.string.notNull()` an error.
  public init<Wrapped>(
    _ source: FieldSource, _ property: KeyPath<Root, Value> & Sendable, _ mapping: Mapping<Wrapped>
  ) where Value == Wrapped? {
    self.init(source, property, .ofProperty(mapping))
  }

  /// A property of a type that says itself how it maps.
  @inlinable
  public init(_ source: FieldSource, _ property: KeyPath<Root, Value> & Sendable)
  where Value: Mappable {
    self.init(source, property, .declared)
  }

  /// A property with a fixed value, whatever the feed holds.
  ///
  /// It is not encoded.
  public init(
    constant value: @autoclosure @escaping @Sendable () -> Value,
    _ property: KeyPath<Root, Value> & Sendable
  ) {
    source = .constant
    self.property = property
    mapping = Mapping(
      Definition(
        .json(.value),
        policy: Policy(absent: .supply(Supply(value, name: "constant"), reported: false)),
        operations: ScalarOperations<Value>(), expected: "a constant"))
  }

  init(unknown property: KeyPath<Root, Value> & Sendable, _ mapping: Mapping<Value>) {
    source = .unknown
    self.property = property
    self.mapping = mapping
  }

  var definition: ObjectDefinition.Field {
    ObjectDefinition.Field(
      source: source, target: names, definition: mapping.definition, property: property,
      isUpdatedInside: updating != nil)
  }

  /// The field, with the name of its property.
  ///
  /// ```swift
  /// Field("full_name", \.name).named("name")   // a var of a class that is not final
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
    let text = property.debugDescription
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

/// Where a field's value is: written as a string, it is a path.
public struct FieldSource: Sendable, ExpressibleByStringLiteral {
  let source: ObjectDefinition.Source

  /// A path such as `user.name`, `tags[0]`, `['a.b']` or `/user/name`: see ``PathPattern``.
  public static func path(_ text: String) -> FieldSource {
    do throws(PathSyntaxError) {
      return FieldSource(source: .path(try PathPattern(parsing: text).path()))
    } catch {
      return FieldSource(source: .invalid(error))
    }
  }

  /// One key, taken literally whatever characters it has.
  public static func key(_ key: String) -> FieldSource {
    FieldSource(source: .path([.key(key)]))
  }

  /// A path: see ``path(_:)``.
  public init(stringLiteral value: String) {
    self = .path(value)
  }

  private init(source: ObjectDefinition.Source) {
    self.source = source
  }
}
