import Foundation
import StreamMap
import Testing

@testable import CommandLineTests
@testable import StreamMapCommand

/// Checkpoints that were changed, and files that were changed since.
@Suite("Checkpoints: damage")
struct CheckpointDamageTests {
  let command: Command
  private let feed = FeedWithFaults.records(2000, padding: 60)
  private static let arguments = [
    "--field", "id:int64", "--field", "name", "a.ndjson", "x.ndjson", "--rejects", "r", "-o", "out",
    "--checkpoint", "c", "--checkpoint-every", "4kB",
  ]
  private static let full = ["--checkpoint-verify", "full"]

  init() throws {
    command = try Command()
    try command.write(feed.joined(separator: "\n"), to: "a.ndjson")
    try command.write(feed.joined(separator: "\n"), to: "x.ndjson")
  }

  /// A run that ends in the middle of its second input, with records rejected before; what it would have come to.
  private func runToItsMiddle(_ arguments: [String] = []) throws {
    let result = try command.run(Self.arguments + arguments + ["--max-errors", "30"])
    #expect(result.status == 7, "\(result.errors)")
    #expect(command.exists("c") && command.exists("out.partial"))
  }

  private func goOn(_ arguments: [String] = []) throws -> CommandResult {
    try command.run(Self.arguments + arguments)
  }

  private func expectWhole() throws {
    let whole = try command.run(
      Self.arguments.prefix(while: { $0 != "--rejects" })
        + ["-o", "whole", "--rejects", "whole.rejects"])
    #expect(whole.status == 1)
    #expect(try command.areSame("out", "whole"))
    #expect(try command.areSame("r", "whole.rejects"))
  }

  // MARK: The checkpoint's text

  /// The text of the stored checkpoint without its heading, and the terms that it is for.
  private func stored() throws -> (text: String, terms: Checkpoint.Terms) {
    let text = try command.read("c").split(separator: "\n", maxSplits: 1)[1]
    let checkpoint = try JSONDecoder().decode(Checkpoint.self, from: Data(text.utf8))
    return (String(text), checkpoint.terms)
  }

  private func isRefused(_ bytes: [UInt8], _ terms: Checkpoint.Terms) throws -> Bool {
    try Data(bytes).write(to: command.url("c"))
    do {
      let file = CheckpointFile(command.url("c").path)
      return try CheckpointKeeper(in: file, every: nil, .quick, terms).stored() == nil
    } catch is CheckpointKeeper.Refusal {
      return true
    }
  }

  @Test(.long) func `a checkpoint with a changed, missing or added byte is refused`() throws {
    try runToItsMiddle()
    let bytes = Array(try command.read("c").utf8)
    let terms = try stored().terms
    #expect(try !isRefused(bytes, terms))
    for index in bytes.indices {
      for change: UInt8 in [1, 0x80] {
        var damaged = bytes
        damaged[index] ^= change
        #expect(try isRefused(damaged, terms), "byte \(index)")
      }
      #expect(try isRefused(Array(bytes[..<index]), terms), "\(index) bytes")
    }
    #expect(try isRefused(bytes + [UInt8(ascii: "\n")], terms))
  }

