/// The records of a feed whose buffers come asynchronously, made by several threads.
///
/// Its own task reads the buffers, ahead of the taker of the records as far as the pipeline has room. The task starts when the
/// first record is asked for. It ends with the feed, when the taker stops, or with this object.
///
/// Not thread-safe.
@usableFromInline
final class ParallelAsyncRecords<Value> {
  private let pipeline: MappingPipeline<Value>
  private let read:
    @Sendable (MappingPipeline<Value>, @escaping MappingPipeline<Value>.Mapping) async -> Void
  private var reading: Task<Void, Never>?
  @usableFromInline var current: Batch<Value>
  private var isOver = false
  private var isAtEnd = false
  private(set) var isPartOver = false
  @usableFromInline var droppedCount = 0
  let text: RecentText
  private var progress: FeedProgress
  /// The reading task sets this before the pipeline is over.
  private let end: Locked<FeedEnd?>

  init<Buffers: AsyncSequence & Sendable>(
    _ buffers: Buffers, jobs: Int, pool: WorkerPool? = nil, from position: FeedPosition?,
    endsHere: Bool,
    _ makeReader: @escaping @Sendable () throws(MappingError) -> BatchReader,
    _ makeWorker: @escaping @Sendable () -> BatchWorker<Value>
  ) where Buffers.Element: FeedBuffer {
    pipeline = MappingPipeline(jobs: jobs, pool: pool ?? WorkerPool(exactly: jobs), makeWorker)
    current = Batch()
    progress = FeedProgress(from: position)
    let text = RecentText(from: position?.offset ?? 0)
    let end = Locked<FeedEnd?>(nil)
    self.text = text
    self.end = end
    read = { pipeline, mapping in
      do {
        let reader = try makeReader()
        if let position { try reader.restore(position) }
        let reading = BufferReading(reader, pipeline, mapping, text, end)
        for try await buffer in buffers {
          if await !reading.take(buffer) { return }
        }
        // If no more is wanted, this may not be the end of the feed.
        if Task.isCancelled { return }
        if endsHere { await reading.end() } else { reading.leave() }
      } catch {
        pipeline.finish(error)
      }
    }
  }

  deinit {
    stop()
  }

  /// Says that no more is wanted: the reading ends, and the pool is let go of.
  func stop() {
    isOver = true
    reading?.cancel()
    pipeline.cancel()
  }

  /// Where the batch that is being taken ended.
  var offset: Int { progress.offset }

  /// Where to continue; nil also while there are records left that were mapped together.
  var position: FeedPosition? { current.records.isEmpty ? progress.positionAfter : nil }

  /// Where to continue after the records that are taken, also once the feed is over.
  var positionOfBatch: FeedPosition? {
    current.records.isEmpty ? progress.lastPosition ?? progress.positionAfter : nil
  }

  /// How the feed ended, as far as the records are taken.
  var verdict: FeedVerdict {
    guard current.records.isEmpty else { return .stopped }
    return progress.ending.verdict ?? (isAtEnd ? .complete : .stopped)
  }

  /// Whether the record that was just taken ends the feed early.
  var isAtEarlyEnd: Bool { current.records.isEmpty && progress.ending.verdict != nil }

  /// Which bound of its options the feed exceeded, as far as the records are taken.
  var exceeded: FeedDemand? { current.records.isEmpty ? progress.ending.excess : nil }

  /// The record paths that occurred, as bits in their order.
  var pathsSeen: UInt64 { progress.pathsSeen }

  /// Waits for more records; false at the end of the feed, and where the deadline is over.
  ///
  /// Call it where none is ready.
  func readOn(
    isolation actor: isolated (any Actor)?, until deadline: Deadline?,
    _ mapping: @escaping MappingPipeline<Value>.Mapping
  ) async throws -> Bool {
    if isOver { return false }
    start(mapping)
    do {
      switch try await pipeline.next(isolation: actor, until: deadline) {
      case .batch(let batch):
        take(batch)
        return true
      case .late: return false
      case .end:
        if let end = end.withLock({ $0 }) {
          progress.end(at: end)
          if end.isPart { isPartOver = true } else { isAtEnd = true }
        }
        stop()
        return false
      }
    } catch {
      stop()
      throw error
    }
  }

  private func take(_ batch: Batch<Value>) {
    pipeline.recycle(current)
    current = batch
    progress.take(batch.input)
    // It is known where a batch begins, except for the bytes that were scanned ahead: at most as many as a text may have.
    text.forget(before: batch.input.start - 2 * RecentText.largest)
    // Everything that was read or split after the fault is of no use.
    if batch.input.ending.isAtFault { stop() }
  }

  private func start(_ mapping: @escaping MappingPipeline<Value>.Mapping) {
    guard reading == nil else { return }
    reading = Task { [read, pipeline] in await read(pipeline, mapping) }
  }
}

/// Reads buffers into the batches of a pipeline.
///
/// Between two buffers, the workers get the part of a batch that there is, because the next buffer may take long to come. It is
/// taken back if they had no time for it.
///
/// Not thread-safe.
private final class BufferReading<Value> {
  private let reader: BatchReader
  private let pipeline: MappingPipeline<Value>
  private let mapping: MappingPipeline<Value>.Mapping
  private let text: RecentText
  private let feedEnd: Locked<FeedEnd?>
  private var filling: Batch<Value>
  /// Whether the workers have `filling`, though it is not full.
  private var isLent = false

  init(
    _ reader: BatchReader, _ pipeline: MappingPipeline<Value>,
    _ mapping: @escaping MappingPipeline<Value>.Mapping, _ text: RecentText,
    _ feedEnd: Locked<FeedEnd?>
  ) {
    self.reader = reader
    self.pipeline = pipeline
    self.mapping = mapping
    self.text = text
    self.feedEnd = feedEnd
    filling = pipeline.makeBatch()
  }

  /// Reads a buffer; false if no more is wanted.
  func take(_ buffer: some FeedBuffer) async -> Bool {
    // Valid meanwhile: nothing is forgotten that was not read.
    var rest = UnsafeRawBufferPointer(text.append(buffer))
    reclaim()
    while !rest.isEmpty {
      let room = reader.room
      let count = min(room.count, rest.count)
      room.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      reader.input(count)
      if await !readPiece() { return false }
    }
    dispatch()
    return true
  }

  /// Says that there are no more buffers.
  func end() async {
    reclaim()
    reader.input(0)
    if await readPiece() { finish() }
  }

  private func readPiece() async -> Bool {
    while await pipeline.room(at: reader.offset) {
      let step = reader.fill(filling.input)
      if step == .input { return true }
      dispatch()
      if step == .end {
        finish()
        return false
      }
      reclaim()
    }
    return false
  }

  /// Says that the rest of the feed comes elsewhere.
  func leave() {
    feedEnd.withLock {
      $0 = FeedEnd(
        offset: reader.offset, pathsSeen: reader.pathsSeen, lastPosition: reader.positionInPart,
        isPart: true)
    }
    pipeline.finish()
  }

  private func finish() {
    let end = FeedEnd(
      offset: reader.offset, pathsSeen: reader.pathsSeen, lastPosition: reader.endPosition)
    feedEnd.withLock { $0 = end }
    pipeline.finish()
  }

  private func dispatch() {
    if filling.input.isEmpty { return }
    let isFull = filling.input.isFull
    pipeline.dispatch(filling, mapping)
    if isFull { filling = pipeline.makeBatch() } else { isLent = true }
  }

  private func reclaim() {
    guard isLent else { return }
    isLent = false
    if !pipeline.reclaim(filling) { filling = pipeline.makeBatch() }
  }
}
