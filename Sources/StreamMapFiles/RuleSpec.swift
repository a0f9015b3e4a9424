import StreamMap
import StreamMapPlatform

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
struct RuleSpec: Equatable, Sendable {
  enum Operand: Equatable, Sendable {
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
  var rule: Rule<WrittenValue> {
    switch operand {
    case .values(let values): comparison(with: values)
    case .count(let first, let last):
      domain == .text || name.domains?.contains(.text) == true
        ? length(first, last) : count(first, last)
    case .pattern(let pattern): match(of: pattern)
    case .rules(let rules): combination(rules.map(\.rule))
    case .none: .unique
    }
  }

  // MARK: Values

  private func comparison(with values: [JSONValue]) -> Rule<WrittenValue> {
    switch name {
    case .equalTo, .oneOf:
      if domain == .date { return oneOfDates(values) }
      return name == .equalTo && values.count == 1 ? .equalTo(values[0]) : .oneOf(values)
    case .multipleOf:
      guard let factor = values.first?.number else {
        return Rule(name.rawValue, mistake: "it takes a number")
      }
      return .multipleOf(factor)
    default:
      if domain == .date {
        return ordered(values.compactMap { Moment($0.string) }, "a date") { rule in
          lifted(rule, "a date") { Moment($0.string) }
        }
      }
      return ordered(values.compactMap(\.number), "a number", numbers)
    }
  }

  private func ordered<Value: Comparable & Sendable>(
    _ limits: [Value], _ kind: String, _ lift: (Rule<Value>) -> Rule<WrittenValue>
  ) -> Rule<WrittenValue> {
    guard let first = limits.first, let last = limits.last else {
      return Rule(name.rawValue, mistake: "it takes \(kind)")
    }
    return switch name {
    case .min: lift(.min(first))
    case .max: lift(.max(first))
    case .greaterThan: lift(.greaterThan(first))
    case .greaterThanOrEqualTo: lift(.greaterThanOrEqualTo(first))
    case .lessThan: lift(.lessThan(first))
    case .lessThanOrEqualTo: lift(.lessThanOrEqualTo(first))
    default: lift(.between(first, last))
    }
  }

  private func numbers(_ rule: Rule<ExactNumber>) -> Rule<WrittenValue> {
    guard case .values(let values) = operand else {
      return Rule(name.rawValue, mistake: "no limit")
    }
    let limits = values.compactMap(\.number)
    let hasFirst = [.min, .greaterThan, .greaterThanOrEqualTo, .range].contains(name)
    let hasLast = [.max, .lessThan, .lessThanOrEqualTo, .range].contains(name)
    return .numbers(
      rule,
      in: ExactNumber.Interval(
        hasFirst ? limits.first : nil, hasLast ? limits.last : nil,
        includesEnds: name != .greaterThan && name != .lessThan))
  }

  /// Dates are the same where they are the same moment, however they are written.
  private func oneOfDates(_ values: [JSONValue]) -> Rule<WrittenValue> {
    let moments = values.compactMap { Moment($0.string) }
    let rule: Rule<Moment> =
      name == .oneOf || moments.count != 1 ? .oneOf(moments) : .equalTo(moments[0])
    return Rule(rule.name, expecting: rule.expected, mistake: rule.mistake) { value in
      Moment(value.string).map { rule.isKept(by: $0) } ?? false
    }
  }

  private func match(of pattern: String) -> Rule<WrittenValue> {
    let isWhole = name == .matches
    do throws(LinearPattern.Fault) {
      let regex = try LinearPattern(pattern)
      let limit = "a match of '\(pattern)'" + (isWhole ? "" : " in it")
      return Rule("matches", expecting: limit) { value in
        guard let matches = value.withString({ regex.matches($0, isWhole: isWhole) }) else {
          throw RuleFailure(rule: "matches", expected: "a string, \(limit)")
        }
        return matches
      }
    } catch {
      return Rule("matches", mistake: "the pattern '\(pattern)' cannot be used: \(error)")
    }
  }

  // MARK: Counts

