import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The threads of a pool, and the turns of those that they serve.
@Suite struct WorkerPoolTests {
  /// Does its steps one after the other; each asks for the next turn.
  private final class Steps: PooledWork {
    private let pool: WorkerPool
    private let left: Locked<Int>
    private let step: @Sendable () -> Void

    init(_ count: Int, over pool: WorkerPool, _ step: @escaping @Sendable () -> Void) {
      self.pool = pool
      left = Locked(count)
      self.step = step
    }

    func work() {
      let isLast = left.withLock { left in
        left -= 1
        return left == 0
      }
      if !isLast { pool.add(self) }
      step()
    }
  }

  /// Starts threads, and counts those that live.
  private final class Threads: Sendable {
    let started = Locked(0)
    let living = Locked(0)

    func pool(_ count: Int) -> WorkerPool {
      WorkerPool(exactly: count) { [self] body in
        started.withLock { $0 += 1 }
        living.withLock { $0 += 1 }
        return WorkerThread.start {
          body()
          self.living.withLock { $0 -= 1 }
        }
      }
    }
  }

  private func eventually(_ isTrue: () -> Bool) -> Bool {
    for _ in 0..<5000 {
      if isTrue() { return true }
      usleep(1000)
    }
    return false
  }

  @Test func `a pool has at least one thread, and as many as the machine has processors`() {
    #expect(WorkerPool(threads: 3).threadCount == 3 && WorkerPool(threads: 0).threadCount == 1)
    #expect(WorkerPool().threadCount >= 1)
  }

  @Test(arguments: [1, 2, 5])
  func `threads start with the work, are bounded, and end with the pool`(count: Int) {
    let (threads, calls) = (Threads(), Calls())
    do {
      let pool = threads.pool(count)
      #expect(threads.started.withLock { $0 } == 0)
      for _ in 0..<50 {
        pool.add(
          Steps(20, over: pool) {
            calls.add()
            usleep(50)
          })
      }
      #expect(eventually { calls.count == 1000 })
      #expect((1...count).contains(threads.started.withLock { $0 }))
      #expect(threads.living.withLock { $0 } == threads.started.withLock { $0 })
    }
    #expect(eventually { threads.living.withLock { $0 } == 0 })
    #expect(calls.count == 1000)
  }

  @Test func `one thread is enough for work that comes when the thread is free`() {
    let (threads, calls) = (Threads(), Calls())
    let pool = threads.pool(1)
    for number in 1...20 {
      pool.add(Steps(1, over: pool) { calls.add() })
      #expect(eventually { calls.count == number })
    }
    #expect(threads.started.withLock { $0 } == 1)
  }

  /// The last one to know the pool is the work itself, which a thread of the pool lets go of.
  @Test func `a pool ends on a thread of its own`() {
    let (threads, calls) = (Threads(), Calls())
    for _ in 0..<50 {
      let pool = threads.pool(2)
      pool.add(Steps(5, over: pool) { calls.add() })
    }
    #expect(eventually { calls.count == 250 && threads.living.withLock { $0 } == 0 })
  }

  @Test func `those who wait are served in turn, one step each`() {
    let pool = WorkerPool(threads: 1)
    let (isHeld, order) = (Locked(true), Locked<[String]>([]))
    pool.add(Steps(1, over: pool) { while isHeld.withLock({ $0 }) { usleep(200) } })
    for (name, count) in [("a", 5), ("b", 2), ("c", 3)] {
      pool.add(Steps(count, over: pool) { order.withLock { $0.append(name) } })
    }
    isHeld.withLock { $0 = false }
    #expect(eventually { order.withLock { $0.count } == 10 })
    #expect(order.withLock { $0.joined() } == "abcabcacaa")
  }

  @Test func `where the system gives no thread, the one who brings the work does it`() {
    let calls = Calls()
    let pool = WorkerPool(exactly: 2) { _ in false }
    pool.add(Steps(3000, over: pool) { calls.add() })
    #expect(calls.count == 3000)
  }

  @Test func `where the system gives one thread only, it does all`() {
    let (calls, started) = (Calls(), Calls())
    let pool = WorkerPool(exactly: 4) { body in
      started.add()
      return started.count == 1 && WorkerThread.start(body)
    }
    for _ in 0..<20 { pool.add(Steps(10, over: pool) { calls.add() }) }
    #expect(eventually { calls.count == 200 })
  }

  /// As much as a main thread has: a recursion that no task could do.
  @Test func `threads have large stacks`() {
    @Sendable func depth(_ level: Int) -> Int {
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { bytes in
        bytes.initializeMemory(as: UInt8.self, repeating: 1)
        return level == 0 ? 0 : depth(level - 1) + Int(bytes[level])
      }
    }
    let found = Locked(0)
    let pool = WorkerPool(threads: 1)
    pool.add(
      Steps(1, over: pool) {
        let depth = depth(800)
        found.withLock { $0 = depth }
      })
    #expect(eventually { found.withLock { $0 } == 800 })
  }
}
