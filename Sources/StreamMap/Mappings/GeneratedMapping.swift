// What the code that `@Mappable` writes stands on. By hand, write `Mapping.object` instead.

/// The fields of a type, in their order, as `@Mappable` writes them.
///
/// For generated code: it adds every field it maps and then takes the values in the same order, see
/// ``Mapping/init(generated:make:)``. By hand, write ``Mapping/object(_:_:)``.
public struct GeneratedFields<Root> {
  @usableFromInline var fields: [ErasedField] = []
  /// The type of each field's value, which is what its slot holds.
  @usableFromInline var types: [ObjectIdentifier] = []

  /// No fields yet.
  public init() {}

  /// A property of a type that says itself how it maps.
  ///
  /// - Parameters:
  ///   - name: The property's name, for messages.
  ///   - source: Where the value is.
  ///   - property: The property, for its exact type and, in a struct, its offset.
  ///   - presence: What stands in for a value that is missing.
  ///   - read: Reads the property, to encode, where it has no offset.
  @inlinable
  public mutating func add<Value: Mappable>(
    _ name: String, at source: FieldSource, _ property: KeyPath<Root, Value> & Sendable,
    presence: GeneratedPresence<Value> = .asMapped, read: @escaping @Sendable (Root) -> Value
  ) {
    add(name, at: source, property, .declared, presence: presence, read: read)
  }

  /// A property and the mapping of its value.
  @inlinable
  public mutating func add<Value>(
    _ name: String, at source: FieldSource, _ property: KeyPath<Root, Value> & Sendable,
    _ mapping: Mapping<Value>, presence: GeneratedPresence<Value> = .asMapped,
    read: @escaping @Sendable (Root) -> Value
  ) {
    // PERF: the closure is made in inlinable code, so that a program gets one that knows its types.
    append(name, at: source, property, mapping, presence: presence) { root, body in
      withUnsafePointer(to: read(root.assumingMemoryBound(to: Root.self).pointee)) {
        body(UnsafeRawPointer($0))
      }
    }
  }

  /// An Optional property and the mapping of what is in it, nil where the value is absent or `null` and neither the mapping
  /// nor the presence says anything else of that.
  @inlinable
  public mutating func add<Wrapped>(
    _ name: String, at source: FieldSource, _ property: KeyPath<Root, Wrapped?> & Sendable,
    _ mapping: Mapping<Wrapped>, presence: GeneratedPresence<Wrapped?> = .asMapped,
    read: @escaping @Sendable (Root) -> Wrapped?
  ) {
    append(name, at: source, property, presence.nullable(mapping), presence: presence) {
      root, body in
      withUnsafePointer(to: read(root.assumingMemoryBound(to: Root.self).pointee)) {
        body(UnsafeRawPointer($0))
      }
    }
  }

  @usableFromInline
  mutating func append<Value>(
    _ name: String, at source: FieldSource, _ property: KeyPath<Root, Value> & Sendable,
    _ mapping: Mapping<Value>, presence: GeneratedPresence<Value>,
    read: @escaping @Sendable (UnsafeRawPointer, (UnsafeRawPointer) -> Void) -> Void
  ) {
    let definition = ObjectDefinition.Field(
      source: source.source, target: [name], definition: presence.applied(to: mapping),
      fallbacks: source.fallbacks, property: property)
    fields.append(
      ErasedField(definition: definition, access: PropertyAccess(property, read: read)))
    types.append(ObjectIdentifier(Value.self))
  }
}

/// What stands in for the value of a generated field, beyond what its mapping says.
///
/// For generated code: see ``GeneratedFields``.
public struct GeneratedPresence<Value>: Sendable {
  private enum Rule {
    case asMapped
    case required
    case fallback(Substitute)
    case lenient(Substitute)
  }

  private let rule: Rule

  /// What the mapping says.
  public static var asMapped: GeneratedPresence { GeneratedPresence(rule: .asMapped) }

  /// An error where the value is absent or `null`, whatever the mapping says.
  public static var required: GeneratedPresence { GeneratedPresence(rule: .required) }

  /// This value where it is absent or `null`, and the mapping has nothing of its own for that.
  public static func `default`(_ value: @autoclosure @escaping @Sendable () -> Value)
    -> GeneratedPresence
  {
    GeneratedPresence(rule: .fallback(substitute(value)))
  }

  /// This value, and an issue, where the value is absent, `null` or wrong.
  public static func optional(default value: @autoclosure @escaping @Sendable () -> Value)
    -> GeneratedPresence
  {
    GeneratedPresence(rule: .lenient(substitute(value)))
  }

  private static func substitute(_ value: @escaping @Sendable () -> Value) -> Substitute {
    Substitute(value, name: typePhrase(Value.self), isWhole: true)
  }

