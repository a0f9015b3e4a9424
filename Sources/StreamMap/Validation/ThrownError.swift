/// What the errors of a record say about an error that the mapping's author threw or reported.
///
/// The same for conversions, rules, hooks and updates.
struct ThrownError {
  let code: ErrorCode
  let expected: String?
  let found: String?
  let rule: String?
  let underlying: [any Error]

  /// - Parameters:
  ///   - error: A ``ConversionFailure``, a ``RuleFailure``, or any other error.
  ///   - expected: What the mapping expects, for an error that does not say it or may not show it.
  ///   - source: The kind of what the value was made from; nil if it may be of several kinds.
  ///   - hidesValues: Whether values of the feed must not be shown: the author's texts may contain them.
  init(_ error: any Error, expected: String?, from source: JSONKind? = nil, hidesValues: Bool) {
    switch error {
    case let failure as ConversionFailure:
      code = failure.code
      self.expected = hidesValues ? expected : failure.expected
      // A limit says enough.
      found =
        failure.code == .limitExceeded
        ? nil : "another \(hidesValues ? "value" : source?.noun ?? "value")"
      rule = nil
      underlying = []
    case let failure as RuleFailure:
      let shown = failure.shown(hidesValues)
      code = failure.code
      self.expected = shown.expected
      found = nil
      rule = failure.code == .validationFailed ? shown.rule : nil
      underlying = shown.underlying
    default:
      code = .thrown(error)
      self.expected = expected
      found = nil
      rule = nil
      underlying = hidesValues ? [] : [error]
    }
  }
}
