/// Makes the fields of one type, and the object from them: what ``Mapping/object(_:_:)`` hands to its body.
///
/// Call it like a function, once for each property. Each call is a statement of its own, so the compiler checks it by itself:
/// sixty fields compile in a fraction of a second, and a mistake is an error at its own line.
///
/// ```swift
/// let person = Mapping.object(Person.self) { field in
///   let name = field("first_name", \.name)
///   let city = field("address.city", \.city, .string.default("unknown"))
///   return field.make(Person.init, name, city)
/// }
/// ```
///
/// With few fields the calls may stand inside `make`. Up to about ten compile at once; where one of many is wrong, the
/// compiler may give up without saying which. So write statements when a type has more than a handful of properties.
public struct FieldBuilder<Root>: Sendable {
  @usableFromInline
  init() {}

  /// A property and the mapping of its value.
  ///
  /// ```swift
  /// field("name", \.name, .string)                // a member
  /// field("user.name", \.userName, .string)       // a path: through an object
  /// field("tags[0]", \.firstTag, .string)         // an element; out of range is absent
  /// field(.key("a.b"), \.dotted, .string)         // a key with a dot in it, taken literally
  /// field(.first("title", "name"), \.title)       // the first key that is there
  /// ```
  ///
  /// - Parameters:
  ///   - source: Where the value is, relative to the object. A path that cannot be read is reported when the mapping is
  ///     compiled.
  ///   - property: Read to encode; in ``make(creating:_:)`` and in updates written, too.
  ///   - mapping: How the value maps.
  /// - Returns: The field, for ``make(_:_:)``.
  public func callAsFunction<Value>(
    _ source: FieldSource, _ property: KeyPath<Root, Value> & Sendable, _ mapping: Mapping<Value>
  ) -> Field<Root, Value> {
    Field(source, .path(property), mapping)
  }

  /// An Optional property, nil where the value is absent or `null` and the mapping says nothing else of that.
  ///
  /// What the mapping says holds: with `.string.default("x")` it is "x", with `.string.notNull()` an error.
  // Disfavored: with two overloads of one rank the compiler tries both for each field.
  @_disfavoredOverload
  public func callAsFunction<Wrapped>(
    _ source: FieldSource, _ property: KeyPath<Root, Wrapped?> & Sendable,
    _ mapping: Mapping<Wrapped>
  ) -> Field<Root, Wrapped?> {
    Field(source, .path(property), .ofProperty(mapping))
  }

  /// A property of a type that says itself how it maps.
  @inlinable
  public func callAsFunction<Value: Mappable>(
    _ source: FieldSource, _ property: KeyPath<Root, Value> & Sendable
  ) -> Field<Root, Value> {
    callAsFunction(source, property, .declared)
  }

  /// A value that is handed to the object by one function and read by another: a method of it, or several properties.
  ///
  /// ```swift
  /// let counter = Mapping.object(Counter.self) { field in
  ///   let n = field("n", named: "n", .int, set: { $0.start(at: $1) }, get: { $0.start })
  ///   return field.make(creating: Counter.init, n)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - source: Where the value is, relative to the object.
  ///   - name: What the value is called, in errors and ``EncodingOptions``.
  ///   - mapping: How the value maps.
  ///   - set: Takes the value: in ``make(creating:_:)`` and in updates. An object made by an initialiser is given it there
  ///     instead. An update that fails in the end gives `set` what `get` gave before.
  ///   - get: Gives the value, to encode.
  /// - Returns: The field.
  public func callAsFunction<Value>(
    _ source: FieldSource, named name: String, _ mapping: Mapping<Value>,
    set: @escaping @Sendable (inout Root, Value) -> Void, get: @escaping @Sendable (Root) -> Value
  ) -> Field<Root, Value> {
    Field(source, .code(get: get, set: set), mapping, name: name)
  }

  /// A value of a type that says itself how it maps, handed to the object by one function and read by another.
  public func callAsFunction<Value: Mappable>(
    _ source: FieldSource, named name: String,
    set: @escaping @Sendable (inout Root, Value) -> Void, get: @escaping @Sendable (Root) -> Value
  ) -> Field<Root, Value> {
    callAsFunction(source, named: name, .declared, set: set, get: get)
  }

