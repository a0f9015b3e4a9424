// Values at another place than their mapping, or made from several places.

extension Mapping {
  /// The value at a path inside: `.at("account.owner", person)` maps the owner in `{"account":{"owner":{…}}}`.
  ///
  /// Encoding writes the objects on the path.
  ///
  /// - Parameters:
  ///   - path: The path, relative to the value.
  ///   - mapping: Maps the value at that path.
  /// - Returns: The mapping.
  public static func at(_ path: FieldSource, _ mapping: Mapping) -> Mapping {
    let field = Field(path, .path(\Value.self), mapping)
    var object = ObjectDefinition(name: typeName(Value.self), fields: [field.definition])
    object.isTransparent = true
    return Mapping(
      Definition(
        .object(object), policy: object.policy(around: mapping.definition.policy ?? Policy()),
        operations: ObjectOperations<Value>(
          make: { slots, offsets, slot, isOptional in
            var reader = SlotReader(slots: slots, offsets: offsets)
            Slot.storeApart(reader.take(Value.self), in: slot, isOptional: isOptional)
          }, fields: [field.erased.access]),
        expected: object.expected))
  }

  /// The value, wrapped in objects before it is mapped: the opposite of ``at(_:_:)``.
  ///
  /// With `.wrapped(in: ["a", "b"], mapping)`, `7` is mapped as if it were `{"a":{"b":7}}`. Encoding removes these objects again.
  ///
  /// - Parameters:
  ///   - keys: The keys of the objects, the outermost first.
  ///   - mapping: Maps the outermost object.
  /// - Returns: The mapping.
  public static func wrapped(in keys: [String], _ mapping: Mapping) -> Mapping {
    .preTransformed(
      mapping,
      { value in keys.reversed().reduce(value) { .object([JSONValue.Member($1, $0)]) } },
      reverse: { value in
        try keys.reduce(value) { value, key in
          guard let inner = value[key] else {
            throw ConversionFailure(expected: "an object with the key '\(key)'")
          }
          return inner
        }
      })
  }

  /// A value made from several places: a date and a time, the parts of a name.
  ///
  /// ```swift
  /// let name: Mapping<String> = .joined(Part("first", .string), Part("last", .string)) { "\($0) \($1)" }
  /// ```
  ///
  /// - Parameters:
  ///   - part: The places, relative to the value, and their mappings. If the parts are members of the same object as the
  ///     field that takes the joined value, that field's source is `"$"`.
  ///   - combine: Makes the value; an error that it throws becomes `conversionFailed`.
  ///   - split: Takes the value apart, to encode; without it, the value cannot be encoded.
  /// - Returns: The mapping.
  public static func joined<each Value1>(
    _ part: repeat Part<each Value1>,
    by combine: @escaping @Sendable (repeat each Value1) throws -> Value,
    split: (@Sendable (Value) throws -> (repeat each Value1))? = nil
  ) -> Mapping {
    var fields: [ErasedField] = []
    for part in repeat each part {
      let index = fields.count
      fields.append(
        ErasedField(
          definition: ObjectDefinition.Field(
            source: part.source.source, target: ["part \(index + 1)"],
            definition: part.mapping.definition, fallbacks: part.source.fallbacks, property: nil),
          access: PropertyAccess { (parts: JoinedParts<Value>) in parts.value(index, like: part) }))
    }
    // Transparent: the parts are no properties of the result.
    // Closures, not key paths: with a key path in a function generic over a pack, Swift 6.3's runtime crashes.
    var object = ObjectDefinition(
      name: typeName(Value.self), fields: fields.map { $0.definition })
    object.isTransparent = true
    let joined = Definition(
      .object(object), policy: object.policy,
      operations: ObjectOperations<JoinedParts<Value>>(
        make: { slots, offsets, slot, isOptional in
          var reader = SlotReader(slots: slots, offsets: offsets)
          let parts = (repeat reader.take((each Value1).self))
          Slot.store(
            JoinedParts(Result { try combine(repeat each parts) }), in: slot,
            isOptional: isOptional)
        }, fields: fields.map { $0.access }),
      expected: object.expected)
    var reverse: (@Sendable (Value) throws -> JoinedParts<Value>)?
    if let split {
      reverse = { value in
        var values: [Any] = []
        let parts = try split(value)
        repeat values.append(each parts)
        return JoinedParts(.success(value), values)
      }
    }
    return Mapping(
      Definition(
        .transform(joined), policy: object.policy,
        operations: TransformOperations<JoinedParts<Value>, Value>(
          forward: { try $0.result.get() }, reverse: reverse),
        expected: typePhrase(Value.self)))
  }

  /// The elements of an array as a tuple, each with a mapping of its own.
  ///
  /// ```swift
  /// let pair: Mapping<(String, Int)> = .tuple(.string, .int)   // ["a", 1]
  /// ```
  ///
  /// Any further elements are ignored.
  public static func tuple<each Element>(_ element: repeat Mapping<each Element>) -> Mapping
  where Value == (repeat each Element) {
    var index = 0
    func part<Element1>(_ mapping: Mapping<Element1>) -> Part<Element1> {
      defer { index += 1 }
      return Part(.path("[\(index)]"), mapping)
    }
    return .joined(
      repeat part(each element), by: { (value: repeat each Element) in (repeat each value) },
      split: { $0 })
  }

  /// An array as a set: equal elements become one.
  ///
  /// Two texts that a set of Swift's Strings takes for equal although their code points differ ("é" as one code point or as two)
  /// are an error, ``ErrorCode/duplicateKey``: one of them would be lost.
  ///
  /// Encoding writes the elements in no particular order.
  public static func set<Element: Hashable & SendableMetatype>(of element: Mapping<Element>)
    -> Mapping
  where Value == Set<Element> {
    .converted(
      from: .array(of: element),
      { elements in
        let set = Set(elements)
        if set.count < elements.count, set.count < Set(elements.map { ExactValue($0) }).count {
          throw ConversionFailure(
            expected: "texts that a set of Swift's Strings tells apart", code: .duplicateKey)
        }
        return set
      },
      reverse: { Array($0) })
  }
}

/// One of the places that a joined value is made from.
public struct Part<Value>: Sendable {
  let source: FieldSource
  let mapping: Mapping<Value>

  /// A place, and the mapping of its value.
  ///
  /// - Parameters:
  ///   - source: The place, relative to the joined value.
  ///   - mapping: Maps the value there.
  public init(_ source: FieldSource, _ mapping: Mapping<Value>) {
    self.source = source
    self.mapping = mapping
  }
}

/// The value made from several parts and, when encoding, the parts.
struct JoinedParts<Value> {
  let result: Result<Value, any Error>
  let values: [Any]

  init(_ result: Result<Value, any Error>, _ values: [Any] = []) {
    self.result = result
    self.values = values
  }

  /// One of the parts, which have the types and the order that `joined` gave them.
  func value<Part1>(_ index: Int, like _: Part<Part1>) -> Part1? {
    values.indices.contains(index) ? values[index] as? Part1 : nil
  }
}
