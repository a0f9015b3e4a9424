/// A feed that is pushed: bytes go in as they come, records come out as they are whole.
///
/// ```swift
/// let stream = try mapper.stream(format: .ndjson)
/// for buffer in buffers {
///   stream.feed(buffer) { record in handle(record) }
/// }
/// stream.finish { record in handle(record) }
/// ```
///
/// Buffers may be of any size, and cut anywhere. A record is handed over with the buffer that completes it. Memory does
/// not grow with the feed.
///
/// Not thread-safe: one stream is fed from one place at a time.
public final class RecordStream<Value> {
  @usableFromInline let engine: RecordEngine<Value>
  @usableFromInline var isFinished = false

  init(_ engine: RecordEngine<Value>) {
    self.engine = engine
  }

  /// Bytes of the feed that are behind the stream.
  public var offset: Int { engine.offset }

  /// Where the feed can be gone on with, by a stream made with it; nil in the middle of a record, and behind the end.
  ///
  /// In the body that takes a record it is the place behind that record.
  public var position: FeedPosition? { engine.position }

  /// The record paths that did not occur so far: after ``finish(_:)`` those that the feed does not have at all.
  public var unseenPaths: [PathPattern] { engine.unseenPaths }

  /// Gives the next bytes of the feed.
  ///
  /// - Parameters:
  ///   - bytes: Any number of bytes; read in place where they are contiguous.
  ///   - body: Called for each record that is whole now. When it throws, the stream is at its end.
  /// - Throws: What the body throws.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  public func feed<Failure: Error>(
    _ bytes: some Collection<UInt8>, _ body: (Record<Value>) throws(Failure) -> Void
  ) throws(Failure) {
    try push(bytes, isFinal: false, body)
  }

  /// Ends the feed: hands over what only its end makes whole, or the error where it ends too early.
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
      // PERF: not by way of the engine's own steps, which hold a whole record.
      switch engine.engine.next() {
      case .input: return nil
      case .end:
        isFinished = true
        return nil
      case .record(let outcome):
        do throws(Failure) {
          try body(engine.outlet.record(outcome))
        } catch {
          // The bytes cannot be kept beyond this call, so the rest of them is lost and nothing can follow.
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
  ///   - paths: Where in each document the records are, such as `$.statuses[*]`; without any, each document or line is
  ///     one. Several are merged.
  ///   - format: How the records follow each other.
  ///   - position: Where to go on; the bytes are those from its offset on. Without one, at the start of the feed.
  /// - Returns: A stream.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would lie inside each other; ``MappingError`` where
  ///   the position cannot be one of such a feed.
  public func stream(
    at paths: String..., format: FeedFormat = .auto, from position: FeedPosition? = nil
  ) throws -> RecordStream<Value> {
    RecordStream(try makeEngine(try selection(at: paths), format: format, from: position))
  }
}
