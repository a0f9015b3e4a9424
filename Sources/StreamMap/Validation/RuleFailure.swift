/// A value broke a rule.
public struct RuleFailure: Error, Sendable, CustomStringConvertible {
  /// The rule's name, as in `min`.
  public let rule: String
  /// What the rule requires, as in `at least 0`.
  public let expected: String
  /// The error that the rule itself threw, if it did.
  public let underlying: (any Error)?
  /// Whether the texts are the rule's own: the texts of a failure that a check throws may contain the value.
  let isOfRule: Bool
  /// The code of the error that it becomes.
  let code: ErrorCode

  /// A failure of the rule with this name and this requirement.
  public init(rule: String, expected: String, underlying: (any Error)? = nil) {
    self.rule = rule
    self.expected = expected
    self.underlying = underlying
    isOfRule = false
    code = .validationFailed
  }

  /// The failure of a rule that says nothing more.
  init(ofRule name: String, expected: String, underlying: (any Error)?) {
    rule = name
    self.expected = expected
    self.underlying = underlying
    isOfRule = true
    code = .validationFailed
  }

  /// The failure of a value that is nil.
  init(ofNil expected: String) {
    rule = "notNull"
    self.expected = expected
    underlying = nil
    isOfRule = true
    code = .null
  }

  /// The failure of a value that its column cannot hold.
  init(ofColumn expected: String, _ code: ErrorCode) {
    rule = "column"
    self.expected = expected
    underlying = nil
    isOfRule = true
    self.code = code
  }

  /// The parts that may be shown where values must not be: the texts of the mapping author's code may contain the value.
  func shown(_ hidesValues: Bool) -> (rule: String?, expected: String, underlying: [any Error]) {
    if !hidesValues { return (rule, expected, underlying.map { [$0] } ?? []) }
    return isOfRule ? (rule, expected, []) : (nil, "a value that keeps to its rules", [])
  }

  /// The text, as in `min: expected at least 0`.
  public var description: String {
    "\(rule): expected \(expected)" + (underlying.map { " (\($0))" } ?? "")
  }
}
