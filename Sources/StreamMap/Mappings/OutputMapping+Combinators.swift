// Alternatives, functions and rules of output mappings, in the words of `Mapping`.

extension OutputMapping {
  /// A value made from another value by a function.
  ///
  /// ```swift
  /// let price: OutputMapping = .converted(from: .number, expected: "a price") { value in … }
  /// ```
  ///
  /// The function receives and returns a ``JSONValue``, so a field with it takes longer than one without.
  ///
  /// - Parameters:
  ///   - source: Maps the value that the function receives.
  ///   - expected: What the mapping accepts, for messages, as in “expected a date”.
  ///   - convert: Makes the value; throws ``ConversionFailure``, ``RuleFailure`` or any other error for a value that it does
  ///     not accept.
  /// - Returns: The mapping.
  public static func converted(
    from source: OutputMapping, expected: String,
    _ convert: @escaping @Sendable (JSONValue) throws -> JSONValue
  ) -> OutputMapping {
    .converted(from: source, expected: expected, making: .json, convert)
  }

  /// A value of a type that is known, made from another value by a function.
  package static func converted(
    from source: OutputMapping, expected: String, making result: OutputValue,
    named name: String? = nil, _ convert: @escaping @Sendable (JSONValue) throws -> JSONValue
  ) -> OutputMapping {
    OutputMapping(
      Definition(
        .transform(source.definition), policy: (source.definition.policy ?? Policy()).through,
        operations: OutputOperations(FunctionTransform(name: name, making: result, convert)),
        expected: expected
      ))
  }

  /// An object of parts: where one of them is absent or null, so is the value.
  static func ofParts(
    _ parts: [OutputField], _ duplicateKeys: DuplicateKeyPolicy
  ) -> OutputMapping {
    var object = ObjectDefinition(name: "parts", fields: parts.map(\.definition))
    object.isOfParts = true
    object.duplicateKeys = duplicateKeys
    return OutputMapping(
      Definition(.object(object), policy: object.policy, expected: object.expected))
  }

  /// The first of several mappings that accepts the value: see
  /// ``Mapping/firstOf(_:reportsEarlier:)-(Mapping<Value>...,_)``.
  public static func firstOf(_ alternatives: OutputMapping..., reportsEarlier: Bool = true)
    -> OutputMapping
  {
    firstOf(alternatives, reportsEarlier: reportsEarlier)
  }

  /// The first of several mappings that accepts the value: see ``Mapping/firstOf(_:reportsEarlier:)-([Mapping<Value>],_)``.
  public static func firstOf(_ alternatives: [OutputMapping], reportsEarlier: Bool = true)
    -> OutputMapping
  {
    OutputMapping(.firstOf(alternatives.map(\.definition), reportsEarlier: reportsEarlier))
  }

  /// One of several mappings, selected by the text of a scalar in the object: see
  /// ``Mapping/dispatch(on:_:otherwise:)-(_,KeyValuePairs<String,Mapping<Value>>,_)``.
  public static func dispatch(
    on discriminator: FieldSource, _ cases: KeyValuePairs<String, OutputMapping>,
    otherwise: OutputMapping? = nil
  ) -> OutputMapping {
    dispatch(on: discriminator, cases.map { ($0.key, $0.value) }, otherwise: otherwise)
  }

  /// One of several mappings, selected by the text of a scalar in the object, for cases that the program makes at run time.
  @_disfavoredOverload
  public static func dispatch(
    on discriminator: FieldSource, _ cases: [(String, OutputMapping)],
    otherwise: OutputMapping? = nil
  ) -> OutputMapping {
    OutputMapping(
      .dispatch(
        on: discriminator, cases.map { ($0.0, $0.1.definition) }, otherwise: otherwise?.definition))
  }

  /// One of several mappings, selected by the kind of the value: see
  /// ``Mapping/dispatch(byKind:otherwise:)-(KeyValuePairs<JSONKind,Mapping<Value>>,_)``.
  public static func dispatch(
    byKind cases: KeyValuePairs<JSONKind, OutputMapping>, otherwise: OutputMapping? = nil
  ) -> OutputMapping {
    dispatch(byKind: cases.map { ($0.key, $0.value) }, otherwise: otherwise)
  }

  /// One of several mappings, selected by the kind of the value, for cases that the program makes at run time.
  @_disfavoredOverload
  public static func dispatch(
    byKind cases: [(JSONKind, OutputMapping)], otherwise: OutputMapping? = nil
  ) -> OutputMapping {
    OutputMapping(
      .dispatch(
        byKind: cases.map { ($0.0, $0.1.definition) }, otherwise: otherwise?.definition))
  }

  /// A value that is read from several kinds; an explanation says of it what the name says.
  package static func read(named name: String, byKind cases: [(JSONKind, OutputMapping)])
    -> OutputMapping
  {
    let definition = Definition.dispatch(
      byKind: cases.map { ($0.0, $0.1.definition) }, otherwise: nil)
    guard case .dispatch(var dispatch) = definition.kind else { return OutputMapping(definition) }
    dispatch.name = name
    return OutputMapping(definition.with(kind: .dispatch(dispatch)))
  }

  /// The mapping, for values that follow all of these rules: see ``Mapping/validated(_:)-(Rule<Value>...)``.
  public func validated(_ rules: Rule<JSONValue>...) -> OutputMapping { validated(rules) }

  /// The mapping, for values that follow all of these rules: see ``Mapping/validated(_:)-(Rule<Value>...)``.
  public func validated(_ rules: [Rule<JSONValue>]) -> OutputMapping {
    validated(rules.map { Rule<WrittenValue>($0) })
  }

  /// The mapping, for values whose text follows all of these rules.
  package func validated(_ rules: [Rule<WrittenValue>]) -> OutputMapping {
    OutputMapping(definition.with(checks: rules.map(RuleCheck.init)))
  }
}
