/// The records of a feed whose bytes come asynchronously, with flat memory.
///
/// A buffer is asked for only when all records of the ones before are taken: a slow consumer stops the reading.
///
/// A task that is cancelled gets a `CancellationError` instead of the next record, or of the end: what comes to its end has
/// been read to its end.
public struct AsyncRecords<Value, Buffers: AsyncSequence>: AsyncSequence
where Buffers.Element: Collection<UInt8> {
  /// A record.
  public typealias Element = Record<Value>

  /// Who makes the records.
  enum Route: Sendable {
    /// Who asks for them.
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
    /// - Throws: What the sequence of buffers throws, and no record comes after it. `CancellationError` where the task is
    ///   cancelled, or the buffers throw one: from then on each time, also in another task. ``MappingError`` where memory runs
    ///   out, or (`invalidDefinition`) the position to go on from cannot be one of such a feed.
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
    /// Buffers are not read twice. What is kept of them is enough for each record that was just handed over, if its text has at most
    /// 64 KiB and only little white space comes after it; of the records before it, and of larger ones, it is chance.
    ///
    /// - Parameter position: That of a record, or of an error.
    /// - Returns: The bytes.
    /// - Complexity: O(*n*) in the number of bytes.
    public func text(at position: SourcePosition) -> [UInt8]? {
      reading.text.bytes(in: position.bytes)
    }

    /// Bytes of the feed that are behind the iterator.
    public var offset: Int { reading.offset }

    /// Where the feed can be gone on with after the last record; nil where that is not possible.
    ///
    /// With several jobs there is one only now and then: where all records are taken that were mapped together.
    public var position: FeedPosition? { reading.position }

    /// The record paths that did not occur so far: after the end those that the feed does not have at all.
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
        // Who is cancelled must not take the end for a reason to go on.
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

    /// Sees to it that there is something in the window, if the feed is not over.
    private func readOn(isolation actor: isolated (any Actor)?) async throws {
      // An empty buffer is not the end.
      while window.isEmpty {
        try Task.checkCancellation()
        text.forget(before: text.end - RecentText.largest)
        guard let buffer = try await buffers.next(isolation: actor) else {
          // In a task that is cancelled sequences come to an end that is not that of the feed.
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
  ///   - paths: Where in each document the records are; without any, each document or line is one.
  ///   - format: How the records follow each other.
  ///   - position: Where to go on, as ``AsyncRecords/Iterator/position`` told it: the buffers are those from its offset on. Without
  ///     one, at the start.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would lie inside each other.
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
