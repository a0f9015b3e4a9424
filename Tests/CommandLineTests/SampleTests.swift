import Foundation
import Testing

/// `check --sample`.
@Suite("Samples")
struct SampleTests {
  let command: Command

  init() throws {
    command = try Command()
    try command.write(
      """
      streammap: 1
      record:
        id: { from: id, type: int64 }
        none: nothing
        part: { from: part, type: json, nullable: true }
        "it's": { from: late, nullable: true }
        fixed: { const: null }

      """, to: "m.yaml")
  }

  private func records(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { "{\"id\":\($0)}\n" }.joined()
  }

  private func check(_ arguments: String...) throws -> CommandResult {
    try command.run(["check", "m.yaml", "--sample", "x.ndjson"] + arguments)
  }

  private func missing(_ paths: String...) -> String {
    paths.map { "\($0) never occurred\n" }.joined()
  }

  @Test func `a sample ends after ten thousand records and says so`() throws {
    // What comes later is not looked at: a record that is rejected, and one that no parser takes.
    try command.write(records(1...10_000) + "{\"id\":\"x\"}\n]\n", to: "x.ndjson")
    let result = try check()
    #expect(result.status == 0)
    #expect(
      result.output == "m.yaml: ok\nx.ndjson: 10000 mapped, 0 rejected, 0 dropped, 0 issues\n"
        + "only the first 10000 records were mapped (--sample-records)\n"
        + missing("nothing", "part", "late"))
    #expect(try check("--sample-records", "10001").status == 1)
    #expect(try check("--sample-records", "20000").status == 4)
  }

  @Test func `rejected and dropped records count towards the sample`() throws {
    try command.write(
      command.read("m.yaml") + "where: { field: id, min: 3 }\n", to: "m.yaml")
    try command.write(records(1...3) + "{\"id\":\"x\"}\n" + records(5...9), to: "x.ndjson")
    let result = try check("--sample-records", "6")
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        "\nx.ndjson: 3 mapped, 1 rejected, 2 dropped, 0 issues\nonly the first 6 "))
    #expect(try !check("--sample-records", "10").output.contains("only the first"))
  }

  @Test func `a sample does not wait for a feed that continues`() throws {
    let running = try command.start([
      "check", "m.yaml", "--sample", "-", "--sample-records", "2",
    ])
    running.write(Array(records(1...2).utf8))
    let result = try #require(try running.result(within: 20))
    #expect(result.output.contains("standard input: 2 mapped"))
  }

  @Test func `a path that may still come is not said to be missing`() throws {
    try command.write(
      "streammap: 1\ninput: { records: [\"$.a[*]\", \"$.b[*]\"] }\nrecord: { id: id }\n",
      to: "m.yaml")
    try command.write("{\"a\":[{\"id\":1},{\"id\":2},{\"id\":3}]}", to: "x.ndjson")
    let all = try check("--sample-records", "10")
    #expect(all.status == 8)
    #expect(all.output.contains("the path $.b[*] does not occur"))
    let some = try check("--sample-records", "2")
    #expect(some.status == 0)
    #expect(!some.output.contains("does not occur"))
  }

  @Test func `a field with one value is found, however large it is`() throws {
    let part =
      "[" + String(repeating: "\"\(String(repeating: "x", count: 1000))\",", count: 300) + "0]"
    try command.write(
      records(1...50) + "{\"id\":51,\"part\":\(part)}\n{\"id\":52,\"late\":false}\n"
        + records(53...60),
      to: "x.ndjson")
    #expect(try check().output.hasSuffix(" 0 issues\n" + missing("nothing")))
    // Larger than what is taken of other feeds.
    let string = String(repeating: "y", count: 17 << 20)
    try command.write("{\"id\":1,\"late\":\"\(string)\"}\n", to: "x.ndjson")
    try command.write(
      command.read("m.yaml") + "input: { limits: { string: 32MiB } }\n", to: "m.yaml")
    #expect(
      try check().output.hasSuffix(" 0 issues\n" + missing("nothing", "part")))
  }

  @Test(arguments: [
    (["--sample", "x", "--sample-records", "0"], "takes 1 or more"),
    (["--sample", "x", "--sample-records", "few"], "sample-records"),
    (["--sample-records", "5"], "is for --sample FEED"),
  ])
  func `a sample size below 1 or without a sample is refused`(arguments: [String], message: String)
    throws
  {
    let result = try command.run(["check", "m.yaml"] + arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
