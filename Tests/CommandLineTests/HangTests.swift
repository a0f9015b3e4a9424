import Foundation
import Testing

/// Runs that are told to stop where they cannot: they end soon all the same, and on a record boundary.
///
/// It is a second; the tests allow for a machine with much to do.
@Suite("Signals to runs that hang", .long)
struct HangTests {
  private static let soon = 15.0
  let command: Command

  init() throws {
    command = try Command()
  }

  private func makePipe(_ name: String) {
    #expect(mkfifo(command.url(name).path, 0o600) == 0)
  }

  @Test(
    arguments: [
      ["--field", "a", "pipe"], ["--field", "a", "pipe", "--jobs", "2"],
      ["--field", "a", "-o", "pipe", "x.ndjson"], ["-m", "pipe", "x.ndjson"],
      ["--field", "a", "--rejects", "pipe", "x.ndjson"], ["-m", "-", "x.ndjson"],
    ], [SIGINT, SIGTERM])
  func `a signal ends a run that waits for a pipe's other end`(arguments: [String], signal: Int32)
    throws
  {
    makePipe("pipe")
    try command.write("{\"a\":1}\n", to: "x.ndjson")
    let running = try command.start(arguments)
    Thread.sleep(forTimeInterval: 1)
    #expect(running.isRunning)
    running.send(signal)
    let result = try #require(try running.result(within: Self.soon))
    #expect(result.status == 130)
    #expect(result.output == "")
  }

  /// For small records, for records larger than what a pipe takes in one step, and for those larger than half of it.
  @Test(arguments: [10, 9000, 600_000], ["1", "2"])
  func `a pipe that is not read holds whole records after a signal`(size: Int, jobs: String) throws
  {
    #if os(Linux)
    makePipe("pipe")
    let record = "{\"a\":\"\(String(repeating: "x", count: size))\"}\n"
    try command.write(String(repeating: record, count: 3_000_000 / size), to: "x.ndjson")
    let pipe = open(command.url("pipe").path, O_RDWR | O_NONBLOCK)
    defer { close(pipe) }
    let running = try command.start(["--field", "a", "--jobs", jobs, "-o", "pipe", "x.ndjson"])
    // At first a pipe has 64 KiB. The command makes it larger.
    let waiting = try waitUntilFull(pipe, whenAbove: 500_000)
    running.send(SIGTERM)
    let result = try #require(try running.result(within: Self.soon))
    #expect(result.status == 130)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(pipe, &bytes, bytes.count)
    #expect(count >= waiting && count % record.utf8.count == 0, "\(count)")
    #endif
  }

  /// Waits until no more comes; how many bytes there are.
  private func waitUntilFull(_ pipe: Int32, whenAbove least: Int32) throws -> Int32 {
    var count: Int32 = 0
    for _ in 0..<200 {
      let before = count
      Thread.sleep(forTimeInterval: 0.2)
      try #require(ioctl(pipe, UInt(FIONREAD), &count) == 0)
      if count == before, count > least { return count }
    }
    Issue.record("the pipe is not filled: \(count)")
    return count
  }

  @Test func `a slow reader gets whole records after a signal`() throws {
    try command.write(String(repeating: "{\"a\":\"\(UUID())\"}\n", count: 50_000), to: "x.ndjson")
    let path = Command.executable.path
    let script = """
      { sh -c 'echo $$ >pid; exec "$0" --field a x.ndjson' '\(path)'; echo $? >status; } \
      | { while [ ! -e status ]; do dd bs=1000 count=1 2>/dev/null; sleep 0.05; done; cat; } >out
      """
    let running = try command.start(["-c", script], executable: URL(filePath: "/bin/sh"))
    Thread.sleep(forTimeInterval: 1)
    let pid = try #require(pid_t(try command.read("pid").dropLast()))
    kill(pid, SIGTERM)
    _ = try #require(try running.result(within: Self.soon))
    #expect(try command.read("status") == "130\n")
    let output = try command.read("out")
    #expect(!output.isEmpty && output.hasSuffix("\"}\n"))
  }

