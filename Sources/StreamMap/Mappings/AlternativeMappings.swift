// One of several mappings: the first that accepts a value, or the one that the value selects.

extension Mapping {
  /// The first of several mappings that accepts the value.
  ///
  /// ```swift
  /// let name: Mapping<String> = .firstOf(.string, .at("full", .string), .oneWay(from: .int) { "\($0)" })
  /// ```
  ///
  /// An object or array is recorded, within ``Limits/capturedValue``, and given to one alternative after the other. If one
  /// accepts it, the errors of the alternatives before it become issues. If none does, the error is
  /// ``ErrorCode/noAlternative``. It contains the errors of all alternatives, those of the one that got furthest first.
  ///
  /// Encoding uses the first alternative that can encode the value.
  ///
  /// - Parameters:
  ///   - alternatives: Tried in this order.
  ///   - reportsEarlier: Whether the errors of alternatives that were tried in vain are kept as issues.
  /// - Returns: The mapping.
  public static func firstOf(_ alternatives: Mapping..., reportsEarlier: Bool = true) -> Mapping {
    firstOf(alternatives, reportsEarlier: reportsEarlier)
  }

  /// The first of several mappings that accepts the value: see ``firstOf(_:reportsEarlier:)-(Mapping<Value>...,_)``.
  public static func firstOf(_ alternatives: [Mapping], reportsEarlier: Bool = true) -> Mapping {
    Mapping(
      .firstOf(
        alternatives.map(\.definition), reportsEarlier: reportsEarlier,
        operations: operations(of: alternatives)))
  }

  /// One of several mappings, selected by the text of a scalar in the object: its discriminator.
  ///
  /// ```swift
  /// let shape: Mapping<Shape> = .dispatch(on: "type", ["circle": circle, "square": square])
  /// // {"type":"circle","radius":2}
  /// ```
  ///
  /// Members that come before the discriminator are recorded, within ``Limits/capturedValue``. If the discriminator comes
  /// first, nothing is recorded. If its key occurs twice, the first one selects. Numbers and booleans select by their
  /// text.
  ///
  /// Encoding uses the first case that can encode the value. It writes the discriminator first. If the case has a field of its
  /// own for that member, that is written instead, and has to be the text that selects the case; with any other text, the case
  /// does not encode the value, because another one would decode it. A case that takes all members, as a dictionary does, has to
  /// have it among them.
  ///
  /// A case that takes no objects is a mistake of the definition.
  ///
  /// - Parameters:
  ///   - discriminator: A key, or a path of keys, in the object.
  ///   - cases: The mapping for each text.
  ///   - otherwise: The mapping for other texts and for objects without the discriminator; without it they are errors.
  /// - Returns: The mapping.
  public static func dispatch(
    on discriminator: FieldSource, _ cases: KeyValuePairs<String, Mapping>,
    otherwise: Mapping? = nil
  ) -> Mapping {
    dispatch(on: discriminator, cases.map { ($0.key, $0.value) }, otherwise: otherwise)
  }

  /// One of several mappings, selected by the text of a scalar in the object, for cases that the program makes at run
  /// time: see ``dispatch(on:_:otherwise:)-(_,KeyValuePairs<String,Mapping<Value>>,_)``.
  // Disfavored: cases are usually a literal.
  @_disfavoredOverload
  public static func dispatch(
    on discriminator: FieldSource, _ cases: [(String, Mapping)], otherwise: Mapping? = nil
  ) -> Mapping {
    Mapping(
      .dispatch(
        on: discriminator, cases.map { ($0.0, $0.1.definition) }, otherwise: otherwise?.definition,
        operations: operations(of: cases.map(\.1) + [otherwise].compactMap(\.self))))
  }

  /// One of several mappings, selected by the kind of the value.
  ///
  /// ```swift
  /// // 7, "7" and {"id":7}
  /// let id: Mapping<Int> = .dispatch(byKind: [.number: .int, .string: .int(from: .string), .object: .at("id", .int)])
  /// ```
  ///
  /// Encoding uses the first case that can encode the value as a value of its kind.
  ///
  /// - Parameters:
  ///   - cases: The mapping for each kind.
  ///   - otherwise: The mapping for the kinds without a case; without it they are errors.
  /// - Returns: The mapping.
  public static func dispatch(
    byKind cases: KeyValuePairs<JSONKind, Mapping>, otherwise: Mapping? = nil
  ) -> Mapping {
    dispatch(byKind: cases.map { ($0.key, $0.value) }, otherwise: otherwise)
  }

  /// One of several mappings, selected by the kind of the value, for cases that the program makes at run time: see
  /// ``dispatch(byKind:otherwise:)-(KeyValuePairs<JSONKind,Mapping<Value>>,_)``.
  @_disfavoredOverload
  public static func dispatch(
    byKind cases: [(JSONKind, Mapping)], otherwise: Mapping? = nil
  ) -> Mapping {
    Mapping(
      .dispatch(
        byKind: cases.map { ($0.0, $0.1.definition) }, otherwise: otherwise?.definition,
        operations: operations(of: cases.map(\.1) + [otherwise].compactMap(\.self))))
  }

