/// One property of an object and where in the JSON it comes from.
///
/// ```swift
/// Field("name", \.name)                          // a member
/// Field("user.name", \.userName)                 // a path: through an object
/// Field("tags[0]", \.firstTag)                   // an element; out of range is absent
/// Field(.key("a.b"), \.dotted)                   // a key with a dot in it, taken literally
/// Field("homepage", \.homepage, .url(schemes: ["https"]))
/// Field(constant: "feed", \.origin)              // no source at all
/// Field(.first("title", "name"), \.title)        // the first key that is there
/// Field("count", named: "count", set: { $0.add($1) }, get: { $0.count })  // a method of the object
/// ```
///
/// Several fields may have the same source, and paths may go through a source that another field takes as a whole. Going
/// back, objects that they write are one with the members of all; of other values the first field's is written.
public struct Field<Root, Value>: Sendable {
  let source: FieldSource
  let property: Property<Root, Value>
  let mapping: Mapping<Value>
  /// The property's name, where it was given.
  private var name: String?
  /// How an update changes what the property holds; nil where it replaces it.
  var updating: PropertyAccess?

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
    self.source = source
    self.property = .path(property)
    self.mapping = mapping
  }

  /// A value that is handed to the object by one function and read by another: a method of it, or several properties.
  ///
  /// ```swift
  /// Object(creating: Counter.init, Field("n", named: "n", .int, set: { $0.start(at: $1) }, get: { $0.start }))
  /// ```
  ///
  /// - Parameters:
  ///   - source: Where the value is, relative to the object.
  ///   - name: What the value is called, in errors and ``EncodingOptions``.
  ///   - mapping: How the value maps.
  ///   - set: Takes the value: in ``Mapping/init(creating:_:)`` and in updates. An object made by an initialiser is given it
  ///     there instead. An update that fails in the end gives `set` what `get` gave before.
  ///   - get: Gives the value, to encode.
  public init(
    _ source: FieldSource, named name: String, _ mapping: Mapping<Value>,
    set: @escaping @Sendable (inout Root, Value) -> Void,
    get: @escaping @Sendable (Root) -> Value
  ) {
    self.source = source
    self.name = name
    self.mapping = mapping
    property = .code(get: get, set: set)
  }

  /// A value of a type that says itself how it maps, handed to the object by one function and read by another.
  public init(
    _ source: FieldSource, named name: String,
    set: @escaping @Sendable (inout Root, Value) -> Void, get: @escaping @Sendable (Root) -> Value
  ) where Value: Mappable {
    self.init(source, named: name, .declared, set: set, get: get)
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
    source = FieldSource(source: .constant)
    self.property = .path(property)
    mapping = Mapping(
      Definition(
        .json(.value),
        policy: Policy(absent: .supply(Supply(value, name: "constant"), reported: false)),
        operations: ScalarOperations<Value>(), expected: "a constant"))
  }

  init(unknown property: KeyPath<Root, Value> & Sendable, _ mapping: Mapping<Value>) {
    source = FieldSource(source: .unknown)
    self.property = .path(property)
    self.mapping = mapping
  }

  var definition: ObjectDefinition.Field {
    ObjectDefinition.Field(
      source: source.source, target: names, definition: mapping.definition,
      fallbacks: source.fallbacks, property: property.keyPath, isUpdatedInside: updating != nil)
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

/// Where a field's value is: written as a string, it is a path.
public struct FieldSource: Sendable, ExpressibleByStringLiteral {
  let source: ObjectDefinition.Source
  /// Where the value is besides, in their order.
  var fallbacks: [JSONPath] = []

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

  /// The first of several places where there is a value: `.first("title", "name")`.
  ///
  /// The value is that of the first place that is there and is not `null`, whatever the order of the members; all of them
  /// are mapped, and what is wrong with the others is no matter. Where there is only `null`, the value is `null`; where there
  /// is none of them, it is absent, so that an update leaves the property as it is. The reverse writes the first place.
  ///
  /// - Parameters:
  ///   - source: The place that comes first, and is written.
  ///   - others: The others. None is the whole object, `$`.
  /// - Returns: The places as one source.
  public static func first(_ source: FieldSource, _ others: FieldSource...) -> FieldSource {
    var all = source
    for other in others {
      switch other.source {
      case .path(let path): all.fallbacks += [path] + other.fallbacks
      case .invalid: return other
      case .constant, .unknown: break
      }
    }
    return all
  }

  /// A path: see ``path(_:)``.
  public init(stringLiteral value: String) {
    self = .path(value)
  }

  fileprivate init(source: ObjectDefinition.Source) {
    self.source = source
  }
}