  /// A property with a fixed value, whatever the feed holds: `field(constant: "feed", \.origin)`.
  ///
  /// It is not encoded.
  public func callAsFunction<Value>(
    constant value: @autoclosure @escaping @Sendable () -> Value,
    _ property: KeyPath<Root, Value> & Sendable
  ) -> Field<Root, Value> {
    let constant = Definition(
      .json(.value),
      policy: Policy(absent: .substitute(Substitute(value, name: "constant"), reported: false)),
      operations: ScalarOperations<Value>(), expected: "a constant")
    return Field(FieldSource(source: .constant), .path(property), Mapping(constant))
  }

  /// A property that collects the members that no other field has for its source, as one object.
  ///
  /// ```swift
  /// field(collecting: \.others)   // var others: [String: JSONValue]
  /// ```
  ///
  /// Bounded by ``Limits/capturedValue``. The reverse writes them back. Of equal keys the last stays, unless
  /// ``Mapping/duplicateKeys(_:)`` says otherwise.
  ///
  /// - Parameters:
  ///   - property: Where they go.
  ///   - mapping: Maps the object of them.
  /// - Returns: The field.
  public func callAsFunction<Value>(
    collecting property: KeyPath<Root, Value> & Sendable, _ mapping: Mapping<Value>
  ) -> Field<Root, Value> {
    Field(FieldSource(source: .unknown), .path(property), mapping)
  }

  /// A property of a type that says itself how it maps, such as `[String: JSONValue]`, that collects the members that no
  /// other field has for its source.
  public func callAsFunction<Value: Mappable>(
    collecting property: KeyPath<Root, Value> & Sendable
  ) -> Field<Root, Value> {
    callAsFunction(collecting: property, .declared)
  }

  /// An object made by an initialiser from its fields: for immutable structs and classes.
  ///
  /// All fields are examined before the object fails, and all their errors reported together.
  ///
  /// - Parameters:
  ///   - make: Takes the fields' values in their order.
  ///   - field: The fields; each property at most once.
  /// - Returns: The mapping.
  @inlinable
  public func make<each Part>(
    _ make: @escaping @Sendable (repeat each Part) -> Root, _ field: repeat Field<Root, each Part>
  ) -> Mapping<Root> {
    var fields: [ErasedField] = []
    for field in repeat each field { fields.append(field.erased) }
    return Mapping(fields) { slots, offsets, slot, isOptional in
      var reader = SlotReader(slots: slots, offsets: offsets)
      Slot.store(make(repeat reader.take((each Part).self)), in: slot, isOptional: isOptional)
    }
  }

  /// An object made empty, whose properties are then written: for classes and structs with writable properties.
  ///
  /// ```swift
  /// final class Settings { var theme = "light"; var size = 12 }
  /// let settings = Mapping.object(Settings.self) { field in
  ///   field.make(creating: Settings.init, field("theme", \.theme), field("size", \.size))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - make: Makes the object.
  ///   - field: The fields; each property at most once, and writable.
  /// - Returns: The mapping.
  public func make<each Part>(
    creating make: @escaping @Sendable () -> Root, _ field: repeat Field<Root, each Part>
  ) -> Mapping<Root> {
    var fields: [ErasedField] = []
    for field in repeat each field { fields.append(field.writable) }
    let properties = (repeat (each field).property)
    return Mapping(fields) { slots, offsets, slot, isOptional in
      var reader = SlotReader(slots: slots, offsets: offsets)
      var object = make()
      for property in repeat each properties { reader.write(property, of: &object) }
      Slot.store(object, in: slot, isOptional: isOptional)
    }
  }
}

extension Mapping {
  /// An object from its fields.
  ///
  /// ```swift
  /// struct Point { let x: Double; let y: Double }
  /// let point = Mapping.object(Point.self) { field in
  ///   let x = field("x", \.x)
  ///   let y = field("y", \.y)
  ///   return field.make(Point.init, x, y)
  /// }
  /// ```
  ///
  /// Use it for types that are not your own, and for mappings that `@Mappable` cannot write.
  ///
  /// - Parameters:
  ///   - type: The type; it may be left out where the context names it.
  ///   - body: Makes the fields, and the object from them.
  /// - Returns: The mapping.
  @inlinable
  public static func object(
    _ type: Value.Type = Value.self, _ body: (FieldBuilder<Value>) -> Mapping<Value>
  ) -> Mapping<Value> {
    body(FieldBuilder())
  }
}
