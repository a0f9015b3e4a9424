/// The bytes of a feed that cannot be read again, copied once to memory that stays where it is: they are read there, and the most recent ones
/// are kept, so that the text of what was just read can be shown.
package final class RecentText: Sendable {
  /// The longest text that can always be shown.
  package static let largest = FeedReader.largestText
  /// Small buffers share a piece, so that there are few pieces.
  private static let smallest = 4 << 10

  /// Memory for some buffers, one after the other.
  ///
  /// Invariant: filled under the lock, and what is filled does not change any more.
  private final class Piece: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer
    var count = 0

    init(capacity: Int) {
      memory = .allocate(byteCount: capacity, alignment: 64)
    }

    deinit {
      memory.deallocate()
    }

    func append(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      let room = UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + bytes.count])
      room.copyMemory(from: bytes)
      count += bytes.count
      return UnsafeRawBufferPointer(room)
    }
  }

  private struct Pieces {
    var pieces: [Piece] = []
    /// Where in the feed they start and end.
    var start: Int
    var end: Int
  }

  // With several jobs, one task adds to them and another one takes.
  private let kept: Locked<Pieces>

  /// Continues at an offset of the feed.
  package init(from offset: Int) {
    kept = Locked(Pieces(start: offset, end: offset))
  }

  /// Where in the feed the next piece starts.
  package var end: Int { kept.withLock { $0.end } }

  /// Copies a buffer of the feed; returns the copy, which is valid until it is forgotten.
  @discardableResult
  package func append(_ buffer: some FeedBuffer) -> UnsafeBufferPointer<UInt8> {
    buffer.withFeedBytes { bytes in
      kept.withLock { kept in
        kept.end += bytes.count
        var piece = kept.pieces.last
        if piece.map({ $0.memory.count - $0.count < bytes.count }) ?? true {
          let new = Piece(capacity: max(bytes.count, Self.smallest))
          kept.pieces.append(new)
          piece = new
        }
        return piece?.append(bytes).bindMemory(to: UInt8.self)
          ?? UnsafeBufferPointer(start: nil, count: 0)
      }
    }
  }

  /// Says that nothing before an offset of the feed will be asked for.
  package func forget(before offset: Int) {
    kept.withLock { kept in
      var count = 0
      while count < kept.pieces.count, kept.start + kept.pieces[count].count <= offset {
        kept.start += kept.pieces[count].count
        count += 1
      }
      kept.pieces.removeFirst(count)
    }
  }

  /// The bytes of a stretch of the feed; nil if they are gone, or have not come yet.
  package func bytes(in range: Range<Int>) -> [UInt8]? {
    kept.withLock { kept in
      guard range.lowerBound >= kept.start, range.upperBound <= kept.end else { return nil }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(range.count)
      var start = kept.start
      for piece in kept.pieces {
        let lower = max(range.lowerBound, start) - start
        let upper = min(range.upperBound, start + piece.count) - start
        if lower < upper { bytes += piece.memory[lower..<upper] }
        start += piece.count
      }
      return bytes
    }
  }
}
