import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct RuleTests {
  private func keeps<Value>(_ value: Value, _ rule: Rule<Value>) -> Bool {
    rule.failure(of: value) == nil
  }

  /// The rule's name and what it expected, as a broken value tells.
  private func failure<Value>(_ rule: Rule<Value>, _ value: Value) -> String? {
    rule.failure(of: value)?.description
  }

  // MARK: Order

  @Test func `order rules compare values with their bounds`() {
    #expect(failure(.min(4), 3) == "min: expected at least 4")
    #expect(keeps(2, .min(2)))
    #expect(failure(.max(4), 5) == "max: expected at most 4")
    #expect(keeps(4, .max(4)))
    #expect(failure(.in(1...2), 3) == "range: expected from 1 to 2")
    #expect(keeps(2, .in(1...4)))
    #expect(keeps(1, .in(1...1)))
    #expect(failure(.greaterThan(3), 3) == "greaterThan: expected more than 3")
    #expect(failure(.lessThan(3), 3) == "lessThan: expected less than 3")
    #expect(failure(.greaterThanOrEqualTo(3), 2) == "greaterThanOrEqualTo: expected at least 3")
    #expect(failure(.lessThanOrEqualTo(3), 4) == "lessThanOrEqualTo: expected at most 3")
    let three: [(Rule<Int>, Bool)] = [
      (.greaterThan(2), true), (.greaterThanOrEqualTo(2), true), (.equalTo(2), false),
      (.lessThan(2), false), (.lessThanOrEqualTo(2), false), (.min(.min), true), (.max(.max), true),
    ]
    for (rule, isKept) in three { #expect(keeps(3, rule) == isKept) }
    #expect(keeps("b", .in("a"..."c")))
    #expect(keeps(Date.distantPast, .max(.distantFuture)))
  }

  @Test func `a value or bound that is not a number breaks rules`() {
    let rules: [Rule<Double>] = [
      .min(-.infinity), .max(.infinity), .in(-.infinity ... .infinity), .greaterThan(0),
      .lessThan(0), .greaterThanOrEqualTo(0), .lessThanOrEqualTo(0),
    ]
    for rule in rules { #expect(!keeps(.nan, rule)) }
    for rule in [.min(.nan), .max(.nan), .between(.nan, 1), .between(1, .nan), .lessThan(.nan)]
      as [Rule<Double>]
    {
      #expect(rule.mistake != nil)
      #expect(!keeps(1, rule))
    }
    #expect(keeps(-0.0, .min(0.0)))
  }

  // MARK: Equality

  @Test func `equality rules keep only the given values`() {
    #expect(failure(.equalTo("x"), "y") == "equalTo: expected 'x'")
    #expect(keeps(2, .equalTo(2)))
    #expect(failure(.oneOf(["a", "b"]), "c") == "oneOf: expected one of 'a', 'b'")
    #expect(failure(.oneOf([1]), 2) == "oneOf: expected 1")
    #expect(keeps("b", .oneOf(["a", "b", "b"])))
    #expect(Rule<Int>.oneOf([]).mistake == "the list of values is empty")
    #expect(failure(.oneOf(Array(0..<25)), 25)?.hasSuffix("18, 19 and 5 more") == true)
  }

  // MARK: Multiples

  @Test func `multiples of integers are exact`() {
    #expect(keeps(9, .multipleOf(3)))
    #expect(failure(.multipleOf(3), 10) == "multipleOf: expected a multiple of 3")
    #expect(keeps(0, .multipleOf(3)))
    #expect(keeps(-9, .multipleOf(3)))
    #expect(keeps(9, .multipleOf(-3)))
    #expect(keeps(Int.min, .multipleOf(-1)))
    #expect(keeps(Int8.min, .multipleOf(-128)))
    #expect(!keeps(Int.max, .multipleOf(Int.min)))
    #expect(keeps(UInt64.max, .multipleOf(5)))
    #expect(Rule<Int>.multipleOf(0).mistake == "only 0 is a multiple of 0")
    #expect(!keeps(0, .multipleOf(0)))
  }

  @Test(arguments: [
    (0.3, 0.1, true), (0.35, 0.1, false), (19.99, 0.01, true), (19.995, 0.01, false),
    (0, 0.1, true),
    (-0.0, 0.1, true), (-0.3, 0.1, true), (0.3, -0.1, true), (1e308, 0.123456789, false),
    (1e300, 1e-300, true), (1e300, 3, false), (3e300, 3, true), (1e-300, 1e300, false),
    (7.5, 2.5, true),
    (1, 3, false), (4.35, 0.05, true), (1e22, 1e22, true), (.nan, 1, false), (.infinity, 1, false),
    (.leastNonzeroMagnitude, 1, false), (1, .leastNonzeroMagnitude, true), (123.456, 0.001, true),
    (9_007_199_254_740_992, 1, true), (1e23, 7, false),
  ])
  func `multiples of doubles are judged by their decimal digits`(
    value: Double, factor: Double, isKept: Bool
  ) {
    #expect(keeps(value, .multipleOf(factor)) == isKept)
  }

  @Test func `multiples of floats and decimals are exact`() throws {
    #expect(keeps(Float(0.3), .multipleOf(0.1)))
    #expect(!keeps(Float(0.35), .multipleOf(0.1)))
    for factor in [0, -0.0, .nan, .infinity] as [Double] {
      #expect(Rule<Double>.multipleOf(factor).mistake != nil)
      #expect(!keeps(1, .multipleOf(factor)))
    }
    func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }
    #expect(keeps(try decimal("0.3"), .multipleOf(try decimal("0.1"))))
    let long = "12345678901234567890123456789012345678"
    #expect(keeps(try decimal(long), .multipleOf(2)))
    #expect(!keeps(try decimal(long), .multipleOf(4)))
    #expect(keeps(try decimal(long), .multipleOf(try decimal(long))))
    #expect(keeps(try decimal(long + "e80"), .multipleOf(try decimal("1e-80"))))
    #expect(keeps(try decimal("1e127"), .multipleOf(try decimal("1e-120"))))
    #expect(!keeps(try decimal("1e127"), .multipleOf(try decimal("3e-120"))))
    #expect(
      !keeps(
        try decimal("99999999999999999999999999999999999999e80"),
        .multipleOf(try decimal("99999999999999999999999999999999999998"))))
    #expect(keeps(try decimal("-4.2"), .multipleOf(try decimal("0.6"))))
    #expect(!keeps(.nan, .multipleOf(try decimal("1"))))
    #expect(Rule<Decimal>.multipleOf(0).mistake != nil)
    #expect(Rule<Decimal>.multipleOf(.nan).mistake != nil)
  }

  @Test func `multiples of decimal fractions agree with those of integers`() {
    // Two integers, both a thousandth: the same answer as theirs.
    var random = SeededGenerator(seed: 27)
    for _ in 0..<5000 {
      let value = Int.random(in: 0...1_000_000, using: &random)
      let factor = Int.random(in: 1...60, using: &random)
      #expect(
        keeps(Double(value) / 1000, .multipleOf(Double(factor) / 1000))
          == value.isMultiple(of: factor))
    }
  }

  // MARK: Texts

  @Test func `lengths count Unicode scalars`() {
    #expect(failure(.length(10), "BCd") == "length: expected exactly 10 characters")
    #expect(keeps("BCd", .length(3)))
    #expect(keeps("Some Cool", .length(5...11)))
    #expect(
      failure(.length(5...10), "Some Cool Video dsadsa dsa dsa")
        == "lengthRange: expected from 5 to 10 characters")
    #expect(failure(.minLength(1), "") == "minLength: expected at least 1 character")
    #expect(failure(.maxLength(0), "a") == "maxLength: expected at most 0 characters")
    #expect(keeps("", .maxLength(0)))
    #expect(keeps("", .length(0...0)))
    // Unicode scalars: neither bytes, UTF-16 nor what looks like one character.
    #expect(keeps("😀", .length(1)))
    #expect(keeps("e\u{301}", .length(2)))
    #expect(keeps("👨‍👩‍👧", .length(5)))
    #expect(keeps("\u{0}\r\n", .length(3)))
    #expect(keeps(String(repeating: "ü", count: 100_000), .length(100_000)))
  }

  @Test func `a length or range that cannot be is a mistake`() {
    #expect(Rule<String>.length(-1).mistake == "exactly -1 characters: a count cannot be negative")
    #expect(Rule<String>.minLength(-1).mistake != nil)
    #expect(Rule<String>.maxLength(.min).mistake != nil)
    #expect(
      Rule<String>.length(from: 4, to: 1).mistake == "from 4 to 1 character: the range is empty")
    #expect(Rule<String>.minLength(.max).mistake == nil)
    #expect(!keeps("a", .minLength(.max)))
    #expect(Rule<Int>.between(4, 1).mistake == "the range from 4 to 1 is empty")
  }

  @Test func `a pattern matches the whole text, or anywhere if asked`() {
    let country: Rule<String> = .matches("[A-Z]{2}")
    #expect(keeps("DE", country))
    for text in ["", "D", "DEU", "de", "DE\n", " DE", "ＤＥ"] { #expect(!keeps(text, country)) }
    #expect(failure(country, "x") == "matches: expected a match of '[A-Z]{2}'")
    let anywhere: Rule<String> = .matches("[A-Z]{2}", .anywhere)
    #expect(keeps("in DE now", anywhere))
    #expect(failure(anywhere, "x") == "matches: expected a match of '[A-Z]{2}' in it")
    let word: Rule<String> = .matches(#"(?i)\b(a|b)(c|d)\b"#, .anywhere)
    #expect(keeps("BC", word))
    #expect(!keeps("BCd", word))
    let literal: Rule<String> = .matches(/(\d+)-(\d+)/, expecting: "two numbers")
    #expect(keeps("1-2", literal))
    #expect(failure(literal, "1-") == "matches: expected two numbers")
    for pattern in ["[a-", "(", "a{2,1}", "*", "\\"] {
      let rule: Rule<String> = .matches(pattern)
      #expect(rule.mistake?.hasPrefix("the pattern '\(pattern)' cannot be read: ") == true)
      #expect(!keeps("a", rule))
    }
  }

  @Test func `one pattern rule works on many threads`() async {
    let rule: Rule<String> = .matches("[a-z]+[0-9]{3}")
    await withTaskGroup(of: Bool.self) { group in
      for number in 100..<400 {
        group.addTask {
          rule.failure(of: "abc\(number)") == nil && rule.failure(of: "abc\(number)x") != nil
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  // MARK: Collections

  @Test func `count rules count elements`() {
    #expect(failure(.count(2), [1]) == "count: expected exactly 2 elements")
    #expect(failure(.minCount(1), [Int]()) == "minCount: expected at least 1 element")
    #expect(failure(.maxCount(1), [1, 2]) == "maxCount: expected at most 1 element")
    #expect(failure(.count(1...2), [1, 2, 3]) == "countRange: expected from 1 to 2 elements")
    #expect(keeps(["a": 1], .count(1)))
    #expect(keeps(Set([1, 2]), .count(2...2)))
    #expect(Rule<[Int]>.count(-1).mistake != nil)
    #expect(Rule<[Int]>.count(from: 2, to: 1).mistake != nil)
  }

  @Test func `the unique rule refuses equal elements`() {
    #expect(keeps([1, 2, 3], .unique))
    #expect(keeps([Int](), .unique))
    #expect(failure(.unique, ["a", "b", "a"]) == "unique: expected elements that all differ")
    #expect(!keeps(Array(repeating: 7, count: 100_000), .unique))
  }

  // MARK: Combinations

  @Test func `rules combine by all, either and not`() {
    let between: Rule<Int> = .all(.greaterThan(2), .lessThan(4))
    #expect(keeps(3, between))
    #expect(failure(between, 1) == "greaterThan: expected more than 2")
    #expect(failure(between, 5) == "lessThan: expected less than 4")
    #expect(between.expected == "more than 2 and less than 4")
    #expect(failure(.not(between), 3) == "not: expected not more than 2 and less than 4")
    #expect(keeps(1, .not(between)))
    let outside: Rule<Int> = .either(.lessThan(2), .greaterThan(4))
    #expect(keeps(1, outside))
    #expect(keeps(5, outside))
    #expect(failure(outside, 3) == "either: expected less than 2 or more than 4")
    #expect(keeps(3, .all()))
    #expect(Rule<Int>.either().mistake == "the list of rules is empty")
    // A mistake inside is one of the whole.
    for rule in [
      .all(.min(0), .multipleOf(0)), .either(.multipleOf(0), .min(0)), .not(.multipleOf(0)),
    ]
      as [Rule<Int>]
    {
      #expect(rule.mistake == "only 0 is a multiple of 0")
    }
    #expect(Rule<Int>.multipleOf(0).ifPresent.mistake == "only 0 is a multiple of 0")
  }

  @Test func `a rule of one's own tells what it expects`() {
    struct Reason: Error, CustomStringConvertible { let description = "because" }
    let even = Rule<Int>("even", expecting: "an even number") { $0 % 2 == 0 }
    #expect(keeps(2, even))
    #expect(failure(even, 3) == "even: expected an even number")
    let throwing = Rule<Int>("own", expecting: "something else") { _ in throw Reason() }
    #expect(failure(throwing, 1) == "own: expected something else (because)")
    #expect(throwing.failure(of: 1)?.underlying is Reason)
    #expect(keeps(1, .not(throwing)))
    #expect(keeps(2, .either(throwing, even)))
    let renamed = Rule<Int>("own", expecting: "") { _ in throw RuleFailure(rule: "r", expected: "x")
    }
    #expect(failure(renamed, 1) == "r: expected x")
  }

  @Test func `a rule for present values keeps nil`() {
    let rule = Rule<Int>.greaterThan(2).ifPresent
    #expect(keeps(nil, rule))
    #expect(keeps(3, rule))
    #expect(failure(rule, 2) == "greaterThan: expected more than 2")
  }
}
