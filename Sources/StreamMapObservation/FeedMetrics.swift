import Metrics
import StreamMap

/// The metrics of feeds with the same labels.
final class FeedMetrics: Sendable {
  let running: Meter
  private let mapped: Counter
  private let rejected: Counter
  private let dropped: Counter
  private let issues: Counter
  private let bytes: Counter
  private let bytesInFlight: Meter
  /// By verdict, made when they are first needed.
  private let feeds = Locked<[ExactText: (count: Counter, seconds: Timer)]>([:])
  /// By error code.
  private let errors = Locked<[ErrorCode: Counter]>([:])
  private let dimensions: [(String, String)]
  private let factory: any MetricsFactory

  init(_ dimensions: [(String, String)], _ factory: any MetricsFactory) {
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
    self.dimensions = dimensions
    self.factory = factory
  }

  func advance(by step: FeedStep) {
    if step.mapped > 0 { mapped.increment(by: step.mapped) }
    if step.rejected > 0 { rejected.increment(by: step.rejected) }
    if step.dropped > 0 { dropped.increment(by: step.dropped) }
    if step.issues > 0 { issues.increment(by: step.issues) }
    if step.bytes > 0 { bytes.increment(by: step.bytes) }
    let change = Double(step.bytesInFlight)
    if change > 0 { bytesInFlight.increment(by: change) }
    if change < 0 { bytesInFlight.decrement(by: -change) }
  }

  func counter(of code: ErrorCode) -> Counter {
    errors.withLock { errors in
      if let counter = errors[code] { return counter }
      let counter = Counter(
        label: "streammap_errors_total", dimensions: dimensions + [("code", code.rawValue)],
        factory: factory)
      errors[code] = counter
      return counter
    }
  }

  func end(_ verdict: String, _ duration: Duration) {
    running.decrement()
    let (count, seconds) = feeds.withLock { feeds in
      if let metrics = feeds[ExactText(verdict)] { return metrics }
      let labels = dimensions + [("verdict", verdict)]
      let metrics = (
        count: Counter(label: "streammap_feeds_total", dimensions: labels, factory: factory),
        seconds: Timer(label: "streammap_feed_seconds", dimensions: labels, factory: factory)
      )
      feeds[ExactText(verdict)] = metrics
      return metrics
    }
    count.increment()
    seconds.recordSeconds(duration.seconds)
  }
}
