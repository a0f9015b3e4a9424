/// The way of batches from reading to the workers, and on to the taker of the records, in the order of the feed.
///
/// One side reads: it makes batches, fills them, and dispatches them while there is room. Threads of a pool map them, each time
/// with one of the pipeline's workers. The other side takes the mapped batches in the order in which they were dispatched, and
/// gives them back. The number of batches at a time is bounded, so a slow taker stops the reading, and nothing but that.
///
/// A record that is larger than a batch continues in the next one. The worker that has its beginning must map that batch, too: a
/// chain keeps the worker until the batch is there. The thread continues with something else.
///
/// A pool keeps a pipeline alive while it has work; `cancel` ends that.
///
/// Invariant: the monitor guards what changes. Only the owner of a batch touches more of it than `isDone` and its chains. Values
/// go from a worker to the taker: the public interface makes sure that they are `Sendable`.
final class MappingPipeline<Value>: PooledWork, @unchecked Sendable {
  /// Maps a batch; it is passed in by code that knows the type of the values.
  typealias Mapping = @Sendable (Batch<Value>, BatchWorker<Value>) -> Void
  private typealias Waiting = CheckedContinuation<Void, Never>

  /// A batch that can be mapped at once, and who does it; without a worker, a new one.
  private struct Work {
    let batch: Batch<Value>
    let worker: BatchWorker<Value>?
  }

  /// The most workers, so the most batches that are mapped at a time.
  private let jobs: Int
  private let makeWorker: @Sendable () -> BatchWorker<Value>

  private let monitor = Monitor()
  /// The front batch is mapped.
  private let front = Monitor.Condition()

  /// Nil once no more is wanted.
  private var pool: WorkerPool?
  /// Whether the pool has been asked for a turn that is still to come.
  private var hasTurn = false
  /// Dispatched, not taken by a worker.
  private var queue: [Batch<Value>] = []
  /// The chains that have both, a worker and the batch it continues with.
  private var readyChains: [RecordChain<Value>] = []
  private var idleWorkers: [BatchWorker<Value>] = []
  private var workers = 0
  /// Dispatched, not taken from the front, in the order of the feed.
  private var inFlight: [Batch<Value>] = []
  private var sizeInFlight = 0
  private var idleBatches: [Batch<Value>] = []
  /// The chain of the last batch dispatched, if its record continues.
  private var openChain: RecordChain<Value>?
  private var isOver = false
  private var isCancelled = false
  private var failure: (any Error)?
  /// Tasks that wait: the reading task for room, the other for a mapped batch.
  private var waitingReader: Waiting?
  private var waitingTaker: Waiting?

  /// A pipeline that maps at most `jobs` batches at a time, by the threads of a pool and by a taker that helps.
  init(
    jobs: Int, pool: WorkerPool, _ makeWorker: @escaping @Sendable () -> BatchWorker<Value>
  ) {
    self.jobs = jobs
    self.pool = pool
    self.makeWorker = makeWorker
  }

  // MARK: Bounds

  /// One batch that is mapped and one that waits, for each worker; and one for each of the other two sides.
  private var mostInFlight: Int { 2 * jobs + 2 }
  /// Few batches reach this bound: those with large strings, or with much that is mapped whole.
  private var mostMemoryInFlight: Int { jobs << 22 }
  /// How many bytes of the feed reading may be ahead.
  static func mostAhead(jobs: Int) -> Int { (2 * jobs + 2) * RecordBatch.Bounds.span }

  private func hasRoom(at offset: Int) -> Bool {
    guard let first = inFlight.first else { return true }
    return inFlight.count < mostInFlight && sizeInFlight < mostMemoryInFlight
      && offset - first.input.start < Self.mostAhead(jobs: jobs)
  }

  // MARK: The reading side

  /// Whether reading may continue at this offset in the feed.
  func mayRead(at offset: Int) -> Bool {
    monitor.withLock { hasRoom(at: offset) }
  }

