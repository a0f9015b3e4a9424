import Foundation

/// The way of batches from reading to the workers, and to who takes the records, in the order of the feed.
///
/// One side reads: it makes batches, fills them and dispatches them while there is room. Workers, plain threads that are
/// started as they are needed, map them. The other side takes the batches, mapped, in the order in which they were
/// dispatched, and gives them back. How many there are at a time is bounded, so a slow taker stops the reading.
///
/// A record that is larger than a batch goes on in the next one, and that has to be mapped by the worker that has its
/// beginning: such a batch does not go into the queue but onto the chain that this worker holds.
///
/// The workers hold on to the pipeline; `cancel` lets them go.
///
/// Invariant: what changes is guarded by the monitor; of a batch only its owner touches more than `isDone` and chains.
/// Values go from a worker to the taker: the front door sees to it that they are `Sendable`.
final class MappingPipeline<Value>: @unchecked Sendable {
  typealias Batch = MappedBatch<Value>
  /// Maps a batch: handed in from where the type of the values is known.
  typealias Mapping = @Sendable (Batch, BatchMapper<Value>) -> Void

  private let jobs: Int
  /// The threads of its own.
  private let mostThreads: Int
  private let makeMapper: @Sendable () -> BatchMapper<Value>

  private let monitor = Monitor()
  /// A batch is in the queue, or nothing more comes.
  private let work = Monitor.Condition()
  /// A batch is on a chain, or nothing more comes.
  private let continuation = Monitor.Condition()
  /// The front batch is mapped.
  private let front = Monitor.Condition()

  /// Dispatched, not taken by a worker.
  private var queue: [Batch] = []
  /// Dispatched, not taken from the front, in the order of the feed.
  private var inFlight: [Batch] = []
  private var sizeInFlight = 0
  private var idleBatches: [Batch] = []
  /// That of the last batch dispatched, if its record goes on.
  private var openChain: RecordChain<Value>?
  private var threads = 0
  private var idleThreads = 0
  private var isOver = false
  private var isCancelled = false
  private var failure: (any Error)?
  /// Tasks that wait: the reading one for room, the other for a mapped batch.
  private var waitingReader: CheckedContinuation<Void, Never>?
  private var waitingTaker: CheckedContinuation<Void, Never>?

  /// A pipeline in which so many threads map; where the taker helps, it is one of them.
  init(
    jobs: Int, takerHelps: Bool, _ makeMapper: @escaping @Sendable () -> BatchMapper<Value>
  ) {
    self.jobs = jobs
    mostThreads = takerHelps ? jobs - 1 : jobs
    self.makeMapper = makeMapper
  }

  // MARK: Bounds

  /// One that is mapped, one that waits for each worker, and one for each of the other two.
  private var mostInFlight: Int { 2 * jobs + 2 }
  /// Few batches reach it: large strings, and what is mapped whole.
  private var mostMemoryInFlight: Int { jobs << 22 }
  /// The bytes of the feed that reading may be ahead.
  static func mostAhead(jobs: Int) -> Int { (2 * jobs + 2) * RecordBatch.Bounds.span }

  private func hasRoom(at offset: Int) -> Bool {
    guard let first = inFlight.first else { return true }
    return inFlight.count < mostInFlight && sizeInFlight < mostMemoryInFlight
      && offset - first.input.start < Self.mostAhead(jobs: jobs)
  }

  // MARK: The reading side

  /// Whether reading may go on, being at this offset in the feed.
  func mayRead(at offset: Int) -> Bool {
    monitor.withLock { hasRoom(at: offset) }
  }

  /// Waits until reading may go on; false where no one wants more.
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
  func makeBatch() -> Batch {
    monitor.withLock { idleBatches.popLast() } ?? Batch()
  }

  /// Gives a batch to the workers.
  func dispatch(_ batch: Batch, _ mapping: @escaping Mapping) {
    let needsThread = monitor.withLock {
      if isCancelled { return false }
      batch.isDone = false
      batch.chain = batch.input.isRecordOpen ? RecordChain() : nil
      inFlight.append(batch)
      sizeInFlight += batch.input.size
      batch.origin = openChain
      openChain = batch.chain
      if let origin = batch.origin {
        origin.next = batch
        continuation.broadcast()
        return false
      }
      queue.append(batch)
      if queue.count > idleThreads, threads < mostThreads {
        threads += 1
        return true
      }
      work.signal()
      return false
    }
    if needsThread { startThread(mapping) }
  }

