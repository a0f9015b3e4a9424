/// When a default replaces a value: the argument of ``Mapping/default(_:when:)`` and ``Mapping/nullable(_:when:)``.
///
/// ```swift
/// let size: Mapping<Int> = .int.default(12)                           // absent or null: 12
/// let rank: Mapping<Int> = .int.default(0, when: .missingOrInvalid)   // wrong, too; always with an issue
/// let tags: Mapping<[String]> = .array(of: .string.default("-")).default([], when: .failing)
/// ```
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum DefaultCondition: Sendable, Hashable, CaseIterable {
  /// The value is absent or `null`.
  ///
  /// Nothing is reported. A wrong value is still an error.
  case missing
  /// The value is absent, `null` or wrong.
  ///
  /// Each time, the default comes with an issue. It also replaces a default that the mapping already had.
  case missingOrInvalid
  /// The mapping alone would fail.
  ///
  /// The default comes with an issue. Defaults that the mapping already has for absent, `null` or wrong values stay.
  case failing
}

extension Policy {
  /// This policy, with a default.
  func withDefault(_ substitute: Substitute, when condition: DefaultCondition) -> Policy {
    switch condition {
    case .missing:
      let action = Action.substitute(substitute, reported: false)
      return Policy(absent: action, null: action, invalid: invalid)
    case .missingOrInvalid:
      let action = Action.substitute(substitute, reported: true)
      return Policy(absent: action, null: action, invalid: action)
    case .failing:
      return replacingFailures(by: .substitute(substitute, reported: true))
    }
  }

  /// This policy, with nil: where the mapping already has a default, that stays.
  func nullable(when condition: DefaultCondition) -> Policy {
    switch condition {
    case .missing: Policy.nullable.around(self)
    case .missingOrInvalid: Policy.optional.around(self)
    case .failing: replacingFailures(by: .useNil(reported: true))
    }
  }

  private func replacingFailures(by action: Action) -> Policy {
    Policy(
      absent: absent.fails ? action : absent, null: null.fails ? action : null,
      invalid: invalid.fails ? action : invalid)
  }
}
