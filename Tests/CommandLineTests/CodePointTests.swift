import Foundation
import Testing

/// Texts of feeds and of mapping files are equal by code points: é is not e with U+0301, K is not U+212A.
@Suite("Text by code points")
struct CodePointTests {
  private let command: Command
  private let one = "\u{E9}"
  private let two = "e\u{301}"
  private let kelvin = "\u{212A}"

  init() throws {
    command = try Command()
  }

  /// What a mapping makes of a feed, with one job and with two, and with either parser.
  private func mapped(_ mapping: String, _ feed: String) throws -> String {
    try command.write("streammap: 1\n" + mapping + "\n", to: "m.yaml")
    try command.write(feed + "\n", to: "feed.ndjson")
    let result = try command.run("-m", "m.yaml", "feed.ndjson", "--quiet")
    for options in [["--jobs", "2"], ["--parser", "yajl"], ["--parser", "index"]] {
      let other = try command.run(["-m", "m.yaml", "feed.ndjson", "--quiet"] + options)
      #expect(other.output == result.output && other.status == result.status, "\(options)")
    }
    return result.output + result.errors
  }

  @Test(.long) func `formulas, conditions and cases read the member that they name`() throws {
    let feed = "{\"\(one)\":1,\"\(two)\":2,\"K\":1,\"\(kelvin)\":2}"
    #expect(
      try mapped("record: { x: { calc: \"['\(one)'] + ['\(two)'] * 10\" } }", feed)
        == "{\"x\":21}\n")
    let condition = "{ all: [{ from: K, equals: 1 }, { from: \"['\(kelvin)']\", equals: 2 }] }"
    #expect(try mapped("where: \(condition)\nrecord: { x: K }", feed) == "{\"x\":1}\n")
    #expect(
      try mapped(
        "record: { x: { cases: [{ when: \(condition), const: yes }], otherwise: no } }", feed)
        == "{\"x\":\"yes\"}\n")
    #expect(
      try mapped("record: { x: { from: l, each: json, where: \(condition) } }", "{\"l\":[\(feed)]}")
        == "{\"x\":[\(feed)]}\n")
  }

  @Test(.long) func `names of fields, arguments and tables that differ are two`() throws {
    let feed = "{\"\(one)\":1,\"\(two)\":2}"
    #expect(
      try mapped("record: { \"\(one)\": \"\(one)\", \"\(two)\": \"\(two)\" }", feed) == feed + "\n")
    let table = "{ values: { \"\(one)\": one, \"\(two)\": two, K: k } }"
    #expect(
      try mapped(
        "record: { x: { from: l, each: { type: enum, values: { \"\(one)\": one, \"\(two)\": two, K: k }, otherwise: other } } }",
        "{\"l\":[\"\(one)\",\"\(two)\",\"K\",\"\(kelvin)\"]}")
        == "{\"x\":[\"one\",\"two\",\"k\",\"other\"]}\n", "\(table)")
    #expect(
      try mapped("record: { x: { from: x, type: enum, values: [K] } }", "{\"x\":\"\(kelvin)\"}")
        .contains("fatal invalidValue at $.x"))
    try command.write(
      "streammap: 1\nargs: { \"\(one)\": {}, \"\(two)\": {} }\n"
        + "record: { a: { arg: \"\(one)\" }, b: { arg: \"\(two)\" } }\n", to: "args.yaml")
    let result = try command.run(
      "-m", "args.yaml", "--set", "\(one)=1", "--set", "\(two)=2", input: "{}\n")
    #expect(result.output == "{\"a\":\"1\",\"b\":\"2\"}\n", "\(result.errors)")
    try command.write("code,name\n\(one),one\n\(two),two\n", to: "t.csv")
    #expect(
      try mapped(
        "record: { x: { from: l, each: { type: string, lookup: { file: t.csv, key: code, value: name } } } }",
        "{\"l\":[\"\(two)\",\"\(one)\"]}") == "{\"x\":[\"two\",\"one\"]}\n")
  }

  @Test func `the way back writes each text where it came from`() throws {
    try command.write(
      "streammap: 1\nrecord: { a: { from: \"\(one)\", values: { \"\(one)\": 1, \"\(two)\": 2 } }, b: \"\(two)\" }\n",
      to: "m.yaml")
    let feed = "{\"\(one)\":\"\(two)\",\"\(two)\":7}\n"
    let record = try command.run("-m", "m.yaml", input: feed).output
    #expect(record == "{\"a\":2,\"b\":7}\n")
    #expect(try command.run("reverse", "-m", "m.yaml", input: record).output == feed)
  }

  @Test func `each value has a file of its own`() throws {
    try command.write("streammap: 1\nrecord: { x: x }\n", to: "m.yaml")
    try command.write("{\"x\":\"\(one)\"}\n{\"x\":\"\(two)\"}\n", to: "feed.ndjson")
    let result = try command.run("-m", "m.yaml", "feed.ndjson", "-o", "out/{x}.ndjson")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try command.read("out/\(one).ndjson") == "{\"x\":\"\(one)\"}\n")
    #expect(try command.read("out/\(two).ndjson") == "{\"x\":\"\(two)\"}\n")
    // A brace is one, whatever follows it.
    #expect(
      try command.run("-m", "m.yaml", "feed.ndjson", "-o", "out/{x}\u{301}.ndjson").status == 0)
    #expect(command.exists("out/\(two)\u{301}.ndjson"))
  }

  @Test func `columns of tables are told apart as the database does`() throws {
    try command.write(
      "streammap: 1\nrecord: { \"\(one)\": \"\(one)\", \"\(two)\": \"\(two)\", k: k, \"\(kelvin)\": \"\(kelvin)\" }\n",
      to: "m.yaml")
    let result = try command.run(
      "-m", "m.yaml", "--to", "sqlite", "--table", "t", "-o", "t.db",
      input: "{\"\(one)\":1,\"\(two)\":2,\"k\":3,\"\(kelvin)\":4}\n")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      try command.run("ddl", "-m", "m.yaml", "--for", "duckdb", "--table", "t").status == 0)
  }

  @Test func `what is inferred, sampled and reported names both keys`() throws {
    let feed = "{\"\(one)\":1,\"\(two)\":\"x\"}\n{\"\(one)\":2,\"\(two)\":\"y\"}\n"
    try command.write(feed, to: "feed.ndjson")
    let inferred = try command.run("infer", "feed.ndjson")
    try command.write(inferred.output, to: "inferred.yaml")
    let result = try command.run("-m", "inferred.yaml", "feed.ndjson")
    #expect(result.output == feed, "\(inferred.output)\(result.errors)")
    let sample = try command.run("explain", "inferred.yaml", "--sample", "feed.ndjson").output
    #expect(sample.contains("\n\(one) ") && sample.contains("\n\(two) "), "\(sample)")
    try command.write(
      "streammap: 1\ninput: { unknown: report }\nrecord: { \"\(one)\": \"\(one)\" }\n", to: "m.yaml"
    )
    #expect(try command.run("-m", "m.yaml", "feed.ndjson").errors.contains(two))
  }
}
