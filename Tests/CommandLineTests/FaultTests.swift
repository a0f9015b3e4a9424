import Foundation
import Testing

/// Calls of the system that fail, at every n-th one: see `Faults/faults.c`.
@Suite("Faults", .enabled(if: Faults.isThere))
struct FaultTests {
  let command: Command
  private let arguments = ["--field", "id:int64", "--field", "name", "x.ndjson"]
  private let files = ["-o", "out", "--rejects", "rejects"]
  private let output: String
  private let rejects: String

  init() throws {
    command = try Command()
    try command.write(FeedWithFaults.lines(200, padding: 200), to: "x.ndjson")
    _ = try command.run(arguments + ["-o", "whole", "--rejects", "whole.rejects"])
    output = try command.read("whole")
    rejects = try command.read("whole.rejects")
  }

  private func remove(_ names: String...) {
    for name in names { try? FileManager.default.removeItem(at: command.url(name)) }
  }

  private func text(_ name: String) -> String { (try? command.read(name)) ?? "" }

  /// Runs with a fault at the first call, at the second and so on, until there are no more calls.
  private func forEachCall(
    _ call: String, _ kind: String, _ arguments: [String],
    _ check: (CommandResult, String) throws -> Void
  ) throws {
    for number in 1...400 {
      remove("mark", "out", "out.partial", "rejects", "c", "c.new")
      let result = try command.run(
        arguments, environment: Faults.environment(call, kind, at: number))
      guard command.exists("mark") else {
        #expect(result.status == 1)
        #expect(number > 1, "\(call) is never called")
        return
      }
      try check(result, "\(kind) at \(call) \(number): \(result.status) \(result.errors)")
    }
    Issue.record("\(call) is called without an end")
  }

  private func isPrefixOfLines(_ text: String, _ whole: String) -> Bool {
    whole.hasPrefix(text) && (text.isEmpty || text.hasSuffix("\n"))
  }

  @Test(.long, arguments: ["short", "EINTR", "EAGAIN"], ["read", "write", "pread"])
  func `system calls that fall short or must be repeated change nothing`(kind: String, call: String)
    throws
  {
    if kind == "EAGAIN", call == "pread" { return }
    for jobs in ["1", "2"] {
      remove("out", "rejects", "mark")
      let checkpoint = ["--checkpoint", "c", "--checkpoint-every", "15kB", "--jobs", jobs]
      let result = try command.run(
        arguments + files + checkpoint, environment: Faults.environment(call, kind, at: 0))
      #expect(result.status == 1, "\(result.errors)")
      #expect(command.exists("mark") || call == "pread")
      #expect(text("out") == output)
      #expect(text("rejects") == rejects)
    }
  }

  @Test(
    .long,
    arguments: [
      ("write", "ENOSPC"), ("write", "half"), ("write", "EIO"), ("read", "EIO"), ("pread", "EIO"),
      ("fsync", "EIO"), ("ftruncate", "EIO"), ("rename", "EIO"), ("unlink", "EIO"),
    ])
  func `a failing call ends the run, and the same command continues`(call: String, kind: String)
    throws
  {
    let arguments = arguments + files + ["--checkpoint", "c", "--checkpoint-every", "15kB"]
    try forEachCall(call, kind, arguments) { result, what in
      // A write that failed may have been repeated with success, of what is left to be written at the end.
      #expect(result.status == 6, "\(what)")
      #expect(result.errors.contains("stream-map: cannot "), "\(what)")
      if command.exists("out") {
        #expect(text("out") == output, "\(what)")
      } else {
        #expect(isPrefixOfLines(text("out.partial"), output), "\(what)")
      }
      #expect(isPrefixOfLines(text("rejects"), rejects), "\(what)")
      let again = try command.run(arguments)
      #expect(again.status == 1, "\(what), then \(again.errors)")
      #expect(text("out") == output && text("rejects") == rejects, "\(what)")
      #expect(!command.exists("c") && !command.exists("out.partial"), "\(what)")
    }
  }

  @Test(.long, arguments: ["write", "fsync", "ftruncate", "rename", "unlink"])
  func `a run killed before any system call can be resumed`(call: String) throws {
    let arguments = arguments + files + ["--checkpoint", "c", "--checkpoint-every", "15kB"]
    try forEachCall(call, "kill", arguments) { result, what in
      #expect(result.status == SIGKILL, "\(what)")
      #expect(!command.exists("out") || text("out") == output, "\(what)")
      let again = try command.run(arguments)
      #expect(again.status == 1, "\(what), then \(again.errors)")
      #expect(text("out") == output && text("rejects") == rejects, "\(what)")
      #expect(!command.exists("c") && !command.exists("out.partial"), "\(what)")
    }
  }

  @Test(arguments: ["write", "read"])
  func `a signal between two calls ends the run on a record boundary`(call: String) throws {
    let arguments = arguments + files + ["--checkpoint", "c", "--checkpoint-every", "15kB"]
    try forEachCall(call, "term", arguments) { result, what in
      // One that comes when all is done changes nothing.
      #expect(result.status == 130 || (result.status == 1 && text("out") == output), "\(what)")
      if result.status == 130 {
        #expect(!command.exists("out") && isPrefixOfLines(text("out.partial"), output), "\(what)")
        #expect(isPrefixOfLines(text("rejects"), rejects), "\(what)")
        let again = try command.run(arguments)
        #expect(again.status == 1, "\(what), then \(again.errors)")
      }
      #expect(text("out") == output && text("rejects") == rejects, "\(what)")
    }
  }

  @Test(arguments: ["1", "2"])
  func `an interrupted run writes its own checkpoint and can be resumed`(jobs: String) throws {
    let feed = FeedWithFaults.lines(6000, padding: 400)
    try command.write(feed, to: "x.ndjson")
    let arguments = arguments + files + ["--checkpoint", "c", "--jobs", jobs]
    let result = try command.run(
      arguments, environment: Faults.environment("read", "term", at: 4))
    #expect(result.status == 130)
    #expect(command.exists("c"), "\(result.errors)")
    #expect(try command.run(arguments).status == 1)
    _ = try command.run(self.arguments + ["-o", "whole", "--rejects", "whole.rejects"])
    #expect(try command.areSame("out", "whole"))
    #expect(try command.areSame("rejects", "whole.rejects"))
  }

  @Test(.long, arguments: ["ENOSPC", "half", "EIO"], ["1", "2"])
  func `output that cannot be written ends on a record boundary`(kind: String, jobs: String) throws
  {
    let arguments = arguments + ["--errors", "skip", "--jobs", jobs]
    try forEachCall("write", kind, arguments) { result, what in
      #expect(isPrefixOfLines(result.output, output), "\(what)")
      #expect(result.status == 6 || result.output == output, "\(what)")
    }
  }
}
