/// The first bytes of a feed, kept in case there is something to say about it.
package struct FeedBeginning: Sendable {
  /// Enough to show the keys of a feed; copying them takes no time that could be measured.
  private static let most = 256 << 10

  package private(set) var bytes: [UInt8] = []
  private var isComplete: Bool

  /// Keeps the beginning of a feed that is read from there; nothing of any other.
  package init(isAtStart: Bool) {
    isComplete = !isAtStart
  }

  /// Adds the next piece of the feed.
  package mutating func add(_ piece: UnsafeBufferPointer<UInt8>) {
    if isComplete { return }
    bytes += piece.prefix(Self.most - bytes.count)
    isComplete = bytes.count == Self.most
  }

  /// What is in the feed, as far as it was kept.
  package var shape: FeedShape { FeedShape(of: bytes) }
}
