/// Watches feeds: for metrics, logs, traces and progress.
///
/// Every method has a default that does nothing.
///
/// ```swift
/// struct Progress: FeedObserver {
///   func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?) {
///     logger.info("\(feed.name ?? "feed"): \(summary.mapped) mapped, \(summary.verdict)")
///   }
/// }
/// let options = FeedOptions(observer: Progress())
/// ```
///
/// The methods are called where the records are taken, one at a time for a feed, and for several feeds at the same time. They delay
/// the feed. Their arguments hold no values of the feed, except ``FeedSummary/position``.
public protocol FeedObserver: Sendable {
  /// A feed is opened: its records can be asked for.
  func feedBegan(_ feed: FeedIdentity)

  /// Some of the feed is read: after each batch, or before more input is read.
  ///
  /// - Parameters:
  ///   - feed: Which one.
  ///   - step: What is new since the last call. The steps of a feed add up to its summary, and to no bytes in flight.
  func feedAdvanced(_ feed: FeedIdentity, by step: FeedStep)

  /// A record failed.
  func feedRejected(_ feed: FeedIdentity, _ reject: Reject)

  /// The feed is over: it was read to its end, given up, cancelled, or released.
  ///
  /// It is called exactly once for each feed that began.
  ///
  /// - Parameters:
  ///   - feed: Which one.
  ///   - summary: How it ended, and its counts.
  ///   - error: What was thrown, if anything: by the buffers, by the code that stores the records, or for a cancelled task.
  func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?)
}

extension FeedObserver {
  /// Does nothing.
  public func feedBegan(_ feed: FeedIdentity) {}
  /// Does nothing.
  public func feedAdvanced(_ feed: FeedIdentity, by step: FeedStep) {}
  /// Does nothing.
  public func feedRejected(_ feed: FeedIdentity, _ reject: Reject) {}
  /// Does nothing.
  public func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?) {}
}

/// The feed that an observer hears of.
public struct FeedIdentity: Sendable, Hashable {
  /// A number that no other feed of the process has.
  public let number: Int
  /// The feed's name, if it has one: what `named:` gave.
  public let name: String?
  /// The facts about it: ``FeedOptions/labels``.
  public let labels: [String: String]

  /// Makes an identity, for tests of an observer.
  public init(number: Int, name: String? = nil, labels: [String: String] = [:]) {
    self.number = number
    self.name = name
    self.labels = labels
  }
}

/// The progress of a feed since the last call.
public struct FeedStep: Sendable, Hashable, Codable {
  /// Records that are over: mapped, rejected or dropped.
  public var records = 0
  /// Records with a value.
  public var mapped = 0
  /// Records without one.
  public var rejected = 0
  /// Records that the condition (`where`) of a mapping file dropped.
  public var dropped = 0
  /// What was wrong with records without losing their value.
  public var issues = 0
  /// Bytes of the feed that were passed.
  public var bytes = 0
  /// Bytes that were read and whose records are not handed over yet: how many more than before; negative if they became fewer.
  ///
  /// They are those of buffers that come asynchronously. Other feeds are read where they lie, or a bounded piece at a time.
  public var bytesInFlight = 0

  /// Nothing.
  public init() {}

  static func - (total: FeedStep, told: FeedStep) -> FeedStep {
    var step = FeedStep()
    step.records = total.records - told.records
    step.mapped = total.mapped - told.mapped
    step.rejected = total.rejected - told.rejected
    step.dropped = total.dropped - told.dropped
    step.issues = total.issues - told.issues
    step.bytes = total.bytes - told.bytes
    step.bytesInFlight = total.bytesInFlight - told.bytesInFlight
    return step
  }
}
