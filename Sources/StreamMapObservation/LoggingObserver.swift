import Logging
import StreamMap

/// Logs feeds and their ends, by swift-log.
///
/// ```swift
/// let options = FeedOptions(observer: LoggingObserver(logger))
/// ```
///
/// A feed that begins is logged at `debug`. The errors of the first of its rejected records are logged at `info`, each in a line of its own
/// with its address. Its end is logged at `info` if it is complete or its task was cancelled, at `error` if something else was
/// thrown, and otherwise at `warning`.
///
/// No line has a value of the feed: a record has its number, path, bytes, line, column and what was expected; an error that is not StreamMap's
/// has its type alone. Paths that a mapping redacts are redacted here, too.
///
/// The metadata are `feed.number`, `feed.name`, `feed.verdict`, `feed.records`, `feed.mapped`, `feed.rejected`, `feed.dropped`, `feed.issues`,
/// `feed.bytes`, `feed.seconds`, `feed.unseen_paths`, `feed.error`; of a record `record.number`, `record.path`, `record.bytes`, `record.line`,
/// `record.column`, `record.code`, `record.target`, and `record.errors`, the number of its errors.
/// The labels of the feed (`FeedOptions.labels`) are metadata of each line, as they are.
public final class LoggingObserver: FeedObserver {
  private let logger: Logger
  private let mostRejects: Int
  private let mostErrors: Int
  /// How many rejected records of each running feed were logged.
  private let logged = Locked<[Int: Int]>([:])

  /// Logs to a logger, which may have metadata of its own, such as a request's identifier.
  ///
  /// - Parameters:
  ///   - logger: The logger.
  ///   - rejects: How many rejected records of a feed are logged; its end says how many there were.
  ///   - errors: How many errors of each of them are logged; each line says how many the record has.
  public init(_ logger: Logger, rejects: Int = 20, errors: Int = 10) {
    self.logger = logger
    mostRejects = max(rejects, 0)
    mostErrors = max(errors, 1)
  }

  /// Logs that a feed begins.
  public func feedBegan(_ feed: FeedIdentity) {
    logged.withLock { $0[feed.number] = 0 }
    logger.debug("feed began", metadata: Self.metadata(feed))
  }

  /// Logs the errors of a record, if it is among the first that failed.
  public func feedRejected(_ feed: FeedIdentity, _ reject: Reject) {
    let count = logged.withLock { logged in
      logged[feed.number, default: 0] += 1
      return logged[feed.number, default: 0]
    }
    guard count <= mostRejects else { return }
    var metadata = Self.metadata(feed)
    metadata["record.number"] = "\(reject.record)"
    metadata["record.errors"] = "\(reject.errorCount)"
    for error in reject.error.leaves.prefix(mostErrors) {
      var metadata = metadata
      Self.note(error, at: reject.position, in: &metadata)
      logger.info("record rejected: \(error.message)", metadata: metadata)
    }
  }

  /// Logs how a feed ended.
  public func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?) {
    logged.withLock { $0[feed.number] = nil }
    var metadata = Self.metadata(feed)
    metadata["feed.verdict"] = "\(summary.verdict)"
    metadata["feed.records"] = "\(summary.records)"
    metadata["feed.mapped"] = "\(summary.mapped)"
    metadata["feed.rejected"] = "\(summary.rejected)"
    metadata["feed.dropped"] = "\(summary.dropped)"
    metadata["feed.issues"] = "\(summary.issues)"
    metadata["feed.bytes"] = "\(summary.bytes)"
    metadata["feed.seconds"] = "\(summary.duration.seconds)"
    if !summary.unseenPaths.isEmpty {
      metadata["feed.unseen_paths"] = .array(summary.unseenPaths.map { .string($0) })
    }
    var message = "feed \(summary.verdict)"
    if let reason = summary.reason {
      message += ": \(reason.message)"
      Self.note(reason, at: reason.position, in: &metadata)
    }
    if let error { metadata["feed.error"] = "\(error.shown)" }
    logger.log(level: level(summary, error), "\(message)", metadata: metadata)
  }

  private func level(_ summary: FeedSummary, _ error: (any Error)?) -> Logger.Level {
    switch error {
    case is CancellationError: .info
    case .some: .error
    case nil: summary.verdict == .complete ? .info : .warning
    }
  }

  private static func metadata(_ feed: FeedIdentity) -> Logger.Metadata {
    var metadata = Logger.Metadata(
      uniqueKeysWithValues: feed.labels.map { ($0.key, .string($0.value)) })
    metadata["feed.number"] = "\(feed.number)"
    if let name = feed.name { metadata["feed.name"] = "\(name)" }
    return metadata
  }

  private static func note(
    _ error: MappingError, at position: SourcePosition?, in metadata: inout Logger.Metadata
  ) {
    metadata["record.code"] = "\(error.code.rawValue)"
    if !error.path.components.isEmpty { metadata["record.path"] = "\(error.path)" }
    if let target = error.target, !target.components.isEmpty {
      metadata["record.target"] = "\(target.relativeDescription)"
    }
    guard let position = error.position ?? position else { return }
    metadata["record.bytes"] = "\(position.bytes.lowerBound)..<\(position.bytes.upperBound)"
    metadata["record.line"] = "\(position.line)"
    metadata["record.column"] = "\(position.column)"
  }
}

extension Reject {
  /// How many errors the record has, with those that were not kept.
  fileprivate var errorCount: Int {
    error.code == .severalErrors ? error.underlying.count + error.omittedCount : 1
  }
}

extension Duration {
  /// The same in seconds.
  var seconds: Double { self / .seconds(1) }
}

extension Error {
  /// What may be shown of an error: all of one of StreamMap's, the type of any other, which may hold values.
  var shown: String { (self as? MappingError)?.description ?? "\(type(of: self as Any))" }
}
