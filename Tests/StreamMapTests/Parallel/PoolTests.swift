import Testing

@testable import StreamMap

/// Objects that are kept for later work.
@Suite struct PoolTests {
  private final class Item: Sendable {
    let isUsed = Locked(false)
    private let counter: Locked<Int>

    init(_ counter: Locked<Int>) {
      self.counter = counter
      counter.withLock { $0 += 1 }
    }

    deinit { counter.withLock { $0 -= 1 } }
  }

  @Test func `what was given is taken again, and nothing else`() {
    let (pool, live) = (Pool<Item>(), Locked(0))
    #expect(pool.take() == nil)
    let items = (0..<3).map { _ in Item(live) }
    for item in items { pool.give(.passRetained(item)) }
    let taken = (0..<3).compactMap { _ in pool.take()?.takeRetainedValue() }
    #expect(Set(taken.map(ObjectIdentifier.init)) == Set(items.map(ObjectIdentifier.init)))
    #expect(taken.count == 3 && pool.take() == nil)
  }

  @Test func `only a handful is kept, and nothing outlives the pool`() {
    let live = Locked(0)
    var pool: Pool<Item>? = Pool()
    for item in (0..<100).map({ _ in Item(live) }) { pool?.give(.passRetained(item)) }
    #expect((2...20).contains(live.withLock { $0 }))
    pool = nil
    #expect(live.withLock { $0 } == 0)
  }

  @Test func `two threads never have the same object`() async {
    let (pool, live) = (Pool<Item>(), Locked(0))
    let clashes = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var clashes = 0
          for _ in 0..<2000 {
            let item = pool.take()?.takeRetainedValue() ?? Item(live)
            if item.isUsed.withLock({ isUsed in
              defer { isUsed = true }
              return isUsed
            }) {
              clashes += 1
            }
            item.isUsed.withLock { $0 = false }
            pool.give(.passRetained(item))
          }
          return clashes
        }
      }
      return await group.reduce(0, +)
    }
    #expect(clashes == 0)
    #expect((1...17).contains(live.withLock { $0 }))
  }
}
