@testable import StreamMap

// What happens to absent, null and wrong values, decided once more.
extension ReferenceInterpreter {
  /// Whether there is an error and no value.
  static func fails(_ action: Policy.Action) -> Bool {
    switch action {
    case .unsaid, .fail: true
    case .useNil, .substitute, .take, .leave: false
    }
  }

  /// Whether what stands in comes with an issue.
  static func isReported(_ action: Policy.Action) -> Bool {
    switch action {
    case .useNil(let isReported), .substitute(_, let isReported): isReported
    case .unsaid, .fail, .take, .leave: false
    }
  }

  /// A policy around a mapping with another one: the outer one decides what it says.
  ///
  /// Nil takes the place of no default: a default that is written holds on Optional properties, too, and one that stands in
  /// with an issue stands in for wrong values as well.
  static func around(_ outer: Policy, _ inner: Policy) -> Policy {
    var policy = Policy(
      absent: around(outer.absent, inner.absent), null: around(outer.null, inner.null),
      invalid: around(outer.invalid, inner.invalid))
    if case .useNil = policy.invalid, case .substitute(let value, _) = inner.absent {
      policy.invalid = .substitute(value, reported: true)
    }
    return policy
  }

  private static func around(_ outer: Policy.Action, _ inner: Policy.Action) -> Policy.Action {
    if case .unsaid = outer { return inner }
    guard case .useNil(let isReported) = outer else { return outer }
    switch inner {
    case .substitute(let value, let wasReported):
      return .substitute(value, reported: isReported || wasReported)
    case .take(isSaid: true): return inner
    default: return outer
    }
  }
}

extension Definition {
  /// The policy; without one, all that does not come is an error.
  var rules: Policy { policy ?? Policy(absent: .unsaid, null: .unsaid, invalid: .unsaid) }

  /// Whether values of a Swift type are made, not parts of an output record.
  var isTyped: Bool { operations != nil && !(operations is OutputOperations) }
}
