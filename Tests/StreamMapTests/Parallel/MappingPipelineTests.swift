import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The way of batches, with a mapping of the tests' own: no feed is read.
@Suite struct MappingPipelineTests {
  private func pipeline(jobs: Int, takerHelps: Bool = false) throws -> MappingPipeline<Int> {
    try pipeline(jobs: jobs, over: WorkerPool(exactly: takerHelps ? jobs - 1 : jobs))
  }

  private func pipeline(jobs: Int, over pool: WorkerPool) throws -> MappingPipeline<Int> {
    let plan = try Mapper(Mapping<Int>.int).plan
    let selection = try FeedSelection(plan.tables.selection, at: [])
    return MappingPipeline(jobs: jobs, pool: pool) {
      BatchWorker(
        plan: plan, selection: selection, limits: Limits(), parser: .auto, context: nil
      ) { _ in
        .values(plan)
      }
    }
  }

  private func batch(_ number: Int, of pipeline: MappingPipeline<Int>) -> Batch<Int> {
    let batch = pipeline.makeBatch()
    batch.input.start = number
    return batch
  }

  /// Waits for what another thread does.
  private func eventually(_ isTrue: () -> Bool) -> Bool {
    for _ in 0..<5000 {
      if isTrue() { return true }
      usleep(1000)
    }
    return false
  }

  @Test(arguments: [1, 2, 4])
  func `batches come out in the order of the feed, each mapped once`(jobs: Int) throws {
    let pipeline = try pipeline(jobs: jobs)
    defer { pipeline.cancel() }
    let calls = Calls()
    var (next, taken) = (0, [Int]())
    while taken.count < 60 {
      while next < 60, pipeline.mayRead(at: next) {
        pipeline.dispatch(batch(next, of: pipeline)) { batch, _ in
          calls.add()
          // The first ones take longest.
          usleep(UInt32(batch.input.start % 5 == 0 ? 3000 : 100))
        }
        next += 1
      }
      let front = try #require(pipeline.waitForFront())
      taken.append(front.input.start)
      pipeline.recycle(front)
    }
    #expect(taken == Array(0..<60) && calls.count == 60 && pipeline.isEmpty)
  }

  @Test func `reading stops while as many batches are in flight as the jobs bound`() throws {
    let pipeline = try pipeline(jobs: 2)
    defer { pipeline.cancel() }
    let isHeld = Locked(true)
    defer { isHeld.withLock { $0 = false } }
    var count = 0
    while pipeline.mayRead(at: count), count < 100 {
      pipeline.dispatch(batch(count, of: pipeline)) { _, _ in
        while isHeld.withLock({ $0 }) { usleep(500) }
      }
      count += 1
    }
    #expect(count == 6)
    isHeld.withLock { $0 = false }
    #expect(pipeline.waitForFront()?.input.start == 0)
    #expect(pipeline.mayRead(at: count))
  }

  @Test func `reading stops where it is too far ahead of the front`() throws {
    let pipeline = try pipeline(jobs: 1, takerHelps: true)
    defer { pipeline.cancel() }
    let most = MappingPipeline<Int>.mostAhead(jobs: 1)
    // Where nothing is in flight, there is always room.
    #expect(pipeline.mayRead(at: most * 2))
    pipeline.dispatch(batch(10, of: pipeline)) { _, _ in }
    #expect(pipeline.mayRead(at: 10 + most - 1) && !pipeline.mayRead(at: 10 + most))
  }

  @Test func `the taker maps what no worker has taken`() throws {
    let pipeline = try pipeline(jobs: 1, takerHelps: true)
    defer { pipeline.cancel() }
    let calls = Calls()
    pipeline.dispatch(batch(1, of: pipeline)) { _, _ in calls.add() }
    #expect(calls.count == 0 && pipeline.help() && !pipeline.help() && calls.count == 1)
    #expect(pipeline.waitForFront() != nil)
  }

  @Test func `a batch that no worker has taken can be taken back`() throws {
    let pipeline = try pipeline(jobs: 1, takerHelps: true)
    defer { pipeline.cancel() }
    let (first, second) = (batch(1, of: pipeline), batch(2, of: pipeline))
    pipeline.dispatch(first) { _, _ in }
    pipeline.dispatch(second) { _, _ in }
    // Only the last one: the order of the others is fixed.
    #expect(!pipeline.reclaim(first) && pipeline.reclaim(second) && pipeline.reclaim(first))
    #expect(pipeline.isEmpty)
  }

  @Test func `a cancelled pipeline hands out nothing and lets its threads go`() throws {
    let calls = Calls()
    weak var gone: MappingPipeline<Int>?
    do {
      let pipeline = try pipeline(jobs: 3)
      gone = pipeline
      for number in 0..<4 {
        pipeline.dispatch(batch(number, of: pipeline)) { _, _ in
          calls.add()
          usleep(1000)
        }
      }
      pipeline.cancel()
      #expect(pipeline.isEmpty && pipeline.waitForFront() == nil)
      pipeline.dispatch(batch(9, of: pipeline)) { _, _ in Issue.record("cancelled") }
      #expect(pipeline.isEmpty)
    }
    #expect(eventually { gone == nil })
  }

  @Test func `feeds that share a thread are mapped in turn, a batch of each`() throws {
    let pool = WorkerPool(threads: 1)
    let (isHeld, order) = (Locked(true), Locked<[Int]>([]))
    let held = try pipeline(jobs: 1, over: pool)
    held.dispatch(batch(0, of: held)) { _, _ in while isHeld.withLock({ $0 }) { usleep(200) } }
    let feeds = try [4, 2, 4].map { jobs in try pipeline(jobs: jobs, over: pool) }
    defer { for feed in feeds + [held] { feed.cancel() } }
    // One has much work at once; it has no more turns for that.
    for (number, feed) in feeds.enumerated() {
      for _ in 0..<(number == 0 ? 10 : 4) {
        feed.dispatch(batch(number, of: feed)) { batch, _ in
          order.withLock { $0.append(batch.input.start) }
        }
      }
    }
    isHeld.withLock { $0 = false }
    #expect(eventually { order.withLock { $0.count } == 18 })
    #expect(order.withLock { $0 } == [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0, 0])
  }

  @Test func `an error of the reading comes after all batches before it`() async throws {
    struct Broken: Error {}
    let pipeline = try pipeline(jobs: 2)
    defer { pipeline.cancel() }
    for number in 0..<3 {
      pipeline.dispatch(batch(number, of: pipeline)) { _, _ in usleep(1000) }
    }
    pipeline.finish(Broken())
    for number in 0..<3 {
      #expect(try await pipeline.next()?.input.start == number)
    }
    await #expect(throws: Broken.self) { try await pipeline.next() }
  }

  /// The taker may look in the very moment in which the last batch is dispatched and the feed is over.
  @Test func `a batch that comes just before the end is taken`() async throws {
    let pool = WorkerPool(threads: 1)
    for round in 0..<4000 {
      let pipeline = try pipeline(jobs: 1, over: pool)
      defer { pipeline.cancel() }
      DispatchQueue.global().async {
        let last = pipeline.makeBatch()
        last.input.start = round
        pipeline.dispatch(last) { _, _ in }
        pipeline.finish()
      }
      #expect(try await pipeline.next()?.input.start == round)
      #expect(try await pipeline.next() == nil)
    }
  }
}

extension MappingPipeline {
  /// The next batch, however long it takes; nil at the end.
  fileprivate func next() async throws -> Batch<Value>? {
    if case .batch(let batch) = try await next(isolation: nil, until: nil) { batch } else { nil }
  }
}
