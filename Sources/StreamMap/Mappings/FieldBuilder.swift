/// Makes the fields of a type, and the object from them: the argument of the closure of ``Mapping/object(_:_:)``.
///
/// Call it like a function, once for each property. If each call is a statement of its own, the compiler checks one at a
/// time: sixty fields compile in a fraction of a second, and a mistake is an error at its own line.
///
/// ```swift
/// let person = Mapping.object(Person.self) { field in
///   let name = field("first_name", \.name)
///   let city = field("address.city", \.city, .string.default("unknown"))
///   return field.make(Person.init, name, city)
/// }
/// ```
///
/// If there are only a few fields, the calls can also be arguments of `make`. About ten of them compile quickly, but if one
/// is wrong, the compiler may give up without saying which. So write statements for more than a handful of properties.
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
  ///   - source: Where the value is, relative to the object. If it is not a valid path, compiling the mapping throws.
  ///   - property: The property; encoding reads it, ``make(creating:_:)`` and updates write it.
  ///   - mapping: Maps the value.
  /// - Returns: The field, for ``make(_:_:)``.
  public func callAsFunction<Value>(
    _ source: FieldSource, _ property: KeyPath<Root, Value> & Sendable, _ mapping: Mapping<Value>
  ) -> Field<Root, Value> {
    Field(source, .path(property), mapping)
  }

  /// An Optional property, which is nil if the value is absent or `null` and the mapping does not say otherwise.
  ///
  /// The mapping takes precedence: `.string.default("x")` gives "x", and `.string.notNull()` an error.
  // Disfavored: with two overloads of the same rank, the compiler tries both for each field.
  @_disfavoredOverload
  public func callAsFunction<Wrapped>(
    _ source: FieldSource, _ property: KeyPath<Root, Wrapped?> & Sendable,
    _ mapping: Mapping<Wrapped>
  ) -> Field<Root, Wrapped?> {
    Field(source, .path(property), .ofProperty(mapping))
  }

  /// A property whose type declares its mapping.
  @inlinable
  public func callAsFunction<Value: Mappable>(
    _ source: FieldSource, _ property: KeyPath<Root, Value> & Sendable
  ) -> Field<Root, Value> {
    callAsFunction(source, property, .declared)
  }

  /// A value that one function gives to the object and another reads from it, such as a method or several properties.
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
  ///   - name: The value's name in errors and ``EncodingOptions``.
  ///   - mapping: Maps the value.
  ///   - set: Gives the value to the object, in ``make(creating:_:)`` and in updates; ``make(_:_:)`` passes the value to the
  ///     initialiser instead. If an update fails at its end, `set` is called again with the earlier result of `get`.
  ///   - get: Reads the value, to encode.
  /// - Returns: The field.
  public func callAsFunction<Value>(
    _ source: FieldSource, named name: String, _ mapping: Mapping<Value>,
    set: @escaping @Sendable (inout Root, Value) -> Void, get: @escaping @Sendable (Root) -> Value
  ) -> Field<Root, Value> {
    Field(source, .code(get: get, set: set), mapping, name: name)
  }

  /// A value whose type declares its mapping, which one function gives to the object and another reads from it.
  public func callAsFunction<Value: Mappable>(
    _ source: FieldSource, named name: String,
    set: @escaping @Sendable (inout Root, Value) -> Void, get: @escaping @Sendable (Root) -> Value
  ) -> Field<Root, Value> {
    callAsFunction(source, named: name, .declared, set: set, get: get)
  }

  /// A property with a constant value, independent of the feed: `field(constant: "feed", \.origin)`.
  ///
  /// Encoding does not write it.
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

  /// A property that collects the members that are not the source of any other field, as one object.
  ///
  /// ```swift
  /// field(collecting: \.others)   // var others: [String: JSONValue]
  /// ```
  ///
  /// The object is bounded by ``Limits/capturedValue``. Encoding writes its members back. If a key occurs twice, the last
  /// member stays, unless ``Mapping/duplicateKeys(_:)`` says otherwise.
  ///
  /// - Parameters:
  ///   - property: The property that holds the collected members.
  ///   - mapping: Maps the object with these members.
  /// - Returns: The field.
  public func callAsFunction<Value>(
    collecting property: KeyPath<Root, Value> & Sendable, _ mapping: Mapping<Value>
  ) -> Field<Root, Value> {
    Field(FieldSource(source: .unknown), .path(property), mapping)
  }

  /// A property that collects the members that are not the source of any other field, and whose type declares its mapping,
  /// such as `[String: JSONValue]`.
  public func callAsFunction<Value: Mappable>(
    collecting property: KeyPath<Root, Value> & Sendable
  ) -> Field<Root, Value> {
    callAsFunction(collecting: property, .declared)
  }

  /// An object that an initialiser makes from its fields: for immutable structs and classes.
  ///
  /// All fields are checked, and all their errors are reported together.
  ///
  /// - Parameters:
  ///   - make: Receives the values of the fields in this order.
  ///   - field: The fields; each property at most once.
  /// - Returns: The mapping.
  // Swift 5 does not know that an initialiser's name is Sendable, and would warn of each.
  @preconcurrency
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

  /// An object that is made first and whose properties are then written: for types with writable properties.
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
  @preconcurrency
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
  /// An object made from its fields.
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
  /// Use it for types that are not your own, and for mappings that `@Mappable` cannot generate.
  ///
  /// - Parameters:
  ///   - type: The type; it can be left out if the context determines it.
  ///   - body: Makes the fields, and the object from them.
  /// - Returns: The mapping.
  @inlinable
  public static func object(
    _ type: Value.Type = Value.self, _ body: (FieldBuilder<Value>) -> Mapping<Value>
  ) -> Mapping<Value> {
    body(FieldBuilder())
  }
}