  /// The mapping of an Optional's value, nullable.
  @usableFromInline
  func nullable<Wrapped>(_ mapping: Mapping<Wrapped>) -> Mapping<Value> where Value == Wrapped? {
    guard case .fallback = rule else { return .ofProperty(mapping) }
    // What the mapping of the value in it has to say comes before the default, and this before nil.
    let policy = mapping.definition.policy ?? Policy()
    return Mapping(mapping.definition.storingOptional(policy: policy))
  }

  func applied(to mapping: Mapping<Value>) -> Definition {
    let definition = mapping.definition
    var policy = definition.policy ?? Policy()
    switch rule {
    case .asMapped: return definition
    case .required: return mapping.notNull().definition
    case .fallback(let substitute):
      if case .unsaid = policy.absent { policy.absent = .substitute(substitute, reported: false) }
      if case .unsaid = policy.null { policy.null = .substitute(substitute, reported: false) }
    case .lenient(let substitute):
      let action = Policy.Action.substitute(substitute, reported: true)
      policy = Policy(absent: action, null: action, invalid: action)
    }
    return definition.with(policy: policy)
  }
}

/// The values of an object's fields, to be taken one after the other in the order in which the fields were added.
///
/// For generated code: see ``Mapping/init(generated:make:)``.
///
/// Invariant: the slots at `offsets` hold live values of `types`, and those before `index` were taken.
public struct GeneratedSlots: ~Copyable {
  @usableFromInline let slots: UnsafeMutableRawPointer
  @usableFromInline let offsets: UnsafePointer<Int>
  @usableFromInline let types: [ObjectIdentifier]
  @usableFromInline var index = 0

  @inlinable
  init(
    slots: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>, types: [ObjectIdentifier]
  ) {
    self.slots = slots
    self.offsets = offsets
    self.types = types
  }

  /// Moves the next field's value out.
  ///
  /// - Precondition: The next field has this type. It depends on the program alone, never on what is decoded.
  @inlinable
  public mutating func take<Value>(_: Value.Type = Value.self) -> Value {
    precondition(types[index] == ObjectIdentifier(Value.self), "the field has another type")
    defer { index += 1 }
    return (slots + offsets[index]).assumingMemoryBound(to: Value.self).move()
  }
}

extension Mapping {
  /// An object from the fields that generated code has added.
  ///
  /// For generated code. All fields are examined before the object fails, and all their errors reported together.
  ///
  /// ```swift
  /// var fields = GeneratedFields<Point>()
  /// fields.add("x", at: "x", \.x) { $0.x }
  /// fields.add("y", at: "y", \.y) { $0.y }
  /// let point = Mapping(generated: fields) { slots in Point(x: slots.take(), y: slots.take()) }
  /// ```
  ///
  /// - Parameters:
  ///   - fields: The fields.
  ///   - make: Takes every field's value, in their order, and makes the object.
  @inlinable
  public init(
    generated fields: GeneratedFields<Value>,
    make: @escaping @Sendable (inout GeneratedSlots) -> Value
  ) {
    let types = fields.types
    self.init(fields.fields) { slots, offsets, slot, isOptional in
      var reader = GeneratedSlots(slots: slots, offsets: offsets, types: types)
      let value = make(&reader)
      precondition(reader.index == types.count, "a field was not taken")
      Slot.store(value, in: slot, isOptional: isOptional)
    }
  }
}

extension Mapping {
  /// A case of an enum by what is in it, one of those that a discriminator tells apart.
  ///
  /// For generated code.
  ///
  /// - Parameters:
  ///   - payload: Maps what is in the case.
  ///   - make: Makes the case.
  ///   - take: What is in it, or nil where a value is another case.
  public init<Payload>(
    generatedCase payload: Mapping<Payload>, make: @escaping @Sendable (Payload) -> Value,
    take: @escaping @Sendable (Value) -> Payload?
  ) {
    self = .converted(
      from: payload, make,
      reverse: { value in
        guard let payload = take(value) else {
          throw ConversionFailure(expected: "another case")
        }
        return payload
      })
  }

  /// A case of an enum by its name; any other string is an error.
  ///
  /// For generated code.
  ///
  /// - Parameters:
  ///   - names: The names of the cases.
  ///   - value: The case of a name, by its index.
  ///   - index: The index of a case's name.
  public init(
    generatedNames names: [String], value: @escaping @Sendable (Int) -> Value,
    index: @escaping @Sendable (Value) -> Int
  ) {
    var indices: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      if indices.updateValue(index, forKey: name) != nil {
        self.init(
          Definition(.mistake("two cases are named '\(name)'"), expected: typeName(Value.self)))
        return
      }
    }
    let accepted = names.map { "'\($0)'" }.joined(separator: ", ")
    let expected = names.count == 1 ? accepted : "one of " + accepted
    self = .converted(
      from: .string,
      { [indices] name in
        guard let index = indices[name] else { throw ConversionFailure(expected: expected) }
        return value(index)
      },
      reverse: { names[index($0)] })
  }
}
