import Foundation
import Testing

/// Parquet and Arrow by the real command; `Tests/ColumnFiles` reads the files by other programs.
@Suite("Files of columns")
struct ColumnFileTests {
  let command: Command

  init() throws {
    command = try Command()
    try command.write(
      """
      streammap: 1
      record:
        id: { from: id, type: int64 }
        price: { from: price, type: decimal, nullable: true }
        tags: { from: tags, each: string, default: [] }

      """, to: "m.yaml")
    try command.write(
      (1...3000).map {
        "{\"id\":\($0),\"price\":\($0).25,\"tags\":[\"t\($0 % 7)\",\"\($0)\"]}\n"
      }
      .joined(), to: "x.ndjson")
  }

  private func isWhole(_ name: String) throws -> Bool {
    let data = try Data(contentsOf: command.url(name))
    let mark = Data("PAR1".utf8)
    return data.count > 2 * mark.count && data.prefix(4) == mark && data.suffix(4) == mark
  }

  @Test(arguments: ["o.parquet", "o.arrow", "o.arrows"])
  func `the bytes are the same for any number of jobs, by each parser, and through a pipe`(
    name: String
  ) throws {
    #expect(try command.run("-m", "m.yaml", "x.ndjson", "-o", "one-\(name)").status == 0)
    for more in [["--jobs", "2"], ["--jobs", "3", "--parser", "yajl"], ["--parser", "yajl"]] {
      let result = try command.run(["-m", "m.yaml", "x.ndjson", "-o", name] + more)
      #expect(result.status == 0, "\(result.errors)")
      #expect(try command.areSame(name, "one-\(name)"), "\(more)")
    }
    if name == "o.arrow" { return }
    let to = name == "o.parquet" ? "parquet" : "arrow"
    let piped = try command.shell("stream-map -m m.yaml --to \(to) < x.ndjson | cat > piped")
    #expect(piped.errors == "")
    #expect(try command.areSame("piped", "one-\(name)"))
  }

  @Test func `a feed without records makes a whole file`() throws {
    try command.write("", to: "empty.ndjson")
    #expect(try command.run("-m", "m.yaml", "empty.ndjson", "-o", "o.parquet").status == 0)
    #expect(try isWhole("o.parquet"))
  }

  @Test func `a value that its column cannot hold is an error of its record`() throws {
    try command.write(
      """
      {"id":1,"price":1.25}
      {"id":2,"price":1e28}
      {"id":3,"price":0.00000000001}
      {"id":4,"price":-9999999999999999999999999999.9999999999}

      """, to: "prices.ndjson")
    let result = try command.run(
      "-m", "m.yaml", "prices.ndjson", "-o", "o.parquet", "--errors", "reject", "--rejects", "r")
    #expect(result.status == 1)
    let rejects = try command.read("r").split(separator: "\n")
    #expect(rejects.count == 2)
    for reject in rejects {
      #expect(
        reject.contains(
          "a number that its column can hold: 38 digits, 10 of them after the point"), "\(reject)")
      #expect(reject.contains("\"path\":\"$.price\""), "\(reject)")
    }
    // What is written as text has no such bound.
    #expect(try command.run("-m", "m.yaml", "prices.ndjson").status == 0)
    let sample = try command.run("check", "m.yaml", "--sample", "prices.ndjson")
    #expect(sample.status == 0)
    try command.write(
      try command.read("m.yaml") + "output: { format: parquet }\n", to: "p.yaml")
    let checked = try command.run("check", "p.yaml", "--sample", "prices.ndjson")
    #expect(checked.output.contains("2 mapped, 2 rejected"), "\(checked.output)")
  }

  @Test func `a run that fails leaves what came before, with an end`() throws {
    try command.write("old", to: "o.parquet")
    let bad = try command.shell(
      "{ cat x.ndjson; echo '{\"id\":\"x\"}'; } | stream-map -m m.yaml -o o.parquet")
    #expect(bad.status == 7)
    #expect(bad.errors.contains("what was written is in o.parquet.partial"))
    #expect(try command.read("o.parquet") == "old")
    #expect(try isWhole("o.parquet.partial"))
    #expect(try command.run("-m", "m.yaml", "x.ndjson", "-o", "whole.parquet").status == 0)
    #expect(try command.areSame("o.parquet.partial", "whole.parquet"))
  }

  @Test(arguments: [SIGINT, SIGKILL], [1, 2])
  func `an ended run leaves no file of that name`(signal: Int32, jobs: Int) throws {
    let running = try command.start(["-m", "m.yaml", "-o", "o.parquet", "--jobs", "\(jobs)"])
    running.write(Array(try command.read("x.ndjson").utf8))
    try command.waitFor("o.parquet.partial")
    running.send(signal)
    let result = try running.result()
    #expect(result.status == (signal == SIGINT ? 130 : SIGKILL))
    #expect(!command.exists("o.parquet"))
    #expect(try isWhole("o.parquet.partial") == (signal == SIGINT))
  }

  @Test func `a disk that is full is an error`() throws {
    let result = try command.run("-m", "m.yaml", "x.ndjson", "--to", "parquet", "-o", "/dev/full")
    #expect(result.status == 6)
    #expect(result.errors == "stream-map: cannot write /dev/full: No space left on device\n")
  }

  @Test func `each part has a file of its own`() throws {
    for part in 1...2 {
      let result = try command.run(
        "-m", "m.yaml", "x.ndjson", "--part", "\(part)/2", "-o", "\(part).parquet")
      #expect(result.status == 0, "\(result.errors)")
      #expect(try isWhole("\(part).parquet"))
    }
  }

  @Test func `explain shows the columns`() throws {
    let mapping = try command.read("m.yaml")
    try command.write(mapping + "output: { format: parquet }\n", to: "p.yaml")
    let result = try command.run("explain", "p.yaml")
    #expect(
      result.output.hasSuffix(
        """
        parquet:
          id: int64 not null
          price: decimal128(38, 10)
          tags: list not null
            item: utf8 not null

        """), "\(result.output)")
  }

  @Test func `a reader gets a stream of Arrow while nothing more comes`() throws {
    let arguments = ["--field", "id:int64", "--to", "arrow"]
    let beginning = try command.run(arguments).output.utf8.count
    let running = try command.start(arguments)
    running.write(Array("{\"id\":7}\n".utf8))
    #expect(try running.output(ofBytes: beginning + 64).utf8.count >= beginning + 64)
    running.send(SIGINT)
    #expect(try running.result().status == 130)
  }

  @Test func `columns are nothing for a terminal`() throws {
    let result = try command.shell(
      "script -qec 'stream-map -m m.yaml x.ndjson --to parquet' /dev/null")
    #expect(
      result.output.contains("--to parquet is nothing for a terminal: give -o FILE."),
      "\(result.output) \(result.errors)")
  }
}
