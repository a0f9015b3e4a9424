import Foundation
import StreamMap

/// The rules, as mapping files name them.
enum RuleName: String, CaseIterable {
  case min, max, range
  case greaterThan = "greater_than"
  case greaterThanOrEqualTo = "greater_than_or_equal_to"
  case lessThan = "less_than"
  case lessThanOrEqualTo = "less_than_or_equal_to"
  case multipleOf = "multiple_of"
  case equalTo = "equal_to"
  case oneOf = "one_of"
  case matches
  case matchesAnywhere = "matches_anywhere"
  case length
  case minLength = "min_length"
  case maxLength = "max_length"
  case lengthRange = "length_range"
  case count
  case minCount = "min_count"
  case maxCount = "max_count"
  case countRange = "count_range"
  case unique
  case either, not, all

  /// Whether it compares one value, so that conditions have it, too.
  var isComparison: Bool {
    switch self {
    case .equalTo, .either, .not, .all: false
    default: true
    }
  }

  /// What the rule is about; nil for any value.
  var domains: [RuleDomain]? {
    switch self {
    case .min, .max, .range, .greaterThan, .greaterThanOrEqualTo, .lessThan, .lessThanOrEqualTo:
      [.number, .date]
    case .multipleOf: [.number]
    case .matches, .matchesAnywhere, .length, .minLength, .maxLength, .lengthRange: [.text, .date]
    case .count, .minCount, .maxCount, .countRange: [.array, .object]
    case .unique: [.array]
    case .equalTo, .oneOf, .either, .not, .all: nil
    }
  }
}

/// What is known of the values that a rule is about.
enum RuleDomain: String {
  case number, date, text, boolean, array, object, unknown

  /// As in “min is about numbers or dates”.
  var plural: String {
    switch self {
    case .text: "strings"
    case .unknown: "values"
    default: "\(self)s"
    }
  }
}

/// A rule as a mapping file says it.
struct RuleSpec: Equatable {
  enum Operand: Equatable {
    case values([JSONValue])
    case count(Int, Int)
    case pattern(String)
    case rules([RuleSpec])
    case none
  }

  let name: RuleName
  let operand: Operand
  let domain: RuleDomain

  /// The rule; what is wrong with it is its `mistake`.
  var rule: Rule<JSONValue> {
    switch operand {
    case .values(let values): comparison(with: values)
    case .count(let first, let last):
      domain == .text || name.domains?.contains(.text) == true
        ? length(first, last) : count(first, last)
    case .pattern(let pattern):
      lifted(.matches(pattern, name == .matches ? .whole : .anywhere), "a string") { $0.string }
    case .rules(let rules): combination(rules.map(\.rule))
    case .none:
      lifted(.unique, "an array") { (value: JSONValue) -> [Comparand]? in
        value.elements?.map { Comparand($0, .unknown) }
      }
    }
  }

  // MARK: Values

  private func comparison(with values: [JSONValue]) -> Rule<JSONValue> {
    switch name {
    case .equalTo, .oneOf:
      let domain = domain
      let comparands = values.map { Comparand($0, domain) }
      let rule: Rule<Comparand> =
        name == .oneOf ? .oneOf(comparands) : comparands.first.map { .equalTo($0) } ?? .oneOf([])
      return lifted(rule, "a value") { Comparand($0, domain) }
    case .multipleOf:
      guard let text = values.first?.number, let factor = Decimal(string: text) else {
        return Rule(name.rawValue, mistake: "it takes a number")
      }
      return lifted(.multipleOf(factor), "a number") { value in
        value.number.flatMap { Decimal(string: $0) }
      }
    default:
      if domain == .date {
        return ordered(values.compactMap { Moment($0) }, "a date") { Moment($0) }
      }
      return ordered(values.compactMap { $0.number.flatMap(ExactNumber.init) }, "a number") {
        $0.number.flatMap(ExactNumber.init)
      }
    }
  }

  private func ordered<Value: Comparable & Sendable>(
    _ limits: [Value], _ kind: String, _ read: @escaping @Sendable (JSONValue) -> Value?
  ) -> Rule<JSONValue> {
    guard let first = limits.first, let last = limits.last else {
      return Rule(name.rawValue, mistake: "it takes \(kind)")
    }
    let rule: Rule<Value> =
      switch name {
      case .min: .min(first)
      case .max: .max(first)
      case .greaterThan: .greaterThan(first)
      case .greaterThanOrEqualTo: .greaterThanOrEqualTo(first)
      case .lessThan: .lessThan(first)
      case .lessThanOrEqualTo: .lessThanOrEqualTo(first)
      default: .range(first, last)
      }
    return lifted(rule, kind, read)
  }

