/// What happens to a value that is absent, null, or wrong.
struct Policy: Sendable {
  enum Action: Sendable {
    /// The mapping does not set it: an error and no value, unless a surrounding mapping sets more.
    case unsaid
    /// An error and no value.
    case fail
    /// Nil.
    case useNil(reported: Bool)
    /// Another value.
    case substitute(Substitute, reported: Bool)
    /// The mapping itself makes a value: because a mapping inside says so, or, like `JSONValue` for null, by its nature.
    case take(isSaid: Bool)
    /// For a patch: nothing happens.
    case leave

    var isReported: Bool {
      switch self {
      case .unsaid, .fail, .take, .leave: false
      case .useNil(let reported), .substitute(_, let reported): reported
      }
    }

    var fails: Bool {
      switch self {
      case .unsaid, .fail: true
      case .useNil, .substitute, .take, .leave: false
      }
    }

    /// Whether the mapping's author set it.
    var isSaid: Bool {
      switch self {
      case .unsaid: false
      case .take(let isSaid): isSaid
      case .fail, .useNil, .substitute, .leave: true
      }
    }

    /// The action of a mapping that is made from one with this action.
    var through: Action {
      switch self {
      case .unsaid, .fail, .take: self
      case .useNil, .substitute, .leave: .take(isSaid: true)
      }
    }

    /// This action, around a mapping with another one: nil never replaces a substitute that is set inside.
    func around(_ inner: Action) -> Action {
      switch (self, inner) {
      case (.unsaid, _): inner
      case (.useNil(let isReported), .substitute(let substitute, let wasReported)):
        .substitute(substitute, reported: isReported || wasReported)
      case (.useNil, .take(isSaid: true)): inner
      default: self
      }
    }
  }

  /// Whether another value stands in for one that is absent, null or wrong.
  var hasSubstitute: Bool {
    [absent, null, invalid].contains { if case .substitute = $0 { true } else { false } }
  }

  var absent: Action = .unsaid
  var null: Action = .unsaid
  var invalid: Action = .unsaid

  /// Nil if the value is absent or null.
  static let nullable = Policy(absent: .useNil(reported: false), null: .useNil(reported: false))

  /// Nil and an issue if there is no value.
  static let optional = Policy(
    absent: .useNil(reported: true), null: .useNil(reported: true), invalid: .useNil(reported: true)
  )

  /// This policy, around a mapping with another policy.
  func around(_ inner: Policy) -> Policy {
    var invalid = invalid.around(inner.invalid)
    // A default also stands in for wrong values if it is reported.
    if case .useNil = invalid, case .substitute(let substitute, _) = inner.absent {
      invalid = .substitute(substitute, reported: true)
    }
    return Policy(
      absent: absent.around(inner.absent), null: null.around(inner.null), invalid: invalid)
  }

  /// The policy of a mapping that is made from one with this policy.
  var through: Policy { Policy(absent: absent.through, null: null.through) }

  /// The policy of a mapping that makes JSON by this policy's mapping, and maps it by another policy's one.
  func followed(by after: Policy) -> Policy {
    func action(_ before: Action, _ after: Action, orElse failing: Action) -> Action {
      before.fails ? failing : .take(isSaid: before.isSaid || after.isSaid)
    }
    // The first mapping has to be asked about null. Nothing is known of what is absent, so the second one decides.
    return Policy(
      absent: action(absent, after.absent, orElse: after.absent),
      null: action(null, after.null, orElse: null))
  }

  /// The policy of a mapping that takes the first of several mappings that accepts a value.
  static func first(of policies: [Policy]) -> Policy {
    func action(_ actions: [Action]) -> Action {
      let taking = actions.filter { !$0.fails }
      if taking.isEmpty { return actions.allSatisfy(\.isSaid) ? .fail : .unsaid }
      return .take(isSaid: taking.contains(where: \.isSaid))
    }
    return Policy(absent: action(policies.map(\.absent)), null: action(policies.map(\.null)))
  }

  /// The policy of an Optional property whose value has this policy: nil if the policy sets nothing.
  var forOptionalProperty: Policy {
    Policy(
      absent: absent.isSaid ? absent : .useNil(reported: false),
      null: null.isSaid ? null : .useNil(reported: false), invalid: invalid)
  }
}