  /// Takes back the batch that was dispatched last, to add more to it; false where a worker has it already.
  func reclaim(_ batch: Batch) -> Bool {
    monitor.withLock {
      if let origin = batch.origin {
        guard origin.next === batch else { return false }
        origin.next = nil
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

  /// Nothing more comes: the feed is over, or cannot be read on.
  func finish(_ error: (any Error)? = nil) {
    let taker = monitor.withLock {
      isOver = true
      failure = error
      work.broadcast()
      continuation.broadcast()
      return removeTaker()
    }
    taker?.resume()
  }

  // MARK: The taking side

  /// What is at the front.
  enum Front {
    case batch(Batch)
    /// It is not mapped yet.
    case busy
    /// All that was dispatched is taken.
    case none
  }

  /// Whether all that was dispatched is taken.
  var isEmpty: Bool { monitor.withLock { inFlight.isEmpty } }

  /// Takes the front batch, if it is mapped.
  func takeFront() -> Front { monitor.withLock { popFront() } }

  /// Maps a batch that no worker has taken yet, if the front one is not mapped; false where there is none.
  ///
  /// It is one that ends with a record, so that no more is needed for it than is here.
  func help(_ mapper: BatchMapper<Value>, _ mapping: Mapping) -> Bool {
    let taken: Batch? = monitor.withLock {
      guard let first = inFlight.first, !first.isDone,
        let index = queue.firstIndex(where: { $0.chain == nil })
      else { return nil }
      return queue.remove(at: index)
    }
    guard let taken else { return false }
    mapping(taken, mapper)
    complete(taken)
    return true
  }

  /// Takes the front batch as soon as it is mapped; nil where none is dispatched.
  func waitForFront() -> Batch? {
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

  /// Takes the next batch as soon as it is mapped; nil where nothing more comes.
  ///
  /// - Throws: `CancellationError` where the task is cancelled; what reading failed with.
  func next(isolation actor: isolated (any Actor)?) async throws -> Batch? {
    while true {
      try Task.checkCancellation()
      switch takeFront() {
      case .batch(let batch): return batch
      case .none:
        let end: (any Error)?? = monitor.withLock { isOver || isCancelled ? .some(failure) : nil }
        if let end {
          if let error = end { throw error }
          return nil
        }
      case .busy: break
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { task in
          let isReady = monitor.withLock {
            if Task.isCancelled || isCancelled || inFlight.first?.isDone ?? isOver { return true }
            waitingTaker = task
            return false
          }
          if isReady { task.resume() }
        }
      } onCancel: {
        monitor.withLock { removeTaker() }?.resume()
      }
    }
  }

  /// Gives back a batch whose records are all taken.
  func recycle(_ batch: Batch) {
    batch.clear()
    monitor.withLock {
      if idleBatches.count < mostInFlight { idleBatches.append(batch) }
    }
  }

  /// No one wants more: the threads end.
  func cancel() {
    let tasks = monitor.withLock {
      isCancelled = true
      // A batch that no worker has taken holds its chain, and the chain the batch.
      for batch in inFlight { batch.origin?.next = nil }
      queue.removeAll()
      inFlight.removeAll()
      idleBatches.removeAll()
      openChain = nil
      work.broadcast()
      continuation.broadcast()
      return [removeReader(), removeTaker()]
    }
    for task in tasks { task?.resume() }
  }

  private func popFront() -> Front {
    guard let first = inFlight.first else { return .none }
    guard first.isDone else { return .busy }
    inFlight.removeFirst()
    sizeInFlight -= first.input.size
    // Resumed under the lock, it waits for it at most as long as this takes.
    removeReader()?.resume()
    return .batch(first)
  }

  private func removeReader() -> CheckedContinuation<Void, Never>? {
    defer { waitingReader = nil }
    return waitingReader
  }

  private func removeTaker() -> CheckedContinuation<Void, Never>? {
    defer { waitingTaker = nil }
    return waitingTaker
  }

  // MARK: Workers

  private func startThread(_ mapping: @escaping Mapping) {
    let thread = Thread { self.work(mapping) }
    thread.name = "StreamMap"
    // As much as a main thread has: conversions of the user's run here.
    thread.stackSize = 8 << 20
    thread.start()
  }

  private func work(_ mapping: Mapping) {
    let mapper = makeMapper()
    while let first = takeWork() {
      var batch: Batch? = first
      while let current = batch {
        let chain = current.chain
        mapping(current, mapper)
        complete(current)
        batch = chain.flatMap { takeContinuation(of: $0) }
      }
    }
  }

  private func takeWork() -> Batch? {
    monitor.withLock {
      idleThreads += 1
      defer { idleThreads -= 1 }
      while true {
        if isCancelled { return nil }
        if !queue.isEmpty { return queue.removeFirst() }
        if isOver { return nil }
        monitor.wait(for: work)
      }
    }
  }

  private func takeContinuation(of chain: RecordChain<Value>) -> Batch? {
    monitor.withLock {
      while true {
        if isCancelled { return nil }
        if let next = chain.next {
          chain.next = nil
          return next
        }
        if isOver { return nil }
        monitor.wait(for: continuation)
      }
    }
  }

  private func complete(_ batch: Batch) {
    let taker = monitor.withLock { () -> CheckedContinuation<Void, Never>? in
      batch.isDone = true
      guard inFlight.first === batch else { return nil }
      front.signal()
      return removeTaker()
    }
    taker?.resume()
  }
}
