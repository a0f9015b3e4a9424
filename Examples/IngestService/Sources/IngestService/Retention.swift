import Foundation
import Logging
import ServiceLifecycle
import StreamMap

/// How long uploads are kept.
struct RetentionTimes: Sendable {
  /// Nil for ever.
  let complete: Duration?
  /// Counted from the last change; nil for ever.
  let unfinished: Duration?

  init(_ settings: Settings) {
    func time(_ days: Double) -> Duration? { days > 0 ? .seconds(days * 86_400) : nil }
    complete = time(settings.keepDays)
    unfinished = time(settings.keepUnfinishedDays)
  }

  /// When an upload is removed, if it does not change until then.
  func end(of upload: Upload) -> Date? {
    (upload.isComplete ? complete : unfinished).map { upload.changed + $0 / .seconds(1) }
  }
}

/// Removes uploads that were kept long enough, with their records and rejects, and what a removal left that was cut off.
struct Retention: Service {
  let times: RetentionTimes
  let store: Store
  let feeds: RunningFeeds
  let logger: Logger

  /// How often it looks: at least once a minute, and oftener where uploads are kept for minutes only.
  private var period: Duration {
    let shortest = [times.complete, times.unfinished].compactMap { $0 }.min() ?? .seconds(240)
    return min(max(shortest / 4, .seconds(1)), .seconds(60))
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await removeAll()
        } catch {
          if !Task.isCancelled {
            let problem = Problem(error)
            logger.error(
              "uploads that were kept long enough are not removed: \(problem.detail)",
              metadata: ["cause": "\(problem.cause ?? "")"])
          }
        }
        try? await Task.sleep(for: period)
      }
    }
  }

  private func removeAll() async throws {
    try await store.finishRemovals()
    for (isComplete, time) in [(true, times.complete), (false, times.unfinished)] {
      guard let time else { continue }
      for expired in try await store.uploads(isComplete: isComplete, unchangedFor: time) {
        // One that a request writes to changes just now. It is looked at again in the next round.
        let isRemoved = try await feeds.holding(expired.name, of: expired.tenant) {
          try await store.remove(expired.id, unchangedFor: time)
        }
        guard isRemoved == true else { continue }
        logger.info(
          "an upload was kept long enough and is removed",
          metadata: ["tenant": "\(expired.tenant)", "upload": "\(expired.name)"])
      }
    }
  }
}
