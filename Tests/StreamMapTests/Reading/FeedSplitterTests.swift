import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Batches of lines are stretches of memory that other lines are read into, once all that have lines there are taken.
@Suite struct FeedSplitterTests {
  private func feed(_ random: inout SeededGenerator, large: Int, size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < size {
      let most = Int.random(in: 0..<10, using: &random) == 0 ? large : 20
      let byte: UInt8 =
        random.next() % 4 == 0 ? 0x20 : UInt8.random(in: 0x30..<0x7B, using: &random)
      bytes += repeatElement(byte, count: Int.random(in: 0..<most, using: &random))
      if random.next() % 16 != 0 { bytes.append(0x0A) }
    }
    return bytes
  }

  /// Takes batches in their order, and holds them against the feed.
  private struct Taker {
    let feed: [UInt8]
    var place = LineStart(offset: 0, line: 1, recordCount: 0)

    mutating func take(_ batch: RecordBatch) {
      let lines = batch.stretch
      #expect(lines.start.offset == place.offset)
      #expect(lines.start.line == place.line)
      #expect(lines.start.countBefore == place.recordCount)
      let text = Array(lines.text)
      let isSame = feed[place.offset...].starts(with: text)
      #expect(isSame, "at \(place.offset), \(text.count) bytes")
      #expect(!text.isEmpty && (lines.isFinal || text.last == 0x0A))
      let recordCount = text.split(separator: 0x0A).count { line in line.contains { $0 != 0x20 } }
      #expect(
        lines.recordCount == recordCount - (lines.isFinal && text.contains { $0 != 0x20 } ? 1 : 0))
      place.offset += text.count
      place.line += text.count { $0 == 0x0A }
      place.recordCount += recordCount
      #expect(batch.end == place.offset)
    }
  }

  @Test(.long, arguments: TestExtent.sample(0..<60, every: 5))
  func `batches are the lines of the feed in order`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let large = [20, 400, 9000, 700_000][Int(seed % 4)]
    let feed = feed(&random, large: large, size: 100_000 + 3 * large)
    let most = [700, 30_000, 1 << 20].randomElement(using: &random) ?? 1
    let splitter = FeedSplitter()
    splitter.begin(
      at: FeedPosition(LineStart(offset: 0, line: 1, recordCount: 0), pathsSeen: 0),
      UnsafeBufferPointer(start: nil, count: 0), isFinal: false)
    var taker = Taker(feed: feed)
    var filling = RecordBatch()
    var inFlight: [RecordBatch] = []
    var idle: [RecordBatch] = []
    var given = 0
    var isOver = false

    func dispatch() {
      if filling.isEmpty { return }
      inFlight.append(filling)
      filling = idle.popLast() ?? RecordBatch()
      while inFlight.count > Int.random(in: 0..<6, using: &random) {
        let batch = inFlight.removeFirst()
        taker.take(batch)
        batch.clear()
        idle.append(batch)
      }
    }

    while !isOver {
      switch splitter.fill(filling) {
      case .batch: dispatch()
      case .input:
        #expect(splitter.offset == given)
        if random.next() % 4 == 0 { dispatch() }
        let room = splitter.room
        let count = min(Int.random(in: 1...most, using: &random), room.count, feed.count - given)
        room.copyBytes(from: feed[given..<given + count])
        splitter.input(count)
        given += count
      case .rest:
        Issue.record("no line is too large")
        return
      case .end:
        isOver = true
        dispatch()
      }
    }
    for batch in inFlight { taker.take(batch) }
    #expect(taker.place.offset == feed.count)
  }

  /// Beside a line that a window has not room for, there is always room for a read that is worth it.
  @Test func `reads are never small beside a line that is kept`() {
    let splitter = FeedSplitter()
    splitter.begin(
      at: FeedPosition(LineStart(offset: 0, line: 1, recordCount: 0), pathsSeen: 0),
      UnsafeBufferPointer(start: nil, count: 0), isFinal: false)
    let batch = RecordBatch()
    let line = [UInt8](repeating: 0x31, count: 999) + [0x0A]
    var sizes: [Int] = []
    for _ in 0..<3000 {
      while splitter.fill(batch) == .batch { batch.clear() }
      sizes.append(splitter.room.count)
      splitter.room.copyBytes(from: line)
      splitter.input(line.count)
    }
    #expect(sizes.allSatisfy { $0 >= FeedWindow.size / 16 })
    #expect(sizes.max() == FeedWindow.size)
  }
}
