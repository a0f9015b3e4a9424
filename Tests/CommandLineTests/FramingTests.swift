import Testing

@Suite("How records follow each other")
struct FramingTests {
  let command: Command

  init() throws {
    command = try Command()
  }

  private static let feeds: [(format: String, feed: String, mapped: [Int])] = [
    ("json", "{\n\"a\":1\n}\n", [1]),
    ("ndjson", "{\"a\":1}\r\n\n{\"a\":2}\n{\"a\":3}", [1, 2, 3]),
    ("concat", "{\"a\":1}{\"a\":2} {\n\"a\":3}\n", [1, 2, 3]),
    ("seq", "\u{1E}{\"a\":1}\n\u{1E}{\n\"a\":2}\n", [1, 2]),
  ]

  @Test(arguments: feeds.indices, [1, 2, 3, 7, .max])
  func `each format, given or detected, is read in pieces of any size`(index: Int, pieceSize: Int)
    throws
  {
    let (format, feed, mapped) = Self.feeds[index]
    let expected = mapped.map { "{\"a\":\($0)}\n" }.joined()
    for from in [format, "auto"] {
      let result = try command.run(
        "--field", "a", "--from", from, input: feed, pieceSize: pieceSize)
      #expect(result.output == expected, "--from \(from)")
      #expect(result.errors == "")
      #expect(result.status == 0)
    }
  }

  @Test func `a byte-order mark is passed over`() throws {
    #expect(try command.run("--field", "a", input: "\u{FEFF}{\"a\":1}").output == "{\"a\":1}\n")
  }

  @Test(arguments: ["x.ndjson", "x.jsonl"])
  func `a file named for lines loses only a broken first line`(name: String)
    throws
  {
    try command.write("{\"a\":\n{\"a\":2}\n", to: name)
    let result = try command.run("--field", "a", "--errors", "skip", name)
    #expect(result.output == "{\"a\":2}\n")
    #expect(result.status == 1)
  }

  @Test func `a file named for a sequence loses only a broken entry`() throws {
    try command.write("\u{1E}{\"a\":\n\u{1E}{\"a\":2}\n", to: "x.json-seq")
    let result = try command.run("--field", "a", "--errors", "skip", "x.json-seq")
    #expect(result.output == "{\"a\":2}\n")
    #expect(result.status == 1)
  }

  @Test func `a feed longer than the reading window is mapped whole`() throws {
    let filler = String(repeating: "x", count: 1000)
    let lines = (1...2000).map { "{\"skipped\":\"\(filler)\",\"a\":\($0)}\n" }
    try command.write(lines.joined(), to: "long.ndjson")
    let result = try command.run("--field", "a", "long.ndjson")
    #expect(result.output == (1...2000).map { "{\"a\":\($0)}\n" }.joined())
  }
}
