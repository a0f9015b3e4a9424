import Foundation
import ServiceLifecycle
import StreamMap
import Synchronization

/// The feeds that are being read now: how many there may be, how fast they have to come, and how they end with the service.
final class RunningFeeds: Service {
  /// Why a feed cannot begin.
  enum Refusal: Error {
    case stopping
    case tooMany
    case tooManyOfTenant
    case uploadInUse
  }

  /// The name of an upload, which is its tenant's alone.
  private struct Key: Hashable {
    let tenant: String
    let upload: String
  }

  private struct State {
    var feeds: [ObjectIdentifier: RunningFeed] = [:]
    /// Uploads that no request may write to, because they are being removed.
    var held: Set<Key> = []
    var isStopping = false
  }

  private let settings: Settings
  private let state = Mutex(State())

  init(_ settings: Settings) { self.settings = settings }

  var isStopping: Bool { state.withLock { $0.isStopping } }

  var all: [RunningFeed] {
    state.withLock { Array($0.feeds.values) }.sorted { $0.began < $1.began }
  }

  /// Makes room for a feed; the request that asks first has the upload.
  func begin(_ upload: String, of tenant: Tenant, mapping: String) throws(Refusal) -> RunningFeed {
    let feed = RunningFeed(upload, tenant.name, mapping)
    try state.withLock { state throws(Refusal) in
      if state.isStopping { throw .stopping }
      if state.held.contains(Key(tenant: tenant.name, upload: upload)) { throw .uploadInUse }
      if state.feeds.count >= settings.feeds { throw .tooMany }
      let own = state.feeds.values.filter { $0.tenant == tenant.name }
      if own.count >= tenant.feeds { throw .tooManyOfTenant }
      if own.contains(where: { $0.upload == upload }) { throw .uploadInUse }
      state.feeds[ObjectIdentifier(feed)] = feed
    }
    return feed
  }

  func end(_ feed: RunningFeed) {
    state.withLock { _ = $0.feeds.removeValue(forKey: ObjectIdentifier(feed)) }
  }

  /// Works on an upload while no request writes to it.
  ///
  /// - Returns: What `work` returns; nil, without doing it, if a request writes to the upload, or another caller works on it.
  /// - Throws: What `work` throws.
  func holding<Result>(
    _ upload: String, of tenant: String, _ work: () async throws -> Result
  ) async throws -> Result? {
    let key = Key(tenant: tenant, upload: upload)
    let isFree = state.withLock { state in
      let isRunning = state.feeds.values.contains { $0.tenant == tenant && $0.upload == upload }
      return !isRunning && state.held.insert(key).inserted
    }
    guard isFree else { return nil }
    defer { state.withLock { _ = $0.held.remove(key) } }
    return try await work()
  }

  /// Stops the feed of an upload, if one is running.
  func stop(_ upload: String, of tenant: String, _ reason: RunningFeed.Stop) {
    for feed in all where feed.tenant == tenant && feed.upload == upload { feed.stop(reason) }
  }

  /// Watches the feeds until the service is to stop, then lets them come to their ends: for a while, not for ever.
  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(1))
        self.stopSlowFeeds()
      }
    }
    state.withLock { $0.isStopping = true }
    let deadline = ContinuousClock.now + .seconds(settings.graceSeconds)
    while !all.isEmpty, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(50))
      stopSlowFeeds()
    }
    for feed in all { feed.stop(.serviceStops) }
    while !all.isEmpty { try await Task.sleep(for: .milliseconds(50)) }
  }

  private func stopSlowFeeds() {
    for feed in all where feed.isSlow(settings.minimumPace, over: .seconds(settings.paceSeconds)) {
      feed.stop(.clientIsSlow)
    }
  }
}

/// One feed that is being read.
final class RunningFeed: FeedObserver {
  /// Why a feed is stopped before its end.
  enum Stop {
    case clientIsSlow
    case serviceStops
    case uploadIsDeleted
  }

  /// What the page shows of it.
  struct Figures: Encodable {
    let tenant: String
    let upload: String
    let location: String
    let mapping: String
    let seconds: Double
    let bytes: Int
    let records: Int
    let rejected: Int
  }

  private struct State {
    var received = 0
    var bytes = 0
    var records = 0
    var rejected = 0
    /// Since when, and from which byte on, the pace is measured; nil while the client is not waited for.
    var window: (start: ContinuousClock.Instant, received: Int)?
    var isWaiting = false
    var cancel: (@Sendable () -> Void)?
    var stop: Stop?
  }

  let upload: String
  let tenant: String
  let mapping: String
  let began = ContinuousClock.now
  private let state = Mutex(State())

  init(_ upload: String, _ tenant: String, _ mapping: String) {
    self.upload = upload
    self.tenant = tenant
    self.mapping = mapping
  }

  var figures: Figures {
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    return state.withLock {
      Figures(
        tenant: tenant, upload: upload, location: "/uploads/\(upload)", mapping: mapping,
        seconds: seconds, bytes: $0.bytes, records: $0.records,
        rejected: $0.rejected)
    }
  }

  /// Why it was stopped, if it was.
  var stopReason: Stop? { state.withLock { $0.stop } }

  /// Does the work in a task of its own, which ``stop(_:)`` and the caller's cancellation end.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task(operation: work)
    state.withLock { $0.cancel = { task.cancel() } }
    if stopReason != nil { task.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  func stop(_ reason: Stop) {
    let cancel = state.withLock { state in
      state.stop = state.stop ?? reason
      return state.cancel
    }
    cancel?()
  }

  /// Notes that the client is waited for, or how many bytes it sent.
  func waitsForClient() { state.withLock { $0.isWaiting = true } }

  func received(_ count: Int) {
    state.withLock {
      $0.isWaiting = false
      $0.received += count
    }
  }

  /// Whether the client sent less than it has to; time in which the service itself is busy does not count.
  func isSlow(_ pace: Int, over window: Duration) -> Bool {
    let now = ContinuousClock.now
    return state.withLock { state in
      guard state.isWaiting, let (start, received) = state.window else {
        state.window = state.isWaiting ? (now, state.received) : nil
        return false
      }
      guard now - start >= window else { return false }
      state.window = (now, state.received)
      return Double(state.received - received) < Double(pace) * (window / .seconds(1))
    }
  }

  func feedAdvanced(_ feed: FeedIdentity, by step: FeedStep) {
    state.withLock {
      $0.bytes += step.bytes
      $0.records += step.records
      $0.rejected += step.rejected
    }
  }
}
