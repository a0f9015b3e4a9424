/// Counts the records of a feed and calls its observer, also if the rest of the feed is never taken.
///
/// Not thread-safe: the code that takes the records counts.
@usableFromInline
final class FeedTally {
  /// Where a feed stands.
  struct State {
    var verdict: FeedVerdict
    var exceeded: FeedDemand?
    var unseenPaths: [PathPattern]
    var position: FeedPosition?
    var offset: Int
  }

  private let feed: FeedIdentity
  private let observer: (any FeedObserver)?
  private let beginning = ContinuousClock.now
  /// Where in the feed reading began.
  private let firstOffset: Int
  private let mostRejects: Int
  private var total = FeedStep()
  /// What the observer was told.
  private var told = FeedStep()
  private var firstRejects: [Reject] = []
  /// The error of the last record, if it failed.
  private var lastError: MappingError?
  private var lastEndsFeed = false
  private(set) var isOver = false

  private static let number = Locked(0)

  /// Counts a feed that begins, or continues at an offset, and keeps some of its rejects.
  init(
    named name: String?, from offset: Int, keeping mostRejects: Int, _ options: FeedOptions
  ) {
    let number = Self.number.withLock { number in
      number += 1
      return number
    }
    feed = FeedIdentity(number: number, name: name, labels: options.labels)
    observer = options.observer
    self.mostRejects = max(mostRejects, 0)
    firstOffset = offset
    observer?.feedBegan(feed)
  }

  /// Counts for an observer; nil if there is none.
  static func watched(_ options: FeedOptions, named name: String?, from position: FeedPosition?)
    -> FeedTally?
  {
    options.observer == nil
      ? nil
      : FeedTally(
        named: name, from: position?.offset ?? 0, keeping: defaultRejects, options)
  }

  /// How many rejects a summary has, if nothing else is asked for.
  static var defaultRejects: Int { 20 }

  /// Counts a record that was taken alone.
  @usableFromInline
  func note(number: Int, _ address: FeedToken, _ notes: RecordNotes?) {
    guard let notes else {
      total.records += 1
      total.mapped += 1
      return
    }
    guard let error = notes.error, !notes.isDropped else {
      total.records += 1
      if notes.isDropped { total.dropped += 1 } else { total.mapped += 1 }
      total.issues += notes.issues.count
      return
    }
    lastError = error
    lastEndsFeed = notes.endsFeed
    // A fault that ends the feed and does not belong to a record is not counted.
    if number == 0, notes.endsFeed { return }
    total.records += 1
    note(Reject(number: number, address, notes, error))
  }

  /// Counts a record that a condition drops.
  @usableFromInline
  func noteDropped() {
    total.records += 1
    total.dropped += 1
  }

  private func note(_ reject: Reject) {
    total.rejected += 1
    if firstRejects.count < mostRejects { firstRejects.append(reject) }
    observer?.feedRejected(feed, reject)
  }

  /// Counts a batch; after it, some bytes are read already.
  func note(_ batch: FeedBatch<some Any>, bytesInFlight: Int) {
    total.records += batch.records
    total.mapped += batch.values.count
    total.dropped += batch.dropped
    total.issues += batch.issues
    total.bytes += batch.bytes
    for reject in batch.rejects { note(reject) }
    total.bytesInFlight = bytesInFlight
    tell()
  }

  /// Tells the observer what is new, up to an offset of the feed; after it, some bytes are read already.
  func advance(to offset: Int, bytesInFlight: Int = 0) {
    total.bytes = max(offset - firstOffset, total.bytes)
    total.bytesInFlight = bytesInFlight
    tell()
  }

  /// Tells the observer how many bytes are read whose records are not handed over yet.
  func read(bytesInFlight: Int) {
    guard observer != nil else { return }
    total.bytesInFlight = bytesInFlight
    tell()
  }

  private func tell() {
    guard let observer, total != told else { return }
    observer.feedAdvanced(feed, by: total - told)
    told = total
  }

  /// What became of the feed so far.
  func summary(_ state: State, reason: MappingError? = nil) -> FeedSummary {
    var summary = FeedSummary(
      duration: ContinuousClock.now - beginning, unseenPaths: state.unseenPaths.map(\.description),
      verdict: state.verdict, reason: reason, exceeded: state.exceeded, firstRejects: firstRejects,
      position: state.verdict == .complete ? nil : state.position)
    if reason == nil, lastEndsFeed || state.verdict == .truncated { summary.reason = lastError }
    summary.records = total.records
    summary.mapped = total.mapped
    summary.rejected = total.rejected
    summary.dropped = total.dropped
    summary.issues = total.issues
    summary.bytes = total.bytes
    return summary
  }

  /// Tells the observer that the feed is over, unless it was told before.
  func end(_ state: State, reason: MappingError? = nil, _ error: (any Error)? = nil) {
    if isOver { return }
    isOver = true
    advance(to: state.offset)
    guard let observer else { return }
    observer.feedEnded(feed, summary(state, reason: reason), error)
  }
}

extension Reject {
  init(number: Int, _ address: FeedToken, _ notes: RecordNotes, _ error: MappingError) {
    var (key, index): (String?, Int?) = (nil, nil)
    switch notes.step {
    case .key(let step): key = step
    case .index(let step): index = step
    case nil: break
    }
    self.init(
      record: Uncounted.shown(number), position: address.position, error: error, key: key,
      index: index)
  }
}
