/// The records of a feed whose bytes come asynchronously, in batches: one `await` for each of them.
///
/// ```swift
/// let batches = try mapper.batches(in: Feed(request.body, at: "$.people[*]", options: .untrusted))
/// for try await batch in batches {
///   try await database.insert(batch.values, position: batch.position)
/// }
/// guard batches.verdict == .complete else { throw Incomplete(batches.verdict) }
/// ```
///
/// ``FeedOptions/batch`` sets the batch size. Reading can be resumed where a batch ends: ``FeedBatch/position`` is the place after
/// its last record. ``Mapper/ingest(_:rejections:keep:isolation:store:)`` does all this in one call.
///
/// No batch waits for longer than its ``BatchSize/delay``, even if no more buffers come: the records so far are handed over,
/// and the wait for the buffer continues with the next batch. A record is not there before its last byte.
///
/// The cause that ends a feed early is not a reject: ``reason`` has it, and ``verdict`` its kind. Before the buffers' error is
/// thrown, and before a cancelled task gets its error, the records of the batch that waits are handed over. So each record is
/// in one batch, and each position is the place after all records that were handed over: nothing is lost, and nothing comes
/// twice.
///
/// A feed is gone through once: the sequence is its own iterator. It is made in the task that goes through it, or sent there. The
/// next buffer is requested only after all records of the earlier buffers are taken: a slow consumer stops the reading.
///
/// A cancelled task gets a `CancellationError` instead of the next batch or of the end. If it is cancelled while it waits for more
/// records, it gets those that it has first.
public final class AsyncBatches<Value, Buffers: AsyncSequence & Sendable>: AsyncSequence,
  AsyncIteratorProtocol