  @Test(.long, arguments: ["offset", "line", "mapped", "bytes", "hasUnseenPath", "isComplete"])
  func `a checkpoint edited by hand is refused, and nothing is touched`(member: String) throws {
    try runToItsMiddle()
    let pattern = try Regex("\"\(member)\":(false|[0-9]+)")
    let damaged = try command.read("c").replacing(pattern, maxReplacements: 1) { match in
      match.0.hasSuffix("false") ? "\"\(member)\":true" : "\(match.0)".dropLast() + "0"
    }
    let before = try command.read("c")
    // A number that ends with 0 already has another digit.
    let text =
      damaged == before ? before.replacing("\"\(member)\":", with: "\"\(member)\":1") : damaged
    #expect(text != before)
    try command.write(text, to: "c")
    let files = try ["out.partial", "r"].map { try command.read($0) }
    let result = try goOn()
    #expect(result.status == 2)
    #expect(
      result.errors
        == "stream-map: cannot continue from c: it is damaged; delete that file to start from the beginning\n"
    )
    #expect(try ["out.partial", "r"].map { try command.read($0) } == files)
    #expect(try command.read("c") == text && !command.exists("out"))
  }

  /// The digest keeps no attacker out: what numbers do is checked all the same.
  @Test func `a checkpoint with a position that no feed has is refused`() throws {
    try runToItsMiddle()
    let (text, _) = try stored()
    for (part, other) in [
      ("\"line\":", "\"line\":-"), ("\"offset\":", "\"offset\":-"),
      ("\"lineStart\":", "\"lineStart\":9"), ("\"bytes\":", "\"bytes\":-"),
      ("\"mapped\":", "\"mapped\":9223372036854775807,\"more\":"), ("\"done\":[", "\"done\":[1,"),
    ] {
      let changed = text.replacingOccurrences(of: part, with: other)
      #expect(changed != text)
      var digest = Digest()
      digest.add(Array(changed.utf8))
      try command.write("stream-map checkpoint 4 \(digest.text)\n\(changed)", to: "c")
      let result = try goOn()
      #expect(result.status == 2, "\(part) \(result.errors)")
      #expect(result.errors.hasPrefix("stream-map: cannot continue from c: "), "\(result.errors)")
    }
  }

  // MARK: The files

  /// Changes a byte in the middle of a file.
  private func change(_ name: String, at share: Double = 0.5) throws {
    var bytes = Array(try Data(contentsOf: command.url(name)))
    bytes[Int(Double(bytes.count) * share)] ^= 1
    try Data(bytes).write(to: command.url(name))
  }

  @Test(arguments: [["--jobs", "1"], ["--jobs", "2"]])
  func `a run that compares all bytes continues like another`(arguments: [String]) throws {
    try runToItsMiddle(Self.full + arguments)
    #expect(try goOn(Self.full + arguments + ["--max-errors", "35"]).status == 7)
    let result = try goOn(Self.full + arguments)
    #expect(result.status == 1, "\(result.errors)")
    try expectWhole()
    #expect(!command.exists("c"))
  }

  @Test(
    .long,
    arguments: [
      ("a.ndjson", 0.5, "a.ndjson does not begin with the"),
      ("x.ndjson", 0.2, "x.ndjson does not begin with the"),
      ("out.partial", 0.3, "out.partial does not begin with what the run wrote there"),
      ("r", 0.5, "the file of rejects is not the one that the run wrote"),
    ])
  func `a file changed in its middle is noticed by full verification`(
    name: String, share: Double, reason: String
  ) throws {
    try runToItsMiddle(Self.full)
    try change(name, at: share)
    let changed = try Data(contentsOf: command.url(name))
    let partial = try command.read("out.partial")
    let result = try goOn(Self.full)
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix("stream-map: cannot continue from c: \(reason)"), "\(result.errors)")
    #expect(try Data(contentsOf: command.url(name)) == changed)
    #expect(try command.read("out.partial") == partial && !command.exists("out"))
    // Without it only what stands at the ends is looked at, as the guide says.
    #expect(try goOn().status == 1)
  }

  @Test func `full verification is refused for a checkpoint written without it`() throws {
    try runToItsMiddle()
    let before = try command.read("c")
    let result = try goOn(Self.full)
    #expect(result.status == 2)
    #expect(
      result.errors
        == "stream-map: cannot continue from c: it was written without --checkpoint-verify "
        + "full, so there is nothing to compare all bytes with; delete that file to start from the beginning\n"
    )
    #expect(try command.read("c") == before)
    #expect(try goOn(["--checkpoint-verify", "quick"]).status == 1)
    try expectWhole()
  }

  @Test func `finished output that only needs its name is compared too`() throws {
    try runToItsMiddle(Self.full)
    #expect(try goOn(Self.full).status == 1)
    let output = try command.read("out")
    let faults = Faults.environment("rename", "kill", at: 1)
    guard Faults.isThere else { return }
    // Killed after it has written down that all is done: the renames before are those of checkpoints.
    for number in 1...400 {
      try? FileManager.default.removeItem(at: command.url("out"))
      var faults = faults
      faults["FAULT_AT"] = "\(number)"
      let killed = try command.run(
        Self.arguments + Self.full + ["--checkpoint-every", "1GiB"], environment: faults)
      #expect(killed.status == SIGKILL)
      guard try command.exists("c") && command.read("c").contains("\"isComplete\":true") else {
        continue
      }
      try change("out.partial")
      #expect(try goOn(Self.full).status == 2)
      try change("out.partial")
      #expect(try goOn(Self.full).status == 1)
      #expect(try command.read("out") == output)
      return
    }
    Issue.record("no run was complete")
  }
}