  /// Waits until reading may continue; false if no more is wanted.
  func room(at offset: Int) async -> Bool {
    while true {
      let verdict: Bool? = monitor.withLock {
        isCancelled ? false : hasRoom(at: offset) ? true : nil
      }
      if let verdict { return verdict }
      await withCheckedContinuation { task in
        let isReady = monitor.withLock {
          if isCancelled || hasRoom(at: offset) { return true }
          waitingReader = task
          return false
        }
        if isReady { task.resume() }
      }
    }
  }

  /// An empty batch.
  func makeBatch() -> Batch<Value> {
    monitor.withLock { idleBatches.popLast() } ?? Batch<Value>()
  }

  /// Gives a batch to the workers.
  func dispatch(_ batch: Batch<Value>, _ mapping: @escaping Mapping) {
    let pool = monitor.withLock { () -> WorkerPool? in
      if isCancelled { return nil }
      batch.mapping = mapping
      batch.isDone = false
      batch.chain = batch.input.isRecordOpen ? RecordChain() : nil
      inFlight.append(batch)
      sizeInFlight += batch.input.size
      batch.origin = openChain
      openChain = batch.chain
      if let origin = batch.origin {
        origin.next = batch
        if origin.worker != nil { readyChains.append(origin) }
      } else {
        queue.append(batch)
      }
      return takeTurn()
    }
    pool?.add(self)
  }

  /// Takes back the batch that was dispatched last, to add more to it; false if a worker already has it.
  func reclaim(_ batch: Batch<Value>) -> Bool {
    monitor.withLock {
      if let origin = batch.origin {
        guard origin.next === batch else { return false }
        origin.next = nil
        readyChains.removeAll { $0 === origin }
      } else {
        guard queue.last === batch else { return false }
        queue.removeLast()
      }
      inFlight.removeLast()
      sizeInFlight -= batch.input.size
      openChain = batch.origin
      return true
    }
  }

  /// Says that nothing more comes: the feed is over, or cannot be read on.
  func finish(_ error: (any Error)? = nil) {
    let taker = monitor.withLock {
      isOver = true
      failure = error
      return removeTaker()
    }
    taker?.resume()
  }

  // MARK: The taking side

  /// What is at the front.
  private enum Front {
    case batch(Batch<Value>)
    /// It is not mapped yet.
    case busy
    /// All that was dispatched is taken.
    case none
  }

  /// Whether all that was dispatched is taken.
  var isEmpty: Bool { monitor.withLock { inFlight.isEmpty } }

  /// Maps a batch that no worker has taken yet, if the front batch is not mapped; false if there is none.
  ///
  /// Where there is none, the front batch is being mapped by another thread: workers take the batches in their order.
  func help() -> Bool {
    let work = monitor.withLock { inFlight.first?.isDone ?? true ? nil : takeWork() }
    guard let work else { return false }
    map(work)
    return true
  }

  /// Takes the front batch as soon as it is mapped; nil if none is dispatched.
  func waitForFront() -> Batch<Value>? {
    monitor.withLock {
      while true {
        switch popFront() {
        case .batch(let batch): return batch
        case .none: return nil
        case .busy: monitor.wait(for: front)
        }
      }
    }
  }

  /// What a task gets that waits for the next batch.
  enum Taken {
    case batch(Batch<Value>)
    /// Nothing more comes.
    case end
    /// The deadline is over.
    case late
  }

  /// Takes the next batch as soon as it is mapped, but does not wait beyond a deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; the error of the reading if that failed.
  func next(isolation actor: isolated (any Actor)?, until deadline: Deadline?) async throws -> Taken
  {
    while true {
      try Task.checkCancellation()
      // Under one lock: a batch that comes just before the end is not missed.
      let (front, isAtEnd, error) = monitor.withLock {
        (popFront(), isOver || isCancelled, failure)
      }
      switch front {
      case .batch(let batch): return .batch(batch)
      case .none:
        if let error { throw error }
        if isAtEnd { return .end }
      case .busy: break
      }
      deadline?.willWake { [weak self] in self?.wakeTaker() }
      if deadline?.isOver == true { return .late }
      await withTaskCancellationHandler {
        await withCheckedContinuation { task in
          let isReady = monitor.withLock {
            if Task.isCancelled || isCancelled || deadline?.isOver == true
              || inFlight.first?.isDone ?? isOver
            {
              return true
            }
            waitingTaker = task
            return false
          }
          if isReady { task.resume() }
        }
      } onCancel: {
        wakeTaker()
      }
    }
  }

