import StreamMap

/// The records that a mapping file makes of a feed, one after the other, with flat memory.
///
/// It can be gone through once. What goes wrong is in the records: reading itself never throws. Where the feed cannot be read
/// on, the last record is the error. Records that the file's `where` drops are passed over.
public struct FeedRecords: Sequence {
  /// Reads records one after the other.
  ///
  /// Not thread-safe.
  public final class Iterator: IteratorProtocol {
    private let converter: OutputConverter
    private let input: any FeedInput
    private let window = FeedWindow()
    private var failure: MappingError?
    private var isOver = false
    /// How many records the file's `where` has dropped so far.
    public private(set) var droppedCount = 0

    init(_ converter: OutputConverter, _ input: any FeedInput) {
      self.converter = converter
      self.input = input
    }

    /// The text of a stretch of the feed, such as that of a record that failed; nil where the feed cannot be read twice, or
    /// where the file redacts something.
    ///
    /// - Parameter position: That of a record, or of an error.
    /// - Returns: The bytes.
    /// - Complexity: O(*n*) in the number of bytes: they are read again.
    public func text(at position: SourcePosition) -> [UInt8]? {
      converter.hidesValues ? nil : input.bytes(in: position.bytes)
    }

    /// Where the feed can be gone on with after the last record; nil where that is not possible.
    ///
    /// With several jobs there is one only now and then: where all records are taken that were mapped together.
    public var position: FeedPosition? { converter.position }

    /// The record paths that did not occur so far.
    public var unseenPaths: [PathPattern] { converter.unseenPaths }

    /// The next record; nil at the end of the feed.
    public func next() -> Record<RawJSON>? {
      while !isOver {
        switch converter.next() {
        case .record(let record): return converter.take(record)
        case .dropped: droppedCount += 1
        case .end: isOver = true
        case .input:
          if let error = failureToRead() {
            isOver = true
            return Record(error, endsFeed: true)
          }
        }
      }
      return nil
    }

    private func failureToRead() -> MappingError? {
      // What is read already is not held up by what has to be waited for.
      if !input.isReady, converter.drain() { return nil }
      if let failure { return failure }
      do throws(MappingError) {
        try converter.read(from: input, by: window)
        return nil
      } catch {
        failure = error
        return converter.drain() ? nil : error
      }
    }
  }

  private let iterator: Iterator

  init(_ iterator: Iterator) {
    self.iterator = iterator
  }

  /// The one iterator: a feed is read once.
  public func makeIterator() -> Iterator { iterator }
}

/// The records that a mapping file makes of a feed whose bytes come asynchronously, with flat memory.
///
/// A buffer is asked for only when all records of the ones before are taken: a slow consumer stops the reading.
///
/// A task that is cancelled gets a `CancellationError` instead of the next record, or of the end: what comes to its end has
/// been read to its end.
public struct AsyncFeedRecords<Buffers: AsyncSequence>: AsyncSequence
where Buffers.Element: Collection<UInt8> {
  /// A record.
  public typealias Element = Record<RawJSON>

  private let buffers: Buffers
  private let mapper: FeedMapper
  private let name: String?

  init(_ buffers: Buffers, _ mapper: FeedMapper, named name: String?) {
    self.buffers = buffers
    self.mapper = mapper
    self.name = name
  }

  /// Reads records one after the other.
  public final class Iterator: AsyncIteratorProtocol {
    private var buffers: Buffers.AsyncIterator
    private let makeConverter: () throws(MappingError) -> OutputConverter
    private var converter: OutputConverter?
    private let window = AsyncWindow()
    private var isOver = false
    private var isCancelled = false
    /// How many records the file's `where` has dropped so far.
    public private(set) var droppedCount = 0

    init(
      _ buffers: Buffers.AsyncIterator,
      _ makeConverter: @escaping () throws(MappingError) -> OutputConverter
    ) {
      self.buffers = buffers
      self.makeConverter = makeConverter
    }

    /// The record paths that did not occur so far.
    public var unseenPaths: [PathPattern] { converter?.unseenPaths ?? [] }

    /// The next record; nil at the end of the feed.
    ///
    /// - Throws: What the sequence of buffers throws, and no record comes after it. `CancellationError` where the task is
    ///   cancelled, or the buffers throw one: from then on each time, also in another task.
    public func next() async throws -> Record<RawJSON>? {
      try await next(isolation: nil)
    }

    /// The next record, on the actor of the caller; nil at the end of the feed.
    ///
    /// - Throws: As ``next()``.
    public func next(isolation actor: isolated (any Actor)?) async throws -> Record<RawJSON>? {
      if isCancelled { throw CancellationError() }
      do {
        try Task.checkCancellation()
        let record = try await made(isolation: actor)
        // Who is cancelled must not take the end for a reason to go on.
        if record == nil { try Task.checkCancellation() }
        return record
      } catch {
        isOver = true
        guard error is CancellationError || Task.isCancelled else { throw error }
        isCancelled = true
        throw CancellationError()
      }
    }

    private func made(isolation actor: isolated (any Actor)?) async throws -> Record<RawJSON>? {
      if isOver { return nil }
      let converter = try self.converter ?? makeConverter()
      self.converter = converter
      while true {
        switch converter.next() {
        case .record(let record): return converter.take(record)
        case .dropped: droppedCount += 1
        case .end:
          isOver = true
          return nil
        case .input:
          try await readOn(isolation: actor)
          converter.read(from: window)
        }
      }
    }

    /// Sees to it that there is something in the window, if the feed is not over.
    private func readOn(isolation actor: isolated (any Actor)?) async throws {
      // An empty buffer is not the end.
      while window.isEmpty {
        try Task.checkCancellation()
        guard let buffer = try await buffers.next(isolation: actor) else {
          // In a task that is cancelled sequences come to an end that is not that of the feed.
          return try Task.checkCancellation()
        }
        window.take(buffer)
      }
    }
  }

  /// An iterator.
  public func makeAsyncIterator() -> Iterator {
    let (mapper, name) = (mapper, name)
    return Iterator(buffers.makeAsyncIterator()) { () throws(MappingError) in
      try mapper.converter(named: name)
    }
  }
}

extension AsyncFeedRecords: Sendable where Buffers: Sendable {}
