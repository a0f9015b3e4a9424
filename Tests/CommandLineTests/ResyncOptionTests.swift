import Foundation
import Testing

@Suite("Malformed records inside a document")
struct ResyncOptionTests {
  let command: Command
  private static let elements = (1...400).map { number in
    number % 50 == 7 ? "{\"id\":\(number),\"text\":\"a\\q\"}" : "{\"id\":\(number)}"
  }

  init() throws {
    command = try Command()
    try command.write("{\"items\":[\n\(Self.elements.joined(separator: ",\n"))\n]}", to: "x.json")
    try command.write(
      "streammap: 1\ninput: { records: '$.items[*]' }\nrecord: { id: { from: id, type: int64 } }\n",
      to: "m.yaml")
  }

  private static let good = (1...400).filter { $0 % 50 != 7 }.map { "{\"id\":\($0)}\n" }.joined()

  @Test(arguments: [[], ["--jobs", "3"], ["--parser", "yajl"], ["--to", "csv"]])
  func `the others are mapped, and what was passed over is in the rejects`(options: [String]) throws
  {
    let arguments = ["-m", "m.yaml", "x.json", "--errors", "reject", "--rejects", "r", "--resync"]
    let result = try command.run(arguments + options)
    #expect(result.status == 1, "\(result.errors)")
    let expected =
      options == ["--to", "csv"]
      ? "id\n" + Self.good.replacing("{\"id\":", with: "").replacing("}", with: "") : Self.good
    #expect(result.output == expected)
    let rejects = try command.read("r").split(separator: "\n")
    #expect(rejects.count == 8)
    #expect(
      rejects[0].contains("\"raw\":\"{\\\"id\\\":7,\\\"text\\\":\\\"a\\\\q\\\"}\""), "\(rejects[0])"
    )
    #expect(
      rejects[0].contains("\"record\":7,\"offset\":71,\"end\":92,\"line\":8,"), "\(rejects[0])")
    // Without the option the document ends there.
    let ended = try command.run(Array(arguments.dropLast()) + options)
    #expect(ended.status == 4)
  }

  @Test func `a mapping file may ask for it`() throws {
    try command.write(
      "streammap: 1\ninput: { records: '$.items[*]' }\nrecord: { id: { from: id, type: int64 } }\nerrors: { mode: skip, resync: true }\n",
      to: "m.yaml")
    let result = try command.run(
      ["-m", "m.yaml"], input: try command.read("x.json").utf8, pieceSize: 1000)
    #expect(result.status == 1)
    #expect(result.output == Self.good)
    #expect(
      result.errors.hasPrefix("stream-map: 8 of 400 records were rejected\n"), "\(result.errors)")
    // A run that stops at the first failure has nothing to continue.
    #expect(try command.run("-m", "m.yaml", "x.json", "--errors", "fail").status == 4)
  }

  @Test func `a run continues from its checkpoint after such a record`() throws {
    let arguments = [
      "-m", "m.yaml", "x.json", "-o", "out", "--checkpoint", "c", "--checkpoint-every", "300",
      "--errors", "skip", "--resync",
    ]
    #expect(try command.run(arguments + ["--max-errors", "4"]).status == 7)
    #expect(command.exists("c"))
    #expect(try command.run(arguments).status == 1)
    #expect(try command.read("out") == Self.good)
  }

  @Test(arguments: [
    (["--resync"], "--resync is for --errors skip and --errors reject."),
    (["--resync", "--errors", "skip", "--part", "1/2"], "--resync and --part do not go together"),
  ])
  func `it is refused where it has no meaning`(options: [String], message: String) throws {
    let result = try command.run(["-m", "m.yaml", "x.json"] + options)
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
