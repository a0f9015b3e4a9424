/// A rule that values in raw memory are held against before anything is made of them.
///
/// A class with a method table, as ``ValueOperations``: asked through an unmanaged reference, a rule that is kept costs
/// neither a retain nor an allocation.
///
/// Invariant: all stored properties are constants, so that it may be used from many threads.
class ValueCheck: @unchecked Sendable {
  /// The rule's name.
  let name: String
  /// What is wrong with the rule itself; nil where it can be asked.
  let mistake: String?

  init(name: String, mistake: String?) {
    self.name = name
    self.mistake = mistake
  }

  /// Adds how the value at an address breaks the rule, where it does; nil keeps to any rule.
  func add(
    failureOf value: UnsafeRawPointer, isOptional: Bool, to failures: inout [RuleFailure]?
  ) {}

  /// How the value at an address breaks the rule; nil where it does not.
  final func failure(of value: UnsafeRawPointer) -> RuleFailure? {
    var failures: [RuleFailure]?
    add(failureOf: value, isOptional: false, to: &failures)
    return failures?.first
  }
}

/// A rule on values of a known type.
final class RuleCheck<Value>: ValueCheck, @unchecked Sendable {
  private let rule: Rule<Value>
  // PERF: apart from the rule, whose strings would be retained for the call.
  private let isKept: @Sendable (Value) throws -> Bool

  init(_ rule: Rule<Value>) {
    self.rule = rule
    isKept = rule.check
    super.init(name: rule.name, mistake: rule.mistake)
  }

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

  // PERF: apart, for the type `Value?` is looked up at the beginning of whatever names it.
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

/// A value that may be nil has to be one.
final class NilCheck: ValueCheck, @unchecked Sendable {
  private let type: any OptionalValue.Type
  private let expected: String

  /// - Returns: Nil where no value of the type is nil.
  init?(_ type: Any.Type, expected: String) {
    guard let type = type as? any OptionalValue.Type else { return nil }
    self.type = type
    self.expected = expected
    super.init(name: "notNull", mistake: nil)
  }

  // The slot holds the Optional: there is none around it that could be nil when a value is made.
  override func add(
    failureOf value: UnsafeRawPointer, isOptional: Bool, to failures: inout [RuleFailure]?
  ) {
    if type.isNil(at: value) { failures = (failures ?? []) + [RuleFailure(ofNil: expected)] }
  }
}

/// The type of values that may be nil.
protocol OptionalValue {
  /// Whether the value of the type at an address is nil.
  static func isNil(at address: UnsafeRawPointer) -> Bool
}

extension Optional: OptionalValue {
  static func isNil(at address: UnsafeRawPointer) -> Bool {
    !Slot.withPayload(address.assumingMemoryBound(to: Self.self).pointee) { _ in }
  }
}
