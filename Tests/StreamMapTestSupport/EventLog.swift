import Testing

@testable import StreamMap

/// Records events, each with its address.
final class EventLog: EventSink {
  struct Event: Equatable, CustomStringConvertible {
    var text: String
    var start: UInt64 = 0
    var end: UInt64 = 0
    var line: UInt64 = 0
    var lineStart: UInt64 = 0
    var tag = 0

    var description: String { "\(text) \(start)..<\(end) \(line):\(lineStart) \(tag)" }
  }

  private(set) var events: [Event] = []

  var texts: [String] { events.map(\.text) }

  /// Records a note between events.
  func note(_ text: String) { events.append(Event(text: text)) }

  private func add(_ text: String) {
    events.append(
      Event(
        text: text, start: address.start, end: address.end, line: address.line,
        lineStart: address.lineStart, tag: address.tag))
  }

  override func null() { add("null") }
  override func bool(_ value: Bool) { add("\(value)") }
  override func number(_ text: UnsafeBufferPointer<UInt8>) {
    add(String(decoding: text, as: UTF8.self))
  }
  override func string(_ text: UnsafeBufferPointer<UInt8>) {
    add("'\(String(decoding: text, as: UTF8.self))'")
  }
  override func key(_ text: UnsafeBufferPointer<UInt8>) {
    add(String(decoding: text, as: UTF8.self) + ":")
  }
  override func beginObject() { add("{") }
  override func endObject() { add("}") }
  override func beginArray() { add("[") }
  override func endArray() { add("]") }
}

extension EventLog {
  /// The events of a feed that arrives in pieces of this size, from a parser's source, with the ends and faults of its records.
  static func read(
    _ feed: [UInt8], _ selection: FeedSelection, format: FeedFormat, limits: Limits = Limits(),
    parser: RecordParser, pieceSize: Int
  ) throws -> [Event] {
    let log = EventLog()
    let (index, yajl) = (IndexSource(sink: log), YajlSource(sink: log))
    let reader = try FeedReader.make(selection, format: format, limits: limits, form: parser.form)
    func send() throws {
      switch reader.chunk {
      case .index(let chunk):
        #expect(parser != .yajl)
        try index.send(chunk)
      case .text(let chunk):
        #expect(parser == .yajl)
        try yajl.send(chunk)
      }
    }
    var position = 0
    while true {
      // A copy of exactly its size, so that a sanitizer sees any read beyond it.
      let piece = Array(feed[position..<min(position + pieceSize, feed.count)])
      position += piece.count
      let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: piece.count)
      _ = memory.initialize(from: piece)
      defer { memory.deallocate() }
      reader.input(UnsafeBufferPointer(memory), isFinal: position == feed.count)
      loop: while true {
        switch reader.next() {
        case .input: break loop
        case .end: return log.events
        case .chunk, .innerRows: try send()
        case .record, .row:
          try send()
          log.note("record \(reader.recordAddress.start)..<\(reader.recordAddress.end)")
        case .fault:
          index.reset()
          yajl.reset()
          // How many events of the record came before the fault depends on the pieces.
          log.forgetOpenRecord()
          log.note(reader.fault(record: nil).error.fullDescription)
        }
      }
      if position == feed.count && piece.isEmpty { return log.events }
    }
  }

  private func forgetOpenRecord() {
    let end = events.lastIndex { $0.line == 0 }.map { $0 + 1 } ?? 0
    events.removeSubrange(end...)
  }
}
