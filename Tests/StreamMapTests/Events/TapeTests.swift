import Testing

@testable import StreamMap

/// What was recorded is played again, event for event, with its addresses.
@Suite struct TapeTests {
  /// Writes events down.
  final class Notes: EventSink {
    var lines: [String] = []

    private func note(_ line: String) {
      lines.append(line + (addresses.map { " \($0.pointee.start)" } ?? ""))
      if let next = addresses { addresses = next + 1 }
    }

    override func null() { note("null") }
    override func bool(_ value: Bool) { note("\(value)") }
    override func number(_ text: UnsafeBufferPointer<UInt8>) {
      note(String(decoding: text, as: UTF8.self))
    }
    override func string(_ text: UnsafeBufferPointer<UInt8>) {
      note("'\(String(decoding: text, as: UTF8.self))'")
    }
    override func key(_ text: UnsafeBufferPointer<UInt8>) {
      note(String(decoding: text, as: UTF8.self) + ":")
    }
    override func beginObject() { note("{") }
    override func endObject() { note("}") }
    override func beginArray() { note("[") }
    override func endArray() { note("]") }
  }

  static let value: JSONValue = .object([
    .init(
      "a",
      .array([
        .null, .bool(true), .bool(false), .number("1.50"), .string("é\"\n\u{0}"), .string(""),
      ])),
    .init("", .object([])), .init("long", .string(String(repeating: "x", count: 5000))),
    .init("e", .array([])),
  ])

  @Test func replay() {
    let tape = Tape()
    Self.value.emit(to: tape)
    let direct = Notes()
    Self.value.emit(to: direct)
    for _ in 0..<3 {
      let notes = Notes()
      tape.replay(into: notes)
      #expect(
        notes.lines.map { $0.split(separator: " ").dropLast().joined(separator: " ") }.count
          == direct.lines.count)
      let texts = notes.lines.map { String($0[..<($0.lastIndex(of: " ") ?? $0.endIndex)]) }
      #expect(texts == direct.lines)
      let builder = JSONValueBuilder()
      tape.replay(into: builder)
      #expect(builder.value == Self.value)
    }
  }

  @Test func addresses() {
    let tape = Tape()
    for (start, event) in [
      (3, { tape.beginArray() }), (5, { tape.null() }), (11, { tape.endArray() }),
    ] as [(UInt64, () -> Void)] {
      tape.recordedAddress = SourceAddress(start: start, end: start + 1, line: 1, lineStart: 0)
      event()
    }
    let notes = Notes()
    var own = [SourceAddress(start: 77)]
    own.withUnsafeMutableBufferPointer { own in
      notes.addresses = UnsafePointer(own.baseAddress)
      tape.replay(into: notes)
      // Afterwards the sink has its own addresses again.
      #expect(notes.addresses?.pointee.start == 77)
    }
    #expect(notes.lines == ["[ 3", "null 5", "] 11"])
  }

  @Test func cleared() {
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
