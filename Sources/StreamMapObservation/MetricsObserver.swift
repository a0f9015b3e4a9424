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
/// Labels of your own are `dimensions`, the same for all feeds, and those of the feed's own labels (`FeedOptions.labels`) that are asked for,
/// such as its mapping:
///
/// ```swift
/// let metrics = MetricsObserver(labels: ["mapping"])
/// options.labels = ["mapping": "orders", "upload": id]   // the upload is for the log
/// ```
///
/// The number of series is bounded: only the first values of the labels have series of their own; in those of all others, each label is
/// `other`. Nothing comes from a feed or its name.
public final class MetricsObserver: FeedObserver {
  private let dimensions: [(String, String)]
  private let labels: [String]
  private let mostValues: Int
  private let factory: any MetricsFactory
  /// By the values of the labels.
  private let series: Locked<[[ExactText]: FeedMetrics]> = Locked([:])

  /// Metrics of a factory.
  ///
  /// - Parameters:
  ///   - dimensions: Labels that all of its metrics have, beside those of the table.
  ///   - labels: Which labels of a feed its metrics have; empty if the feed has none of that name.
  ///   - values: How many combinations of their values have series of their own.
  ///   - factory: Makes the metrics; nil for the one that the process was started with.
  public init(
    dimensions: [(String, String)] = [], labels: [String] = [], values: Int = 100,
    factory: (any MetricsFactory)? = nil
  ) {
    self.dimensions = dimensions
    self.labels = labels
    mostValues = max(values, 0)
    self.factory = factory ?? MetricsSystem.factory
  }

  private func metrics(of feed: FeedIdentity) -> FeedMetrics {
    let values = labels.map { ExactText(feed.labels[$0] ?? "") }
    return series.withLock { series in
      if let metrics = series[values] { return metrics }
      let isBeyond = !labels.isEmpty && series.count >= mostValues
      let values = isBeyond ? labels.map { _ in ExactText("other") } : values
      if let metrics = series[values] { return metrics }
      let metrics = FeedMetrics(dimensions + zip(labels, values).map { ($0, $1.text) }, factory)
      series[values] = metrics
      return metrics
    }
  }

  /// Counts a running feed.
  public func feedBegan(_ feed: FeedIdentity) { metrics(of: feed).running.increment() }

  /// Counts records and bytes.
  public func feedAdvanced(_ feed: FeedIdentity, by step: FeedStep) {
    metrics(of: feed).advance(by: step)
  }

  /// Counts the errors of a record that failed, each by its code.
  public func feedRejected(_ feed: FeedIdentity, _ reject: Reject) {
    let metrics = metrics(of: feed)
    for error in reject.error.leaves { metrics.counter(of: error.code).increment() }
  }

  /// Counts a feed that is over, by its verdict.
  public func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?) {
    let hasFailed = error != nil && !(error is CancellationError)
    metrics(of: feed).end(hasFailed ? "failed" : "\(summary.verdict)", summary.duration)
  }
}