  // MARK: Counts

  private func length(_ first: Int, _ last: Int) -> Rule<JSONValue> {
    let rule: Rule<String> =
      switch name {
      case .minLength: .minLength(first)
      case .maxLength: .maxLength(first)
      case .lengthRange: .lengthRange(first, last)
      default: .length(first)
      }
    return lifted(rule, "a string") { $0.string }
  }

  private func count(_ first: Int, _ last: Int) -> Rule<JSONValue> {
    let rule: Rule<[JSONValue]> =
      switch name {
      case .minCount: .minCount(first)
      case .maxCount: .maxCount(first)
      case .countRange: .countRange(first, last)
      default: .count(first)
      }
    return lifted(rule, "an array or object") { $0.elements }
  }

  // MARK: Combinations

  private func combination(_ rules: [Rule<JSONValue>]) -> Rule<JSONValue> {
    switch name {
    case .either: .either(rules)
    case .not: .not(rules.count == 1 ? rules[0] : .all(rules))
    default: .all(rules)
    }
  }

  /// A rule on what a JSON value holds; where it holds something else, it breaks the rule.
  private func lifted<Value>(
    _ rule: Rule<Value>, _ kind: String, _ read: @escaping @Sendable (JSONValue) -> Value?
  ) -> Rule<JSONValue> {
    if let mistake = rule.mistake { return Rule(rule.name, mistake: mistake) }
    return Rule(rule.name, limit: rule.limit) { json in
      guard let value = read(json) else {
        throw RuleFailure(rule: rule.name, expected: "\(kind), \(rule.limit)")
      }
      if let failure = rule.failure(of: value) { throw failure }
      return true
    }
  }
}

// MARK: What is compared

/// A value with an equality of its own: numbers that are the same are equal however they are written, and so are dates.
private enum Comparand: Hashable, Sendable, CustomStringConvertible {
  case number(ExactNumber)
  case date(Moment)
  case other(JSONValue)

  init(_ value: JSONValue, _ domain: RuleDomain) {
    if let number = value.number.flatMap(ExactNumber.init) {
      self = .number(number)
    } else if domain == .date, let moment = Moment(value) {
      self = .date(moment)
    } else {
      self = .other(value)
    }
  }

  var description: String {
    switch self {
    case .number(let number): number.description
    case .date(let moment): moment.description
    case .other(.string(let text)): "'\(text)'"
    case .other(let value): value.description
    }
  }
}

/// A date, as RFC 3339 or a day writes it.
struct Moment: Comparable, Hashable, Sendable, CustomStringConvertible {
  let description: String
  private let date: Date

  private static let day = Conversion<String, Date>.dateFormat("yyyy-MM-dd")
  private static let time = Conversion<String, Date>.rfc3339

  init?(_ value: JSONValue) {
    guard let text = value.string else { return nil }
    guard let date = (try? Self.time.forward(text)) ?? (try? Self.day.forward(text)) else {
      return nil
    }
    self.date = date
    description = text
  }

  static func < (a: Moment, b: Moment) -> Bool { a.date < b.date }
  static func == (a: Moment, b: Moment) -> Bool { a.date == b.date }
  func hash(into hasher: inout Hasher) { hasher.combine(date) }
}

extension JSONValue {
  fileprivate var number: String? {
    if case .number(let text) = self { text } else { nil }
  }

  fileprivate var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The elements of an array, or the values of an object's members.
  fileprivate var elements: [JSONValue]? {
    switch self {
    case .array(let elements): elements
    case .object(let members): members.map(\.value)
    default: nil
    }
  }
}

extension ValueSpec.Kind {
  /// What is known of the values.
  var domain: RuleDomain {
    switch self {
    case .scalar(let scalar), .joined(_, _, let scalar, _): scalar.domain
    case .object, .dictionary: .object
    case .array: .array
    case .inside(_, let value, _): value.kind.domain
    case .firstOf(let alternatives):
      alternatives.dropFirst().reduce(alternatives.first?.kind.domain ?? .unknown) {
        $0 == $1.kind.domain ? $0 : .unknown
      }
    case .dispatch: .unknown
    }
  }
}

extension ScalarSpec {
  fileprivate var domain: RuleDomain {
    switch type {
    case .any, .json, .enum: .unknown
    case .string, .url, .uuid: .text
    case .bool: .boolean
    case .date: .date
    default: type.family == .number ? .number : .unknown
    }
  }
}