  /// The mapping, for values of this kind only.
  ///
  /// - Parameters:
  ///   - kind: Values of other kinds are errors.
  ///   - mapping: Maps values of this kind.
  /// - Returns: The mapping.
  public static func accepting(_ kind: JSONKind, _ mapping: Mapping) -> Mapping {
    accepting([kind], mapping)
  }

  /// The mapping, for values of these kinds only.
  ///
  /// - Parameters:
  ///   - kinds: Values of other kinds are errors. An empty list is a mistake of the definition: the mapping would accept
  ///     no value.
  ///   - mapping: Maps values of these kinds.
  /// - Returns: The mapping.
  public static func accepting(_ kinds: [JSONKind], _ mapping: Mapping) -> Mapping {
    guard !kinds.isEmpty else {
      return Mapping(
        Definition(
          .mistake("'accepting' names no kind, so it would take no value: name at least one"),
          operations: mapping.definition.operations?.sameValue, expected: "nothing"))
    }
    var seen: Set<JSONKind> = []
    let cases = kinds.filter { seen.insert($0).inserted }.map { ($0, mapping) }
    let chosen: Mapping = dispatch(byKind: cases)
    guard seen.contains(.null) else { return chosen }
    // Null is named to be let through, not to be something of its own.
    let null = (mapping.definition.policy ?? Policy()).null
    return Mapping(
      chosen.definition.with(policy: Policy(null: .take(isSaid: null.isSaid && !null.fails))))
  }

  /// The mapping of a type whose values are also a `Value`: a subclass, or a type that conforms to a protocol.
  ///
  /// ```swift
  /// let shape: Mapping<any Shape> = .dispatch(on: "type", ["circle": .casting(circle), "square": .casting(square)])
  /// ```
  ///
  /// Only values of that type can be encoded. This is how a dispatch finds the case of a value.
  public static func casting<Special>(_ mapping: Mapping<Special>) -> Mapping {
    .converted(
      from: mapping,
      { special in
        guard let value = special as? Value else {
          throw ConversionFailure(expected: typePhrase(Value.self))
        }
        return value
      },
      reverse: { value in
        guard let special = value as? Special else {
          throw ConversionFailure(expected: typePhrase(Special.self))
        }
        return special
      })
  }

  /// The operations of a value that one of these mappings makes.
  private static func operations(of mappings: [Mapping]) -> ValueOperations {
    mappings.first?.definition.operations?.sameValue ?? ScalarOperations<Value>()
  }
}

// MARK: Definitions, of typed values and of output records

extension Definition {
  /// The first of several mappings that accepts the value.
  static func firstOf(
    _ alternatives: [Definition], reportsEarlier: Bool, operations: ValueOperations? = nil
  ) -> Definition {
    Definition(
      .firstOf(alternatives, reportsEarlier: reportsEarlier),
      policy: .first(of: alternatives.map { $0.policy ?? Policy() }), operations: operations,
      expected: expected(ofAny: alternatives))
  }

  /// One of several mappings, selected by the text of a scalar in the object.
  static func dispatch(
    on discriminator: FieldSource, _ cases: [(String, Definition)], otherwise: Definition?,
    operations: ValueOperations? = nil
  ) -> Definition {
    if let mistake = discriminator.mistakeAsDiscriminator {
      return Definition(.mistake(mistake), expected: "an object")
    }
    let keys = discriminator.source.path?.components.compactMap(\.key) ?? []
    return dispatch(.member(keys), cases, otherwise, operations, expected: "an object")
  }

  /// One of several mappings, selected by the kind of the value.
  static func dispatch(
    byKind cases: [(JSONKind, Definition)], otherwise: Definition?,
    operations: ValueOperations? = nil
  ) -> Definition {
    let all = cases.map(\.1) + [otherwise].compactMap(\.self)
    return dispatch(
      .kind, cases.map { ($0.0.rawValue, $0.1) }, otherwise, operations,
      expected: expected(ofAny: all))
  }

  private static func dispatch(
    _ choice: DispatchDefinition.Choice, _ cases: [(String, Definition)], _ otherwise: Definition?,
    _ operations: ValueOperations?, expected: String
  ) -> Definition {
    let dispatch = DispatchDefinition(
      choice: choice, cases: cases.map { (label: $0.0, definition: $0.1) }, fallback: otherwise)
    return Definition(
      .dispatch(dispatch), policy: dispatch.policy, operations: operations, expected: expected)
  }
}

extension FieldSource {
  /// Why no discriminator can be there; nil if one can.
  fileprivate var mistakeAsDiscriminator: String? {
    if !fallbacks.isEmpty { return "a discriminator has exactly one path" }
    switch source {
    case .path(let path):
      return path.components.allSatisfy { $0.key != nil }
        ? nil : "the path of a discriminator has keys only, no index"
    case .invalid(let error): return "\(error)"
    case .constant, .unknown, .fact: return "a discriminator needs a key"
    }
  }
}

extension JSONPath.Component {
  fileprivate var key: String? { if case .key(let key) = self { key } else { nil } }
}
