import Testing

@testable import StreamMap

/// A clock that a test moves on.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct Sleeper {
    let number: Int
    let end: Instant
    let task: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var count = 0
    var sleepers: [Sleeper] = []
    /// Who waits until somebody sleeps.
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }
  /// How many tasks sleep.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  func sleep(until end: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { task in
        let isCancelled = Task.isCancelled
        let (isPast, watchers) = state.withLock { state in
          let isPast = isCancelled || state.now >= end
          if !isPast { state.sleepers.append(Sleeper(number: number, end: end, task: task)) }
          defer { if !isPast { state.watchers = [] } }
          return (isPast, isPast ? [] : state.watchers)
        }
        for watcher in watchers { watcher.resume() }
        if isPast { task.resume(with: isCancelled ? .failure(CancellationError()) : .success(())) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.sleepers.firstIndex { $0.number == number }.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.task.resume(throwing: CancellationError())
    }
  }

  /// Waits until a task sleeps.
  func sleeper() async {
    await withCheckedContinuation { watcher in
      let isThere = state.withLock { state in
        if state.sleepers.isEmpty { state.watchers.append(watcher) }
        return !state.sleepers.isEmpty
      }
      if isThere { watcher.resume() }
    }
  }

  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let woken = state.sleepers.filter { $0.end <= state.now }
      state.sleepers.removeAll { $0.end <= state.now }
      return woken
    }
    for sleeper in woken { sleeper.task.resume() }
  }
}

