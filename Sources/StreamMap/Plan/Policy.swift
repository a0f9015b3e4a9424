/// What becomes of a value that is absent, null, or wrong.
struct Policy: Sendable {
  enum Action: Sendable {
    /// An error, and no value.
    case fail
    /// Nil.
    case useNil(reported: Bool)
    /// Another value.
    case supply(Supply, reported: Bool)
    /// The null is taken as the value it is (`JSONValue`).
    case take
    /// Of a patch: nothing is done.
    case leave

    var isReported: Bool {
      switch self {
      case .fail, .take, .leave: false
      case .useNil(let reported), .supply(_, let reported): reported
      }
    }

    var fails: Bool {
      if case .fail = self { true } else { false }
    }
  }

  var absent: Action = .fail
  var null: Action = .fail
  var invalid: Action = .fail
}

/// A value that stands in for one that did not come: a default, a constant.
final class Supply: Sendable {
  /// Initialises a slot with the value (or an Optional that holds it, where asked for).
  let store: @Sendable (_ slot: UnsafeMutableRawPointer, _ isOptional: Bool) -> Void
  /// The value in an output record.
  let json: JSONValue
  /// Of an output record: what the record tells of itself, instead of `json`.
  let fact: RecordFact?
  /// Of an output record: the number of a value from outside it, instead of `json`.
  let contextValue: Int?
  /// The value in the explanation.
  let name: String

  /// A value made anew each time it is needed.
  ///
  /// - Parameters:
  ///   - make: Makes it.
  ///   - name: What it is called in the explanation.
  ///   - isWhole: The value is all that the slot holds: where that is an Optional, it is itself that Optional.
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

  /// What an output record tells of itself.
  init(fact: RecordFact) {
    store = { _, _ in }
    json = .null
    self.fact = fact
    contextValue = nil
    name = "the \(fact.rawValue) of the record"
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

/// What a record can tell of itself.
enum RecordFact: String, Sendable { case number, offset, line, file }

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
