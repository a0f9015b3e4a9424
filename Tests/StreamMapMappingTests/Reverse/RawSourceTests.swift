import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Raw JSON that is encoded: its text goes over the index, as a feed does, but has no addresses.
@Suite struct RawSourceTests {
  private static func send(_ text: String, to source: RawSource) throws {
    try Array(text.utf8).withUnsafeBufferPointer { try source.send($0) }
  }

  @Test(arguments: [
    ("7", ["7"]), ("null", ["null"]), ("\"\"", ["''"]), ("[7]", ["[", "7", "]"]),
    (
      #"{"a":[1,-2.5e3,true,false,"x"],"b\u00e9":"\"\n\uD83D\uDE00","":{}}"#,
      [
        "{", "a:", "[", "1", "-2.5e3", "true", "false", "'x'", "]", "bé:", "'\"\n😀'", ":", "{", "}",
        "}",
      ]
    ),
  ])
  func `a text has its events, again and again, and no addresses`(_ text: String, _ parts: [String])
    throws
  {
    let log = EventLog()
    log.address = feedToken(50, 60, line: 4)
    let source = RawSource(sink: log)
    try Self.send(text, to: source)
    try Self.send(text, to: source)
    #expect(log.texts == parts + parts)
    #expect(log.events.allSatisfy { $0.start == 50 && $0.line == 4 })
  }

  @Test
  func `a text of several batches is one value`() throws {
    let log = EventLog()
    let words = (0..<20_000).map { "w\($0)" }
    try Self.send(
      "[" + words.map { "\"\($0)\"" }.joined(separator: ",") + "]", to: RawSource(sink: log))
    #expect((log.texts == ["["] + words.map { "'\($0)'" } + ["]"]) == true)
  }

  @Test(arguments: ["", " ", "[1,]", "{1:2}", "[\"\\x\"]", "tru", "[1", "1 2", "{}[]", "\"\u{1}\""])
  func `what is not one value is refused, and the next one is sent`(_ text: String) throws {
    let log = EventLog()
    let source = RawSource(sink: log)
    #expect(throws: Refusal.self) { try Self.send(text, to: source) }
    let before = log.events.count
    try Self.send("[8]", to: source)
    #expect(log.texts.dropFirst(before) == ["[", "8", "]"])
  }
}
