// Rules for the values of output records, which check their text: a value that keeps a rule needs no tree and no
// number.

extension Rule where Value == WrittenValue {
  /// A rule for finished JSON values, applied to the text of one.
  init(_ rule: Rule<JSONValue>) {
    self.init(name: rule.name, expecting: rule.expected, mistake: rule.mistake) {
      [check = rule.check] in
      try check($0.json)
    }
  }

  /// The numbers from one to another; a value that is not a number breaks the rule.
  ///
  /// - Parameters:
  ///   - rule: The same rule for numbers, with the name, limit and mistake of this one.
  ///   - interval: Where the numbers have to be.
  /// - Returns: The rule.
  package static func numbers(_ rule: Rule<ExactNumber>, in interval: ExactNumber.Interval) -> Rule
  {
    let (name, limit) = (rule.name, rule.expected)
    var written = Rule(name: name, expecting: limit, mistake: rule.mistake) { value in
      if value.isNumber { return interval.contains(value.text) }
      throw RuleFailure(rule: name, expected: "a number, \(limit)")
    }
    written.interval = interval
    return written
  }

  /// A multiple of this number, exactly; a value that is not a number breaks the rule.
  ///
  /// It is a ``mistake`` if the number is 0.
  package static func multipleOf(_ factor: ExactNumber) -> Rule {
    guard let multiples = NumberMultiples(of: factor) else {
      return Rule("multipleOf", mistake: "\(factor) has no multiples")
    }
    let limit = "a multiple of \(factor)"
    return Rule("multipleOf", expecting: limit) { value in
      if value.isNumber { return multiples.contains(value.text) }
      throw RuleFailure(rule: "multipleOf", expected: "a number, \(limit)")
    }
  }

  /// One of these values: numbers are compared by value, however they are written; texts by their code points.
  package static func oneOf(_ values: [JSONValue]) -> Rule {
    guard !values.isEmpty else { return Rule("oneOf", mistake: "the list of values is empty") }
    let choice = WrittenChoice(values)
    return Rule("oneOf", expecting: choice.limit) { choice.contains($0) }
  }

  /// This value and no other: see ``oneOf(_:)``.
  package static func equalTo(_ value: JSONValue) -> Rule {
    let choice = WrittenChoice([value])
    return Rule("equalTo", expecting: choice.limit) { choice.contains($0) }
  }

  /// An array whose values all differ: see ``oneOf(_:)``.
  package static var unique: Rule {
    Rule("unique", expecting: "elements that all differ") { value in
      guard value.kind == .array else {
        throw RuleFailure(rule: "unique", expected: "an array, elements that all differ")
      }
      return WrittenElements.allDiffer(in: value)
    }
  }
}
