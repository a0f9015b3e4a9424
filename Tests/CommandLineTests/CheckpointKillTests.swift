import Foundation
import Testing

/// Runs that are killed at random moments, again and again, and continued.
///
/// `STREAMMAP_KILLS` is how many kills there are to be of each shape of feed, 3 without it.
@Suite("Checkpoints: killed runs", .long)
struct CheckpointKillTests {
  let command: Command

  init() throws {
    command = try Command()
    try command.write(FeedWithFaults.lines(3000, padding: 500), to: "lines.ndjson")
    try command.write(FeedWithFaults.document(3000, padding: 500), to: "document.json")
    try command.write(
      FeedWithFaults.records(3000, padding: 500).joined(separator: " "), to: "records.json")
    try command.write(FeedWithFaults.documentMapping, to: "m.yaml")
  }

  private static let fields = ["--field", "id:int64", "--field", "name"]

  @Test(arguments: [
    fields + ["lines.ndjson"], fields + ["lines.ndjson", "--from", "auto", "--to", "json"],
    ["-m", "m.yaml", "document.json"], ["-m", "m.yaml", "document.json", "--jobs", "2"],
    fields + ["lines.ndjson", "--to", "csv", "--jobs", "2"],
    fields + ["records.json", "--from", "concat"], fields + ["lines.ndjson", "--jobs", "2"],
    fields + ["lines.ndjson", "records.json", "lines.ndjson"],
  ])
  func `a killed and resumed run writes the bytes of an undisturbed one`(arguments: [String]) throws
  {
    let wanted = ProcessInfo.processInfo.environment["STREAMMAP_KILLS"].flatMap { Int($0) } ?? 3
    let expected = try command.run(arguments + ["-o", "whole", "--rejects", "whole.rejects"])
    #expect(expected.status == 1)
    let tally = expected.errors.prefix { $0 != "\n" } + "\n"
    var kills = 0
    var generator = SystemRandomNumberGenerator()
    repeat {
      let killed = try runWithKills(arguments, &generator)
      kills += killed.kills
      #expect(killed.result.status == 1)
      // A run that continues tells how many were rejected, not why.
      #expect(killed.result.errors.hasPrefix(tally))
      #expect(try command.areSame("out", "whole"))
      #expect(try command.areSame("rejects", "whole.rejects"))
      #expect(!command.exists("c") && !command.exists("out.partial"))
    } while kills < wanted
  }

  private func runWithKills(
    _ arguments: [String], _ generator: inout SystemRandomNumberGenerator
  ) throws -> (kills: Int, result: CommandResult) {
    var kills = 0
    while true {
      let running = try command.start(
        arguments + ["-o", "out", "--rejects", "rejects"]
          + ["--checkpoint", "c", "--checkpoint-every", "5kB"])
      // A machine with much to do starts a process slowly: the later runs have longer.
      Thread.sleep(
        forTimeInterval: .random(in: 0.01...0.3 + Double(kills) * 0.05, using: &generator))
      if !running.isRunning { return (kills, try running.result()) }
      running.send(SIGKILL)
      let result = try running.result()
      // It may have come to its end just before.
      if result.status != SIGKILL { return (kills, result) }
      kills += 1
    }
  }
}
