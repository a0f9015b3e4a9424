import StreamMap
import StreamMapCompression
import StreamMapObservation
import Synchronization

/// The metrics of feeds, with their tenant and their mapping.
///
/// Tenants are those of the settings and mappings those of the catalog, so the number of series is bounded. Uploads are not, so they are
/// in the log alone.
final class FeedMetrics: Sendable {
  private struct Key: Hashable {
    let tenant: String
    let mapping: String
  }

  private let observers = Mutex<[Key: MetricsObserver]>([:])

  /// The observer of a tenant's feeds by a mapping; always the same one.
  func observer(of tenant: String, _ mapping: String) -> MetricsObserver {
    observers.withLock { observers in
      let key = Key(tenant: tenant, mapping: mapping)
      if let known = observers[key] { return known }
      let new = MetricsObserver(dimensions: [("tenant", tenant), ("mapping", mapping)])
      observers[key] = new
      return new
    }
  }
}

/// Tells logs and metrics of a client's own fault as of a feed that was given up: a client that hangs up, or sends a damaged
/// archive, is no error of the service.
struct ClientFaults: FeedObserver {
  let observer: any FeedObserver

  func feedBegan(_ feed: FeedIdentity) { observer.feedBegan(feed) }

  func feedAdvanced(_ feed: FeedIdentity, by step: FeedStep) {
    observer.feedAdvanced(feed, by: step)
  }

  func feedRejected(_ feed: FeedIdentity, _ reject: Reject) { observer.feedRejected(feed, reject) }

  func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?) {
    let isClients = error is BodyError || error is DecompressionError
    observer.feedEnded(feed, summary, isClients ? CancellationError() : error)
  }
}
