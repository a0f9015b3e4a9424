extension Mapping {
  /// A value made from another value by a function, with another function for encoding.
  ///
  /// ```swift
  /// let celsius: Mapping<Celsius> = .converted(from: .double, { Celsius($0) }, reverse: { $0.degrees })
  /// ```
  ///
  /// - Parameters:
  ///   - source: Maps the value that the function receives.
  ///   - forward: Makes the value; an error that it throws becomes `conversionFailed` at the value's place in the feed.
  ///   - reverse: Makes the source value again, to encode.
  /// - Returns: The mapping of the value.
  public static func converted<Source>(
    from source: Mapping<Source>, _ forward: @escaping @Sendable (Source) throws -> Value,
    reverse: @escaping @Sendable (Value) throws -> Source
  ) -> Mapping {
    converted(from: source, forward, optionalReverse: reverse)
  }

  @available(
    *, unavailable,
    message: "give reverse:, which makes the source again, or write .oneWay(from:) to decode only"
  )
  public static func converted<Source>(
    from source: Mapping<Source>, _ forward: @escaping @Sendable (Source) throws -> Value
  ) -> Mapping { oneWay(from: source, forward) }

  static func converted<Source>(
    from source: Mapping<Source>, _ forward: @escaping @Sendable (Source) throws -> Value,
    optionalReverse reverse: (@Sendable (Value) throws -> Source)?, expected: String? = nil,
    known: [(text: String, value: Value)] = []
  ) -> Mapping {
    Mapping(
      Definition(
        .transform(source.definition), policy: (source.definition.policy ?? Policy()).through,
        operations: TransformOperations<Source, Value>(
          forward: forward, reverse: reverse, known: known),
        expected: expected ?? typePhrase(Value.self)))
  }

  /// A value of an enum (or another `RawRepresentable`), read from its raw value; a raw value without a case is an error.
  ///
  /// Fields of an enum that declares ``Mappable`` need no mapping.
  public static func enumeration(of rawValue: Mapping<Value.RawValue>) -> Mapping
  where Value: RawRepresentable & SendableMetatype, Value.RawValue: SendableMetatype {
    let cases = cases()
    let expected = accepted(cases)
    return .converted(
      from: rawValue,
      { raw in
        guard let value = Value(rawValue: raw), isExact(raw, value.rawValue) else {
          throw ConversionFailure(expected: expected)
        }
        return value
      },
      optionalReverse: { $0.rawValue }, expected: expected,
      known: cases.compactMap { value in (value.rawValue as? String).map { ($0, value) } })
  }

  /// The cases of an enum that lists them.
  private static func cases() -> [Value] {
    func list<Enumeration: CaseIterable>(_: Enumeration.Type) -> [Value] {
      Enumeration.allCases.compactMap { $0 as? Value }
    }
    guard let type = Value.self as? any CaseIterable.Type else { return [] }
    return list(type)
  }

  /// Whether a case's raw value is the one that it was found by: Swift finds a case by a text that is only canonically equal.
  private static func isExact<RawValue>(_ raw: RawValue, _ own: RawValue) -> Bool {
    guard RawValue.self == String.self, let raw = raw as? String, let own = own as? String else {
      return true
    }
    return raw == own || !isCanonicallySame(raw, own)
  }

  /// The raw values of the cases; if these are not known, the type's name.
  private static func accepted(_ cases: [Value]) -> String where Value: RawRepresentable {
    if cases.isEmpty { return typePhrase(Value.self) }
    let values = cases.map { "'\($0.rawValue)'" }
    return values.count == 1 ? values[0] : "one of " + values.joined(separator: ", ")
  }
}
