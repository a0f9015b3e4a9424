// One of several mappings: the first that takes a value, or the one that the value chooses.

extension Mapping {
  /// The first of several mappings that takes the value.
  ///
  /// ```swift
  /// let name: Mapping<String> = .firstOf(.string, .at("full", .string), .converted(from: .int, { "\($0)" }))
  /// ```
  ///
  /// A container is recorded, within ``Limits/capturedValue``, and given to one alternative after the other. Where one takes
  /// the value, what those before it said becomes issues. Where none does, the error is ``ErrorCode/noAlternative``, with the
  /// errors of all behind it, that of the one that got furthest first.
  ///
  /// The reverse goes by the first alternative that can take the value back.
  ///
  /// - Parameters:
  ///   - alternatives: Tried in their order.
  ///   - reportsEarlier: Whether the errors of those that were tried in vain are kept as issues.
  /// - Returns: The mapping.
  public static func firstOf(_ alternatives: Mapping..., reportsEarlier: Bool = true) -> Mapping {
    firstOf(alternatives, reportsEarlier: reportsEarlier)
  }

  /// The first of several mappings that takes the value: see ``firstOf(_:reportsEarlier:)-(Mapping...,_)``.
  public static func firstOf(_ alternatives: [Mapping], reportsEarlier: Bool = true) -> Mapping {
    Mapping(
      Definition(
        .firstOf(alternatives.map(\.definition), reportsEarlier: reportsEarlier),
        policy: .first(of: alternatives.map { $0.definition.policy ?? Policy() }),
        operations: alternatives.first?.definition.operations?.sameValue
          ?? ScalarOperations<Value>(),
        expected: Definition.expected(ofAny: alternatives.map(\.definition))))
  }

  /// One of several mappings, chosen by the text of a scalar in the object, its discriminator.
  ///
  /// ```swift
  /// let shape: Mapping<Shape> = .dispatch(on: "type", ["circle": circle, "square": square])
  /// // {"type":"circle","radius":2}
  /// ```
  ///
  /// What comes before the discriminator is recorded, within ``Limits/capturedValue``; where it comes first, that is
  /// nothing. Of equal keys the first chooses. Numbers and booleans choose by their text.
  ///
  /// The reverse goes by the first case that can take the value back, and writes the discriminator in front, unless the
  /// case has a field of its own for that member.
  ///
  /// - Parameters:
  ///   - discriminator: A key, or a path of keys, in the object.
  ///   - cases: The mapping for each text.
  ///   - otherwise: The mapping for other texts, and for objects without the discriminator; without it they are errors.
  /// - Returns: The mapping.
  public static func dispatch(
    on discriminator: FieldSource, _ cases: KeyValuePairs<String, Mapping>,
    otherwise: Mapping? = nil
  ) -> Mapping {
    var keys: [String] = []
    var mistake: String?
    if !discriminator.fallbacks.isEmpty { mistake = "a discriminator has exactly one path" }
    switch discriminator.source {
    case .path(let path):
      for component in path.components {
        if case .key(let key) = component {
          keys.append(key)
        } else {
          mistake = "the path of a discriminator has keys only, no index"
        }
      }
    case .invalid(let error): mistake = "\(error)"
    case .constant, .unknown: mistake = "a discriminator needs a key"
    }
    if let mistake {
      return Mapping(Definition(.mistake(mistake), expected: "an object"))
    }
    return dispatch(.member(keys), cases.map { ($0.key, $0.value) }, otherwise)
  }

  /// One of several mappings, chosen by the kind of the value.
  ///
  /// ```swift
  /// // 7, "7" and {"id":7}
  /// let id: Mapping<Int> = .dispatch(byKind: [.number: .int, .string: .int(from: .string), .object: .at("id", .int)])
  /// ```
  ///
  /// The reverse goes by the first case that can take the value back.
  ///
  /// - Parameters:
  ///   - cases: The mapping for each kind.
  ///   - otherwise: The mapping for the kinds without one; without it they are errors.
  /// - Returns: The mapping.
  public static func dispatch(
    byKind cases: KeyValuePairs<JSONKind, Mapping>, otherwise: Mapping? = nil
  ) -> Mapping {
    dispatch(.kind, cases.map { ($0.key.rawValue, $0.value) }, otherwise)
  }

  /// The mapping, for values of these kinds only.
  ///
  /// - Parameters:
  ///   - kinds: Others are errors. Without any the mapping would take nothing: that is a mistake of the definition.
  ///   - mapping: Maps them.
  /// - Returns: The mapping.
  public static func only(_ kinds: [JSONKind], _ mapping: Mapping) -> Mapping {
    guard !kinds.isEmpty else {
      return Mapping(
        Definition(
          .mistake("'only' names no kind, so it would take no value: name at least one"),
          operations: mapping.definition.operations?.sameValue, expected: "nothing"))
    }
    var seen: Set<JSONKind> = []
    let cases = kinds.filter { seen.insert($0).inserted }.map { ($0.rawValue, mapping) }
    let chosen: Mapping = dispatch(.kind, cases, nil)
    guard seen.contains(.null) else { return chosen }
    // Null is named to be let through, not to be something of its own.
    let null = (mapping.definition.policy ?? Policy()).null
    return Mapping(
      chosen.definition.with(policy: Policy(null: .take(isSaid: null.isSaid && !null.fails))))
  }

  /// The mapping of a type that is also a `Value`: a subclass, a type that conforms to a protocol.
  ///
  /// ```swift
  /// let shape: Mapping<any Shape> = .dispatch(on: "type", ["circle": .casting(circle), "square": .casting(square)])
  /// ```
  ///
  /// The reverse takes back only values of that type: so a dispatch finds their case.
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

  private static func dispatch(
    _ choice: DispatchDefinition.Choice, _ cases: [(String, Mapping)], _ otherwise: Mapping?
  ) -> Mapping {
    let all = cases.map(\.1) + (otherwise.map { [$0] } ?? [])
    var expected = Definition.expected(ofAny: all.map(\.definition))
    if case .member = choice { expected = "an object" }
    let dispatch = DispatchDefinition(
      choice: choice, cases: cases.map { ($0.0, $0.1.definition) }, fallback: otherwise?.definition)
    return Mapping(
      Definition(
        .dispatch(dispatch), policy: dispatch.policy,
        operations: all.first?.definition.operations?.sameValue ?? ScalarOperations<Value>(),
        expected: expected))
  }
}
