import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Batches of a document's records keep the windows alive that the texts of their tokens lie in, and no others.
@Suite struct BatchReaderTests {
  private static func document(_ random: inout SeededGenerator, size: Int) -> [UInt8] {
    var bytes = Array(#"{"skipped":[1,2,{"a":[]}],"list":["#.utf8)
    var number = 0
    while bytes.count < size {
      let text = String(
        repeating: ["x", "é", "\\n", "\\u00e9"].randomElement(using: &random) ?? "",
        count: Int.random(in: 0..<60, using: &random))
      let large = String(repeating: "y", count: random.next() % 50 == 0 ? 100_000 : 0)
      let passed = String(repeating: "[0],", count: random.next() % 40 == 0 ? 90_000 : 3)
      if number > 0 { bytes += Array(",\n".utf8) }
      bytes += Array(
        #"{"id":\#(number),"p":[\#(passed)1],"t":"\#(text)\#(large)","k\u0065y":[true,null,-1.5e3,{}]}"#
          .utf8)
      number += 1
    }
    return bytes + Array("]}".utf8)
  }

  /// Takes batches in their order, as a worker does.
  private struct Taker {
    let log = EventLog()
    let index: IndexSource
    let yajl: YajlSource

    init() {
      index = IndexSource(sink: log)
      yajl = YajlSource(sink: log)
    }

    func take(_ batch: RecordBatch) throws {
      var failure: Refusal?
      batch.contents.forEachEntry { entry, chunk in
        do throws(Refusal) {
          switch chunk {
          case .index(let chunk): try index.send(chunk)
          case .text(let chunk): try yajl.send(chunk)
          }
        } catch {
          failure = error
        }
        if case .record = entry.kind {
          log.note("record \(entry.address.start)..<\(entry.address.end)")
        }
      }
      if let failure { throw failure }
    }
  }

  @Test(.long, arguments: 0..<12)
  func `batches taken late have the events of the feed`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parser: RecordParser = seed % 4 == 3 ? .yajl : .auto
    let feed = Self.document(&random, size: TestExtent.isLong ? 3_000_000 : 1_000_000)
    var parts = Selection.Parts()
    for key in ["id", "t", "key"] {
      parts.members[ExactText(key)] = Selection.Member(node: Selection.keep)
    }
    var selection = Selection()
    selection.root = seed % 3 == 0 ? Selection.keep : selection.add(parts)
    // Lists at such a path are not split.
    let tables = try FeedSelection(selection, at: [try PathPattern(parsing: "$.list[0:]")])
    let expected = try EventLog.read(
      feed, tables, format: .json, parser: .index, pieceSize: feed.count)

    let most = [90, 5000, 1 << 18][Int(seed % 3)]
    let mostInFlight = 6
    let reader = BatchReader(
      try FeedReader.make(tables, format: .json, limits: Limits(), form: parser.form))
    let taker = Taker()
    var filling = RecordBatch()
    var inFlight: [RecordBatch] = []
    var idle: [RecordBatch] = []
    var windowEnds: Set<UnsafeMutableRawPointer?> = []
    var given = 0

    func takeFirst() throws {
      let batch = inFlight.removeFirst()
      try taker.take(batch)
      batch.clear()
      idle.append(batch)
    }
    loop: while true {
      switch reader.fill(filling) {
      case .input:
        let room = reader.room
        windowEnds.insert(room.baseAddress.map { $0 + room.count })
        let count = min(room.count, feed.count - given, Int.random(in: 1...most, using: &random))
        room.copyBytes(from: feed[given..<given + count])
        given += count
        reader.input(count)
        continue
      case .batch, .end:
        let isOver = !filling.isFull
        inFlight.append(filling)
        filling = idle.popLast() ?? RecordBatch()
        while inFlight.count > mostInFlight || (random.next() % 3 == 0 && !inFlight.isEmpty) {
          try takeFirst()
        }
        if isOver { break loop }
      }
    }
    while !inFlight.isEmpty { try takeFirst() }
    #expect((taker.log.events == expected) == true)
    #expect(inFlight.isEmpty && idle.count >= 1)
    // Two for each batch under way, at most; where all is copied, one.
    #expect(windowEnds.count <= (parser == .yajl ? 1 : 2 * (mostInFlight + 2)))
  }

  @Test
  func `a feed that keeps nothing needs one window`() throws {
    let tables = try FeedSelection(.everything, at: [try PathPattern(parsing: "$.none[*]")])
    let reader = BatchReader(
      try FeedReader.make(tables, format: .json, limits: Limits(), form: .index))
    let piece = Array(String(repeating: "[1,2,3],", count: 20_000).utf8)
    let batch = RecordBatch()
    var windowEnds: Set<UnsafeMutableRawPointer?> = []
    var text = Array("[".utf8)
    for _ in 0..<40 {
      while !text.isEmpty {
        #expect(reader.fill(batch) == .input)
        let room = reader.room
        windowEnds.insert(room.baseAddress.map { $0 + room.count })
        let count = min(room.count, text.count)
        room.copyBytes(from: text[..<count])
        text.removeFirst(count)
        reader.input(count)
      }
      text = piece
    }
    #expect(windowEnds.count == 1)
    #expect(batch.isEmpty)
  }
}