  private func length(_ first: Int, _ last: Int) -> Rule<WrittenValue> {
    let rule: Rule<String> =
      switch name {
      case .minLength: .minLength(first)
      case .maxLength: .maxLength(first)
      case .lengthRange: .length(from: first, to: last)
      default: .length(first)
      }
    return counted(rule, first, last, "a string") { $0.scalarCount }
  }

  private func count(_ first: Int, _ last: Int) -> Rule<WrittenValue> {
    let rule: Rule<[JSONValue]> =
      switch name {
      case .minCount: .minCount(first)
      case .maxCount: .maxCount(first)
      case .countRange: .count(from: first, to: last)
      default: .count(first)
      }
    return counted(rule, first, last, "an array or object") { $0.partCount }
  }

  /// A rule on a count.
  // PERF: no String is made of a text, and no tree of an array.
  private func counted<Value>(
    _ rule: Rule<Value>, _ first: Int, _ last: Int, _ kind: String,
    _ count: @escaping @Sendable (WrittenValue) -> Int?
  ) -> Rule<WrittenValue> {
    let (least, most) =
      switch name {
      case .minLength, .minCount: (first, Int.max)
      case .maxLength, .maxCount: (0, first)
      default: (first, last)
      }
    return Rule(rule.name, expecting: rule.expected, mistake: rule.mistake) { written in
      guard let count = count(written) else {
        throw RuleFailure(rule: rule.name, expected: "\(kind), \(rule.expected)")
      }
      return least <= count && count <= most
    }
  }

  // MARK: Combinations

  private func combination(_ rules: [Rule<WrittenValue>]) -> Rule<WrittenValue> {
    switch name {
    case .either: .either(rules)
    case .not: .not(rules.count == 1 ? rules[0] : .all(rules))
    default: .all(rules)
    }
  }

  /// A rule on what a JSON value holds; where it holds something else, it breaks the rule.
  private func lifted<Value>(
    _ rule: Rule<Value>, _ kind: String, _ read: @escaping @Sendable (WrittenValue) -> Value?
  ) -> Rule<WrittenValue> {
    Rule(rule.name, expecting: rule.expected, mistake: rule.mistake) { written in
      guard let value = read(written) else {
        throw RuleFailure(rule: rule.name, expected: "\(kind), \(rule.expected)")
      }
      if let failure = rule.failure(of: value) { throw failure }
      return true
    }
  }
}

// MARK: What is compared

/// A date, as RFC 3339 or a day writes it.
struct Moment: Comparable, Hashable, Sendable, CustomStringConvertible {
  let description: String
  private let instant: Instant

  private static let day = Conversion<String, Instant>.instantFormat("yyyy-MM-dd")
  private static let time = Conversion<String, Instant>(.rfc3339)

  /// Nil if the text is no date, or there is none.
  init?(_ text: String?) {
    guard let text else { return nil }
    guard let instant = (try? Self.time.forward(text)) ?? (try? Self.day.forward(text)) else {
      return nil
    }
    self.instant = instant
    description = text
  }

  static func < (a: Moment, b: Moment) -> Bool { a.instant < b.instant }
  static func == (a: Moment, b: Moment) -> Bool { a.instant == b.instant }
  func hash(into hasher: inout Hasher) { hasher.combine(instant) }
}

extension Rule {
  /// A rule that cannot be kept where there is a mistake.
  fileprivate init(
    _ name: String, expecting expected: String, mistake: String?,
    check: @escaping @Sendable (Value) throws -> Bool
  ) {
    if let mistake {
      self.init(name, mistake: mistake)
    } else {
      self.init(name, expecting: expected, check: check)
    }
  }
}

extension JSONValue {
  fileprivate var number: ExactNumber? {
    if case .number(let text) = self { ExactNumber(text) } else { nil }
  }

  /// The text of a string; nil for anything else.
  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }
}

extension ScalarSpec {
  /// What is known of the values.
  var domain: RuleDomain {
    switch type {
    case _ where otherwise != nil: .unknown
    case .scalar(.date):
      // Rules see what is written.
      switch form?.format {
      case nil, .rfc3339: .date
      case let format?: format.isNumber ? .number : .text
      }
    case .scalar(let type):
      switch type.kind {
      case .string?: .text
      case .boolean?: .boolean
      case .number?: .number
      default: .unknown
      }
    case .json, .enum: .unknown
    }
  }
}
