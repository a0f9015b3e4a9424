import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// yajl as a source of events, given texts and tokens made by hand.
@Suite struct YajlSourceTests {
  private static func send(_ text: String, _ tokens: [FeedToken], to source: YajlSource) throws {
    try Array(text.utf8).withUnsafeBufferPointer { json in
      try tokens.withUnsafeBufferPointer { tokens in
        try source.send(RecordChunk.Text(json: json, tokens: tokens))
      }
    }
  }

  @Test
  func `each event has the address of its token`() throws {
    let text = #"{"a":[1,-2.5e3,true,false,null,"x",""],"b\u00e9":"\"\\\n\uD83D\uDE00","":{}}"#
    let parts = [
      "{", #""a""#, "[", "1", "-2.5e3", "true", "false", "null", #""x""#, #""""#, "]",
      #""b\u00e9""#,
      #""\"\\\n\uD83D\uDE00""#, #""""#, "{", "}", "}",
    ]
    let tokens = feedTokens(of: text, parts)
    let log = EventLog()
    try Self.send(text, tokens, to: YajlSource(sink: log))
    #expect(
      log.texts == [
        "{", "a:", "[", "1", "-2.5e3", "true", "false", "null", "'x'", "''", "]", "bé:",
        "'\"\\\n😀'", ":",
        "{", "}", "}",
      ])
    #expect(log.events.map(\.start) == tokens.map(\.start))
  }

  @Test
  func `a value continues from chunk to chunk`() throws {
    let log = EventLog()
    let source = YajlSource(sink: log)
    try Self.send("[12", [feedToken(3, 4), feedToken(4, 6)], to: source)
    #expect(log.texts == ["[", "12"])
    try Self.send(",true", [feedToken(9, 13)], to: source)
    #expect(log.texts == ["[", "12", "true"])
    try Self.send(#",{"k":"#, [feedToken(20, 21), feedToken(21, 24, isKey: true)], to: source)
    try Self.send(#""v"}]"#, [feedToken(30, 33), feedToken(33, 34), feedToken(34, 35)], to: source)
    #expect(log.texts == ["[", "12", "true", "{", "k:", "'v'", "}", "]"])
    #expect(log.events.map(\.start) == [3, 4, 9, 20, 21, 30, 33, 34])
    // Values follow each other, scalars too.
    for number in 0..<3 {
      try Self.send("\(number)", [feedToken(40 + number, 41 + number)], to: source)
    }
    #expect(log.texts.suffix(3) == ["0", "1", "2"])
    #expect(log.events.suffix(3).map(\.start) == [40, 41, 42])
  }

  @Test(arguments: [
    ("[1,]", 4), ("{1:2}", 4), ("[\"\\x\"]", 3), ("tru", 1), ("[1,2]", 3), ("[1,2]", 5), ("1", 0),
    ("[1", 3),
  ])
  func `malformed text and mismatched tokens are refused`(_ text: String, _ count: Int) throws {
    let log = EventLog()
    let source = YajlSource(sink: log)
    // A table without tokens is not the same as none: it has an address.
    let tokens = (0..<9).map { feedToken($0, $0 + 1) }
    tokens.withUnsafeBufferPointer { tokens in
      Array(text.utf8).withUnsafeBufferPointer { json in
        let tokens = UnsafeBufferPointer(rebasing: tokens[..<count])
        #expect(throws: Refusal.self) {
          try source.send(RecordChunk.Text(json: json, tokens: tokens))
        }
      }
    }
    // It is good for the next value.
    let before = log.events.count
    try Self.send("[8]", [feedToken(0, 1), feedToken(1, 2), feedToken(2, 3)], to: source)
    #expect(log.texts.dropFirst(before) == ["[", "8", "]"])
  }

  @Test
  func `a reset throws away an unfinished value`() throws {
    let log = EventLog()
    let source = YajlSource(sink: log)
    try Self.send("[[1", [feedToken(0, 1), feedToken(1, 2), feedToken(2, 3)], to: source)
    source.reset()
    try Self.send("{}", [feedToken(0, 1), feedToken(1, 2)], to: source)
    #expect(log.texts == ["[", "[", "1", "{", "}"])
  }
}
