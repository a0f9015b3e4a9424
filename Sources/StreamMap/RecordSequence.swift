/// The records of a feed, one after the other, with flat memory.
///
/// The sequence can be iterated once. With several jobs, the threads end with the feed, or when neither the sequence
/// nor its iterator is in use.
///
/// Errors are reported in the records: reading itself never throws. If the feed cannot be read further (a malformed
/// document, a failing disk), the last record is the error.
public struct RecordSequence<Value>: Sequence {
  /// Reads records one after the other.
  public final class Iterator: IteratorProtocol {
    @usableFromInline
    enum Engine {
      case one(RecordEngine<Value>)
      case parallel(ParallelEngine<Value>)
    }

    @usableFromInline let engine: Engine
    private let input: any FeedInput
    private lazy var window = FeedWindow()
    private var failure: MappingError?
    @usableFromInline var isOver = false

    init(_ engine: Engine, _ input: any FeedInput) {
      self.engine = engine
      self.input = input
    }

    /// The text of a stretch of the feed, such as that of a record that failed; nil if the feed cannot be read twice.
    ///
    /// - Parameter position: The position of a record or of an error.
    /// - Returns: The bytes.
    /// - Complexity: O(*n*) in the number of bytes: they are read again.
    public func text(at position: SourcePosition) -> [UInt8]? { input.bytes(in: position.bytes) }

    /// The number of bytes of the feed that the iterator has passed.
    public var offset: Int {
      switch engine {
      case .one(let engine): engine.offset
      case .parallel(let engine): engine.offset
      }
    }

    /// Where reading can be resumed after the last record; nil where that is not possible.
    ///
    /// With several jobs there is a position only now and then: when all records that were mapped together are taken.
    public var position: FeedPosition? {
      switch engine {
      case .one(let engine): engine.position
      case .parallel(let engine): engine.position
      }
    }

    /// The record paths that did not occur so far.
    public var unseenPaths: [PathPattern] {
      switch engine {
      case .one(let engine): engine.unseenPaths
      case .parallel(let engine): engine.unseenPaths
      }
    }

    /// The next record; nil at the end of the feed.
    @inlinable
    public func next() -> Record<Value>? {
      while !isOver {
        switch engine {
        case .one(let engine):
          // PERF: bypasses the engine's own steps, which hold a whole record.
          switch engine.engine.next() {
          case .record(let outcome): return engine.taker.record(outcome)
          case .end: isOver = true
          case .input: if let record = readOn() { return record }
          }
        case .parallel(let engine):
          switch engine.next() {
          case .record(let record): return record
          case .end: isOver = true
          case .input: if let record = readOn() { return record }
          }
        }
      }
      return nil
    }

    /// Reads on; returns the feed's last record if the feed cannot be read further.
    @usableFromInline
    func readOn() -> Record<Value>? {
      guard let error = failureToRead() else { return nil }
      isOver = true
      return Record(error, endsFeed: true)
    }

    private func failureToRead() -> MappingError? {
      switch engine {
      case .one(let engine):
        do throws(MappingError) {
          let bytes = try window.fill(from: input)
          engine.input(bytes, isFinal: bytes.isEmpty)
          return nil
        } catch {
          return error
        }
      case .parallel(let engine):
        // Input that is already read must not wait for input that is not.
        if !input.isReady, engine.drain() { return nil }
        if let failure { return failure }
        do throws(MappingError) {
          engine.input(try input.read(into: engine.room))
          return nil
        } catch {
          failure = error
          return engine.drain() ? nil : error
        }
      }
    }
  }

  private let iterator: Iterator

  init(_ iterator: Iterator) {
    self.iterator = iterator
  }

  /// The only iterator: a feed is read once.
  public func makeIterator() -> Iterator { iterator }
}

extension Mapper {
  /// The records of a feed in memory.
  ///
  /// - Parameters:
  ///   - bytes: The feed.
  ///   - paths: Where in each document the records are, such as `$.people[*]`; without paths, each document or line is
  ///     one.
  ///   - format: How the records follow each other.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would be nested.
  public func records(
    in bytes: some Collection<UInt8>, at paths: String..., format: FeedFormat = .auto
  ) throws -> RecordSequence<Value> {
    try sequence(at: paths, format: format, MemoryInput(Array(bytes)))
  }

  /// The records of a file.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - paths: Where in each document the records are; without paths, each document or line is one.
  ///   - format: How the records follow each other.
  ///   - position: Where to resume, a value of ``RecordSequence/Iterator/position``; without one, reading begins at the
  ///     start.
  /// - Returns: The records, in their order.
  /// - Throws: ``MappingError`` (`io`) where the file cannot be opened, (`invalidDefinition`) where the position cannot
  ///   belong to such a feed; ``DefinitionError`` where a path cannot be read or records would be nested.
  public func records(
    inFile path: String, at paths: String..., format: FeedFormat = .auto,
    from position: FeedPosition? = nil
  ) throws -> RecordSequence<Value> {
    let input = try FileInput(path: path, from: position?.offset ?? 0)
    let engine = try makeEngine(try selection(at: paths), format: format, from: position)
    return RecordSequence(RecordSequence.Iterator(.one(engine), input))
  }

  /// The records of an open file, pipe or socket.
  ///
  /// The descriptor stays open.
  ///
  /// - Parameters:
  ///   - descriptor: It is read from its current offset to its end.
  ///   - paths: Where in each document the records are; without paths, each document or line is one.
  ///   - format: How the records follow each other.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would be nested.
  public func records(
    inDescriptor descriptor: Int32, at paths: String..., format: FeedFormat = .auto
  ) throws -> RecordSequence<Value> {
    try sequence(at: paths, format: format, FileInput(descriptor: descriptor))
  }

  private func sequence(
    at paths: [String], format: FeedFormat, _ input: any FeedInput
  ) throws -> RecordSequence<Value> {
    let engine = try makeEngine(try selection(at: paths), format: format)
    return RecordSequence(RecordSequence.Iterator(.one(engine), input))
  }
}
