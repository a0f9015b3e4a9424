import Foundation
import Testing

/// Feeds that change while they are read, and readers that do not read.
@Suite("Feeds that change, readers that wait")
struct FeedChangeTests {
  let command: Command
  private let feed = FeedWithFaults.records(20_000, padding: 400).joined(separator: "\n") + "\n"

  init() throws {
    command = try Command()
    try command.write(feed, to: "x.ndjson")
  }

  /// Runs with a reader that does not take the output before the body is done; what came out, the status and the messages.
  private func run(_ arguments: String = "", _ body: () throws -> Void) throws -> CommandResult {
    let path = Command.executable.path
    let script = """
      { '\(path)' --field id --field pad:json --errors skip \(arguments) x.ndjson 2>messages; echo $? >status; } \
      | { while [ ! -e go ]; do sleep 0.02; done; cat; } >out
      """
    let running = try command.start(["-c", script], executable: URL(filePath: "/bin/sh"))
    // Long enough to fill the pipe; where it is not, the test says less, and nothing wrong.
    Thread.sleep(forTimeInterval: 1)
    try body()
    try command.write("", to: "go")
    _ = try running.finish()
    return CommandResult(
      status: Int32(try command.read("status").dropLast()) ?? -1, output: try command.read("out"),
      errors: try command.read("messages"))
  }

  private func isWhole(_ output: String, records: Int) -> Bool {
    output.split(separator: "\n").count == records && output.hasSuffix("}\n")
  }

  @Test(.long, arguments: ["", "--jobs 2"])
  func `a feed that is replaced or removed is read to its end`(jobs: String) throws {
    for isReplaced in [true, false] {
      let result = try run(jobs) {
        if isReplaced {
          try command.write("{\"id\":7}\n", to: "y")
          #expect(rename(command.url("y").path, command.url("x.ndjson").path) == 0)
        } else {
          try FileManager.default.removeItem(at: command.url("x.ndjson"))
        }
      }
      #expect(result.status == 0, "\(result.errors)")
      #expect(isWhole(result.output, records: 20_000))
      try command.write(feed, to: "x.ndjson")
      try FileManager.default.removeItem(at: command.url("go"))
    }
  }

  @Test(.long) func `a feed that grows while it is read is read whole`() throws {
    let result = try run {
      let file = try FileHandle(forWritingTo: command.url("x.ndjson"))
      try file.seekToEnd()
      try file.write(contentsOf: Data("{\"id\":1,\"pad\":[]}\n{\"id\":2,\"pad\":[]}\n".utf8))
    }
    #expect(result.status == 0)
    #expect(isWhole(result.output, records: 20_002))
  }

  @Test(.long) func `a feed that is cut while it is read is an error`() throws {
    let result = try run {
      #expect(truncate(command.url("x.ndjson").path, off_t(feed.utf8.count / 2)) == 0)
    }
    #expect(result.status == 6)
    #expect(
      result.errors == "stream-map: cannot read x.ndjson: it became shorter while it was read\n")
    #expect(result.output.hasSuffix("}\n"))
  }

  @Test(.long) func `a run whose reader waits ends on a boundary at a signal`()
    throws
  {
    let path = Command.executable.path
    let script = """
      { sh -c 'echo $$ >pid; exec "$0" --field id --field pad:json x.ndjson' '\(path)'; echo $? >status; } \
      | { while [ ! -e go ]; do sleep 0.02; done; cat; } >out
      """
    let running = try command.start(["-c", script], executable: URL(filePath: "/bin/sh"))
    Thread.sleep(forTimeInterval: 1)
    #expect(!command.exists("status"))
    let pid = try #require(pid_t(try command.read("pid").dropLast()))
    kill(pid, SIGTERM)
    try command.write("", to: "go")
    _ = try running.finish()
    #expect(try command.read("status") == "130\n")
    let output = try command.read("out")
    let count = output.split(separator: "\n").count
    #expect(count > 0 && count < 20_000 && output.hasSuffix("}\n"), "\(count)")
  }

  @Test func `full devices and closed streams are reported with status 6`() throws {
    #if os(Linux)
    try command.write("{\"id\":1}\n{\"id\":\"x\"}\n", to: "x.ndjson")
    let output = try command.shell("stream-map --field id x.ndjson >/dev/full")
    #expect(output.status == 6)
    #expect(
      output.errors == "stream-map: cannot write standard output: No space left on device\n")
    let rejects = try command.shell(
      "stream-map --field id:int64 --errors reject --rejects /dev/full x.ndjson")
    #expect(rejects.status == 6)
    #expect(rejects.errors.hasPrefix("stream-map: cannot write /dev/full: No space left"))
    // A message that cannot be written changes nothing.
    #expect(try command.shell("stream-map --field id missing 2>/dev/full").status == 6)
    #expect(try command.shell("stream-map --field id missing 2>&-").status == 6)
    #expect(try command.shell("stream-map --field id x.ndjson >&-").status == 6)
    #endif
  }

  @Test func `rejects are complete though the output cannot be written`() throws {
    #if os(Linux)
    try command.write("{\"id\":\"x\"}\n{\"id\":1}\n", to: "x.ndjson")
    let result = try command.shell("stream-map --field id:int64 --rejects r x.ndjson >/dev/full")
    #expect(result.status == 6)
    #expect(try command.read("r").split(separator: "\n").count == 1)
    #endif
  }

  @Test(arguments: [("{\"id\":1}\n{\"id\":2", 4), ("{\"id\":1}\n{\"id\":2}", 0)])
  func `a pipe that ends inside a record is a truncated feed`(feed: String, status: Int32) throws {
    let result = try command.run("--field", "id", "--from", "ndjson", input: feed)
    #expect(result.status == status)
    #expect(result.output.hasPrefix("{\"id\":1}\n") && result.output.hasSuffix("}\n"))
    #expect(status == 0 || result.errors.contains("truncated"), "\(result.errors)")
  }
}
