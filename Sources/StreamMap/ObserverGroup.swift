/// Several observers of the same feeds; each gets all calls, in their order.
///
/// ```swift
/// let options = FeedOptions(observer: ObserverGroup(log, metrics))
/// ```
public struct ObserverGroup: FeedObserver {
  /// The observers.
  public let observers: [any FeedObserver]

  /// Joins observers.
  public init(_ observers: any FeedObserver...) {
    self.observers = observers
  }

  /// Joins observers.
  public init(_ observers: [any FeedObserver]) {
    self.observers = observers
  }

  /// Tells all observers that a feed is opened.
  public func feedBegan(_ feed: FeedIdentity) {
    for observer in observers { observer.feedBegan(feed) }
  }

  /// Tells all observers that some of the feed is read.
  public func feedAdvanced(_ feed: FeedIdentity, by step: FeedStep) {
    for observer in observers { observer.feedAdvanced(feed, by: step) }
  }

  /// Tells all observers that a record failed.
  public func feedRejected(_ feed: FeedIdentity, _ reject: Reject) {
    for observer in observers { observer.feedRejected(feed, reject) }
  }

  /// Tells all observers that the feed is over.
  public func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?) {
    for observer in observers { observer.feedEnded(feed, summary, error) }
  }
}
