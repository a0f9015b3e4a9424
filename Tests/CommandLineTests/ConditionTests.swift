import Foundation
import Testing

/// `where`, and how much may be wrong.
@Suite struct ConditionTests {
  private let command: Command
  private let feed = (1...6).map { "{\"n\":\($0),\"s\":\"\($0 % 2 == 0 ? "even" : "odd")\"}\n" }
    .joined()

  init() throws {
    command = try Command()
  }

  private func kept(_ condition: String, _ arguments: String...) throws -> [String] {
    try command.write(
      """
      streammap: 1
      record:
        n: { from: n, type: int8 }
        s: s
        o: { from: $, object: { m: n, list: { const: [7, null] } } }
      where: \(condition)
      """, to: "m.yaml")
    let result = try command.run(["-m", "m.yaml"] + arguments, input: Array(feed.utf8))
    #expect(result.status == 0)
    #expect(
      try command.run(["-m", "m.yaml", "--jobs", "2"] + arguments, input: Array(feed.utf8)).output
        == result.output)
    return result.output.split(separator: "\n").map { String($0.prefix { $0 != "," }.dropFirst(5)) }
  }

  @Test(arguments: [
    ("{ field: n, min: 3, max: 4 }", "3 4"),
    ("{ field: s, equals: even }", "2 4 6"),
    ("{ all: [ { field: s, equals: even }, { field: n, greater_than: 2 } ] }", "4 6"),
    ("{ any: [ { field: n, one_of: [1, 6.0] }, { not: { field: n, less_than: 5 } } ] }", "1 5 6"),
    ("{ field: s, matches: e.* }", "2 4 6"),
    ("{ field: o.m, max: 1 }", "1"),
    ("{ field: \"o.list[0]\", exists: true }", "1 2 3 4 5 6"),
    ("{ field: \"o.list[1]\", exists: true }", ""),
    ("{ field: \"o.list[2]\", exists: false }", "1 2 3 4 5 6"),
  ])
  func `a condition keeps exactly the records that it holds for`(
    _ condition: String, _ numbers: String
  ) throws {
    #expect(try kept(condition).joined(separator: " ") == numbers)
  }

  @Test func `dropped records are counted in the statistics`() throws {
    try command.write(
      "streammap: 1\nrecord: { n: { from: n, type: int8 } }\nwhere: { field: n, min: 5 }\n",
      to: "m.yaml")
    let result = try command.run(
      "-m", "m.yaml", "--stats", "json", "--to", "json", input: feed + "{\"n\":\"x\"}\n")
    #expect(result.status == 7)
    #expect(result.errors.contains("\"records\":7,\"mapped\":2,\"rejected\":1,\"dropped\":4,"))
    #expect(result.output == "[\n{\"n\":5},\n{\"n\":6}\n]\n")
  }

  @Test(arguments: [
    (#"{"k":2,"k":1,"n":2}"#, #"{"l":[{"n":2}]}"#), (#"{"k":1,"k":2,"n":2}"#, #"{"l":[]}"#),
    (#"{"k":1,"n":2,"n":3}"#, #"{"l":[{"n":3}]}"#),
  ])
  func `a condition on elements that another file maps keeps to the rule of that file`(
    element: String, expected: String
  ) throws {
    try command.write("streammap: 1\nrecord: { n: n }\n", to: "n.yaml")
    try command.write(
      "streammap: 1\ninput: { duplicate_keys: fail }\nuse: { n: n.yaml }\n"
        + "record: { l: { from: l, each: { use: n }, where: { from: k, equals: 1 } } }\n",
      to: "m.yaml")
    let result = try command.run(
      ["-m", "m.yaml", "-q"], input: Array("{\"l\":[\(element)]}\n".utf8))
    #expect((result.output + result.errors).contains(expected), "\(result.output)\(result.errors)")
  }

  @Test func `a condition can look at a null that the output omits`() throws {
    try command.write(
      "streammap: 1\nrecord: { a: a, b: b }\nwhere: { field: a, exists: false }\noutput: { nulls: omit }\n",
      to: "m.yaml")
    let result = try command.run(
      "-m", "m.yaml", input: "{\"a\":1}\n{\"a\":null,\"b\":\"x\"}\n{\"b\":2}\n")
    #expect(result.output == "{\"b\":\"x\"}\n{\"b\":2}\n")
  }

  @Test func `a run ends when its budget of errors is spent`() throws {
    let feed = String(repeating: "{\"n\":1}\n{\"n\":\"x\"}\n", count: 3)
    func run(_ errors: String, _ arguments: String...) throws -> CommandResult {
      try command.write(
        "streammap: 1\nrecord: { n: { from: n, type: int8 } }\nerrors: \(errors)\n", to: "m.yaml")
      return try command.run(["-m", "m.yaml"] + arguments, input: Array(feed.utf8))
    }
    let spent = try run("{ mode: skip, max: 1 }")
    #expect(spent.status == 7)
    #expect(
      spent.errors == "stream-map: more than 1 records were rejected (errors.max, --max-errors)\n"
        + "stream-map: 2 of 4 records were rejected\n"
        + [(2, 2, 13), (4, 4, 31)].map { record, line, start in
          "stream-map: standard input: fatal wrongType at $.n → n (record \(record), line \(line), column 6, "
            + "bytes \(start)..<\(start + 3)): expected an integer (Int8), found a string"
            + (record == 2 ? "; write coerce: string (m.yaml:2)\n" : "\n")
        }.joined())
    #expect(spent.output == "{\"n\":1}\n{\"n\":1}\n")
    #expect(try run("{ mode: skip, max: 1 }", "--max-errors", "3").status == 1)
    #expect(try run("{ mode: skip, max_ratio: 0.5 }").status == 1)
    let ratio = try run("{ mode: skip, max_ratio: 0.49 }")
    #expect(ratio.status == 7)
    #expect(ratio.errors.contains("3 of 6 records were rejected, more than 0.49 of them"))
    #expect(try run("{ mode: fail }", "--max-errors", "3").status == 2)
  }

  @Test func `a record beyond the record limit is rejected`() throws {
    let result = try command.run(
      "--field", "n", "--limit-record", "9", "--errors", "skip", "--jobs", "2",
      input: "{\"n\":1}\n{\"n\":12345}\n{\"n\":2 }\n")
    #expect(result.output == "{\"n\":1}\n{\"n\":2}\n")
    let ended = try command.run("--field", "n", "--limit-record", "9", input: "{\"n\":12345}\n")
    #expect(ended.status == 5)
    #expect(
      ended.errors.contains(
        "at most 9 bytes in a record (--limit-record)"))
  }
}
