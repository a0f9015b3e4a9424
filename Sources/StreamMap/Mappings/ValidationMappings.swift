extension Mapping {
  /// The mapping, for values that keep to rules.
  ///
  /// ```swift
  /// field("age", \.age, .int.validated(.range(0, 150)))
  /// field("code", \.code, .string.validated(.length(2), .matches("[A-Z]*")))
  /// ```
  ///
  /// All rules are asked, each one broken is an error (``ErrorCode/validationFailed``) with its name and limit. They are
  /// asked about values that come from the feed: not about nil, nor about a default. On a mapping made from fields they may
  /// compare these with each other.
  ///
  /// - Parameter rules: Asked in their order.
  /// - Returns: The mapping with the rules.
  public func validated(_ rules: Rule<Value>...) -> Mapping { validated(rules) }

  /// The mapping, for values that keep to rules: see ``validated(_:)-(Rule<Value>...)``.
  public func validated(_ rules: [Rule<Value>]) -> Mapping {
    Mapping(definition.with(checks: rules.map(RuleCheck.init)))
  }
}