/// Batches that wait for no longer than their delay, by a clock of the test's own.
@Suite(.timeLimit(.minutes(30))) struct TimedBatchTests {
  struct Broken: Error {}

  /// What the taker of the batches saw.
  enum Seen: Equatable {
    case batch([Int], offset: Int?)
    case end(FeedVerdict, offset: Int?)
    case error(String)
  }

  /// Takes batches in a task of its own, and tells each.
  private final class Taker {
    let clock = ManualClock()
    let source: AsyncStream<[UInt8]>.Continuation
    let task: Task<Void, Never>
    let hasEnded = Locked(false)
    private var seen: AsyncStream<Seen>.Iterator

    init(jobs: Int, delay: Duration? = .seconds(1), records: Int = 1000) throws {
      let (buffers, source) = AsyncStream<[UInt8]>.makeStream()
      let (seen, teller) = AsyncStream<Seen>.makeStream()
      self.source = source
      self.seen = seen.makeAsyncIterator()
      let hasEnded = hasEnded
      source.onTermination = { _ in hasEnded.withLock { $0 = true } }
      var options = FeedOptions(batch: BatchSize(records: records, delay: delay))
      options.clock = clock
      let mapper = try Mapper(.int)
      task = Task { [options] in
        do {
          let batches = try mapper.batches(
            in: Feed(buffers, format: .ndjson, options: options), jobs: jobs)
          do {
            for try await batch in batches {
              teller.yield(.batch(batch.values, offset: batch.position?.offset))
            }
            teller.yield(.end(batches.verdict, offset: batches.summary.position?.offset))
          } catch {
            teller.yield(
              .error("\(type(of: error)) after \(batches.summary.position?.offset ?? -1)"))
          }
        } catch {
          teller.yield(.error("\(error)"))
        }
        teller.finish()
      }
    }

    func next() async -> Seen? { await seen.next() }

    func send(_ text: String) { source.yield(Array(text.utf8)) }
  }

  @Test(arguments: [1, 3])
  func `ten events and then silence are handed over when the delay is over`(jobs: Int) async throws
  {
    let taker = try Taker(jobs: jobs)
    // The last one is not whole.
    taker.send((1...10).map { "\($0)\n" }.joined() + "1")
    await taker.clock.sleeper()
    taker.clock.advance(by: .milliseconds(999))
    #expect(taker.clock.sleeperCount == 1)
    taker.clock.advance(by: .milliseconds(1))
    #expect(await taker.next() == .batch(Array(1...10), offset: 21))
    // The wait for the buffer continues: what comes is not lost and does not come twice.
    taker.send("1\n12\n")
    await taker.clock.sleeper()
    taker.clock.advance(by: .seconds(1))
    #expect(await taker.next() == .batch([11, 12], offset: 27))
    taker.source.finish()
    #expect(await taker.next() == .end(.complete, offset: nil))
    #expect(taker.clock.sleeperCount == 0)
  }

  @Test(arguments: [1, 3])
  func `a batch is never empty, however long nothing comes`(jobs: Int) async throws {
    let taker = try Taker(jobs: jobs)
    for _ in 0..<100 {
      taker.clock.advance(by: .seconds(1))
      await Task.yield()
      #expect(taker.clock.sleeperCount == 0)
    }
    taker.send("1\n")
    let clock = taker.clock
    let time = Task {
      while !Task.isCancelled {
        clock.advance(by: .seconds(1))
        await Task.yield()
      }
    }
    #expect(await taker.next() == .batch([1], offset: 2))
    time.cancel()
    taker.source.finish()
    #expect(await taker.next() == .end(.complete, offset: nil))
  }

  @Test(arguments: [1, 3])
  func `a cancelled task gets the records that wait, and then its error`(jobs: Int) async throws {
    let taker = try Taker(jobs: jobs)
    taker.send("1\n2\n")
    await taker.clock.sleeper()
    taker.task.cancel()
    #expect(await taker.next() == .batch([1, 2], offset: 4))
    #expect(await taker.next() == .error("CancellationError after 4"))
    await taker.task.value
    // No task is left: neither the timer's nor the one that requests the buffers.
    #expect(taker.clock.sleeperCount == 0)
    while !taker.hasEnded.withLock({ $0 }) { await Task.yield() }
  }

  @Test(arguments: [1, 3])
  func `a batch that is full before its time leaves no timer`(jobs: Int) async throws {
    let taker = try Taker(jobs: jobs, records: 2)
    taker.send("1\n")
    await taker.clock.sleeper()
    taker.send("2\n")
    #expect(await taker.next() == .batch([1, 2], offset: 4))
    while taker.clock.sleeperCount > 0 { await Task.yield() }
    taker.task.cancel()
    #expect(await taker.next() == .error("CancellationError after 4"))
  }

  @Test(arguments: [1, 3])
  func `without a delay, a batch waits until it is full or the feed ends`(jobs: Int) async throws {
    let taker = try Taker(jobs: jobs, delay: nil, records: 4)
    for number in 1...4 { taker.send("\(number)\n") }
    #expect(await taker.next() == .batch([1, 2, 3, 4], offset: 8))
    taker.send("5\n")
    taker.source.finish()
    #expect(await taker.next() == .batch([5], offset: 10))
    #expect(await taker.next() == .end(.complete, offset: nil))
    #expect(taker.clock.sleeperCount == 0)
  }

  @Test(arguments: [1, 3])
  func `what waits is stored when the delay is over, and when the task is cancelled`(
    jobs: Int
  ) async throws {
    let (buffers, source) = AsyncStream<[UInt8]>.makeStream()
    let (stored, teller) = AsyncStream<[Int]>.makeStream()
    let observer = IngestTests.Store()
    let clock = ManualClock()
    var options = FeedOptions(observer: observer)
    options.clock = clock
    let mapper = try Mapper(.int)
    let task = Task { [options] in
      try await mapper.ingest(Feed(buffers, format: .ndjson, options: options), jobs: jobs) {
        batch in
        teller.yield(batch.values)
      }
    }
    var batches = stored.makeAsyncIterator()
    source.yield(Array("1\n2\n".utf8))
    await clock.sleeper()
    clock.advance(by: .seconds(1))
    #expect(await batches.next() == [1, 2])
    source.yield(Array("3\n4".utf8))
    await clock.sleeper()
    task.cancel()
    #expect(await batches.next() == [3])
    await #expect(throws: CancellationError.self) { try await task.value }
    let summary = try observer.summary()
    #expect(summary.verdict == .stopped && summary.mapped == 3)
    #expect(summary.position?.offset == 6)
  }

  /// Buffers of one record each, which count how often one is asked for.
  struct Counted: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    let count = Locked(0)
    let most: Int

    struct AsyncIterator: AsyncIteratorProtocol {
      let counted: Counted

      mutating func next() async throws -> [UInt8]? {
        let number = counted.count.withLock { count in
          count += 1
          return count
        }
        if number > counted.most { throw Broken() }
        return Array("\(number)\n".utf8)
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(counted: self) }
  }

  @Test func `no buffer is asked for before the records of the last one are taken`() async throws {
    let buffers = Counted(most: 5)
    let batches = try Mapper(.int).batches(
      in: Feed(buffers, format: .ndjson, options: FeedOptions(batch: BatchSize(records: 1))))
    #expect(buffers.count.withLock { $0 } == 0)
    for number in 1...5 {
      #expect(try await batches.next()?.values == [number])
      #expect(buffers.count.withLock { $0 } == number)
    }
    await #expect(throws: Broken.self) { try await batches.next() }
    #expect(try await batches.next() == nil)
    #expect(buffers.count.withLock { $0 } == 6)
  }

  @Test func `a deadline wakes once, and not after it is cancelled`() async {
    let clock = ManualClock()
    let woken = Locked(0)
    let deadline = Deadline(after: .seconds(2), by: clock)
    #expect(!deadline.isOver && clock.sleeperCount == 0)
    let (signals, signal) = AsyncStream<Void>.makeStream()
    for _ in 0..<3 {
      deadline.willWake {
        woken.withLock { $0 += 1 }
        signal.yield()
      }
    }
    await clock.sleeper()
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(2))
    var iterator = signals.makeAsyncIterator()
    await iterator.next()
    #expect(deadline.isOver && woken.withLock { $0 } == 1)
    let other = Deadline(after: .seconds(2), by: clock)
    other.willWake { woken.withLock { $0 += 1 } }
    await clock.sleeper()
    other.cancel()
    while clock.sleeperCount > 0 { await Task.yield() }
    #expect(woken.withLock { $0 } == 1)
    other.willWake { woken.withLock { $0 += 1 } }
    #expect(clock.sleeperCount == 0)
  }
}
