/// The most recent bytes of a feed, so that the text of what was just read can be shown.
///
/// Buffers are kept as they came, without a copy; small ones are joined, so that there are few of them.
final class RecentText: Sendable {
  /// The longest text that can always be shown.
  static let largest = FeedReader.largestText
  private static let smallest = 4 << 10

  private struct Pieces {
    var pieces: [[UInt8]] = []
    /// Where in the feed they start and end.
    var start: Int
    var end: Int
  }

  // With several jobs, one task adds to them and another one takes.
  private let kept: Locked<Pieces>

  /// Goes on at an offset of the feed.
  init(from offset: Int) {
    kept = Locked(Pieces(start: offset, end: offset))
  }

  /// Where in the feed the next piece starts.
  var end: Int { kept.withLock { $0.end } }

  func append(_ piece: [UInt8]) {
    if piece.isEmpty { return }
    kept.withLock { kept in
      kept.end += piece.count
      if let last = kept.pieces.last, last.count + piece.count <= Self.smallest {
        kept.pieces[kept.pieces.count - 1] += piece
      } else {
        kept.pieces.append(piece)
      }
    }
  }

  /// Says that nothing before an offset of the feed will be asked for.
  func forget(before offset: Int) {
    kept.withLock { kept in
      var count = 0
      while count < kept.pieces.count, kept.start + kept.pieces[count].count <= offset {
        kept.start += kept.pieces[count].count
        count += 1
      }
      kept.pieces.removeFirst(count)
    }
  }

  /// The bytes of a stretch of the feed; nil where they are gone, or have not come yet.
  func bytes(in range: Range<Int>) -> [UInt8]? {
    kept.withLock { kept in
      guard range.lowerBound >= kept.start, range.upperBound <= kept.end else { return nil }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(range.count)
      var start = kept.start
      for piece in kept.pieces {
        let lower = max(range.lowerBound, start) - start
        let upper = min(range.upperBound, start + piece.count) - start
        if lower < upper { bytes += piece[lower..<upper] }
        start += piece.count
      }
      return bytes
    }
  }
}
