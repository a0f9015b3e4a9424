/// The records of a feed whose bytes come asynchronously, with flat memory.
///
/// ```swift
/// let records = try mapper.records(in: Feed(request.body, at: "$.people[*]", from: saved))
/// for try await record in records {
///   store(record)
///   if let position = records.position { save(position) }
/// }
/// guard records.unseenPaths.isEmpty else { throw Missing(records.unseenPaths) }
/// ```
///
/// A feed is gone through once: the sequence is its own iterator, and a second loop continues where the first one stopped.
/// It is made in the task that goes through it, or sent there.
///
/// The next buffer is requested only after all records of the earlier buffers are taken: a slow consumer stops the
/// reading.
///
/// A cancelled task gets a `CancellationError` instead of the next record or of the end. An iteration that reaches its
/// end has therefore read the whole feed, unless it is malformed: ``verdict`` says so.
public final class AsyncRecords<Value, Buffers: AsyncSequence>: AsyncSequence, AsyncIteratorProtocol
where Buffers.Element: FeedBuffer {
  /// A record.
  public typealias Element = Record<Value>

  @usableFromInline let feed: AsyncFeed<Value, Buffers>
  /// Nil if there is no observer.
  @usableFromInline let tally: FeedTally?

  init(_ feed: AsyncFeed<Value, Buffers>, _ tally: FeedTally?) {
    self.feed = feed
    self.tally = tally
  }

  deinit {
    tally?.end(feed.state)
  }

  /// The next record; nil at the end of the feed.
  ///
  /// - Throws: Whatever the sequence of buffers throws; no record follows it. `CancellationError` if the task is
  ///   cancelled or the buffers throw one: every later call throws it again, also in another task. ``MappingError``
  ///   if memory runs out, or (`invalidDefinition`) the start position cannot belong to such a feed.
  public func next() async throws -> Record<Value>? {
    try await next(isolation: nil)
  }

  /// The next record, on the actor of the caller; nil at the end of the feed.
  ///
  /// - Throws: As ``next()``.
  @inlinable
  public func next(isolation actor: isolated (any Actor)?) async throws -> Record<Value>? {
    // PERF: records are made here, in code for the caller's own types. Other code looks up their descriptions each time.
    while true {
      if let record = readyRecord() { return record }
      guard try await readOn(isolation: actor, { $1.map($0) }) else { return nil }
    }
  }

  /// The next record, if it is there or can be made of what was read, and the task is not cancelled.
  @inlinable
  func readyRecord() -> Record<Value>? {
    if feed.isCancelled || Task.isCancelled { return nil }
    switch feed.source {
    case .one(let records):
      guard let (engine, taker) = records.making, !records.isOver else { return nil }
      while true {
        switch engine.next() {
        case .record(let outcome):
          if let tally { tally.note(number: outcome.number, outcome.address, outcome.notes) }
          if !outcome.isDropped { return taker.record(outcome) }
          records.droppedCount += 1
        case .input: return nil
        case .end:
          records.end()
          return nil
        }
      }
    case .parallel(let records):
      while let record = records.current.records.popLast() {
        if let tally { tally.note(number: record.number, record.address, record.notes) }
        if !record.isDropped { return record }
        records.droppedCount += 1
      }
      return nil
    }
  }

  /// Reads on, and tells the observer; false at the end of the feed.
  ///
  /// Other threads make their records by `mapping`.
  @usableFromInline
  func readOn(
    isolation actor: isolated (any Actor)?,
    _ mapping: @escaping @Sendable (Batch<Value>, BatchWorker<Value>) -> Void
  ) async throws -> Bool {
    guard let tally else { return try await feed.readOn(isolation: actor, mapping) }
    tally.advance(to: feed.offset, bytesInFlight: feed.end - feed.offset)
    do {
      let goesOn = try await feed.readOn(isolation: actor, mapping)
      if !goesOn { tally.end(feed.state) }
      return goesOn
    } catch {
      tally.end(feed.state, error)
      throw error
    }
  }

  /// The sequence itself.
  public func makeAsyncIterator() -> AsyncRecords { self }

  /// How the feed ended; ``FeedVerdict/stopped`` until the last record was taken.
  public var verdict: FeedVerdict { feed.verdict }

  /// Where reading can be resumed after the last record; nil if that is not possible.
  ///
  /// With several jobs there is a position only now and then: when all records that were mapped together are taken.
  public var position: FeedPosition? { feed.position }

  /// The number of bytes of the feed that were passed so far.
  public var offset: Int { feed.offset }

  /// The record paths that did not occur so far; after the end, those that the feed does not have at all.
  public var unseenPaths: [PathPattern] { feed.unseenPaths }

  /// How many records the condition (`where`) of a mapping file has dropped so far: they do not come out.
  public var droppedCount: Int { feed.droppedCount }

  /// The text of a stretch of the feed, such as that of the last record, if it failed.
  ///
  /// Buffers are not read twice. The text of a record that was just handed over is always kept, if it has at most 64
  /// KiB and only a little white space comes after it. The text of earlier or larger records may be gone.
  ///
  /// - Parameter position: The position of a record or of an error.
  /// - Returns: The bytes; nil if they are gone, or the mapping redacts something.
  /// - Complexity: O(*n*) in the number of bytes.
  public func text(at position: SourcePosition) -> [UInt8]? { feed.text(at: position) }
}
