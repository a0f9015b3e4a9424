/// A requirement for values: a named check with its limit.
///
/// ```swift
/// let age: Rule<Int> = .in(0...150)
/// age.failure(of: 200)?.description  // "range: expected from 0 to 150"
/// let code: Rule<String> = .either(.matches("[A-Z]{2}"), .equalTo("EU"))
/// let even = Rule<Int>("even", expecting: "an even number") { $0 % 2 == 0 }
/// ```
///
/// A rule checks only values that are there: for absent or null values, see ``ifPresent``. A mistake in the rule itself
/// (a pattern that cannot be read, an empty range) is kept in ``mistake``: making the rule never fails, but compiling a
/// mapping with it does.
public struct Rule<Value>: Sendable {
  /// The rule's name in errors, as in `minLength`.
  public let name: String
  /// What the rule requires, as in `at least 3 characters`.
  public let expected: String
  /// Whether a value keeps the rule; if it throws, the value breaks the rule.
  public let check: @Sendable (Value) throws -> Bool
  /// The mistake in the rule itself; nil if there is none.
  public let mistake: String?
  /// Where the rule is kept by the numbers of an interval and by nothing else: that interval.
  var interval: ExactNumber.Interval?

  /// A rule with a name.
  ///
  /// - Parameters:
  ///   - name: The name in errors; programs may look for it.
  ///   - expected: What the rule requires; it completes the sentence `expected …`.
  ///   - check: Whether a value keeps the rule. It may throw instead of returning false, to say more.
  @inlinable
  public init(
    _ name: String, expecting expected: String, check: @escaping @Sendable (Value) throws -> Bool
  ) {
    self.init(name: name, expecting: expected, mistake: nil, check: check)
  }

  /// A rule that is not possible, for this reason.
  ///
  /// - Parameters:
  ///   - name: The rule's name.
  ///   - mistake: What is wrong, and what would be right; reported when a mapping with the rule is compiled.
  @inlinable
  public init(_ name: String, mistake: String) {
    self.init(name: name, expecting: mistake, mistake: mistake) { _ in false }
  }

  @usableFromInline
  init(
    name: String, expecting expected: String, mistake: String?,
    check: @escaping @Sendable (Value) throws -> Bool
  ) {
    self.name = name
    self.expected = expected
    self.mistake = mistake
    self.check = check
  }

  /// The failure of a value that breaks the rule; nil if the value keeps it.
  public func failure(of value: Value) -> RuleFailure? {
    do {
      return try check(value) ? nil : failure(throwing: nil)
    } catch {
      return failure(throwing: error)
    }
  }

  /// Whether a value keeps the rule, for callers that do not need the failure.
  @inlinable
  package func isKept(by value: Value) -> Bool {
    (try? check(value)) ?? false
  }

  /// The failure of a value, from the error that the check threw, if it did.
  func failure(throwing error: (any Error)?) -> RuleFailure {
    error as? RuleFailure ?? RuleFailure(ofRule: name, expected: expected, underlying: error)
  }

  /// The rule for an Optional: nil keeps the rule.
  public var ifPresent: Rule<Value?> {
    Rule<Value?>(name: name, expecting: expected, mistake: mistake) { [check] in
      guard let value = $0 else { return true }
      return try check(value)
    }
  }
}

// MARK: Combinations

extension Rule {
  /// All of these rules; the failure is that of the first broken rule.
  public static func all(_ rules: Rule...) -> Rule { all(rules) }

  /// All of these rules: see ``all(_:)-(Rule<Value>...)``.
  public static func all(_ rules: [Rule]) -> Rule {
    Rule(
      name: "all", expecting: rules.map(\.expected).joined(separator: " and "),
      mistake: rules.lazy.compactMap(\.mistake).first
    ) { value in
      for rule in rules { if let failure = rule.failure(of: value) { throw failure } }
      return true
    }
  }

  /// At least one of these rules.
  ///
  /// A choice of no rules cannot be kept, which is a ``mistake``.
  public static func either(_ rules: Rule...) -> Rule { either(rules) }

  /// At least one of these rules: see ``either(_:)-(Rule<Value>...)``.
  public static func either(_ rules: [Rule]) -> Rule {
    guard !rules.isEmpty else { return Rule("either", mistake: "the list of rules is empty") }
    return Rule(
      name: "either", expecting: rules.map(\.expected).joined(separator: " or "),
      mistake: rules.lazy.compactMap(\.mistake).first
    ) { value in
      rules.contains { $0.isKept(by: value) }
    }
  }

  /// The opposite of a rule: values that break it.
  public static func not(_ rule: Rule) -> Rule {
    Rule(name: "not", expecting: "not " + rule.expected, mistake: rule.mistake) {
      !rule.isKept(by: $0)
    }
  }
}

// MARK: Equality

extension Rule where Value: Equatable & Sendable {
  /// This value and no other.
  public static func equalTo(_ value: Value) -> Rule {
    Rule("equalTo", expecting: ValueList.text(value)) { isSame($0, value) }
  }
}

extension Rule where Value: Hashable & Sendable {
  /// One of these values.
  public static func oneOf(_ values: [Value]) -> Rule {
    guard !values.isEmpty else { return Rule("oneOf", mistake: "the list of values is empty") }
    let set = Set(values.map { ExactValue($0) })
    return Rule("oneOf", expecting: ValueList.text(oneOf: values)) { set.contains(ExactValue($0)) }
  }
}
