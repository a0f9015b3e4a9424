/// The records of a feed whose bytes come asynchronously, with flat memory.
///
/// ```swift
/// let records = try mapper.records(in: request.body, at: "$.people[*]", from: saved)
/// for try await record in records {
///   store(record)
///   if let position = records.position { save(position) }
/// }
/// guard records.unseenPaths.isEmpty else { throw Missing(records.unseenPaths) }
/// ```
///
/// A feed is gone through once: the sequence is its own iterator, and a second loop goes on where the first one stopped.
/// It is made in the task that goes through it, or sent there.
///
/// The next buffer is requested only after all records of the earlier buffers are taken: a slow consumer stops the
/// reading.
///
/// A cancelled task gets a `CancellationError` instead of the next record or of the end. An iteration that reaches its
/// end has therefore read the whole feed, unless it is malformed: ``verdict`` says so.
public final class AsyncRecords<Value, Buffers: AsyncSequence>: AsyncSequence, AsyncIteratorProtocol
where Buffers.Element: Collection<UInt8> {
  /// A record.
  public typealias Element = Record<Value>

  /// Where the records are made.
  enum Route {
    /// In the task that takes them.
    case one(() throws(MappingError) -> RecordEngine<Value>)
    /// By several threads.
    case parallel(ParallelAsyncRecords<Value>)
  }

  @usableFromInline
  enum Source {
    case one(OneByOne)
    case parallel(ParallelAsyncRecords<Value>)
  }

  @usableFromInline let source: Source
  private let selection: FeedSelection
  @usableFromInline var isCancelled = false

  init(
    _ buffers: Buffers, _ selection: FeedSelection, from position: FeedPosition?, _ route: Route
  ) {
    self.selection = selection
    source =
      switch route {
      case .one(let makeEngine):
        .one(OneByOne(buffers.makeAsyncIterator(), from: position, makeEngine))
      case .parallel(let records): .parallel(records)
      }
  }

  /// The next record; nil at the end of the feed.
  ///
  /// - Throws: Whatever the sequence of buffers throws; no record follows it. `CancellationError` where the task is
  ///   cancelled or the buffers throw one: every later call throws it again, also in another task. ``MappingError``
  ///   where memory runs out, or (`invalidDefinition`) the start position cannot belong to such a feed.
  public func next() async throws -> Record<Value>? {
    try await next(isolation: nil)
  }

  /// The next record, on the actor of the caller; nil at the end of the feed.
  ///
  /// - Throws: As ``next()``.
  @inlinable
  public func next(isolation actor: isolated (any Actor)?) async throws -> Record<Value>? {
    // PERF: a record that needs no more input is made here, in code for the caller's own types. The rest looks up their
    // descriptions each time.
    if let record = readyRecord() { return record }
    return try await nextRecord(isolation: actor)
  }

  /// The next record, if it is there or can be made of what was read, and the task is not cancelled.
  @inlinable
  func readyRecord() -> Record<Value>? {
    if isCancelled || Task.isCancelled { return nil }
    return switch source {
    case .one(let records): records.readyRecord()
    case .parallel(let records): records.readyRecord()
    }
  }

  @usableFromInline
  func nextRecord(isolation actor: isolated (any Actor)?) async throws -> Record<Value>? {
    if isCancelled { throw CancellationError() }
    do {
      try Task.checkCancellation()
      let record =
        switch source {
        case .one(let records): try await records.next(isolation: actor)
        case .parallel(let records): try await records.next(isolation: actor)
        }
      // A cancelled caller must not mistake this for the end of the feed.
      if record == nil { try Task.checkCancellation() }
      return record
    } catch {
      guard error is CancellationError || Task.isCancelled else { throw error }
      isCancelled = true
      stop()
      throw CancellationError()
    }
  }

  /// The sequence itself.
  public func makeAsyncIterator() -> AsyncRecords { self }

  private func stop() {
    switch source {
    case .one(let records): records.stop()
    case .parallel(let records): records.stop()
    }
  }

  /// How the feed ended; ``FeedVerdict/stopped`` until the last record was taken.
  public var verdict: FeedVerdict {
    if isCancelled { return .stopped }
    return switch source {
    case .one(let records): records.verdict
    case .parallel(let records): records.verdict
    }
  }

  /// Where reading can be resumed after the last record; nil where that is not possible.
  ///
  /// With several jobs there is a position only now and then: when all records that were mapped together are taken.
  public var position: FeedPosition? {
    switch source {
    case .one(let records): records.position
    case .parallel(let records): records.position
    }
  }

  /// The number of bytes of the feed that were passed so far.
  public var offset: Int {
    switch source {
    case .one(let records): records.offset
    case .parallel(let records): records.offset
    }
  }

  /// The record paths that did not occur so far; after the end, those that the feed does not have at all.
  public var unseenPaths: [PathPattern] {
    switch source {
    case .one(let records): selection.unseenPaths(records.pathsSeen)
    case .parallel(let records): selection.unseenPaths(records.pathsSeen)
    }
  }

  /// How many records the condition (`where`) of a mapping file has dropped so far: they do not come out.
  public var droppedCount: Int {
    switch source {
    case .one(let records): records.droppedCount
    case .parallel(let records): records.droppedCount
    }
  }

  /// The text of a stretch of the feed, such as that of the last record, if it failed.
  ///
  /// Buffers are not read twice. The text of a record that was just handed over is always kept, if it has at most 64
  /// KiB and only a little white space comes after it. The text of earlier or larger records may be gone.
  ///
  /// - Parameter position: The position of a record or of an error.
  /// - Returns: The bytes; nil where they are gone, or the mapping redacts something.
  /// - Complexity: O(*n*) in the number of bytes.
  public func text(at position: SourcePosition) -> [UInt8]? {
    if selection.hidesValues { return nil }
    return switch source {
    case .one(let records): records.text.bytes(in: position.bytes)
    case .parallel(let records): records.text.bytes(in: position.bytes)
    }
  }

  /// Makes each record when it is asked for.
  @usableFromInline
  final class OneByOne {
    private var buffers: Buffers.AsyncIterator
    private let start: FeedPosition?
    private let makeEngine: () throws(MappingError) -> RecordEngine<Value>
    @usableFromInline var engine: RecordEngine<Value>?
    let text: RecentText
    private let window: AsyncWindow
    @usableFromInline var isOver = false
    private var isAtEnd = false
    @usableFromInline var droppedCount = 0

    init(
      _ buffers: Buffers.AsyncIterator, from start: FeedPosition?,
      _ makeEngine: @escaping () throws(MappingError) -> RecordEngine<Value>
    ) {
      self.buffers = buffers
      self.start = start
      self.makeEngine = makeEngine
      text = RecentText(from: start?.offset ?? 0)
      window = AsyncWindow(text)
    }

    var offset: Int { engine?.offset ?? start?.offset ?? 0 }

    var position: FeedPosition? { if let engine { engine.position } else { start } }

    var pathsSeen: UInt64 { engine?.pathsSeen ?? start?.pathsSeen ?? 0 }

    var verdict: FeedVerdict { engine?.ending.verdict ?? (isAtEnd ? .complete : .stopped) }

    func stop() { isOver = true }

    /// The next record, if it can be made of what was read.
    @inlinable
    func readyRecord() -> Record<Value>? {
      guard let engine, !isOver else { return nil }
      // PERF: bypasses the engine's own steps, which hold a whole record.
      while case .record(let outcome) = engine.engine.next() {
        if !outcome.isDropped { return engine.taker.record(outcome) }
        droppedCount += 1
      }
      return nil
    }

    func next(isolation actor: isolated (any Actor)?) async throws -> Record<Value>? {
      if isOver { return nil }
      do {
        let engine = try self.engine ?? makeEngine()
        self.engine = engine
        while true {
          switch engine.next() {
          case .record(let record): return record
          case .dropped: droppedCount += 1
          case .end:
            isOver = true
            isAtEnd = true
            return nil
          case .input:
            try await window.fill(from: &buffers, isolation: actor)
            let bytes = window.next()
            engine.input(bytes, isFinal: bytes.isEmpty)
          }
        }
      } catch {
        isOver = true
        throw error
      }
    }
  }
}
