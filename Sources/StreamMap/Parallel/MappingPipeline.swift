import Foundation

/// The way of batches from reading to the workers, and on to the taker of the records, in the order of the feed.
///
/// One side reads: it makes batches, fills them, and dispatches them while there is room. Workers map them; they are plain
/// threads that are started as they are needed. The other side takes the mapped batches in the order in which they were
/// dispatched, and gives them back. The number of batches at a time is bounded, so a slow taker stops the reading.
///
/// A record that is larger than a batch goes on in the next one. The worker that has its beginning must map that batch, too: such
/// a batch does not go into the queue but onto the chain that this worker holds.
///
/// The workers keep the pipeline alive; `cancel` ends them.
///
/// Invariant: the monitor guards what changes. Only the owner of a batch touches more of it than `isDone` and its chains. Values
/// go from a worker to the taker: the public interface makes sure that they are `Sendable`.
final class MappingPipeline<Value>: @unchecked Sendable {
  /// Maps a batch; it is passed in by code that knows the type of the values.
  typealias Mapping = @Sendable (Batch<Value>, BatchWorker<Value>) -> Void

  private let jobs: Int
  /// The number of the pipeline's own threads.
  private let mostThreads: Int
  private let makeWorker: @Sendable () -> BatchWorker<Value>

  private let monitor = Monitor()
  /// A batch is in the queue, or nothing more comes.
  private let work = Monitor.Condition()
  /// A batch is on a chain, or nothing more comes.
  private let continuation = Monitor.Condition()
  /// The front batch is mapped.
  private let front = Monitor.Condition()

  /// Dispatched, not taken by a worker.
  private var queue: [Batch<Value>] = []
  /// Dispatched, not taken from the front, in the order of the feed.
  private var inFlight: [Batch<Value>] = []
  private var sizeInFlight = 0
  private var idleBatches: [Batch<Value>] = []
  /// The chain of the last batch dispatched, if its record goes on.
  private var openChain: RecordChain<Value>?
  private var threads = 0
  private var idleThreads = 0
  private var isOver = false
  private var isCancelled = false
  private var failure: (any Error)?
  /// Tasks that wait: the reading task for room, the other for a mapped batch.
  private var waitingReader: CheckedContinuation<Void, Never>?
  private var waitingTaker: CheckedContinuation<Void, Never>?

  /// A pipeline in which `jobs` threads map; where the taker helps, it is one of them.
  init(
    jobs: Int, takerHelps: Bool, _ makeWorker: @escaping @Sendable () -> BatchWorker<Value>
  ) {
    self.jobs = jobs
    mostThreads = takerHelps ? jobs - 1 : jobs
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

  /// Whether reading may go on at this offset in the feed.
  func mayRead(at offset: Int) -> Bool {
    monitor.withLock { hasRoom(at: offset) }
  }

  /// Waits until reading may go on; false where no more is wanted.
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

  /// Takes back the batch that was dispatched last, to add more to it; false where a worker already has it.
  func reclaim(_ batch: Batch<Value>) -> Bool {
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

  /// Says that nothing more comes: the feed is over, or cannot be read on.
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
    case batch(Batch<Value>)
    /// It is not mapped yet.
    case busy
    /// All that was dispatched is taken.
    case none
  }

  /// Whether all that was dispatched is taken.
  var isEmpty: Bool { monitor.withLock { inFlight.isEmpty } }

  /// Takes the front batch, if it is mapped.
  func takeFront() -> Front { monitor.withLock { popFront() } }

  /// Maps a batch that no worker has taken yet, if the front batch is not mapped; false where there is none.
  ///
  /// The batch is one that ends with a record, so that everything that it needs is here.
  func help(_ worker: BatchWorker<Value>, _ mapping: Mapping) -> Bool {
    let taken: Batch<Value>? = monitor.withLock {
      guard let first = inFlight.first, !first.isDone,
        let index = queue.firstIndex(where: { $0.chain == nil })
      else { return nil }
      return queue.remove(at: index)
    }
    guard let taken else { return false }
    mapping(taken, worker)
    complete(taken)
    return true
  }

  /// Takes the front batch as soon as it is mapped; nil where none is dispatched.
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

  /// Takes the next batch as soon as it is mapped; nil where nothing more comes.
  ///
  /// - Throws: `CancellationError` where the task is cancelled; the error of the reading where that failed.
  func next(isolation actor: isolated (any Actor)?) async throws -> Batch<Value>? {
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
  func recycle(_ batch: Batch<Value>) {
    batch.clear()
    monitor.withLock {
      if idleBatches.count < mostInFlight { idleBatches.append(batch) }
    }
  }

  /// Says that no more is wanted: the threads end.
  func cancel() {
    let tasks = monitor.withLock {
      isCancelled = true
      // A batch that no worker has taken holds its chain, and the chain holds the batch.
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
    // The reader is resumed under the lock. At worst, it waits for the lock until this function ends.
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
    // As much as a main thread has, because conversions of the user's run here.
    thread.stackSize = 8 << 20
    thread.start()
  }

  private func work(_ mapping: Mapping) {
    let worker = makeWorker()
    while let first = takeWork() {
      var batch: Batch<Value>? = first
      while let current = batch {
        let chain = current.chain
        mapping(current, worker)
        complete(current)
        batch = chain.flatMap { takeContinuation(of: $0) }
      }
    }
  }

  private func takeWork() -> Batch<Value>? {
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

  private func takeContinuation(of chain: RecordChain<Value>) -> Batch<Value>? {
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

  private func complete(_ batch: Batch<Value>) {
    let taker = monitor.withLock { () -> CheckedContinuation<Void, Never>? in
      batch.isDone = true
      guard inFlight.first === batch else { return nil }
      front.signal()
      return removeTaker()
    }
    taker?.resume()
  }
}
