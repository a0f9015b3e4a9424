/// A value that replaces a missing one: a default or a constant.
final class Substitute: Sendable {
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

  /// Whether it is another value for each record.
  var isOfRecord: Bool { fact != nil || contextValue != nil }

  /// A value that is made each time it is needed.
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

extension Definition {
  /// A value from outside an output record, read from any fact of the record.
  ///
  /// Facts are there before formulas are asked, and what stands for other values comes only after that. So it stands for a fact that
  /// each record has, and that is not of the type asked for.
  static func contextValue(_ number: Int, named name: String) -> Definition {
    let value = Substitute(contextValue: number, name: OutsideSource.context(number, name).name)
    return Definition(ScalarType.bool)
      .with(policy: Policy(invalid: .substitute(value, reported: false)))
  }
}