where Buffers.Element: FeedBuffer {
  /// A batch.
  public typealias Element = FeedBatch<Value>

  @usableFromInline let feed: AsyncFeed<Value, Buffers>
  private let tally: FeedTally
  @usableFromInline let size: BatchSize
  /// What a batch is made of, beside its values.
  @usableFromInline var rejects: [Reject] = []
  private var dropped = 0
  private var issues = 0
  /// Where the batch began in the feed.
  private var start: Int
  /// When it has waited for long enough; nil for never.
  private var deadline: Deadline?
  private let clock: any Clock<Duration>
  /// The number of the batch's first record.
  private var firstRecord: Int
  /// Where the batch ends, if it has not ended before: counted in bytes of the feed.
  @usableFromInline var end: UInt64 = 0
  @usableFromInline var isFull = false
  /// How many records may fail before the batch ends.
  private var mostRejects: Int
  private var lastCount = 0
  /// How many records may fail, where all batches are stored; nil if they are taken one by one.
  private let budget: ErrorBudget?
  /// How many records were stored, and how many of them failed.
  private var stored = (records: 0, rejected: 0)
  /// What the buffers threw, once the records before it are handed over.
  private var failure: (any Error)?
  /// What ended the feed early; nil if it is complete, or was not read to its end.
  ///
  /// It has no values of the feed.
  public private(set) var reason: MappingError?
  private var givenUp: FeedVerdict?
  /// Where to continue after the last batch, and before it.
  private var position: FeedPosition?
  private var positionBefore: FeedPosition?

  init(
    _ feed: AsyncFeed<Value, Buffers>, _ tally: FeedTally, _ options: FeedOptions,
    _ budget: ErrorBudget?, from start: FeedPosition?
  ) {
    self.feed = feed
    self.tally = tally
    size = options.batch
    clock = options.clock
    self.budget = budget
    mostRejects = Swift.max(size.rejects, 1)
    if let count = budget?.count { mostRejects = Swift.min(mostRejects, Swift.max(count, 0) + 1) }
    self.start = feed.offset
    firstRecord = (start?.recordCount ?? 0) + 1
    position = start
    positionBefore = start
  }

  deinit {
    deadline?.cancel()
    tally.end(state, reason: reason)
  }

  /// The next batch; nil at the end of the feed.
  ///
  /// - Throws: As ``next(isolation:)``.
  public func next() async throws -> FeedBatch<Value>? { try await next(isolation: nil) }

  /// The next batch, on the actor of the caller; nil at the end of the feed.
  ///
  /// - Throws: Whatever the sequence of buffers throws, after the records before it; no batch follows it. `CancellationError` if
  ///   the task is cancelled or the buffers throw one: every later call throws it again. ``MappingError`` if memory runs out, or
  ///   (`invalidDefinition`) the start position cannot belong to such a feed.
  @inlinable
  public func next(isolation actor: isolated (any Actor)?) async throws -> FeedBatch<Value>? {
    var values = try begin()
    while true {
      // PERF: values are made here, in code for the caller's own types.
      collect(into: &values)
      if isFull { break }
      let goesOn = try await readOn(count: values.count, isolation: actor) { $1.map($0) }
      if !goesOn { break }
    }
    return finish(values)
  }

  /// Takes values as far as they can be made of what was read, until the batch is full.
  @inlinable
  func collect(into values: inout [Value]) {
    switch feed.source {
    case .one(let records):
      guard let (engine, taker) = records.making, !records.isOver else { return }
      while !isFull {
        switch engine.next() {
        case .record(let outcome):
          if outcome.notes == nil || note(outcome.number, outcome.address, outcome.notes) {
            values.append(taker.value())
          }
          if values.count + rejects.count >= size.records || outcome.address.end >= end {
            isFull = true
          }
        case .input: return
        case .end: return records.end()
        }
      }
    case .parallel(let records):
      // Records that were mapped together stay together: after them, there is a position.
      while let record = records.current.records.popLast() {
        if case .success(let value) = record.result { values.append(value) }
        if record.notes != nil { _ = note(record.number, record.address, record.notes) }
        if record.address.end >= end { isFull = true }
      }
      if values.count + rejects.count >= size.records { isFull = true }
    }
  }

  /// Counts a record with something to report; returns whether it has a value.
  @usableFromInline
  func note(_ number: Int, _ address: FeedToken, _ notes: RecordNotes?) -> Bool {
    guard let notes else { return true }
    issues += notes.issues.count
    if notes.isDropped {
      dropped += 1
      return false
    }
    guard let error = notes.error else { return true }
    if feed.isAtEarlyEnd {
      reason = error
    } else {
      rejects.append(Reject(number: number, address, notes, error))
      if rejects.count >= mostRejects { isFull = true }
    }
    return false
  }

  /// Begins a batch: the memory for its values.
  ///
  /// - Throws: What the buffers threw after the last one.
  @usableFromInline
  func begin() throws -> [Value] {
    if let failure {
      self.failure = nil
      tally.end(state, failure)
      throw failure
    }
    if feed.isCancelled || Task.isCancelled {
      let error = CancellationError()
      feed.cancel()
      tally.end(state, error)
      throw error
    }
    rejects = []
    (dropped, issues) = (0, 0)
    isFull = givenUp != nil
    let (last, isBeyond) = start.addingReportingOverflow(Swift.max(size.bytes, 1))
    end = isBeyond ? .max : UInt64(last)
    deadline = size.delay.map { Deadline(after: $0, by: clock) }
    var values: [Value] = []
    values.reserveCapacity(lastCount)
    return values
  }

  /// Reads on, where the batch has some values; false if it is to be handed over.
  ///
  /// Other threads make their records by `mapping`.
  @usableFromInline
  func readOn(
    count: Int, isolation actor: isolated (any Actor)?,
    _ mapping: @escaping @Sendable (Batch<Value>, BatchWorker<Value>) -> Void
  ) async throws -> Bool {
    let isEmpty = count + rejects.count + dropped == 0
    // Nothing is handed over before there is something.
    let deadline = isEmpty ? nil : deadline
    if deadline?.isOver == true { return false }
    tally.read(bytesInFlight: feed.end - start)
    do {
      return try await feed.readOn(isolation: actor, until: deadline, mapping)
    } catch {
      if !isEmpty {
        failure = error
        return false
      }
      tally.end(state, error)
      throw error
    }
  }

  /// Ends a batch; nil if there is none, because the feed is over.
  @usableFromInline
  func finish(_ values: [Value]) -> FeedBatch<Value>? {
    deadline?.cancel()
    deadline = nil
    lastCount = values.count
    let records = values.count + rejects.count + dropped
    if records == 0 {
      // Where the batches are stored, the budget may have a last word.
      if budget == nil { tellEnd() }
      return nil
    }
    let position = feed.positionOfBatch
    let here = Swift.max(position?.offset ?? feed.offset, start)
    let batch = FeedBatch(
      values: values, rejects: rejects, position: position, firstRecord: firstRecord,
      records: records, dropped: dropped, issues: issues, bytes: here - start)
    start = here
    firstRecord += records
    positionBefore = self.position
    self.position = position
    tally.note(batch, bytesInFlight: feed.end - here)
    return batch
  }

  /// The sequence itself.
  public func makeAsyncIterator() -> AsyncBatches { self }

  /// How the feed ended; ``FeedVerdict/stopped`` until the last batch was taken.
  public var verdict: FeedVerdict { givenUp ?? feed.verdict }

  /// The record paths that did not occur so far; after the end, those that the feed does not have at all.
  public var unseenPaths: [PathPattern] { feed.unseenPaths }

  /// The summary of the feed so far; after the last batch, of all of it.
  public var summary: FeedSummary { tally.summary(state, reason: reason) }

  /// The text of a stretch of the feed, such as that of a reject.
  ///
  /// Buffers are not read twice. The last 64 KiB before the end of a batch are always kept. The text of earlier or larger records may
  /// be gone: ask for it before the next batch, and keep batches small if you want the text of all rejects.
  ///
  /// - Parameter position: The position of a reject or of an error.
  /// - Returns: The bytes; nil if they are gone, or the mapping redacts something.
  /// - Complexity: O(*n*) in the number of bytes.
  public func text(at position: SourcePosition) -> [UInt8]? { feed.text(at: position) }

  private var state: FeedTally.State {
    var place = position
    if givenUp == nil {
      if reason != nil { place = feed.positionOfBatch }
      // After the last batch, much may have come that has no records.
      if feed.isPartOver { place = feed.positionOfBatch ?? place }
    }
    return FeedTally.State(
      verdict: verdict, exceeded: feed.exceeded, unseenPaths: unseenPaths, position: place,
      offset: feed.offset)
  }

  // MARK: Storing

  /// Stores all batches, as far as the budget allows.
  ///
  /// - Throws: What `store` throws; as ``next(isolation:)``.
  @inlinable
  func store(
    isolation actor: isolated (any Actor)?,
    by store: nonisolated(nonsending) (FeedBatch<Value>) async throws -> Void
  ) async throws -> FeedSummary {
    while let batch = try await next(isolation: actor) {
      do {
        try await store(batch)
      } catch {
        stop(error)
        throw error
      }
      if isBeyondBudget(
        rejected: batch.rejects.count, of: batch.records - batch.dropped, isOver: false)
      {
        return summary
      }
    }
    _ = isBeyondBudget(rejected: 0, of: 0, isOver: !feed.isPartOver)
    tellEnd()
    return summary
  }

  /// Counts records that are stored; true if more of them failed than the budget allows, which ends the feed.
  @usableFromInline
  func isBeyondBudget(rejected: Int, of records: Int, isOver: Bool) -> Bool {
    stored.records += records
    stored.rejected += rejected
    guard let budget else { return false }
    if let count = budget.count {
      mostRejects = Swift.min(Swift.max(size.rejects, 1), Swift.max(count - stored.rejected, 0) + 1)
    }
    guard
      let bound = budget.exceeded(rejected: stored.rejected, of: stored.records, isOver: isOver)
    else { return false }
    let expected =
      switch bound {
      case .count(let count): "at most \(count) records that fail (ErrorBudget.count)"
      case .ratio(let ratio): "at most the share \(ratio) of records that fail (ErrorBudget.ratio)"
      }
    givenUp = .rejected
    reason = MappingError(
      .limitExceeded, expected: expected, found: "\(stored.rejected) of \(stored.records)")
    feed.stop()
    tellEnd()
    return true
  }

  /// Says that no more is wanted, because of an error that is thrown.
  @usableFromInline
  func stop(_ error: any Error) {
    givenUp = .stopped
    feed.stop()
    // The last batch is not stored.
    position = positionBefore
    tally.end(state, error)
  }

  /// Tells the observer how the feed ended.
  @usableFromInline
  func tellEnd() { tally.end(state, reason: reason) }
}
