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
    case supply(Supply, reported: Bool)
    /// The mapping itself makes a value: because a mapping inside says so, or, like `JSONValue` for null, by its nature.
    case take(isSaid: Bool)
    /// Of a patch: nothing happens.
    case leave

    var isReported: Bool {
      switch self {
      case .unsaid, .fail, .take, .leave: false
      case .useNil(let reported), .supply(_, let reported): reported
      }
    }

    var fails: Bool {
      switch self {
      case .unsaid, .fail: true
      case .useNil, .supply, .take, .leave: false
      }
    }

    /// Whether the mapping's author set it.
    var isSaid: Bool {
      switch self {
      case .unsaid: false
      case .take(let isSaid): isSaid
      case .fail, .useNil, .supply, .leave: true
      }
    }

    /// The action of a mapping that is made from one with this action.
    var through: Action {
      switch self {
      case .unsaid, .fail, .take: self
      case .useNil, .supply, .leave: .take(isSaid: true)
      }
    }

    /// This action, around a mapping with another one: nil never replaces a substitute that is set inside.
    func around(_ inner: Action) -> Action {
      switch (self, inner) {
      case (.unsaid, _): inner
      case (.useNil(let isReported), .supply(let supply, let wasReported)):
        .supply(supply, reported: isReported || wasReported)
      case (.useNil, .take(isSaid: true)): inner
      default: self
      }
    }
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
    if case .useNil = invalid, case .supply(let supply, _) = inner.absent {
      invalid = .supply(supply, reported: true)
    }
    return Policy(
      absent: absent.around(inner.absent), null: null.around(inner.null), invalid: invalid)
  }

  /// The policy of a mapping that is made from one with this policy.
  var through: Policy { Policy(absent: absent.through, null: null.through) }

  /// The policy of a mapping that takes the first of several mappings that accepts a value.
  static func first(of policies: [Policy]) -> Policy {
    func action(_ actions: [Action]) -> Action {
      let taking = actions.filter { !$0.fails }
      if taking.isEmpty { return actions.allSatisfy(\.isSaid) ? .fail : .unsaid }
      return .take(isSaid: taking.contains(where: \.isSaid))
    }
    return Policy(absent: action(policies.map(\.absent)), null: action(policies.map(\.null)))
  }

  /// The policy of an Optional property whose value has this policy: nil where the policy sets nothing.
  var forOptionalProperty: Policy {
    Policy(
      absent: absent.isSaid ? absent : .useNil(reported: false),
      null: null.isSaid ? null : .useNil(reported: false), invalid: invalid)
  }
}

/// A value that replaces a missing one: a default or a constant.
final class Supply: Sendable {
  /// Initialises a slot with the value, or with an Optional that holds it, if the caller asks for that.
  let store: @Sendable (_ slot: UnsafeMutableRawPointer, _ isOptional: Bool) -> Void
  /// The value in an output record.
  let json: JSONValue
  /// In an output record: a fact about the record, instead of `json`.
  let fact: RecordFact?
  /// In an output record: the number of a value from outside it, instead of `json`.
  let contextValue: Int?
  /// The value's name in the explanation.
  let name: String

  /// A value that is made anew each time it is needed.
  ///
  /// - Parameters:
  ///   - make: Makes the value.
  ///   - name: The value's name in the explanation.
  ///   - isWhole: Whether the value is everything that the slot holds: if the slot holds an Optional, the value is that
  ///     Optional.
  init<Value>(_ make: @escaping @Sendable () -> Value, name: String, isWhole: Bool = false) {
    store = { slot, isOptional in
      Slot.store(make(), in: slot, isOptional: isOptional && !isWhole)
    }
    json = .null
    fact = nil
    contextValue = nil
    self.name = name
  }

  /// A value from outside an output record.
  init(contextValue number: Int, name: String) {
    store = { _, _ in }
    json = .null
    fact = nil
    contextValue = number
    self.name = name
  }

  /// A fact about an output record.
  init(fact: RecordFact) {
    store = { _, _ in }
    json = .null
    self.fact = fact
    contextValue = nil
    name = "the \(fact) of the record"
  }

  /// A value of an output record.
  init(json: JSONValue) {
    store = { _, _ in }
    self.json = json
    fact = nil
    contextValue = nil
    name = Self.text(json)
  }

  private static func text(_ json: JSONValue) -> String {
    switch json {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): text
    case .string(let text): "'\(text)'"
    case .array(let elements): "[" + elements.map(text).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ") + "}"
    }
  }
}

/// A function on JSON values, in a plan for output records.
final class OutputTransform: ValueOperations, @unchecked Sendable {
  let change: @Sendable (JSONValue) throws -> JSONValue

  init(_ change: @escaping @Sendable (JSONValue) throws -> JSONValue) {
    self.change = change
    super.init(
      size: MemoryLayout<TextRange>.stride, alignment: MemoryLayout<TextRange>.alignment,
      isOptional: false)
  }
}