  private func wakeTaker() { monitor.withLock { removeTaker() }?.resume() }

  /// Gives back a batch whose records are all taken.
  func recycle(_ batch: Batch<Value>) {
    batch.clear()
    monitor.withLock {
      if idleBatches.count < mostInFlight { idleBatches.append(batch) }
    }
  }

  /// Says that no more is wanted: the pool is let go of.
  func cancel() {
    let (tasks, pool) = monitor.withLock { () -> ([Waiting?], WorkerPool?) in
      isCancelled = true
      // A batch that no worker has taken holds its chain, and the chain holds the batch.
      for batch in inFlight { batch.origin?.cut() }
      openChain?.cut()
      openChain = nil
      queue.removeAll()
      readyChains.removeAll()
      idleWorkers.removeAll()
      inFlight.removeAll()
      idleBatches.removeAll()
      defer { self.pool = nil }
      return ([removeReader(), removeTaker()], self.pool)
    }
    for task in tasks { task?.resume() }
    // It may end here, outside the lock.
    _ = pool
  }

  private func popFront() -> Front {
    guard let first = inFlight.first else { return .none }
    guard first.isDone else { return .busy }
    inFlight.removeFirst()
    sizeInFlight -= first.input.size
    // The reader is resumed under the lock. At worst, it waits for the lock until this function ends.
    removeReader()?.resume()
    return .batch(first)
  }

  private func removeReader() -> Waiting? {
    defer { waitingReader = nil }
    return waitingReader
  }

  private func removeTaker() -> Waiting? {
    defer { waitingTaker = nil }
    return waitingTaker
  }

  // MARK: Workers

  package func work() {
    let (work, pool) = monitor.withLock { () -> (Work?, WorkerPool?) in
      hasTurn = false
      let work = takeWork()
      return (work, takeTurn())
    }
    pool?.add(self)
    if let work { map(work) }
  }

  /// Whether a batch can be mapped at once.
  private var hasWork: Bool {
    !readyChains.isEmpty || !queue.isEmpty && (!idleWorkers.isEmpty || workers < jobs)
  }

  /// The pool that is to be asked for a turn, after the lock is released; nil if there is no work, or a turn is to come.
  private func takeTurn() -> WorkerPool? {
    guard hasWork, !hasTurn else { return nil }
    hasTurn = pool != nil
    return pool
  }

  private func takeWork() -> Work? {
    guard hasWork else { return nil }
    // A batch that continues a record comes before all that wait.
    if let chain = readyChains.first, let batch = chain.next {
      readyChains.removeFirst()
      defer { chain.cut() }
      return Work(batch: batch, worker: chain.worker)
    }
    let worker = idleWorkers.popLast()
    if worker == nil { workers += 1 }
    return Work(batch: queue.removeFirst(), worker: worker)
  }

  private func map(_ work: Work) {
    let (batch, worker) = (work.batch, work.worker ?? makeWorker())
    batch.mapping?(batch, worker)
    let (isFront, taker, pool) = monitor.withLock { () -> (Bool, Waiting?, WorkerPool?) in
      batch.isDone = true
      giveBack(worker, after: batch)
      let isFront = inFlight.first === batch
      return (isFront, isFront ? removeTaker() : nil, takeTurn())
    }
    if isFront { front.signal() }
    taker?.resume()
    pool?.add(self)
  }

  private func giveBack(_ worker: BatchWorker<Value>, after batch: Batch<Value>) {
    if isCancelled { return }
    guard let chain = batch.chain else { return idleWorkers.append(worker) }
    chain.worker = worker
    if chain.next != nil { readyChains.append(chain) }
  }
}
