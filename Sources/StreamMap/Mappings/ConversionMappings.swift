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
    .converted(
      from: rawValue, Conversion<Value.RawValue, Value>.rawValue.forward,
      optionalReverse: { $0.rawValue }, expected: RawValues<Value>.expected,
      known: RawValues<Value>.cases.compactMap { value in
        (value.rawValue as? String).map { ($0, value) }
      })
  }
}
