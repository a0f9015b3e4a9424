/// A feed that is pushed: bytes go in as they arrive, records come out as they are complete.
///
/// ```swift
/// let stream = try mapper.stream(format: .ndjson)
/// for buffer in buffers {
///   stream.feed(buffer) { record in handle(record) }
/// }
/// stream.finish { record in handle(record) }
/// ```
///
/// Buffers may have any size and may be cut anywhere. A record is handed over with the buffer that completes it. Memory
/// does not grow with the feed.
///
/// Not thread-safe: one stream is fed from one place at a time.
public final class RecordStream<Value> {
  @usableFromInline let engine: RecordEngine<Value>
  @usableFromInline var isFinished = false

  init(_ engine: RecordEngine<Value>) {
    self.engine = engine
  }

  /// The number of bytes of the feed that the stream has passed.
  public var offset: Int { engine.offset }

  /// Where a new stream can resume the feed; nil in the middle of a record and after the end.
  ///
  /// In the body that takes a record, this is the place after that record.
  public var position: FeedPosition? { engine.position }

  /// The record paths that did not occur so far: after ``finish(_:)`` those that the feed does not have at all.
  public var unseenPaths: [PathPattern] { engine.unseenPaths }

  /// Gives the next bytes of the feed.
  ///
  /// - Parameters:
  ///   - bytes: Any number of bytes; read in place where they are contiguous.
  ///   - body: Called for each record that is complete now. If it throws, the stream ends.
  /// - Throws: Whatever the body throws.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  public func feed<Failure: Error>(
    _ bytes: some Collection<UInt8>, _ body: (Record<Value>) throws(Failure) -> Void
  ) throws(Failure) {
    try push(bytes, isFinal: false, body)
  }

  /// Ends the feed: hands over a record that only the end completes, or the error if the feed ends too early.
  @inlinable
  public func finish<Failure: Error>(_ body: (Record<Value>) throws(Failure) -> Void)
    throws(Failure)
  {
    try push([], isFinal: true, body)
    isFinished = true
  }

  @inlinable
  func push<Failure: Error>(
    _ bytes: some Collection<UInt8>, isFinal: Bool, _ body: (Record<Value>) throws(Failure) -> Void
  ) throws(Failure) {
    var failure: Failure?
    let done: Void? = bytes.withContiguousStorageIfAvailable {
      failure = push($0, isFinal: isFinal, body)
    }
    if done == nil {
      Array(bytes).withUnsafeBufferPointer { failure = push($0, isFinal: isFinal, body) }
    }
    if let failure { throw failure }
  }

  @inlinable
  func push<Failure: Error>(
    _ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool,
    _ body: (Record<Value>) throws(Failure) -> Void
  ) -> Failure? {
    if isFinished { return nil }
    engine.input(bytes, isFinal: isFinal)
    while true {
      // PERF: bypasses the engine's own steps, which hold a whole record.
      switch engine.engine.next() {
      case .input: return nil
      case .end:
        isFinished = true
        return nil
      case .record(let outcome):
        do throws(Failure) {
          try body(engine.taker.record(outcome))
        } catch {
          // The bytes cannot be kept after this call, so the rest of them is lost and no record can follow.
          isFinished = true
          return error
        }
      }
    }
  }
}

extension Mapper {
  /// A stream to push a feed through.
  ///
  /// - Parameters:
  ///   - paths: Where in each document the records are, such as `$.statuses[*]`; without paths, each document or line
  ///     is one. Several paths are merged.
  ///   - format: How the records follow each other.
  ///   - position: Where to resume; the bytes start at its offset. Without one, reading begins at the start of the
  ///     feed.
  /// - Returns: A stream.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would be nested; ``MappingError`` where the
  ///   position cannot belong to such a feed.
  public func stream(
    at paths: String..., format: FeedFormat = .auto, from position: FeedPosition? = nil
  ) throws -> RecordStream<Value> {
    RecordStream(try makeEngine(try selection(at: paths), format: format, from: position))
  }
}
