import StreamMap
import Tracing

/// Makes a span of each feed, by swift-distributed-tracing.
///
/// ```swift
/// let options = FeedOptions(observer: TracingObserver())
/// ```
///
/// The span is a child of the one that is current where the feed is opened. Its attributes are `streammap.feed.number`, `streammap.feed.name`,
/// `streammap.verdict`, `streammap.records`, `streammap.mapped`, `streammap.rejected`, `streammap.dropped`, `streammap.issues` and `streammap.bytes`. The errors of the
/// first rejected records are events with `streammap.record`, `streammap.code`, `streammap.path`, `streammap.offset`, `streammap.line` and
/// `streammap.column`. The labels of the
/// feed (`FeedOptions.labels`) are attributes, as they are. A feed that is not complete has the status `error`. No value of the feed
/// is in it.
public final class TracingObserver: FeedObserver {
  /// A feed that is not over.
  private struct Running: Sendable {
    let span: any Span
    var rejects = 0
  }

  private let tracer: (any Tracer)?
  private let mostRejects: Int
  private let mostErrors: Int
  private let running = Locked<[Int: Running]>([:])

  /// Spans of a tracer.
  ///
  /// - Parameters:
  ///   - tracer: Makes the spans; nil for the one that the process was started with.
  ///   - rejects: How many rejected records of a feed have events in its span.
  ///   - errors: How many errors of each of them are events.
  public init(_ tracer: (any Tracer)? = nil, rejects: Int = 10, errors: Int = 10) {
    self.tracer = tracer
    mostRejects = max(rejects, 0)
    mostErrors = max(errors, 1)
  }

  /// Starts a span.
  public func feedBegan(_ feed: FeedIdentity) {
    let tracer = tracer ?? InstrumentationSystem.tracer
    let span: any Span = tracer.startSpan("streammap.feed")
    span.updateAttributes { attributes in
      attributes["streammap.feed.number"] = feed.number
      if let name = feed.name { attributes["streammap.feed.name"] = name }
      for (key, value) in feed.labels { attributes[key] = value }
    }
    running.withLock { $0[feed.number] = Running(span: span) }
  }

  /// Adds an event for each error, if the record is among the first that failed.
  public func feedRejected(_ feed: FeedIdentity, _ reject: Reject) {
    let span = running.withLock { running -> (any Span)? in
      guard var feedRunning = running[feed.number], feedRunning.rejects < mostRejects else {
        return nil
      }
      feedRunning.rejects += 1
      running[feed.number] = feedRunning
      return feedRunning.span
    }
    guard let span else { return }
    for error in reject.error.leaves.prefix(mostErrors) {
      span.addEvent(SpanEvent(name: "record rejected", attributes: Self.attributes(reject, error)))
    }
  }

  private static func attributes(_ reject: Reject, _ error: MappingError) -> SpanAttributes {
    var attributes: SpanAttributes = [
      "streammap.record": .int64(Int64(reject.record)),
      "streammap.code": .string(error.code.rawValue),
      "streammap.path": .string("\(error.path)"),
    ]
    if let position = error.position ?? reject.position {
      attributes["streammap.offset"] = position.bytes.lowerBound
      attributes["streammap.line"] = position.line
      attributes["streammap.column"] = position.column
    }
    return attributes
  }

  /// Ends the span.
  public func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?) {
    guard let span = running.withLock({ $0.removeValue(forKey: feed.number) })?.span else { return }
    span.updateAttributes { attributes in
      attributes["streammap.verdict"] = "\(summary.verdict)"
      attributes["streammap.records"] = summary.records
      attributes["streammap.mapped"] = summary.mapped
      attributes["streammap.rejected"] = summary.rejected
      attributes["streammap.dropped"] = summary.dropped
      attributes["streammap.issues"] = summary.issues
      attributes["streammap.bytes"] = summary.bytes
    }
    if error != nil || summary.verdict != .complete {
      let message = error?.shown ?? summary.reason?.message ?? "\(summary.verdict)"
      span.setStatus(SpanStatus(code: .error, message: message))
    }
    span.end()
  }
}
