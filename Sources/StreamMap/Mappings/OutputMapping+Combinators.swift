// Alternatives, functions and rules of output mappings: the twins of those of `Mapping`.

extension OutputMapping {
  /// A value made from another one by a function.
  ///
  /// Conversions between typed values are used through it: `.converted(from: .string, expected: "a date") { … }`. The value is
  /// made a ``JSONValue`` for it, so a field with one costs more than one without.
  ///
  /// - Parameters:
  ///   - source: What the value is made from.
  ///   - expected: What the field takes, as in “expected a date”.
  ///   - convert: Throws ``ConversionFailure``, ``RuleFailure`` or any other error for what it does not take.
  /// - Returns: The mapping.
  public static func converted(
    from source: OutputMapping, expected: String,
    _ convert: @escaping @Sendable (JSONValue) throws -> JSONValue
  ) -> OutputMapping {
    OutputMapping(
      Definition(
        .transform(source.definition), policy: (source.definition.policy ?? Policy()).through,
        operations: OutputTransform(convert), expected: expected))
  }

  /// The first of several mappings that takes the value: see ``Mapping/firstOf(_:reportsEarlier:)-([Mapping<Value>],_)``.
  public static func firstOf(_ alternatives: [OutputMapping], reportsEarlier: Bool = true)
    -> OutputMapping
  {
    OutputMapping(
      Definition(
        .firstOf(alternatives.map(\.definition), reportsEarlier: reportsEarlier),
        policy: .first(of: alternatives.map { $0.definition.policy ?? Policy() }),
        expected: Definition.expected(ofAny: alternatives.map(\.definition))))
  }

  /// One of several mappings, chosen by the kind of the value: see ``Mapping/dispatch(byKind:otherwise:)``.
  public static func dispatch(
    byKind cases: KeyValuePairs<JSONKind, OutputMapping>, otherwise: OutputMapping? = nil
  ) -> OutputMapping {
    dispatch(byKind: cases.map { ($0.key, $0.value) }, otherwise: otherwise)
  }

  /// One of several mappings, chosen by the kind of the value: see ``Mapping/dispatch(byKind:otherwise:)``.
  public static func dispatch(
    byKind cases: [(JSONKind, OutputMapping)], otherwise: OutputMapping? = nil
  ) -> OutputMapping {
    let dispatch = DispatchDefinition(
      choice: .kind, cases: cases.map { ($0.0.rawValue, $0.1.definition) },
      fallback: otherwise?.definition)
    return OutputMapping(
      Definition(
        .dispatch(dispatch), policy: dispatch.policy,
        expected: Definition.expected(ofAny: cases.map(\.1.definition))))
  }

  /// One of several mappings, chosen by the text of a member: see ``Mapping/dispatch(on:_:otherwise:)``.
  public static func dispatch(
    on discriminator: [String], _ cases: KeyValuePairs<String, OutputMapping>,
    otherwise: OutputMapping? = nil
  ) -> OutputMapping {
    dispatch(on: discriminator, cases.map { ($0.key, $0.value) }, otherwise: otherwise)
  }

  /// One of several mappings, chosen by the text of a member: see ``Mapping/dispatch(on:_:otherwise:)``.
  public static func dispatch(
    on discriminator: [String], _ cases: [(String, OutputMapping)], otherwise: OutputMapping? = nil
  ) -> OutputMapping {
    OutputMapping(
      Definition(
        .dispatch(
          DispatchDefinition(
            choice: .member(discriminator), cases: cases.map { ($0.0, $0.1.definition) },
            fallback: otherwise?.definition)),
        expected: "an object"))
  }

  /// The mapping, for values that keep to rules about the finished JSON value.
  ///
  /// - Parameter rules: Asked in their order; each one broken is an error.
  /// - Returns: The mapping with the rules.
  public func validated(_ rules: [Rule<JSONValue>]) -> OutputMapping {
    validated(rules.map { Rule<WrittenValue>($0) })
  }

  /// The mapping, for values that keep to rules about their text: see ``validated(_:)-([Rule<JSONValue>])``.
  package func validated(_ rules: [Rule<WrittenValue>]) -> OutputMapping {
    OutputMapping(definition.with(checks: rules.map(RuleCheck.init)))
  }
}
