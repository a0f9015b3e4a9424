import Foundation
import Testing

@Suite("Several jobs")
struct JobsTests {
  private static let count = 6000
  let command: Command

  init() throws {
    command = try Command()
    let records = (0..<Self.count).map { number in
      let padding = String(repeating: "p", count: number % 900 == 50 ? 70_000 : number % 700)
      return switch number % 250 {
      case 100: #"{"id":"x","skipped":["\#(padding)"],"name":"n"}"#
      case 200: #"{"skipped":["\#(padding)"]}"#
      default: #"{"skipped":["\#(padding)"],"name":"n\#(number)é","id":\#(number)}"#
      }
    }
    let lines = records.enumerated().map { $0 % 1111 == 700 ? $1 + "]" : $1 }
    try command.write(lines.joined(separator: "\n"), to: "lines.ndjson")
    try command.write(
      records.filter { $0.hasPrefix("{\"skipped\":[\"") && $0.contains("id") }
        .joined(separator: "\n"), to: "good.ndjson")
    try command.write("{\"list\":[\(records.joined(separator: ",\n"))]}", to: "document.json")
    try command.write("{\"list\":[\(records.joined(separator: ",\n"))", to: "cut.json")
  }

  /// What a run comes to but for its times, with its files.
  private func outcome(_ arguments: [String], jobs: Int) throws -> [String] {
    let rejects = "rejects.\(jobs)"
    var all = ["--field", "id:int64", "--field", "name", "--stats", "json", "--jobs", "\(jobs)"]
    all += arguments.map { $0 == "REJECTS" ? rejects : $0 }
    let result = try command.run(all)
    let errors = result.errors.replacing(/,"seconds".*/, with: "")
    let rejected = command.exists(rejects) ? try command.read(rejects) : "-"
    return ["\(result.status)", result.output, errors, rejected]
  }

  @Test(
    .long,
    arguments: [
      ["lines.ndjson"], ["lines.ndjson", "--from", "auto", "--to", "json"],
      ["lines.ndjson", "--errors", "skip"], ["lines.ndjson", "--rejects", "REJECTS"],
      ["good.ndjson", "lines.ndjson", "--rejects", "REJECTS", "--no-raw", "--to", "json"],
      ["good.ndjson", "good.ndjson", "--to", "json"],
      ["document.json", "--records", "$.list[*]", "--rejects", "REJECTS"],
      ["document.json", "--records", "$.list[*]", "--records", "$.none", "--errors", "skip"],
      ["cut.json", "--records", "$.list[*]", "--errors", "skip"],
      ["good.ndjson", "missing.ndjson"],
    ])
  func `any number of jobs gives the same bytes`(arguments: [String]) throws {
    let one = try outcome(arguments, jobs: 1)
    for jobs in [2, 3, 8] {
      let several = try outcome(arguments, jobs: jobs)
      for (part, other) in zip(one, several) {
        // Without the difference shown: the texts are long.
        #expect((part == other) == true, "\(jobs) jobs: \(part.suffix(300)) – \(other.suffix(300))")
      }
    }
  }

  @Test(.long) func `positions of records are the same for any number of jobs`() throws {
    try command.write(
      """
      streammap: 1
      record:
        id: { from: id, type: int64 }
        row: { meta: record_number }
        line: { meta: line }
        offset: { meta: byte_offset }
      """, to: "m.yaml")
    let lines = (0..<20_000).map { number in
      switch number % 50 {
      case 7: ""
      case 8: " \t\r"
      case 9: "{\"id\":\(number)"
      case 10 where number % 1000 == 10:
        "{\"text\":\"\(String(repeating: "é", count: number * 100))\",\"id\":\(number)}"
      default: "{\"id\":\(number)}\(number % 3 == 0 ? "\r" : "")"
      }
    }
    try command.write("\u{FEFF}" + lines.joined(separator: "\n"), to: "mixed.ndjson")
    func run(_ jobs: Int) throws -> [String] {
      let rejects = "mixed.\(jobs)"
      let result = try command.run([
        "-m", "m.yaml", "mixed.ndjson", "--rejects", rejects, "--jobs", "\(jobs)",
      ])
      return ["\(result.status)", result.output, result.errors, try command.read(rejects)]
    }
    let one = try run(1)
    #expect(
      one[1].hasSuffix("{\"id\":19999,\"row\":19200,\"line\":20000,\"offset\":\(offset(lines))}\n"))
    for jobs in [2, 3, 8] {
      for (part, other) in zip(one, try run(jobs)) { #expect((part == other) == true) }
    }
  }

  /// Where the last of some lines stands, after a byte-order mark.
  private func offset(_ lines: [String]) -> Int {
    3 + lines.dropLast().reduce(0) { $0 + $1.utf8.count + 1 }
  }

  @Test(arguments: [1, 3])
  func `output does not wait for more input`(jobs: Int) throws {
    let running = try command.start(["--field", "a", "--jobs", "\(jobs)"])
    running.write(Array("{\"a\":1}\n{\"a\":2}\n{\"a\":3".utf8))
    #expect(try running.output(ofBytes: 16) == "{\"a\":1}\n{\"a\":2}\n")
    running.write(Array("}\n".utf8))
    #expect(try running.output(ofBytes: 24).hasSuffix("{\"a\":3}\n"))
    running.send(SIGINT)
    let result = try running.result()
    #expect(result.status == 130)
    #expect(result.output == "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n")
  }

  @Test func `a closed pipe ends a run of several jobs quietly`() throws {
    let result = try command.shell(
      "{ stream-map --jobs 3 --field id good.ndjson good.ndjson; echo $? > status; } | head -n 1")
    #expect(result.output == "{\"id\":0}\n")
    #expect(result.errors == "")
    #expect(try command.read("status") == "0\n")
  }

  @Test(.long, arguments: ["0", "65", "-1", "two"])
  func `a number of jobs outside 1 to 64 is refused`(number: String) throws {
    let result = try command.run(
      "--field", "a", "--jobs=\(number)", input: "{\"a\":1}\n")
    #expect(result.status == 2)
    #expect(result.output == "")
  }
}
