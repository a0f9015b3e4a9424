/// A rule that is checked on values in raw memory, before anything is made from them.
///
/// A class with a method table, like ``ValueOperations``: it is called through an unmanaged reference, so a rule that
/// holds costs neither a retain nor an allocation.
///
/// Invariant: all stored properties are constants, so many threads may use it.
class ValueCheck: @unchecked Sendable {
  /// The rule's name.
  let name: String
  /// The mistake in the rule itself; nil if the rule can be checked.
  let mistake: String?

  init(name: String, mistake: String?) {
    self.name = name
    self.mistake = mistake
  }

  /// What the rule requires, as in `at least 3 characters`; nil if that goes without saying.
  var limit: String? { nil }
  /// Where the rule is kept by the numbers of an interval and by nothing else: that interval.
  var interval: ExactNumber.Interval? { nil }
  /// Where the rule is kept by the numbers that a column of decimals with so many places holds, and by nothing else: those places.
  var places: Int? { nil }

  /// Adds the failures of the value at an address, if it breaks the rule; nil keeps any rule.
  func add(
    failureOf value: UnsafeRawPointer, isOptional: Bool, to failures: inout [RuleFailure]?
  ) {}

  /// The failure of the value at an address; nil if it keeps the rule.
  final func failure(of value: UnsafeRawPointer) -> RuleFailure? {
    var failures: [RuleFailure]?
    add(failureOf: value, isOptional: false, to: &failures)
    return failures?.first
  }
}

/// A rule for values of a known type.
final class RuleCheck<Value>: ValueCheck, @unchecked Sendable {
  private let rule: Rule<Value>
  // PERF: separate from the rule, whose strings would be retained for the call.
  private let isKept: @Sendable (Value) throws -> Bool

  init(_ rule: Rule<Value>) {
    self.rule = rule
    isKept = rule.check
    super.init(name: rule.name, mistake: rule.mistake)
  }

  override var limit: String? { rule.expected }
  override var interval: ExactNumber.Interval? { rule.interval }

  override func add(
    failureOf value: UnsafeRawPointer, isOptional: Bool, to failures: inout [RuleFailure]?
  ) {
    if isOptional { return add(failureInside: value, to: &failures) }
    do {
      if try Slot.lend(value.assumingMemoryBound(to: Value.self), to: isKept) { return }
      add(rule.failure(throwing: nil), to: &failures)
    } catch {
      add(rule.failure(throwing: error), to: &failures)
    }
  }

  // PERF: outlined, because the type `Value?` is looked up at the beginning of any function that names it.
  @inline(never)
  private func add(failureInside optional: UnsafeRawPointer, to failures: inout [RuleFailure]?) {
    guard let value = optional.assumingMemoryBound(to: Value?.self).pointee,
      let failure = rule.failure(of: value)
    else { return }
    add(failure, to: &failures)
  }

  @inline(never)
  private func add(_ failure: RuleFailure, to failures: inout [RuleFailure]?) {
    failures = (failures ?? []) + [failure]
  }
}

/// Requires that a value that may be nil is nil.
final class NilCheck: ValueCheck, @unchecked Sendable {
  private let type: any OptionalValue.Type
  private let expected: String

  /// - Returns: Nil if no value of the type can be nil.
  init?(_ type: Any.Type, expected: String) {
    guard let type = type as? any OptionalValue.Type else { return nil }
    self.type = type
    self.expected = expected
    super.init(name: "notNull", mistake: nil)
  }

  // The slot holds the Optional itself: no other Optional around it could be nil when a value is made.
  override func add(
    failureOf value: UnsafeRawPointer, isOptional: Bool, to failures: inout [RuleFailure]?
  ) {
    if type.isNil(at: value) { failures = (failures ?? []) + [RuleFailure(ofNil: expected)] }
  }
}

/// A type whose values may be nil.
protocol OptionalValue {
  /// Whether the value at an address is nil.
  static func isNil(at address: UnsafeRawPointer) -> Bool
}

extension Optional: OptionalValue {
  static func isNil(at address: UnsafeRawPointer) -> Bool {
    !Slot.withPayload(address.assumingMemoryBound(to: Self.self).pointee) { _ in }
  }
}
