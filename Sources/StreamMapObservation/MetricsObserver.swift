import Metrics
import StreamMap

/// Counts feeds, records and bytes, by swift-metrics.
///
/// ```swift
/// let metrics = MetricsObserver(dimensions: [("mapping", "orders")])
/// let options = FeedOptions(observer: metrics)
/// ```
///
/// Make one and keep it. These are its metrics:
///
/// | Name | Kind | Labels |
/// |---|---|---|
/// | `streammap_feeds_running` | meter: feeds that began and are not over | |
/// | `streammap_feeds_total` | counter: feeds that are over | `verdict`: `complete`, `truncated`, `malformed`, `limit`, `rejected`, `stopped`; `failed` where something other than a cancellation was thrown |
/// | `streammap_feed_seconds` | timer: from a feed's beginning to its end | `verdict` |
/// | `streammap_records_total` | counter | `outcome`: `mapped`, `rejected`, `dropped` |
/// | `streammap_errors_total` | counter: errors of records that failed; a record may have several | `code`: that of the error, one of some twenty |
/// | `streammap_issues_total` | counter: what was wrong with records that have a value all the same | |
/// | `streammap_bytes_total` | counter: bytes of feeds that were passed | |
/// | `streammap_bytes_in_flight` | meter: bytes that were read of buffers that come asynchronously, and whose records are not handed over yet | |
///
/// No label comes from a feed or its name, so the number of series is bounded: labels of your own, such as the mapping's name or
/// the tenant, are `dimensions`, one observer for each.
public final class MetricsObserver: FeedObserver {
  private let running: Meter
  private let mapped: Counter
  private let rejected: Counter
  private let dropped: Counter
  private let issues: Counter
  private let bytes: Counter
  private let bytesInFlight: Meter
  /// By verdict, made when they are first needed.
  private let feeds: Locked<[String: (count: Counter, seconds: Timer)]>
  /// By error code.
  private let errors: Locked<[ErrorCode: Counter]>
  private let dimensions: [(String, String)]
  private let factory: any MetricsFactory

  /// Metrics of a factory.
  ///
  /// - Parameters:
  ///   - dimensions: Labels that all of its metrics have, beside those of the table.
  ///   - factory: Makes the metrics; nil for the one that the process was started with.
  public init(dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil) {
    let factory = factory ?? MetricsSystem.factory
    func counter(_ label: String, _ outcome: String? = nil) -> Counter {
      Counter(
        label: "streammap_\(label)",
        dimensions: dimensions + (outcome.map { [("outcome", $0)] } ?? []),
        factory: factory)
    }
    running = Meter(label: "streammap_feeds_running", dimensions: dimensions, factory: factory)
    mapped = counter("records_total", "mapped")
    rejected = counter("records_total", "rejected")
    dropped = counter("records_total", "dropped")
    issues = counter("issues_total")
    bytes = counter("bytes_total")
    bytesInFlight = Meter(
      label: "streammap_bytes_in_flight", dimensions: dimensions, factory: factory)
    feeds = Locked([:])
    errors = Locked([:])
    self.dimensions = dimensions
    self.factory = factory
  }

  /// Counts a running feed.
  public func feedBegan(_ feed: FeedIdentity) { running.increment() }

  /// Counts records and bytes.
  public func feedAdvanced(_ feed: FeedIdentity, by step: FeedStep) {
    if step.mapped > 0 { mapped.increment(by: step.mapped) }
    if step.rejected > 0 { rejected.increment(by: step.rejected) }
    if step.dropped > 0 { dropped.increment(by: step.dropped) }
    if step.issues > 0 { issues.increment(by: step.issues) }
    if step.bytes > 0 { bytes.increment(by: step.bytes) }
    let change = Double(step.bytesInFlight)
    if change > 0 { bytesInFlight.increment(by: change) }
    if change < 0 { bytesInFlight.decrement(by: -change) }
  }

  /// Counts the errors of a record that failed, each by its code.
  public func feedRejected(_ feed: FeedIdentity, _ reject: Reject) {
    for error in reject.error.leaves { counter(of: error.code).increment() }
  }

  private func counter(of code: ErrorCode) -> Counter {
    errors.withLock { errors in
      if let counter = errors[code] { return counter }
      let counter = Counter(
        label: "streammap_errors_total", dimensions: dimensions + [("code", code.rawValue)],
        factory: factory)
      errors[code] = counter
      return counter
    }
  }

  /// Counts a feed that is over, by its verdict.
  public func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?) {
    running.decrement()
    let hasFailed = error != nil && !(error is CancellationError)
    let verdict = hasFailed ? "failed" : "\(summary.verdict)"
    let (count, seconds) = feeds.withLock { feeds in
      if let metrics = feeds[verdict] { return metrics }
      let labels = dimensions + [("verdict", verdict)]
      let metrics = (
        count: Counter(label: "streammap_feeds_total", dimensions: labels, factory: factory),
        seconds: Timer(label: "streammap_feed_seconds", dimensions: labels, factory: factory)
      )
      feeds[verdict] = metrics
      return metrics
    }
    count.increment()
    seconds.recordSeconds(summary.duration.seconds)
  }
}
