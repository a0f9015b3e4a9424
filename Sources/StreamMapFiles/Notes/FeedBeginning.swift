/// The first bytes of a feed, kept in case there is something to say about it.
package struct FeedBeginning: Sendable {
  /// Enough to show the keys of a feed; copying them takes no time that could be measured.
  package static let most = 256 << 10

  private var kept: [UInt8] = []
  private var isComplete: Bool
  /// Reads the beginning, where the feed is read from a later place on.
  private let read: (@Sendable () -> [UInt8])?

  /// Keeps the beginning of a feed that is read from there; nothing of any other.
  package init(isAtStart: Bool) {
    isComplete = !isAtStart
    read = nil
  }

  /// The beginning of a feed that is read from a later place on.
  ///
  /// - Parameter read: Reads it, up to ``most`` bytes; it is only called if there is something to say.
  package init(reading read: @escaping @Sendable () -> [UInt8]) {
    isComplete = true
    self.read = read
  }

  package var bytes: [UInt8] { read?() ?? kept }

  /// Whether nothing can be said of the feed.
  var isEmpty: Bool { read == nil && kept.isEmpty }

  /// Adds the next piece of the feed.
  package mutating func add(_ piece: UnsafeBufferPointer<UInt8>) {
    if isComplete { return }
    kept += piece.prefix(Self.most - kept.count)
    isComplete = kept.count == Self.most
  }

  /// What is in the feed, as far as it was kept.
  package var shape: FeedShape { FeedShape(of: bytes) }
}
