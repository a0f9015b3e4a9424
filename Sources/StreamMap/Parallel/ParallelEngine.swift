/// An engine whose records are made by several threads: pieces of a feed in, records out, in the order of the feed.
///
/// The thread that asks for records reads the feed, or splits its lines, ahead of the workers as far as the pipeline has room.
/// Then it maps as the threads of the pool do, until the records that come next are there. Pieces of the feed are read into memory
/// that the engine lends: where they are lines, the workers map them there.
///
/// While it waits it maps any batch of its feed, also one that continues a record. So it only waits for a batch that some thread is
/// mapping, and a conversion on a thread of the pool may itself map a feed over that pool: such waits lead from outer feeds to inner
/// ones, and never in a circle.
///
/// Not thread-safe.
@usableFromInline
final class ParallelEngine<Value> {
  /// The result of a step.
  @usableFromInline
  enum Progress {
    /// Another piece of the feed is needed.
    case input
    /// There is another batch of records; it may have no records.
    case records
    /// The feed is over.
    case end
  }

  private let reader: BatchReader
  private let pipeline: MappingPipeline<Value>
  /// The batch that is being filled.
  private var filling: Batch<Value>
  /// The batch whose records are being taken, and the records that are left of it, in reverse order.
  private var current: Batch<Value>
  @usableFromInline var records: [Record<Value>] = []
  /// Whether the reader has input that it was not yet asked to read.
  private var hasInput = true
  private var isReadingOver = false
  /// Whether all that was read has to come out before more is asked for.
  private var drains = false
  private let selection: FeedSelection
  private var progress: FeedProgress

  /// An engine that maps `jobs` batches at a time, by the threads of a pool and by the taker.
  ///
  /// Without a pool, it has one of its own.
  ///
  /// - Throws: ``MappingError`` if memory runs out.
  init(
    jobs: Int, pool: WorkerPool? = nil, selection: FeedSelection, format: FeedFormat,
    limits: Limits, demands: FeedDemands = FeedDemands(), parser: RecordParser,
    context: (any ContextTaker)? = nil, from position: FeedPosition? = nil,
    _ makeWorker: @escaping @Sendable () -> BatchWorker<Value>
  ) throws(MappingError) {
    reader = BatchReader(
      try FeedReader.make(
        selection, format: format, limits: limits, demands: demands, form: parser.form),
      demands: demands, context: context)
    if let position { try reader.restore(position) }
    self.selection = selection
    progress = FeedProgress(from: position)
    pipeline = MappingPipeline(
      jobs: jobs, pool: pool ?? WorkerPool(exactly: jobs - 1), makeWorker)
    filling = Batch()
    current = Batch()
  }

  deinit {
    pipeline.cancel()
  }

  /// Says that the input is a part of the feed, and where it ends; before anything is read.
  func end(at end: PartEnd) { reader.end(at: end) }

  /// Where the batch that is being taken ended.
  var offset: Int { progress.offset }

  /// Where another engine can continue; nil also while there are records left that were mapped together.
  var position: FeedPosition? { records.isEmpty ? progress.positionAfter : nil }

  /// What the faults up to the last record say about the end of the feed.
  var ending: FeedEnding { records.isEmpty ? progress.ending : FeedEnding() }

  /// The record paths that did not occur.
  var unseenPaths: [PathPattern] { selection.unseenPaths(progress.pathsSeen) }

  /// The text of the batch whose records are being taken.
  var text: OutputBuffer {
    get { current.text }
    set { current.text = newValue }
  }

  /// The columns of that batch; nil if its records are text or values.
  var columns: RecordColumns? { current.columns }

  /// Where the next piece of the feed is to be read.
  ///
  /// Valid until the next step.
  var room: UnsafeMutableRawBufferPointer { reader.room }

  /// Says that `count` bytes were read into ``room``; with 0, the feed is over.
  func input(_ count: Int) {
    reader.input(count)
    hasInput = true
  }

  /// Makes all complete records come out before more input is asked for; false if there are none.
  ///
  /// Call it instead of `input`.
  func drain() -> Bool {
    if pipeline.isEmpty, filling.input.isEmpty { return false }
    drains = true
    return true
  }

  /// Advances to the next record, or to the end of the input.
  @inlinable
  func next() -> Route<Value>.Next { next { $1.map($0) } }

  /// The same with another way to make the records of a batch.
  @inlinable
  func next(_ mapping: @escaping @Sendable (Batch<Value>, BatchWorker<Value>) -> Void)
    -> Route<Value>.Next
  {
    while true {
      if let record = records.popLast() { return record.isDropped ? .dropped : .record(record) }
      switch advance(mapping) {
      case .records: continue
      case .input: return .input
      case .end: return .end
      }
    }
  }

  /// Reads as far as there is room, and then takes the next batch.
  @usableFromInline
  func advance(_ mapping: @escaping @Sendable (Batch<Value>, BatchWorker<Value>) -> Void)
    -> Progress
  {
    while true {
      while !isReadingOver, !drains, pipeline.mayRead(at: reader.offset) {
        guard hasInput else { return .input }
        read(mapping)
      }
      if drains { dispatch(mapping) }
      if pipeline.help() { continue }
      if let batch = pipeline.waitForFront() {
        take(batch)
        return .records
      }
      // All that was dispatched is taken, so there is room: only the end of the feed can stop the reading.
      if isReadingOver {
        progress.end(at: FeedEnd(offset: reader.offset, pathsSeen: reader.pathsSeen))
        pipeline.cancel()
        return .end
      }
      drains = false
    }
  }

  private func read(_ mapping: @escaping MappingPipeline<Value>.Mapping) {
    switch reader.fill(filling.input) {
    case .input: hasInput = false
    case .batch: dispatch(mapping)
    case .end:
      isReadingOver = true
      dispatch(mapping)
      pipeline.finish()
    }
  }

  private func dispatch(_ mapping: @escaping MappingPipeline<Value>.Mapping) {
    if filling.input.isEmpty { return }
    pipeline.dispatch(filling, mapping)
    filling = pipeline.makeBatch()
  }

  private func take(_ batch: Batch<Value>) {
    // The memory of the array goes back with a batch.
    swap(&records, &current.records)
    pipeline.recycle(current)
    current = batch
    swap(&records, &current.records)
    progress.take(batch.input)
    if batch.input.ending.isAtFault {
      // Everything that was read or split after the fault is of no use.
      pipeline.cancel()
      isReadingOver = true
    }
  }
}
