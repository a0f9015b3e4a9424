import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What was recorded is played again, event for event, with its addresses.
@Suite struct TapeTests {
  static let value: JSONValue = .object([
    .init(
      "a",
      .array([
        .null, .bool(true), .bool(false), .number("1.50"), .string("é\"\n\u{0}"), .string(""),
      ])),
    .init("", .object([])), .init("long", .string(String(repeating: "x", count: 5000))),
    .init("e", .array([])),
  ])

  @Test func `a tape replays the same events each time`() {
    let tape = Tape()
    Self.value.emit(to: tape)
    let direct = EventLog()
    Self.value.emit(to: direct)
    for _ in 0..<3 {
      let log = EventLog()
      tape.replay(into: log)
      #expect(log.events == direct.events)
      let builder = JSONValueBuilder()
      tape.replay(into: builder)
      #expect(builder.value == Self.value)
    }
  }

  @Test func `replayed events have their own addresses, the sink keeps its own`() {
    let tape = Tape()
    for (start, event) in [
      (3, { tape.beginArray() }), (5, { tape.null() }), (11, { tape.endArray() }),
    ] as [(UInt64, () -> Void)] {
      tape.address = FeedToken(start: start, end: start + 1, line: 1, lineStart: 0)
      event()
    }
    let log = EventLog()
    log.address = FeedToken(start: 77)
    tape.replay(into: log)
    // Afterwards the sink has the address that it had before.
    #expect(log.address.start == 77)
    #expect(log.texts == ["[", "null", "]"])
    #expect(log.events.map(\.start) == [3, 5, 11])
  }

  @Test func `a cleared tape is empty and records again`() {
    let tape = Tape()
    Self.value.emit(to: tape)
    #expect(tape.size > 5000)
    tape.clear()
    #expect(tape.size == 0)
    tape.bool(true)
    let builder = JSONValueBuilder()
    tape.replay(into: builder)
    #expect(builder.value == .bool(true))
  }
}
