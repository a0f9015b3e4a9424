extension Mapping {
  /// The mapping, for values that follow all of these rules.
  ///
  /// ```swift
  /// field("age", \.age, .int.validated(.in(0...150)))
  /// field("code", \.code, .string.validated(.length(2), .matches("[A-Z]*")))
  /// ```
  ///
  /// Each broken rule is an error (``ErrorCode/validationFailed``) with the rule's name and limit. Rules are only checked
  /// for values that come from the feed, not for nil or a default. Rules of a mapping made from fields can compare the
  /// fields with each other.
  ///
  /// - Parameter rules: All are checked, in this order.
  /// - Returns: The mapping with the rules.
  public func validated(_ rules: Rule<Value>...) -> Mapping { validated(rules) }

  /// The mapping, for values that follow all of these rules: see ``validated(_:)-(Rule<Value>...)``.
  public func validated(_ rules: [Rule<Value>]) -> Mapping {
    Mapping(definition.with(checks: rules.map(RuleCheck.init)))
  }
}
