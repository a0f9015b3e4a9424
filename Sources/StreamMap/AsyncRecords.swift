/// The records of a feed whose bytes come asynchronously, with flat memory.
///
/// The next buffer is requested only after all records of the earlier buffers are taken: a slow consumer stops the
/// reading.
///
/// A cancelled task gets a `CancellationError` instead of the next record or of the end. An iteration that reaches its
/// end has therefore read the whole feed.
public struct AsyncRecords<Value, Buffers: AsyncSequence>: AsyncSequence
where Buffers.Element: Collection<UInt8> {
  /// A record.
  public typealias Element = Record<Value>

  /// The caller itself.
  enum Route: Sendable {
    /// The thread of the caller.
    case one(@Sendable () throws(MappingError) -> RecordEngine<Value>)
    /// Several threads.
    case parallel(@Sendable () -> ParallelAsyncRecords<Value>)
  }

  private let buffers: Buffers
  private let selection: FeedSelection
  private let position: FeedPosition?
  private let route: Route

  init(
    _ buffers: Buffers, _ selection: FeedSelection, from position: FeedPosition?, _ route: Route
  ) {
    self.buffers = buffers
    self.selection = selection
    self.position = position
    self.route = route
  }

  /// Reads records one after the other.
  ///
  /// ```swift
  /// var records = try mapper.records(in: request.body, at: "$.people[*]", from: saved).makeAsyncIterator()
  /// while let record = try await records.next() {
  ///   store(record)
  ///   if let position = records.position { save(position) }
  /// }
  /// guard records.unseenPaths.isEmpty else { throw Missing(records.unseenPaths) }
  /// ```
  public struct Iterator: AsyncIteratorProtocol {
    private let reading: Reading

    fileprivate init(_ reading: Reading) {
      self.reading = reading
    }

    /// The next record; nil at the end of the feed.
    ///
    /// - Throws: Whatever the sequence of buffers throws; no record follows it. `CancellationError` where the task is
    ///   cancelled or the buffers throw one: every later call throws it again, also in another task. ``MappingError``
    ///   where memory runs out, or (`invalidDefinition`) the start position cannot belong to such a feed.
    public mutating func next() async throws -> Record<Value>? {
      try await next(isolation: nil)
    }

    /// The next record, on the actor of the caller; nil at the end of the feed.
    ///
    /// - Throws: As ``next()``.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Record<Value>?
    {
      try await reading.next(isolation: actor)
    }

    /// The text of a stretch of the feed, such as that of the last record, if it failed; nil where its bytes are gone.
    ///
    /// Buffers are not read twice. The text of a record that was just handed over is always kept, if it has at most 64
    /// KiB and only a little white space comes after it. The text of earlier or larger records may be gone.
    ///
    /// - Parameter position: The position of a record or of an error.
    /// - Returns: The bytes.
    /// - Complexity: O(*n*) in the number of bytes.
    public func text(at position: SourcePosition) -> [UInt8]? {
      reading.text.bytes(in: position.bytes)
    }

    /// The number of bytes of the feed that the iterator has passed.
    public var offset: Int { reading.offset }

    /// Where reading can be resumed after the last record; nil where that is not possible.
    ///
    /// With several jobs there is a position only now and then: when all records that were mapped together are taken.
    public var position: FeedPosition? { reading.position }

    /// The record paths that did not occur so far; after the end, those that the feed does not have at all.
    public var unseenPaths: [PathPattern] { reading.unseenPaths }
  }

  /// What an iterator and its copies share.
  fileprivate final class Reading {
    private enum Source {
      case one(OneByOne)
      case parallel(ParallelAsyncRecords<Value>)
    }

    private let source: Source
    private let selection: FeedSelection
    private var isCancelled = false

    init(_ records: AsyncRecords) {
      selection = records.selection
      source =
        switch records.route {
        case .one(let makeEngine):
          .one(OneByOne(records.buffers.makeAsyncIterator(), from: records.position, makeEngine))
        case .parallel(let makeRecords): .parallel(makeRecords())
        }
    }

    func next(isolation actor: isolated (any Actor)?) async throws -> Record<Value>? {
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

    private func stop() {
      switch source {
      case .one(let records): records.stop()
      case .parallel(let records): records.stop()
      }
    }

    var text: RecentText {
      switch source {
      case .one(let records): records.text
      case .parallel(let records): records.text
      }
    }

    var offset: Int {
      switch source {
      case .one(let records): records.offset
      case .parallel(let records): records.offset
      }
    }

    var position: FeedPosition? {
      switch source {
      case .one(let records): records.position
      case .parallel(let records): records.position
      }
    }

    var unseenPaths: [PathPattern] {
      switch source {
      case .one(let records): selection.unseenPaths(records.pathsSeen)
      case .parallel(let records): selection.unseenPaths(records.pathsSeen)
      }
    }
  }

  /// Makes each record when it is asked for.
  fileprivate final class OneByOne {
    private var buffers: Buffers.AsyncIterator
    private let start: FeedPosition?
    private let makeEngine: @Sendable () throws(MappingError) -> RecordEngine<Value>
    private var engine: RecordEngine<Value>?
    let text: RecentText
    private let window: AsyncWindow
    private var isOver = false

    init(
      _ buffers: Buffers.AsyncIterator, from start: FeedPosition?,
      _ makeEngine: @escaping @Sendable () throws(MappingError) -> RecordEngine<Value>
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

    func stop() { isOver = true }

    func next(isolation actor: isolated (any Actor)?) async throws -> Record<Value>? {
      if isOver { return nil }
      do {
        let engine = try self.engine ?? makeEngine()
        self.engine = engine
        while true {
          switch engine.next() {
          case .record(let record): return record
          case .end:
            isOver = true
            return nil
          case .input:
            try await readOn(isolation: actor)
            let bytes = window.next()
            engine.input(bytes, isFinal: bytes.isEmpty)
          }
        }
      } catch {
        isOver = true
        throw error
      }
    }

    /// Makes sure that the window holds something, if the feed is not over.
    private func readOn(isolation actor: isolated (any Actor)?) async throws {
      // An empty buffer is not the end.
      while window.isEmpty {
        try Task.checkCancellation()
        text.forget(before: text.end - RecentText.largest)
        guard let buffer = try await buffers.next(isolation: actor) else {
          // In a cancelled task, sequences may end before the feed does.
          return try Task.checkCancellation()
        }
        window.take(buffer)
      }
    }
  }

  /// An iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(Reading(self)) }
}

extension AsyncRecords: Sendable where Buffers: Sendable {}

extension Mapper {
  /// The records of a feed that comes in buffers of any size, such as those of a network connection.
  ///
  /// ```swift
  /// for try await record in try mapper.records(in: request.body, at: "$.people[*]") { … }
  /// ```
  ///
  /// - Parameters:
  ///   - buffers: Buffers of bytes, cut anywhere.
  ///   - paths: Where in each document the records are; without paths, each document or line is one.
  ///   - format: How the records follow each other.
  ///   - position: Where to resume, a value of ``AsyncRecords/Iterator/position``: the buffers start at its offset.
  ///     Without one, reading begins at the start.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would be nested.
  public func records<Buffers: AsyncSequence>(
    in buffers: Buffers, at paths: String..., format: FeedFormat = .auto,
    from position: FeedPosition? = nil
  ) throws(DefinitionError) -> AsyncRecords<Value, Buffers>
  where Buffers.Element: Collection<UInt8> {
    asyncRecords(in: buffers, try selection(at: paths), format: format, from: position)
  }

  func asyncRecords<Buffers: AsyncSequence>(
    in buffers: Buffers, _ selection: FeedSelection, format: FeedFormat,
    from position: FeedPosition?
  ) -> AsyncRecords<Value, Buffers> {
    AsyncRecords(
      buffers, selection, from: position,
      .one({ () throws(MappingError) in
        try makeEngine(selection, format: format, from: position)
      }))
  }
}
