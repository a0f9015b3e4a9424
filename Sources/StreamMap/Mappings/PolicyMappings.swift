// What replaces a value that is absent, null or wrong.

extension Mapping {
  /// The mapping of an Optional: nil if the value is absent or `null`.
  ///
  /// ```swift
  /// let nickname: Mapping<String?> = .nullable(.string)
  /// let homepage: Mapping<URL?> = .nullable(.url, when: .missingOrInvalid)   // nil and an issue
  /// ```
  ///
  /// A default of the inner mapping stays: `.nullable(.string.default("x"))` gives "x". If the inner mapping takes its
  /// value from further inside (``at(_:_:)``, ``joined(_:by:split:)``, or
  /// ``firstOf(_:reportsEarlier:)-(Mapping<Value>...,_)`` of these), the result is also nil if there is nothing at that
  /// place.
  ///
  /// A field whose property is Optional is nullable by itself, unless its mapping says ``notNull()``.
  ///
  /// Two Optionals tell absent and `null` apart, as an update needs it: `.nullable(.nullable(.string))`, a `String??`, is nil for an absent
  /// value and `.some(nil)` for `null`. Encoding leaves the one out and writes the other. In an array there is no absent value.
  ///
  /// - Parameters:
  ///   - wrapped: Maps the value.
  ///   - condition: When the result is nil.
  /// - Returns: The mapping of the Optional.
  public static func nullable<Wrapped>(
    _ wrapped: Mapping<Wrapped>, when condition: DefaultCondition = .missing
  ) -> Mapping where Value == Wrapped? {
    let inner = wrapped.insideOptional.definition
    return Mapping(
      inner.storingOptional(policy: (inner.policy ?? Policy()).nullable(when: condition)))
  }

  /// The mapping of an Optional property: nil if the mapping of its value does not say what null and absent values become.
  static func ofProperty<Wrapped>(_ wrapped: Mapping<Wrapped>) -> Mapping where Value == Wrapped? {
    let inner = wrapped.insideOptional.definition
    return Mapping(
      inner.storingOptional(policy: (inner.policy ?? Policy()).forOptionalProperty))
  }

  /// The mapping as it is inside an Optional: one that makes an Optional itself takes `null` as its own nil.
  ///
  /// So the outer one of two Optionals is nil if the value is absent, and the inner one if it is `null`.
  var insideOptional: Mapping {
    guard Value.self is any OptionalValue.Type else { return self }
    let value: Mapping = .converted(from: self, { $0 }, reverse: { $0 })
    return Mapping(value.definition.with(policy: Policy(null: .take(isSaid: true))))
  }

  /// The mapping, with a value that replaces one that is absent or `null`.
  ///
  /// ```swift
  /// field("size", \.size, .int.default(12))
  /// field("rank", \.rank, .int.default(0, when: .missingOrInvalid))   // 0 and an issue
  /// ```
  ///
  /// - Parameters:
  ///   - value: The default; evaluated each time it is needed.
  ///   - condition: When it replaces the value; other conditions than `.missing` report an issue.
  /// - Returns: The mapping with the default.
  public func `default`(
    _ value: @autoclosure @escaping @Sendable () -> Value,
    when condition: DefaultCondition = .missing
  ) -> Mapping {
    let substitute = Substitute(value, name: typePhrase(Value.self), isWhole: storesOptional)
    let policy = (definition.policy ?? Policy()).withDefault(substitute, when: condition)
    return Mapping(definition.with(policy: policy))
  }

  /// The mapping, with JSON to write if a value cannot be encoded.
  ///
  /// ```swift
  /// field("color", \.color, color.default(.black, when: .missingOrInvalid).reverseDefault("#000000"))
  /// ```
  ///
  /// - Parameter json: Written instead of the value that failed.
  /// - Returns: The mapping with a default for encoding.
  public func reverseDefault(_ json: JSONValue) -> Mapping {
    .decoding(
      self,
      encoding: .firstOf(
        self,
        .converted(
          from: .json, { _ in throw ConversionFailure(expected: "nothing") },
          reverse: { _ in json })))
  }

  /// The mapping, which fails if the value is absent or `null`, or if the mapping turns the value into nil.
  ///
  /// It overrides every default of the mapping.
  public func notNull() -> Mapping {
    var policy = definition.policy ?? Policy()
    policy.absent = .fail
    policy.null = .fail
    if case .useNil = policy.invalid { policy.invalid = .fail }
    let check = NilCheck(Value.self, expected: definition.expected)
    return Mapping(definition.with(policy: policy).with(checks: check.map { [$0] } ?? []))
  }

  /// Whether `Value` is the Optional that the mapping stores.
  private var storesOptional: Bool {
    definition.operations?.isOptional ?? (Value.self is any OptionalValue.Type)
  }
}
