/// Requests the buffers of a feed, one at a time, in a task of its own: so waiting for one can be broken off, and continued later.
///
/// A buffer is requested only when the taker asks for it. The task starts then; it ends with the buffers, or by `stop`.
///
/// Invariant: the monitor guards what changes. The bytes of a step are valid until `text` forgets them, which its taker says.
final class BufferPump: @unchecked Sendable {
  /// What came of a request; one side has it at a time.
  enum Step: @unchecked Sendable {
    case bytes(UnsafeBufferPointer<UInt8>)
    case end
    case failure(any Error)
    /// The deadline is over; the requested buffer comes with the next call.
    case late
  }

  private enum Demand {
    case none
    /// The taker asks for a buffer.
    case wanted
    /// The task waits for it.
    case requested
  }

  private typealias Waiting = CheckedContinuation<Void, Never>

  /// The buffers' bytes.
  let text: RecentText
  private let run: @Sendable (BufferPump) async -> Void
  private let monitor = Monitor()
  private var task: Task<Void, Never>?
  private var demand = Demand.none
  private var isStopped = false
  private var step: Step?
  private var waitingTask: Waiting?
  private var waitingTaker: Waiting?

  /// A pump of buffers that begin at an offset of the feed.
  init<Buffers: AsyncSequence & Sendable>(_ buffers: Buffers, from offset: Int)
  where Buffers.Element: FeedBuffer {
    let text = RecentText(from: offset)
    self.text = text
    run = { pump in
      var iterator = buffers.makeAsyncIterator()
      do {
        while await pump.waitsForBuffer() {
          guard let buffer = try await iterator.next() else { return pump.give(.end) }
          pump.give(.bytes(text.append(buffer)))
        }
      } catch {
        pump.give(.failure(error))
      }
    }
  }

  /// Requests the next buffer, unless one is requested already, and waits for it, but not beyond a deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func next(isolation actor: isolated (any Actor)?, until deadline: Deadline?) async throws -> Step
  {
    while true {
      try Task.checkCancellation()
      if let step = request() { return step }
      deadline?.willWake { [weak self] in self?.wakeTaker() }
      if deadline?.isOver == true { return .late }
      await withTaskCancellationHandler {
        await withCheckedContinuation { task in
          let isReady = monitor.withLock {
            if Task.isCancelled || step != nil || deadline?.isOver == true { return true }
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

  /// What has come; if nothing has, the next buffer is requested.
  private func request() -> Step? {
    let (come, waiting) = monitor.withLock { () -> (Step?, Waiting?) in
      if let step {
        self.step = nil
        return (step, nil)
      }
      if demand == .none { demand = .wanted }
      if task == nil, !isStopped { task = Task { await run(self) } }
      defer { waitingTask = nil }
      return (nil, waitingTask)
    }
    waiting?.resume()
    return come
  }

  /// Says that no more is wanted.
  func stop() {
    let (task, waiting) = monitor.withLock { () -> (Task<Void, Never>?, Waiting?) in
      isStopped = true
      defer { waitingTask = nil }
      return (self.task, waitingTask)
    }
    task?.cancel()
    waiting?.resume()
  }

  private func wakeTaker() {
    let taker = monitor.withLock {
      defer { waitingTaker = nil }
      return waitingTaker
    }
    taker?.resume()
  }

  // MARK: The task that requests

  /// Waits until a buffer is wanted; false if no more is.
  private func waitsForBuffer() async -> Bool {
    await withCheckedContinuation { task in
      let isReady = monitor.withLock {
        if isStopped || demand == .wanted { return true }
        waitingTask = task
        return false
      }
      if isReady { task.resume() }
    }
    return monitor.withLock {
      demand = .requested
      return !isStopped
    }
  }

  private func give(_ step: Step) {
    monitor.withLock {
      self.step = step
      demand = .none
    }
    wakeTaker()
  }
}
