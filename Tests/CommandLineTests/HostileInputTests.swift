import Foundation
import Testing

/// Feeds that ask for as much as they can: what the command holds in memory does not grow with them.
///
/// `scripts/test hostile` runs these, and more, at full size.
@Suite struct HostileInputTests {
  private struct Figures: Decodable {
    let peakMemoryBytes: Int
  }

  struct Case: Sendable, CustomStringConvertible {
    let description: String
    let record: String
    var input = "{}"
    let before: String
    let repeated: String
    let count: Int
    let after: String
    let status: Int32
  }

  static let cases: [Case] = {
    let letters = String(repeating: "x", count: 1000)
    let digits = String(repeating: "7", count: 1000)
    func test(
      _ name: String, _ record: String, _ before: String, _ repeated: String, _ count: Int,
      _ after: String, _ status: Int32, input: String = "{}"
    ) -> Case {
      Case(
        description: name, record: record, input: input, before: before, repeated: repeated,
        count: count, after: after, status: status)
    }
    let field = "{ x: x }"
    let numbers = "{ x: { from: x, each: { type: int8 } } }"
    return [
      test("a string that is mapped", field, "{\"x\":\"", letters, 20_000, "\"}", 5),
      test("a string that is not", "{ y: y }", "{\"x\":\"", letters, 20_000, "\"}", 0),
      test("a number", field, "{\"x\":", digits, 5_000, "}", 5),
      test(
        "a number beyond no limit", "{ y: y }", "{\"x\":", digits, 20_000, "}", 0,
        input: "{ limits: { number: 1GiB } }"),
      test("openings", "{ y: y }", "", "[", 500_000, "", 5),
      test(
        "openings that are mapped", "{ x: { from: x, type: json } }", "{\"x\":", "[", 500_000, "",
        5),
      test("duplicate keys", field, "{", "\"x\":1,", 100_000, "\"x\":2}", 0),
      test(
        "wrong duplicates", "{ x: { from: x, type: int8 } }", "{", "\"x\":\"\",", 100_000,
        "\"x\":2}", 0),
      test(
        "reported duplicates", field, "{", "\"x\":1,", 30_000, "\"x\":2}", 0,
        input: "{ duplicate_keys: report }"),
      test("unknown keys", field, "{", "\"u\":1,", 100_000, "\"x\":2}", 0),
      test(
        "reported unknown keys", field, "{", "\"u\":1,", 100_000, "\"x\":2}", 0,
        input: "{ unknown: report }"),
      test(
        "refused unknown keys", field, "{", "\"u\":1,", 100_000, "\"x\":2}", 7,
        input: "{ unknown: fail }"),
      test(
        "collected unknown keys", field, "{", "\"u\":1,", 100_000, "\"x\":2}", 5,
        input: "{ unknown: 'collect:rest', limits: { members: 1000 } }"),
      test("failing elements", numbers, "{\"x\":[", "\"\",", 100_000, "1]}", 7),
      test(
        "elements that are left out",
        "{ x: { from: x, each: { type: int8 }, on_item_error: drop } }",
        "{\"x\":[", "\"\",", 100_000, "1]}", 0),
      test(
        "too many elements", numbers, "{\"x\":[", "1,", 1_000_000, "1]}", 5,
        input: "{ limits: { elements: 1000 } }"),
      test(
        "too many members", "{ x: { from: x, map: any } }", "{\"x\":{", "\"u\":1,", 100_000,
        "\"u\":2}}", 5,
        input: "{ limits: { members: 1000 } }"),
      test(
        "a large record", field, "{\"x\":1", ",\"s\":{\"a\":[1,{\"b\":\"cccccccccccc\"}]}",
        150_000, "}", 0),
    ]
  }()

  /// A feed of a hundredth of the size needs nearly as much.
  @Test(.long, arguments: cases) func `peak memory does not grow with the size of a hostile feed`(
    _ test: Case
  ) throws {
    let command = try Command()
    try command.write(
      "streammap: 1\ninput: \(test.input)\nrecord: \(test.record)\n", to: "m.yaml")
    let small = try peak(command, test, test.count / 100)
    let large = try peak(command, test, test.count)
    // A string may be as large as its limit, 16 MiB, in the reader and in the parser.
    let allowed = test.description == "a string that is mapped" ? 48 << 20 : 6 << 20
    #expect(large - small < allowed, "\(small) \(large)")
  }

  private func peak(_ command: Command, _ test: Case, _ count: Int) throws -> Int {
    let feed = test.before + String(repeating: test.repeated, count: count) + test.after
    try command.write(feed, to: "feed")
    // Started by a shell: a process counts the memory of the one that it was forked from for its own.
    let result = try command.shell("stream-map -m m.yaml --stats json feed; echo $?")
    if count == test.count {
      #expect(result.output.hasSuffix("\(test.status)\n"), "\(result.errors.prefix(300))")
    }
    let last = try #require(result.errors.split(separator: "\n").last)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Figures.self, from: Data(last.utf8)).peakMemoryBytes
  }

  @Test(
    .long,
    arguments: [
      "record: { x: { from: x, type: json, validate: { equal_to: [[2]] } } }",
      "record: { x: { from: x, each: json, validate: { unique: true } } }",
      "input: { unknown: 'collect:rest' }\nrecord: { id: id }",
      "record: { x: { from: x, type: json } }\nwhere: { not: { field: x, equals: 3 } }",
      "context: { c: { from: $.x, type: json } }\ninput: { records: '$.r[*]' }\n"
        + "record: { c: { context: c } }\nwhere: { not: { field: c, equals: 3 } }",
    ], [1, 2])
  func `a tree of a hundred thousand levels exceeds a limit without crashing`(
    mapping: String, jobs: Int
  ) throws {
    let command = try Command()
    try command.write("streammap: 1\n\(mapping)\n", to: "m.yaml")
    let levels = 100_000
    let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    let result = try command.run(
      "-m", "m.yaml", "--from", "ndjson", "--limit-depth", "2000000", "--jobs", "\(jobs)",
      input: #"{"x":"# + deep + #","r":[{}]}"# + "\n")
    #expect(result.status == 5, "\(result.status) \(result.errors.prefix(300))")
    #expect(
      result.errors.contains("levels of nesting in a value that is a tree"),
      "\(result.errors.prefix(300))")
  }

  @Test(arguments: ["auto", "yajl"])
  func `a record without members has none to collect although a formula looks at some`(
    parser: String
  ) throws {
    let command = try Command()
    let mapping = """
      streammap: 1
      input: { unknown: 'collect:more' }
      record:
        k: { from: $, object: { c: { calc: "a.b ?? 1" }, j: { join: [b.c], nullable: true } } }
      """
    try command.write(mapping + "\n", to: "m.yaml")
    let result = try command.run(
      "-m", "m.yaml", "--from", "ndjson", "--parser", parser, "--errors", "skip",
      input: "null\n{}\n{\"b\":1,\"a\":{\"b\":2}}\n{\"b\":null,\"x\":3}\n7\n")
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == #"{"k":{"c":1,"j":null},"more":{}}"#, "\(result.output.prefix(300))")
    #expect(lines.allSatisfy { $0.utf8.count < 80 }, "\(result.output.prefix(300))")
  }
}
