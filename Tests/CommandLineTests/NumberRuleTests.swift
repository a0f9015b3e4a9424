import Foundation
import Testing

/// Rules and conditions on numbers of any size and precision, wherever a mapping file may have them.
@Suite struct NumberRuleTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  private static let many = String(repeating: "7", count: 998)

  /// A type, a rule on `x`, numbers that keep to it, and numbers that break it.
  private static let cases: [(String, String, [String], [String])] = [
    (
      "number", "multiple_of: 0.1",
      ["0.3", "0", "-0.0", "1e999999999", "0.30000000000000000000000000000000000000000000000000"],
      ["0.35", "1e-999999999", "0.30000000000000000000000000000000000000000000000001"]
    ),
    (
      "number", "multiple_of: 340282366920938463463374607431768211456",
      ["680564733841876926926749214863536422912", "0"],
      ["340282366920938463463374607431768211457", "1"]
    ),
    ("decimal", "multiple_of: 0.25", ["1.75", "1e2"], ["1.8"]),
    (
      "number", "min: 500", ["500", "500.0", "5e2", many, "1e999999999"],
      ["499", "-" + many, "499.\(many)"]
    ),
    (
      "number", "range: [-1.5, 1e3]", ["-1.5", "1000", "1.0E3", "0"],
      ["-1.51", "1000.0000000000000000000000001"]
    ),
    (
      "number", "greater_than: 9007199254740992", ["9007199254740993"],
      ["9007199254740992", "9007199254740992.0"]
    ),
    (
      "number", "one_of: [1, 2.50, 1e400]", ["1.0", "2.5", "10e399"],
      ["2", "2.500000000000000000000000000001"]
    ),
    ("number", "not: { max: 0 }", ["0.\(many)", "1e-999999999"], ["0", "-0", "-1e-999999999"]),
    ("number", "either: [ { equal_to: 7 }, { less_than: 0 } ]", ["7.0", "-1"], ["0", "8"]),
    ("int32", "min: 100", ["100", "2147483647"], ["99", "-1"]),
    ("double", "max: 0.1", ["0.1", "0.09999999999999999999"], ["0.10000000000000001"]),
  ]

  private func mapped(_ mapping: String, _ feed: String, _ arguments: String...) throws -> [String]
  {
    try command.write("streammap: 1\n\(mapping)\n", to: "m.yaml")
    let arguments =
      ["-m", "m.yaml", "--from", "ndjson", "--errors", "skip", "--limit-number", "2000"] + arguments
    let one = try command.run(arguments, input: Array(feed.utf8))
    let several = try command.run(arguments + ["--jobs", "3"], input: Array(feed.utf8))
    #expect(one.output == several.output)
    return one.output.split(separator: "\n").map(String.init)
  }

  @Test(.long, arguments: cases)
  func `number rules are exact in fields, elements and conditions`(
    _ type: String, _ rule: String, _ right: [String], _ wrong: [String]
  ) throws {
    let numbers =
      zip(right, wrong).flatMap { [$0, $1] } + right.dropFirst(wrong.count)
      + wrong.dropFirst(right.count)
    let kept = numbers.filter(right.contains)
    let feed = numbers.map { "{\"x\":\($0)}\n" }.joined()
    let x = "{ from: x, type: \(type)"
    #expect(
      try mapped("record: { x: \(x), validate: { \(rule) } } }", feed)
        == kept.map { "{\"x\":\($0)}" })
    #expect(
      try mapped("record: { x: { first_of: [ \(x) } ], validate: { \(rule) } } }", feed)
        == kept.map { "{\"x\":\($0)}" })
    let list = "{\"x\":[\(numbers.joined(separator: ","))]}\n"
    #expect(
      try mapped(
        "record: { x: { from: x, each: { type: \(type), validate: { \(rule) } }, on_item_error: drop } }",
        list)
        == ["{\"x\":[\(kept.joined(separator: ","))]}"])
    let comparison = rule.replacing("equal_to", with: "equals")
    if !rule.hasPrefix("either"), !rule.hasPrefix("not") {
      #expect(
        try mapped("record: { x: \(x) } }\nwhere: { field: x, \(comparison) }", feed)
          == kept.map { "{\"x\":\($0)}" })
      #expect(
        try mapped(
          "record: { o: { from: $, object: { x: \(x) } } } }\nwhere: { field: o.x, \(comparison) }",
          feed)
          == kept.map { "{\"o\":{\"x\":\($0)}}" })
      #expect(
        try mapped(
          "record: { l: { from: l, each: \(type) } }\nwhere: { not: { field: \"l[1]\", \(comparison) } }",
          numbers.map { "{\"l\":[[],\($0)]}\n" }.joined().replacing("[[],", with: "[0,"))
          == numbers.filter(wrong.contains).map { "{\"l\":[0,\($0)]}" })
    }
  }

  @Test
  func `elements are unique by value, not by spelling`() throws {
    let feed = ["[1,2]", "[1,1.0]", "[1e999999999,10e999999998]", "[1,1.\(Self.many)]", "[0,-0]"]
      .map { "{\"x\":\($0)}\n" }.joined()
    #expect(
      try mapped("record: { x: { from: x, each: number, validate: { unique: true } } }", feed)
        == ["{\"x\":[1,2]}", "{\"x\":[1,1.\(Self.many)]}"])
  }

  @Test
  func `conditions see null, absent and deep values`() throws {
    let mapping = "record: { a: { from: a, type: json, nullable: true } }\nwhere: { field: "
    let feed = "{\"a\":null}\n{}\n{\"a\":{\"b\":[{\"c\\\"d\":5}],\"b2\":1}}\n{\"a\":7}\n"
    #expect(try mapped(mapping + "a, exists: false }", feed) == ["{\"a\":null}", "{\"a\":null}"])
    #expect(try mapped(mapping + "a, min: 7 }", feed) == ["{\"a\":7}"])
    #expect(
      try mapped(mapping + "\"a.b[0]['c\\\"d']\", equals: 5.0 }", feed) == [
        "{\"a\":{\"b\":[{\"c\\\"d\":5}],\"b2\":1}}"
      ])
  }
}
