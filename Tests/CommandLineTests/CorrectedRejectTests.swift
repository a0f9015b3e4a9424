import Foundation
import Testing

@Suite("Rejects that are corrected and mapped again")
struct CorrectedRejectTests {
  let command: Command

  init() throws {
    command = try Command()
  }

  /// How texts follow each other, and what of one is not its own.
  struct Form: Sendable {
    let name: String
    let before: String
    let behind: String
  }

  static let forms = [
    Form(name: "ndjson", before: "", behind: "\n"), Form(name: "auto", before: "", behind: "\n"),
    Form(name: "seq", before: "\u{1E}", behind: "\n"),
  ]

  @Test(.long, arguments: forms, [1, 3])
  func `malformed lines and entries are rejected whole and map once corrected`(
    form: Form, jobs: Int
  ) throws {
    // Every third one lacks its colon, every seventh one has garbage before it; the padding goes over windows.
    let padding = String(repeating: "p é", count: 60)
    let good = (0..<4000).map { "{\"pad\":[\"\(padding)\"],\"id\":\($0),\"end\":[{}]}" }
    let feed = good.enumerated().map { number, text in
      let text =
        number % 7 == 3
        ? "GARBAGE \(text)"
        : number % 3 == 1 ? text.replacing("\"id\":", with: "\"id\" ") : text
      return form.before + text + form.behind
    }.joined()
    try command.write(feed, to: "feed")
    let arguments = ["--field", "id:int64", "--from", form.name, "--jobs", "\(jobs)"]
    for isPiped in [false, true] {
      let result = try command.run(
        arguments + [isPiped ? "-" : "feed", "--rejects", "r"],
        input: isPiped ? Array(feed.utf8) : [], pieceSize: 70_001)
      #expect(result.status == 1)
      let rejects = try command.rejects("r")
      let expected = good.indices.filter { $0 % 7 == 3 || $0 % 3 == 1 }
      try #require(rejects.count == expected.count)
      #expect(result.output.split(separator: "\n").count + rejects.count == good.count)
      let bytes = Array(feed.utf8)
      // The address is that of the fault: garbage, or the number where a colon should be.
      #expect(
        rejects.allSatisfy {
          guard let byte = $0.offset.map({ bytes[$0] }) else { return false }
          return byte == UInt8(ascii: "G") || (0x30...0x39).contains(byte)
        })
      let corrected = try rejects.map {
        try #require($0.raw).replacing("GARBAGE ", with: "").replacing("\"id\" ", with: "\"id\":")
      }
      #expect(
        (corrected.map { $0.trimmingCharacters(in: .newlines) } == expected.map { good[$0] })
          == true)
      let again = try command.run(
        "--field", "id:int64", "--from", "concat", input: corrected.joined(separator: "\n"))
      #expect(again.status == 0)
      #expect(again.output == expected.map { "{\"id\":\($0)}\n" }.joined())
    }
  }

  @Test(arguments: [1, 3])
  func `a small malformed document is rejected whole`(jobs: Int) throws {
    let document = "{\"list\":[{\"id\":1},{\"id\" 2},{\"id\":3}]}\n"
    try command.write(document, to: "feed.json")
    let arguments = [
      "--field", "id:int64", "--records", "$.list[*]", "--jobs", "\(jobs)", "--rejects", "r",
    ]
    let result = try command.run(arguments + ["feed.json"])
    #expect(result.status == 4)
    let reject = try #require(try command.rejects("r").last)
    #expect(reject.raw == document)
    #expect(reject.offset == 24)
    let again = try command.run(
      "--field", "id:int64", "--records", "$.list[*]",
      input: try #require(reject.raw).replacing("\"id\" 2", with: "\"id\":2"))
    #expect(again.status == 0)
    #expect(again.output == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
  }

  @Test(arguments: [1, 3])
  func `a large malformed text is rejected with its first 64 KiB`(jobs: Int) throws {
    let rest = String(repeating: " 7,", count: 50_000)
    for (text, format) in [("[x\(rest)7]", "json"), ("GARBAGE\(rest)\n1\n", "ndjson")] {
      try command.write(text, to: "feed")
      _ = try command.run(
        "--field", "id:json=$", "--from", format, "--jobs", "\(jobs)", "--rejects", "r", "feed")
      let reject = try #require(try command.rejects("r").first)
      #expect((reject.raw == String(text.prefix(65_536))) == true, "\(format)")
    }
  }
}
