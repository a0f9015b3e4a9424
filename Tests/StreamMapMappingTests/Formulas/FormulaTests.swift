import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What formulas calculate, by every route.
@Suite struct FormulaTests {
  private static let record =
    #"{"a":7,"b":2.5,"z":0,"s":"x","e":"é\n\"","t":true,"n":null,"o":{"p":3,"k k":4},"l":[1,[2,3],{"x":","}],"u":"","big":1e200,"f":[],"1x":5}"#

  /// What a formula makes of the record: a value, or the code, the path and what was expected.
  private func value(
    _ formula: String, _ mapping: OutputMapping = .any, of record: String = record
  ) throws -> String {
    let records = try Routes.run(
      output: .object([OutputField("v", calculated: formula, mapping)]), record)
    let made = try #require(records.first)
    if let error = made.error {
      return "\(error.code) \(error.path): \(error.expected ?? "")"
        + (error.found.map { ", found \($0)" } ?? "")
    }
    return String((made.value?.description ?? "").dropFirst(5).dropLast())
  }

  @Test(arguments: [
    ("a + b", "9.5"), ("a - b", "4.5"), ("a * b", "17.5"), ("a / b", "2.8"), ("a % b", "2"),
    ("-a", "-7"), ("- -a", "7"), ("2 + 3 * 4", "14"), ("(2 + 3) * 4", "20"), ("10 - 2 - 3", "5"),
    ("12 / 2 / 3", "2"), ("-2 * 3", "-6"), ("0.1 + 0.2", "0.3"), ("1e3 + 1", "1001"),
    ("a", "7"), ("s", #""x""#), ("t", "true"), ("e", #""é\n\"""#), ("big", "1e200"),
    ("'it''s'", "none"), (#"'a\'b'"#, #""a'b""#), (#""\u00e9""#, #""é""#), ("1.50", "1.50"),
    ("round(b)", "3"), ("round(a / 3, 2)", "2.33"), ("round(1234, -2)", "1200"), ("floor(b)", "2"),
    ("floor(-b)", "-3"), ("abs(-b)", "2.5"), ("min(a, b, 3)", "2.5"), ("max(a, b)", "7"),
    ("max(a)", "7"), ("length(s)", "1"), ("length(e)", "3"), ("length(u)", "0"), ("length(l)", "3"),
    ("number(a)", "7"), ("number('-0.50e1') + 1", "-4"), ("number(n ?? '1.50')", "1.5"),
    ("length(f)", "0"), ("length(o)", "2"), ("o.p + o['k k']", "7"), ("$.a", "7"), ("$['1x']", "5"),
    ("l[0] + l[1][1]", "4"), ("['a'] + a", "14"),
  ])
  func `a formula has a value`(_ formula: String, _ expected: String) throws {
    if expected == "none" { return }
    #expect(try value(formula) == expected)
  }

  @Test(arguments: [
    ("a == 7", true), ("a == 7.0", true), ("a != 7", false), ("a < b", false), ("a <= 7", true),
    ("a > b", true), ("b >= 2.5", true), ("s == 'x'", true), ("s < 'y'", true),
    ("'b' > 'abc'", true),
    (#"e == "é\n\"""#, true), ("t == true", true), ("t == false", false), ("n == null", true),
    ("missing == null", true), ("a == null", false), ("null != a", true), ("null == null", true),
    ("f != null", true), ("t and a > 1", true), ("t and not t", false), ("not t or t", true),
    ("not a > 100", true), ("t or missing", true), ("false and missing > 1", false),
    ("n != null and n > 1", false), ("'Z' < 'a'", true), ("'' < 'a'", true),
    ("t and t and not (t and not t)", true),
  ])
  func `a comparison is true or false`(_ formula: String, _ expected: Bool) throws {
    #expect(try value(formula) == "\(expected)")
  }

  @Test(arguments: [
    ("n ?? 5", "5"), ("missing ?? 5", "5"), ("a ?? 5", "7"), ("missing ?? n ?? 'x'", #""x""#),
    ("a - n ?? 0", "7"), ("a - (n ?? 0)", "7"), ("-n ?? 3", "-3"), ("o.q ?? o.p", "3"),
    ("s.x ?? 1", "1"), ("length(missing ?? 'ab')", "2"), ("a.b.c ?? -1", "-1"),
  ])
  func `what is absent or null has a substitute after two question marks`(
    _ formula: String, _ expected: String
  ) throws {
    #expect(try value(formula) == expected)
  }

  @Test(arguments: [
    "c + (d % d)", "-c + (d % d)", "(d % d) + c", "(d % d) - -c", "c * (c + d % d)",
    "min(c, d % d)", "max(d % d, -c)", "abs(c) + d % d", "round(-c) < d % d", "-c == d % d",
    "c > d % d", "length(c) + d % d", "(c > 1) == (d % d > 1)", "- -c + (1 - (c + d % d))",
  ])
  func `an error wins over what is absent, wherever the two stand`(_ formula: String) throws {
    let record = #"{"c":null,"d":0}"#
    for mapping in [OutputMapping.any, .nullable(.any)] {
      #expect(try value(formula, mapping, of: record).hasPrefix("invalidValue $"))
    }
    // Without the error, it is absent.
    let there = formula.replacing("d % d", with: "d")
    #expect(try value(there, .nullable(.any), of: record) == "null")
    #expect(try value(there, of: record).hasPrefix("missing $.c"))
  }

  @Test(arguments: [
    ("c + s", "wrongType $.s"), ("s + c", "wrongType $.s"),
    ("min(c, l)", "wrongType $.l"), ("c == l", "wrongType $.l"), ("-c < l", "wrongType $.l"),
    ("c == s", "missing $.c"), ("not c", "missing $.c"), ("c and t", "missing $.c"),
    ("t and c", "missing $.c"), ("c or t", "missing $.c"), ("c and s", "missing $.c"),
    ("-c == null", "true"), ("(c and t) != null", "false"), ("-c ?? 1", "-1"),
  ])
  func `an operand that is wrong wins, too, and what is absent makes the operation absent`(
    _ formula: String, _ expected: String
  ) throws {
    let record = #"{"c":null,"s":"x","l":[1],"t":true}"#
    #expect(try value(formula, of: record).hasPrefix(expected))
  }

  @Test(arguments: [
    ("a + missing", "missing $.missing: a value at column 5 of 'a + missing', found nothing"),
    ("a + n", "missing $.n: a value at column 5 of 'a + n', found null"),
    ("a * o.q.r", "missing $.o.q.r: a value at column 5 of 'a * o.q.r', found nothing"),
    ("a + s", "wrongType $.s: a number at column 5 of 'a + s', found a string"),
    ("t + 1", "wrongType $.t: a number at column 1 of 't + 1', found a boolean"),
    (
      "a == s",
      "wrongType $.s: a number, as the other side is at column 6 of 'a == s', found a string"
    ),
    (
      "s < a",
      "wrongType $.a: a string, as the other side is at column 5 of 's < a', found a number"
    ),
    ("a and t", "wrongType $.a: true or false at column 1 of 'a and t', found a number"),
    ("t and a", "wrongType $.a: true or false at column 7 of 't and a', found a number"),
    ("not s", "wrongType $.s: true or false at column 5 of 'not s', found a string"),
    ("l + 1", "wrongType $.l: a number at column 1 of 'l + 1', found an array"),
    (
      "length(a)",
      "wrongType $.a: a string, an array or an object at column 8 of 'length(a)', found a number"
    ),
    ("a / z", "invalidValue $: a divisor that is not 0 at column 5 of 'a / z'"),
    ("a % (b - 2.5)", "invalidValue $: a divisor that is not 0 at column 6 of 'a % (b - 2.5)'"),
    ("big + 1", "numberOutOfRange $: a number of at most 38 digits at column 1 of 'big + 1'"),
    (
      "1 + a * 1e100 * 1e100",
      "numberOutOfRange $: a number of at most 38 digits at column 5 of '1 + a * 1e100 * 1e100'"
    ),
    ("l", "wrongType $: a string, number or boolean, found an array"),
  ])
  func `a formula without a value is an error with its column`(
    _ formula: String, _ expected: String
  ) throws {
    #expect(try value(formula) == expected)
  }

  @Test func `an absent operand makes the value absent`() throws {
    #expect(try value("a + missing", .nullable(.any)) == "null")
    #expect(try value("a + n", .decimal.default(.number("0"))) == "0")
    #expect(try value("missing", .nullable(.any)) == "null")
    #expect(try value("n", .nullable(.any)) == "null")
    #expect(try value("null ?? n", .nullable(.any)) == "null")
    #expect(try value("n") == "null $: a string, number or boolean, found null")
    // What is wrong is not absent.
    #expect(try value("a + s", .nullable(.any)).hasPrefix("wrongType"))
    #expect(try value("a + s", .nullable(.any, when: .missingOrInvalid)) == "null")
  }

  @Test func `the value has to be of the type, and keeps its rules`() throws {
    #expect(try value("a / 2", .int64).hasPrefix("invalidValue"))
    #expect(try value("a * 2", .int64) == "14")
    #expect(try value("s", .int64).hasPrefix("wrongType"))
    let small = Rule<JSONValue>("small", expecting: "small") { $0 != .number("14") }
    #expect(try value("a * 2", .int64.validated(small)).hasPrefix("validationFailed"))
    #expect(try value("a * 3", .int64.validated(small)) == "21")
  }

  @Test func `a path to a container is no value, but it has a length`() throws {
    #expect(try value("length(l) * 2") == "6")
    #expect(try value("l == null") == "false")
    #expect(try value("o ?? 1").hasPrefix("wrongType"))
  }

  // MARK: Mistakes

  private func mistake(_ formula: String) -> String {
    FormulaText(formula).mistake(isCondition: false).map {
      "\($0.offset + 1): \($0.reason)"
    } ?? "none"
  }

  @Test(arguments: [
    ("", "1: the formula is empty"), ("a +", "4: a value is missing at the end"),
    ("* a", "1: a value is missing before '*'"),
    ("a b", "3: an operator is missing, or there is something extra"),
    ("(a", "3: ) is missing"), ("a = b", "3: = is written =="), ("a && b", "3: && is written and"),
    ("!a", "1: ! is written not"),
    ("a < b < c", "7: comparisons are joined by and: a < b and b < c"),
    ("'a", "1: the quote that opens here is not closed"),
    ("a.", "3: a name is missing; what is not a name is quoted: ['x-y']"),
    ("1 + 'a'", "5: + takes a number; here is a string"),
    ("true < 1", "1: < takes a number or a string; here is true or false"),
    ("1 == 'a'", "6: == with that on its left takes a number; here is a string"),
    ("not 1", "5: not takes true or false; here is a number"),
    ("1 and true", "1: and takes true or false; here is a number"),
    ("1 ?? 2", "3: what is before ?? is never absent; put ?? after the path that may be"),
    ("(a + b) ?? 2", "9: what is before ?? is never absent; put ?? after the path that may be"),
    ("round(a, b)", "10: round takes a whole number of decimal places, from -38 to 38"),
    ("round(a, 39)", "10: round takes a whole number of decimal places, from -38 to 38"),
    (
      "sqrt(a)",
      "1: there is no function 'sqrt'; there are round, floor, abs, min, max, length, number"
    ),
    (
      "$day",
      "1: there is no argument or context value 'day'; a key that starts with $ is quoted: ['$day']"
    ),
    ("and", "1: a value is missing before 'and'; a key of that name is ['and']"),
    ("1e500", "1: a number has at most 38 digits, and 10^-128 to 10^127 for its last one"),
    ("007", "1: not a number; a key that starts with a digit is quoted: ['1x']"),
    ("1x", "1: not a number; a key that starts with a digit is quoted: ['1x']"),
    ("a[*]", "3: for every element write"), ("a # b", "3: '#' has no meaning here"),
    (#"'\q'"#, #"2: not an escape; there are \n \r \t \b \f \\ \/ \' \" \u0000"#),
  ])
  func `a mistake in a formula has its column`(_ formula: String, _ expected: String) {
    if formula == "a[*]" {
      #expect(mistake(formula).contains("several values"))
    } else {
      #expect(mistake(formula) == expected)
    }
  }

  @Test func `a formula is bounded in length and depth`() {
    #expect(mistake(String(repeating: "(", count: 65) + "a").contains("deeper than 64 levels"))
    #expect(mistake(String(repeating: "-", count: 4000) + "1").contains("deeper than 64 levels"))
    #expect(mistake(String(repeating: "not ", count: 1000) + "a").contains("deeper than 64 levels"))
    #expect(mistake(String(repeating: "abs(", count: 100)).contains("deeper than 64 levels"))
    #expect(mistake("1" + String(repeating: "+1", count: 3000)).contains("longer than 4096 bytes"))
    #expect(mistake("1" + String(repeating: "+1", count: 2000)) == "none")
    #expect(
      mistake(String(repeating: "(", count: 64) + "a" + String(repeating: ")", count: 64)) == "none"
    )
  }

  @Test func `a long formula is calculated without recursion`() throws {
    let sum = "a" + String(repeating: " + a", count: 900)
    #expect(try value(sum) == "\(7 * 901)")
    let right = String(repeating: "a - (", count: 60) + "a" + String(repeating: ")", count: 60)
    #expect(try value(right) == "7")
  }

  @Test func `a mistake is one of the definition`() {
    let mapping: OutputMapping = .object([OutputField("v", calculated: "a +", .any)])
    #expect(throws: DefinitionError.self) { try Mapper(output: mapping) }
    #expect(
      (try? Mapper(output: .object([OutputField("v", calculated: "a * 2", .decimal)])))?.plan
        .description.contains("calc 'a * 2' → v: decimal, one way") == true)
  }
}
