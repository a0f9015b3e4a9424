import StreamMap
import StreamMapFiles
import Testing

/// Numbers at the ends of what an integer or a double holds, wherever a mapping file takes one: refused or used, and never the end of
/// the process.
@Suite struct ExtremeNumberTests {
  private static let numbers = [
    "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "-9223372036854775807",
    "9223372036854775808", "18446744073709551615", "-2147483648", "9007199254740993", "1e308",
    "-1e400", "1e-400", "1e9223372036854775807", "-1e-9223372036854775808", ".5",
  ]

  /// `N` stands for the number.
  private static let mappings =
    [
      "text: { mask: N }", "text: { slice: [N] }", "text: { slice: [N, N] }",
      "text: { slice: [-1, N] }", "text: { split: ' ', at: N }", "text: { pad: [N, '0'] }",
      "text: { pad_end: [N, '0'] }", "validate: { length: N }", "validate: { min_length: N }",
      "validate: { max_length: N }", "validate: { length_range: [N, N] }",
      "validate: { length_range: [N, 9223372036854775807] }", "type: int64, scale: N",
      "validate: { length_range: [0, N] }", "default: N",
      "type: int64, coerce: string, scale: N, round: 2", "type: decimal, round: N",
      "type: int64, units: { m: N }", "type: int64?, validate: { min: N }",
      "type: int64?, validate: { range: [N, N] }", "type: double?, validate: { multiple_of: N }",
      "type: int64?, validate: { one_of: [N, 1] }", "type: double?, validate: { equal_to: N }",
    ].map { "record: { f: { from: a, \($0) } }" }
    + [
      "list: { slice: [N, N] }", "list: { slice: [N] }", "list: { nth: N }",
      "each: int64, validate: { count: N }", "each: int64, validate: { min_count: N }",
      "each: int64, validate: { count_range: [N, N] }",
      "each: int64, validate: { count_range: [N, 9223372036854775807] }",
    ].map { "record: { f: { from: l, \($0) } }" }
    + [
      "n + N", "n - N", "N - n", "n * N", "n / N", "n % N", "N % n", "-N", "abs(N)", "round(n, N)",
      "round(N, 2)", "floor(N)", "N * N * N", "max(n, N)", "length(a) + N",
    ].map { "record: { f: { calc: \"\($0)\" } }" }
    + ["l[N]", "l[-N]", "l[N:]", "l[:N]", "l[::N]", "l[N:N:N]", "l[?@ > N]", "l[0, N]"].map {
      "input: { records: '$.\($0)' }\nrecord: { f: $ }"
    }
    + [
      "record: { f: '$.l[N]' }",
      "input: { limits: { depth: N } }\nrecord: { f: a }",
      "input: { limits: { captured: N } }\nrecord: { f: a }",
      "errors: { mode: skip, max: N }\nrecord: { f: a }",
      "errors: { mode: skip, max_ratio: N }\nrecord: { f: a }",
      "context: { c: { from: '$.x', type: int64, default: N } }\ninput: { records: '$.l[*]' }\nrecord: { f: { context: c } }",
      "record: { f: a }\nwhere: { from: n, min: N }",
      "args: { x: { type: int64, default: N } }\nrecord: { f: { calc: \"$x * $x - n\" } }",
    ]

  @Test(arguments: mappings)
  func `a number is refused or used, however large or small it is`(mapping: String) throws {
    let feed = Array(
      "{\"a\":\"abc def\",\"n\":3,\"l\":[1,2,3]}\n{\"n\":-9223372036854775808}\n".utf8)
    var isTaken = false
    for number in Self.numbers {
      let text = "streammap: 1\n" + mapping.replacing("N", with: number)
      guard let file = try? MappingFile(yaml: text) else { continue }
      isTaken = true
      for record in try file.mapper().records(in: Feed(feed)) {
        // Messages say numbers, too.
        _ = record.error?.description
      }
    }
    #expect(isTaken, "\(mapping)")
  }

  @Test func `the greatest number is the end of a range in its message, too`() throws {
    let ranges = [
      ("length_range", "\"\"", "from 1 to 9223372036854775807 characters"),
      ("min_length", "\"\"", "at least 9223372036854775807 characters"),
    ]
    for (rule, value, expected) in ranges {
      let operand = rule == "min_length" ? "9223372036854775807" : "[1, 9223372036854775807]"
      let file = try MappingFile(
        yaml:
          "streammap: 1\nrecord: { f: { from: a, type: string, validate: { \(rule): \(operand) } } }"
      )
      let records = try file.mapper().records(in: Feed(Array("{\"a\":\(value)}".utf8)))
      #expect(records.contains { $0.error?.expected == expected }, "\(rule)")
    }
  }
}
