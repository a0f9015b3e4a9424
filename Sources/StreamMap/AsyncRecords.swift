/// The records of a feed whose bytes come asynchronously, with flat memory.
///
/// A buffer is asked for only when all records of the ones before are taken: a slow consumer stops the reading.
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
  private let route: Route

  init(_ buffers: Buffers, _ route: Route) {
    self.buffers = buffers
    self.route = route
  }

  /// Reads records one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    enum Source {
      case one(OneByOne)
      case parallel(ParallelAsyncRecords<Value>)
    }

    private var source: Source

    init(_ source: Source) {
      self.source = source
    }

    /// The next record; nil at the end of the feed.
    ///
    /// - Throws: What the sequence of buffers throws; `CancellationError` where the task is cancelled.
    public mutating func next() async throws -> Record<Value>? {
      try await next(isolation: nil)
    }

    /// The next record, on the actor of the caller; nil at the end of the feed.
    ///
    /// - Throws: What the sequence of buffers throws; `CancellationError` where the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Record<Value>?
    {
      switch source {
      case .one(let records): try await records.next(isolation: actor)
      case .parallel(let records): try await records.next(isolation: actor)
      }
    }
  }

  /// Makes each record when it is asked for.
  final class OneByOne {
    private var buffers: Buffers.AsyncIterator
    private let makeEngine: @Sendable () throws(MappingError) -> RecordEngine<Value>
    private var engine: RecordEngine<Value>?
    private let window = AsyncWindow()
    private var isOver = false

    init(
      _ buffers: Buffers.AsyncIterator,
      _ makeEngine: @escaping @Sendable () throws(MappingError) -> RecordEngine<Value>
    ) {
      self.buffers = buffers
      self.makeEngine = makeEngine
    }

    func next(isolation actor: isolated (any Actor)?) async throws -> Record<Value>? {
      if isOver { return nil }
      let engine = try self.engine ?? makeEngine()
      self.engine = engine
      while true {
        switch engine.next() {
        case .record(let record): return record
        case .end:
          isOver = true
          return nil
        case .input:
          do {
            try Task.checkCancellation()
            if window.isEmpty, let buffer = try await buffers.next(isolation: actor) {
              window.take(buffer)
              // An empty buffer is not the end.
              if window.isEmpty { continue }
            }
          } catch {
            isOver = true
            throw error
          }
          let bytes = window.next()
          engine.input(bytes, isFinal: bytes.isEmpty)
        }
      }
    }
  }

  /// An iterator.
  public func makeAsyncIterator() -> Iterator {
    switch route {
    case .one(let makeEngine):
      Iterator(.one(OneByOne(buffers.makeAsyncIterator(), makeEngine)))
    case .parallel(let makeRecords): Iterator(.parallel(makeRecords()))
    }
  }
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
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would lie inside each other.
  public func records<Buffers: AsyncSequence>(
    in buffers: Buffers, at paths: String..., format: FeedFormat = .auto
  ) throws(DefinitionError) -> AsyncRecords<Value, Buffers>
  where Buffers.Element: Collection<UInt8> {
    let selection = try selection(at: paths)
    return AsyncRecords(
      buffers, .one({ () throws(MappingError) in try makeEngine(selection, format: format) }))
  }
}
