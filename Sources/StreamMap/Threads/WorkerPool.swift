/// Threads that map feeds: a fixed number of them, for any number of feeds.
///
/// A server has one pool for all the feeds that come in, so that many feeds at a time need no more threads than few:
///
/// ```swift
/// let pool = WorkerPool()
/// let records = try mapper.records(in: Feed(request.body, options: .untrusted), pool: pool)
/// ```
///
/// The threads serve the feeds in turn: each time it is a feed's turn, one batch of it is mapped, of some 64 KiB. So a
/// small feed waits for one batch of each other feed at most, however large these are. A feed whose consumer is slow, or
/// whose bytes come slowly, has nothing to map and no turn: it holds up no other feed, and no thread waits for it.
///
/// Your own conversions run on these threads, which have stacks of 8 MiB. A conversion that blocks keeps its thread from
/// all feeds. A conversion may map another feed over the same pool, without asynchronous buffers: the thread that asks
/// for that feed's records helps to map it, so it never waits for a thread that does not exist.
///
/// A thread starts when there is work for which no other thread is free, and stays. The threads end when nothing refers
/// to the pool any more: each feed that is mapped over it does so until it ends, is cancelled or is let go of.
/// Meanwhile, a thread without work sleeps.
public final class WorkerPool: Sendable {
  /// The most threads that the pool has.
  public let threadCount: Int
  private let turns: WorkTurns

  /// A pool without threads: they start when there is work.
  ///
  /// - Parameter threads: How many there are at most, at least one; nil for as many as the machine has processors. Where
  ///   a quota gives the process fewer, as in a container, say how many.
  public convenience init(threads: Int? = nil) {
    self.init(exactly: max(1, threads ?? WorkerThread.processorCount))
  }

  /// A pool with any number of threads; with none, all work is left to those who take the records.
  init(
    exactly threads: Int,
    start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { WorkerThread.start($0) }
  ) {
    threadCount = threads
    turns = WorkTurns(threads: threads, start: start)
  }

  deinit {
    turns.close()
  }

  /// Gives work a turn: a thread will do one step of it.
  package func add(_ work: any PooledWork) { turns.add(work) }
}

/// What has work for the threads of a pool: a feed, or what becomes of one.
package protocol PooledWork: AnyObject, Sendable {
  /// Does one step of the work, if there is any; what is no feed may do all that is there.
  ///
  /// Where there is more, it asks for another turn before that, so that another thread can do it meanwhile.
  func work()
}

/// The feeds and other work that wait for a turn, and the threads that serve them.
///
/// The threads keep this alive, and not the pool: so the pool's last user can be recognised. They do not wait for each
/// other when they end, because the last one to let go of the pool may be one of them.
private final class WorkTurns: @unchecked Sendable {
  // Invariant: the monitor guards what changes.
  private let monitor = Monitor()
  /// A feed waits, or the threads are to end.
  private let work = Monitor.Condition()
  private var feeds = WaitingFeeds()
  private var threads = 0
  private var idleThreads = 0
  /// Whether a thread that is not of the pool serves the feeds.
  private var isServedByOther = false
  private var isClosed = false
  private let mostThreads: Int
  private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool

  init(threads: Int, start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool) {
    mostThreads = threads
    self.start = start
  }

  func add(_ feed: any PooledWork) {
    if mostThreads == 0 { return }
    let needsThread = monitor.withLock {
      feeds.append(feed)
      guard feeds.count > idleThreads, threads < mostThreads else { return false }
      threads += 1
      return true
    }
    if !needsThread {
      work.signal()
    } else if !start({ self.run() }) {
      goOnWithoutThread()
    }
  }

  /// The system gives no further thread: if there is none at all, the caller that brings the work does it.
  private func goOnWithoutThread() {
    let isNeeded = monitor.withLock {
      threads -= 1
      if threads > 0 || isServedByOther { return false }
      isServedByOther = true
      return true
    }
    while isNeeded, let feed = nextForOther() { feed.work() }
  }

  private func nextForOther() -> (any PooledWork)? {
    monitor.withLock {
      let feed = feeds.popFirst()
      isServedByOther = feed != nil
      return feed
    }
  }

  func close() {
    monitor.withLock {
      isClosed = true
      work.broadcast()
    }
  }

  private func run() {
    while let feed = next() { WorkerThread.step { feed.work() } }
  }

  private func next() -> (any PooledWork)? {
    monitor.withLock {
      idleThreads += 1
      defer { idleThreads -= 1 }
      while !isClosed {
        if let feed = feeds.popFirst() { return feed }
        monitor.wait(for: work)
      }
      return nil
    }
  }
}

/// Feeds in the order in which their turns come.
private struct WaitingFeeds {
  private var newest: [any PooledWork] = []
  /// Those before them, the next one last.
  private var oldest: [any PooledWork] = []

  var count: Int { newest.count + oldest.count }

  mutating func append(_ feed: any PooledWork) { newest.append(feed) }

  mutating func popFirst() -> (any PooledWork)? {
    if oldest.isEmpty {
      oldest = newest.reversed()
      newest.removeAll(keepingCapacity: true)
    }
    return oldest.popLast()
  }
}