  // MARK: Files

  /// A call that does not come back, and writing that takes for ever, at several places of a run.
  @Test(
    .enabled(if: Faults.isThere),
    arguments: [
      ("read", "hang", 1), ("yajl_parse", "hang", 1), ("yajl_parse", "hang", 130),
      ("pread", "hang", 2), ("fsync", "hang", 4), ("rename", "hang", 2), ("write", "hang", 3),
      ("write", "drip", 1), ("write", "drip", 2), ("write", "drip", 4),
    ], ["1", "2"])
  func `a run that hangs ends with whole records and can be resumed`(
    fault: (call: String, kind: String, number: Int), jobs: String
  ) throws {
    try command.write(FeedWithFaults.lines(400, padding: 1000), to: "x.ndjson")
    // Computing that hangs is a call of yajl: it has to go over all text.
    let arguments =
      ["--field", "id:int64", "--field", "name", "x.ndjson", "--jobs", jobs, "--parser", "yajl"]
    let whole = try command.run(arguments + ["-o", "whole", "--rejects", "whole.rejects"])
    #expect(whole.status == 1)
    let resumable =
      arguments + ["-o", "out", "--rejects", "rejects"]
      + ["--checkpoint", "c", "--checkpoint-every", "15kB"]
    let running = try command.start(
      resumable, executable: fault.call == "yajl_parse" ? Command.builtAlong : Command.executable,
      environment: Faults.environment(fault.call, fault.kind, at: fault.number))
    try command.waitFor("mark")
    Thread.sleep(forTimeInterval: 0.2)
    #expect(running.isRunning)
    running.send(SIGTERM)
    let result = try #require(try running.result(within: Self.soon))
    #expect(result.status == 130)
    let hint = command.exists("c") ? "; the same command continues from c" : ""
    #expect(
      result.errors == ""
        || result.errors
          == "stream-map: the output is not complete; what was written is in out.partial\(hint)\n",
      "\(result.errors)")
    for (partial, name) in [("out.partial", "whole"), ("rejects", "whole.rejects")]
    where command.exists(partial) {
      let text = try command.read(partial)
      #expect(try command.read(name).hasPrefix(text) && (text.isEmpty || text.hasSuffix("\n")))
    }
    let again = try command.run(resumable)
    #expect(again.status == 1, "\(again.errors)")
    #expect(try command.areSame("out", "whole"))
    #expect(try command.areSame("rejects", "whole.rejects"))
    #expect(!command.exists("c") && !command.exists("out.partial"))
  }

  /// What standard output is a file for is cut back, too, but not before what others wrote to it.
  @Test(.enabled(if: Faults.isThere), arguments: ["1", "2"])
  func `standard output that is a file ends with a whole record`(jobs: String) throws {
    try command.write(String(repeating: "{\"a\":1234567}\n", count: 1000), to: "x.ndjson")
    let faults = Faults.environment("write", "drip", at: 1).map { "\($0)=\($1)" }
      .joined(separator: " ")
    let path = Command.executable.path
    let line = """
      { echo before; sh -c 'echo $$ >pid; \(faults) exec "$0" --field a --jobs \(jobs) x.ndjson' '\(path)'; \
      echo $? >status; } >out
      """
    let running = try command.start(["-c", line], executable: URL(filePath: "/bin/sh"))
    try command.waitFor("mark")
    // Until there is a part of a record.
    while try command.read("out").utf8.count < 10 { Thread.sleep(forTimeInterval: 0.01) }
    kill(try #require(pid_t(try command.read("pid").dropLast())), SIGTERM)
    _ = try #require(try running.result(within: Self.soon))
    #expect(try command.read("status") == "130\n")
    #expect(try command.read("out") == "before\n")
  }
}
