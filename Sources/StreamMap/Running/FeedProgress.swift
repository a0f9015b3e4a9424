/// Where in the feed the records that were taken from a pipeline end.
struct FeedProgress {
  /// Where the batch that was taken last ended.
  private(set) var offset = 0
  /// The record paths that occurred by then, as bits in their order.
  private(set) var pathsSeen: UInt64 = 0
  /// Where reading can continue after that batch; nil if that is not possible.
  private(set) var positionAfter: FeedPosition?
  /// Where to continue once the feed is over: before the record that ended it, or at its end.
  private(set) var lastPosition: FeedPosition?
  /// What the faults up to there say about the end of the feed.
  private(set) var ending = FeedEnding()

  /// The progress of a feed that begins, or that continues at a position.
  init(from position: FeedPosition?) {
    positionAfter = position
    offset = position?.offset ?? 0
    pathsSeen = position?.pathsSeen ?? 0
  }

  /// Notes that a batch was taken.
  mutating func take(_ batch: RecordBatch) {
    offset = batch.end
    pathsSeen |= batch.pathsSeen
    ending = batch.ending
    positionAfter = batch.position
    positionAfter?.pathsSeen = pathsSeen
    lastPosition = batch.lastPosition
    lastPosition?.pathsSeen = pathsSeen
  }

  /// Notes that the feed is over.
  mutating func end(at end: FeedEnd) {
    // Where a fault ended it, the last batch says where, and whether one can continue before that.
    if ending.isAtFault {
      lastPosition = lastPosition ?? positionAfter
    } else {
      offset = end.offset
      pathsSeen |= end.pathsSeen
      lastPosition = lastPosition ?? end.lastPosition ?? positionAfter
      lastPosition?.pathsSeen = pathsSeen
      positionAfter = end.isPart ? lastPosition : nil
    }
  }
}

/// What is known at the end of a feed.
struct FeedEnd {
  let offset: Int
  let pathsSeen: UInt64
  var lastPosition: FeedPosition?
  /// Whether it is the end of a part, and the rest comes elsewhere.
  var isPart = false
}
