import Foundation
import Testing

@Suite("Checkpoints")
struct CheckpointTests {
  let command: Command
  private let feed = FeedWithFaults.records(2000, padding: 60).filter { !$0.contains("\"x") }

  init() throws {
    command = try Command()
    try command.write(feed.joined(separator: "\n") + "\n{\"id\":\"bad\"}\n", to: "x.ndjson")
    try command.write(
      "streammap: 1\nrecord: { id: { from: id, type: int64 }, n: name }\n", to: "m.yaml")
  }

  private static let checkpoint = ["-o", "out", "--checkpoint", "c", "--checkpoint-every", "4kB"]

  private func run(_ arguments: String..., mapping: String = "m.yaml", input: String = "x.ndjson")
    throws
    -> CommandResult
  {
    try command.run(["-m", mapping, input] + Self.checkpoint + arguments)
  }

  private func copy(_ name: String, to other: String) throws {
    try? FileManager.default.removeItem(at: command.url(other))
    try FileManager.default.copyItem(at: command.url(name), to: command.url(other))
  }

  /// A run that ends at a rejected record, and so can be continued.
  private func runToBadRecord() throws {
    let result = try run()
    #expect(result.status == 7)
    #expect(
      result.errors.hasSuffix("in out.partial; the same command continues from c\n"),
      "\(result.errors)")
    #expect(command.exists("c") && command.exists("out.partial") && !command.exists("out"))
  }

  private func whole(_ arguments: String...) throws -> String {
    _ = try command.run(["-m", "m.yaml", "x.ndjson", "-o", "whole"] + arguments)
    return try command.read("whole")
  }

  @Test func `a finished run leaves no checkpoint`() throws {
    let result = try run("--errors", "skip")
    #expect(result.status == 1)
    #expect(try command.read("out") == whole("--errors", "skip"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: command.directory.path)
        .filter { $0.hasPrefix("c") || $0.hasPrefix("out") } == ["out"])
  }

  @Test(arguments: [
    ["--errors", "skip"], ["--errors", "reject", "--rejects", "r"],
    ["--errors", "skip", "--jobs", "2"],
    ["--errors", "skip", "--limit-string", "1MiB"],
  ])
  func `a run continues by other terms while nothing was rejected`(arguments: [String]) throws {
    try runToBadRecord()
    // What is after the checkpoint is cut off.
    try command.write(command.read("out.partial") + "rubbish", to: "out.partial")
    let result = try command.run(["-m", "m.yaml", "x.ndjson"] + Self.checkpoint + arguments)
    #expect(result.status == 1, "\(result.errors)")
    #expect(try command.read("out") == whole("--errors", "skip"))
    #expect(!command.exists("c"))
    #expect(
      try !arguments.contains("r") || command.read("r").contains("\"record\":\(feed.count + 1),"))
  }

  @Test func `a run with rejections resumes with a larger budget, not other terms`() throws {
    let rejected = (0..<40).map {
      "{\"id\":\"x\($0)\"}\n" + feed[$0 * 40..<$0 * 40 + 40].joined(separator: "\n")
    }
    try command.write(rejected.joined(separator: "\n"), to: "x.ndjson")
    #expect(try run("--errors", "skip", "--max-errors", "20").status == 7)
    let refused = try run("--errors", "reject", "--rejects", "r")
    #expect(refused.status == 2)
    #expect(
      refused.errors
        == "stream-map: cannot continue from c: records were rejected with other options "
        + "(--errors, --rejects, --no-raw, --limit-…); delete that file to start from the beginning\n"
    )
    let resumed = try run("--errors", "skip", "--max-errors", "100")
    #expect(resumed.status == 1)
    #expect(try command.read("out") == whole("--errors", "skip"))
    // It tells why records were rejected, those of the first run, too.
    let one = try command.run("-m", "m.yaml", "x.ndjson", "-o", "one", "--errors", "skip")
    #expect(resumed.errors == one.errors)
    #expect(one.errors.contains("stream-map: 40 × wrongType at $.id\n"), "\(one.errors)")
  }

  @Test func `a run continues with a feed that has grown`() throws {
    try command.write(feed.joined(separator: "\n") + "\n{\"id\":\"b", to: "x.ndjson")
    #expect(try run().status == 4)
    try command.write(command.read("x.ndjson").dropLast(2) + "17}\n{\"id\":18}\n", to: "x.ndjson")
    #expect(try run().status == 0)
    #expect(try command.read("out") == whole())
  }

  enum Change: CaseIterable {
    case mapping, used, records, field, inputs, edited, cut, replaced, gone, output, noOutput,
      damaged, other, version
  }

  @Test(.long, arguments: Change.allCases)
  func `a resume with anything changed is refused, and nothing is touched`(change: Change) throws {
    try command.write("streammap: 1\nrecord: { id: { from: id, type: int64 } }\n", to: "used.yaml")
    try command.write(
      "streammap: 1\nuse: { u: ./used.yaml }\nrecord: { id: { from: id, type: int64 }, n: name, u: { from: u, use: u, optionally: null } }\n",
      to: "m.yaml")
    try runToBadRecord()
    let text = try command.read("x.ndjson")
    var arguments: [String] = []
    let reason: String
    switch change {
    case .mapping:
      try command.write(command.read("m.yaml") + "# by hand\n", to: "m.yaml")
      reason = "the mapping has changed"
    case .used:
      try command.write(command.read("used.yaml") + "# by hand\n", to: "used.yaml")
      reason = "the mapping has changed"
    case .records:
      arguments = ["--records", "$.x"]
      reason = "the mapping has changed"
    case .field:
      arguments = ["--to", "json"]
      reason = "the mapping has changed"
    case .inputs:
      arguments = ["m.yaml"]
      reason = "its inputs are x.ndjson"
    case .edited:
      try command.write(text.replacingOccurrences(of: "\"n4é\"", with: "\"n4e\""), to: "x.ndjson")
      reason = "x.ndjson does not begin with the"
    case .cut:
      try command.write(String(text.prefix(500)), to: "x.ndjson")
      reason = "x.ndjson does not begin with the"
    case .replaced:
      try copy("m.yaml", to: "x.ndjson")
      reason = "x.ndjson does not begin with the"
    case .gone:
      try FileManager.default.removeItem(at: command.url("x.ndjson"))
      reason = "cannot open x.ndjson: No such file"
    case .output:
      try command.write("{}\n" + command.read("out.partial").dropFirst(3), to: "out.partial")
      reason = "out.partial does not begin with what the run wrote there"
    case .noOutput:
      try FileManager.default.removeItem(at: command.url("out.partial"))
      reason = "out.partial does not begin with what the run wrote there"
    case .damaged:
      try command.write(String(command.read("c").dropLast(20)), to: "c")
      reason = "it is damaged"
    case .other:
      try copy("m.yaml", to: "c")
      reason = "it is not a checkpoint of this version"
    case .version:
      try command.write(
        command.read("c").replacingOccurrences(of: "checkpoint 4 ", with: "checkpoint 5 "), to: "c")
      reason = "it is not a checkpoint of this version"
    }
    let before = try command.read("c")
    let partial = try? command.read("out.partial")
    let result = try command.run(["-m", "m.yaml", "x.ndjson"] + Self.checkpoint + arguments)
    #expect(result.status == (change == .gone ? 6 : 2))
    #expect(result.errors.contains(reason), "\(result.errors)")
    #expect(try command.read("c") == before)
    #expect(change == .noOutput || (try? command.read("out.partial")) == partial)
    // Without the file the run starts again.
    try FileManager.default.removeItem(at: command.url("c"))
    if ![.records, .inputs, .gone, .replaced].contains(change) {
      #expect(try run("--errors", "skip").status <= 1)
    }
  }

  @Test(
    .long,
    arguments: [
      (["-"], ["-o", "out"], "'-' is not one"), ([], ["-o", "out"], "'-' is not one"),
      (["/dev/null"], ["-o", "out"], "'/dev/null' is not one"), (["x.ndjson"], [], "needs -o FILE"),
      (["x.ndjson"], ["-o", "-"], "needs -o FILE"),
      (["x.ndjson"], ["-o", "/dev/null"], "'/dev/null' is not one"),
      (["x.ndjson"], ["-o", "/dev/stdout"], "'/dev/stdout' is not one"),
      (["x.ndjson"], ["-o", "out", "--rejects", "-"], "'-' is not one"),
      (["x.ndjson"], ["-o", "out", "--checkpoint", "-"], "'-' is not one"),
      (["x.ndjson"], ["-o", "out", "--checkpoint-verify", "half"], "checkpoint-verify"),
      (["x.ndjson"], ["-o", "out", "--rejects", "/dev/null"], "'/dev/null' is not one"),
      (["x.ndjson"], ["-o", "out", "--checkpoint-every", "0s"], "checkpoint-every"),
      (["x.ndjson"], ["-o", "out", "--checkpoint-every", "soon"], "checkpoint-every"),
    ])
  func `a checkpoint for what cannot be resumed is a usage mistake`(
    inputs: [String], arguments: [String], message: String
  ) throws {
    let result = try command.run(["--field", "id", "--checkpoint", "c"] + inputs + arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(!command.exists("c") && !command.exists("out.partial"))
  }

  @Test(arguments: [["--checkpoint-every", "1s"], ["--checkpoint-verify", "full"]])
  func `a checkpoint setting without a checkpoint file is a usage mistake`(arguments: [String])
    throws
  {
    let result = try command.run(["--field", "id", "x.ndjson"] + arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains("\(arguments[0]) is for --checkpoint FILE"))
  }

  @Test func `a checkpoint that is a symbolic link stays one`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: command.url("c").path, withDestinationPath: "kept")
    #expect(try run().status == 7)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: command.url("c").path) == "kept")
    #expect(command.exists("kept"))
    #expect(try run("--errors", "skip").status == 1)
    #expect(try command.read("out") == whole("--errors", "skip"))
    #expect(!command.exists("kept"))
  }

  @Test func `two runs do not write one file`() throws {
    try runToBadRecord()
    let descriptor = open(command.url("out.partial").path, O_RDWR)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let result = try run("--errors", "skip")
    #expect(result.status == 6)
    #expect(
      result.errors.hasPrefix("stream-map: cannot write out.partial: another run is writing it\n"))
    close(descriptor)
    #expect(try run("--errors", "skip").status == 1)
  }
}
