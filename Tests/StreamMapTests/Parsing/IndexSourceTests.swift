import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The index as a source of events, given tables of tokens made by hand.
@Suite struct IndexSourceTests {
  /// Sends tokens of a text that stands in memory from an offset of the feed on.
  private static func send(
    _ tokens: [FeedToken], of text: String, from offset: Int = 0, joined: String = "",
    to source: IndexSource
  ) throws {
    try Array(text.utf8).withUnsafeBufferPointer { text in
      try Array(joined.utf8).withUnsafeBufferPointer { joined in
        try tokens.withUnsafeBufferPointer { tokens in
          let origin = UInt(bitPattern: text.baseAddress) &- UInt(offset)
          try source.send(RecordChunk.Index(tokens: tokens, origin: origin, joined: joined))
        }
      }
    }
  }

  @Test
  func `each token is an event with its address and decoded text`() throws {
    let text = #"{"a":[1,-2.5e3,true,false,null,"x",""],"b\u00e9":"\"\\\n\uD83D\uDE00","":{}}"#
    let tokens = feedTokens(
      of: text,
      [
        "{", #""a""#, "[", "1", "-2.5e3", "true", "false", "null", #""x""#, #""""#, "]",
        #""b\u00e9""#,
        #""\"\\\n\uD83D\uDE00""#, #""""#, "{", "}", "}",
      ])
    let log = EventLog()
    try Self.send(tokens, of: text, to: IndexSource(sink: log))
    #expect(
      log.texts == [
        "{", "a:", "[", "1", "-2.5e3", "true", "false", "null", "'x'", "''", "]", "bé:",
        "'\"\\\n😀'", ":",
        "{", "}", "}",
      ])
    #expect(log.events.map(\.start) == tokens.map(\.start))
    #expect(log.events.map(\.end) == tokens.map(\.end))
  }

  @Test
  func `a skipped element is null whatever stands at its place`() throws {
    let log = EventLog()
    let text = #"[{"a":1},7]"#
    let tokens = [
      feedToken(0, 1), feedToken(1, 1, isAbsent: true), feedToken(9, 10), feedToken(10, 11),
    ]
    try Self.send(tokens, of: text, to: IndexSource(sink: log))
    #expect(log.texts == ["[", "null", "7", "]"])
    #expect(log.events.map(\.start) == [0, 1, 9, 10])
  }

  @Test(arguments: [
    (#""cut""#, false, "'cut'"), (#""c\u0075t""#, false, "'cut'"), (#""cut""#, true, "cut:"),
    (#""c\u0075t""#, true, "cut:"), ("12.5", false, "12.5"), ("true", false, "true"),
    ("null", false, "null"),
  ])
  func `the first token's text may lie elsewhere`(_ text: String, _ isKey: Bool, _ event: String)
    throws
  {
    let log = EventLog()
    let first = feedToken(
      100 - text.utf8.count, 100, isKey: isKey, hasEscapes: text.contains("\\"), tag: isKey ? 5 : 0)
    let tokens = [first, feedToken(101, 102), feedToken(102, 103)]
    try Self.send(tokens, of: ":7}", from: 100, joined: text, to: IndexSource(sink: log))
    #expect(log.texts == [event, "7", "}"])
    #expect(log.events.map(\.start) == tokens.map(\.start))
    #expect(log.events.first?.tag == (isKey ? 5 : 0))
  }

  @Test
  func `a chunk without tokens has no events`() throws {
    let log = EventLog()
    let source = IndexSource(sink: log)
    try source.send(
      RecordChunk.Index(
        tokens: UnsafeBufferPointer(start: nil, count: 0), origin: 0,
        joined: UnsafeBufferPointer(start: nil, count: 0)))
    try Self.send([], of: "{}", to: source)
    #expect(log.events.isEmpty)
  }

  @Test
  func `a refused string is thrown, and the source stays usable`() throws {
    // Reading never says this of such a string.
    let log = EventLog()
    let source = IndexSource(sink: log)
    let refused = feedToken(0, 4, hasEscapes: true)
    #expect(throws: Refusal.self) { try Self.send([refused], of: #""\x""#, to: source) }
    source.reset()
    // What is no string at all is not passed over either.
    #expect(throws: Refusal.self) {
      try Self.send([feedToken(0, 4, hasEscapes: true)], of: "[1,2", to: source)
    }
    #expect(throws: Refusal.self) {
      try Self.send([feedToken(0, 4, hasEscapes: true)], of: #""a\n"#, to: source)
    }
    let good = log.events.count
    try Self.send([feedToken(0, 6, hasEscapes: true)], of: #""a\tb""#, to: source)
    #expect(log.texts.dropFirst(good) == ["'a\tb'"])
  }
}
