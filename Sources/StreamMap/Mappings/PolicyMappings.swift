// What stands in for a value that is absent, null or wrong.

extension Mapping {
  /// Nil where the value is `null` or absent; a wrong value is still an error.
  ///
  /// What the mapping itself makes of that stays: `.nullable(.string.default("x"))` gives "x". Where the mapping takes its
  /// value from inside (``at(_:_:)``, ``joined(_:by:split:)``, ``firstOf(_:reportsEarlier:)-(Mapping...,_)`` of such), nil is
  /// also what becomes of it where nothing is there.
  ///
  /// A field whose property is Optional is nullable by itself, unless its mapping says ``notNull()``.
  public static func nullable<Wrapped>(_ wrapped: Mapping<Wrapped>) -> Mapping
  where Value == Wrapped? {
    Mapping(
      wrapped.definition.storingOptional(
        policy: .nullable.around(wrapped.definition.policy ?? Policy())))
  }

  /// The mapping of an Optional property: nil where the one of its value says nothing of null and of what is absent.
  static func ofProperty<Wrapped>(_ wrapped: Mapping<Wrapped>) -> Mapping where Value == Wrapped? {
    Mapping(
      wrapped.definition.storingOptional(
        policy: (wrapped.definition.policy ?? Policy()).forOptionalProperty))
  }

  /// Nil, and an issue, where the value is absent, `null` or wrong; where the mapping has a default, that instead of nil.
  public static func optionally<Wrapped>(_ wrapped: Mapping<Wrapped>) -> Mapping
  where Value == Wrapped? {
    Mapping(
      wrapped.definition.storingOptional(
        policy: .optional.around(wrapped.definition.policy ?? Policy())))
  }

  /// This value, and an issue, where the value is absent, `null` or wrong.
  ///
  /// - Parameter value: Evaluated each time it is needed.
  /// - Returns: The mapping with the value to fall back on.
  public func optionally(default value: @autoclosure @escaping @Sendable () -> Value) -> Mapping {
    let action = Policy.Action.substitute(substitute(value), reported: true)
    return Mapping(definition.with(policy: Policy(absent: action, null: action, invalid: action)))
  }

  /// This value where the value is absent or `null`; a wrong value is still an error.
  ///
  /// - Parameter value: Evaluated each time it is needed.
  /// - Returns: The mapping with the value to fall back on.
  public func `default`(_ value: @autoclosure @escaping @Sendable () -> Value) -> Mapping {
    var policy = definition.policy ?? Policy()
    let action = Policy.Action.substitute(substitute(value), reported: false)
    policy.absent = action
    policy.null = action
    return Mapping(definition.with(policy: policy))
  }

  /// This value, and an issue, wherever the mapping alone would fail.
  ///
  /// - Parameter value: Evaluated each time it is needed.
  /// - Returns: The mapping with the value to fall back on.
  public func nonFatally(default value: @autoclosure @escaping @Sendable () -> Value) -> Mapping {
    var policy = definition.policy ?? Policy()
    let action = Policy.Action.substitute(substitute(value), reported: true)
    if policy.absent.fails { policy.absent = action }
    if policy.null.fails { policy.null = action }
    if policy.invalid.fails { policy.invalid = action }
    return Mapping(definition.with(policy: policy))
  }

  /// This JSON where a value cannot be taken back, to encode.
  ///
  /// ```swift
  /// field("color", \.color, color.optionally(default: .black).reverseDefault("#000000"))
  /// ```
  ///
  /// - Parameter json: Written instead of what failed.
  /// - Returns: The mapping with what to fall back on on the way back.
  public func reverseDefault(_ json: JSONValue) -> Mapping {
    .split(
      forward: self,
      reverse: .firstOf(
        self,
        .converted(
          from: .json, { _ in throw ConversionFailure(expected: "nothing") },
          reverse: { _ in json })))
  }

  /// An error where the value is absent or `null`, whatever the mapping alone would do, and where it makes nil of a value.
  public func notNull() -> Mapping {
    var policy = definition.policy ?? Policy()
    policy.absent = .fail
    policy.null = .fail
    if case .useNil = policy.invalid { policy.invalid = .fail }
    let check = NilCheck(Value.self, expected: definition.expected)
    return Mapping(definition.with(policy: policy).with(checks: check.map { [$0] } ?? []))
  }

  private func substitute(_ value: @escaping @Sendable () -> Value) -> Substitute {
    Substitute(value, name: typePhrase(Value.self), isWhole: storesOptional)
  }

  /// Whether `Value` is the Optional that the mapping stores.
  private var storesOptional: Bool {
    definition.operations?.isOptional ?? (Value.self is any OptionalValue.Type)
  }
}
