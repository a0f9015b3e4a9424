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
/// A feed is gone through once: after its end, ``verdict`` says how it ended.
///
/// Not thread-safe: one stream is fed from one place at a time.
public final class RecordStream<Value> {
  @usableFromInline let engine: FeedEngine
  @usableFromInline let taker: ValueTaker<Value>
  /// Whether the feed ends where the stream is finished.
  @usableFromInline let endsHere: Bool
  @usableFromInline var isFinished = false
  /// Whether the engine has come to the end of the feed.
  @usableFromInline var isAtEnd = false
  @usableFromInline var dropped = 0
  /// Nil if there is no observer.
  @usableFromInline let tally: FeedTally?

  init(
    _ engine: FeedEngine, _ taker: ValueTaker<Value>, endsHere: Bool = true,
    _ tally: FeedTally? = nil
  ) {
    self.engine = engine
    self.taker = taker
    self.endsHere = endsHere
    self.tally = tally
  }

  deinit {
    tally?.end(state)
  }

  private var state: FeedTally.State {
    FeedTally.State(
      verdict: verdict, exceeded: engine.ending.excess, unseenPaths: unseenPaths,
      position: position, offset: offset)
  }

  /// How the feed ended; ``FeedVerdict/stopped`` until the stream is finished.
  public var verdict: FeedVerdict { engine.ending.verdict ?? (isAtEnd ? .complete : .stopped) }

  /// How many records the condition (`where`) of a mapping file has dropped so far: they do not come out.
  public var droppedCount: Int { dropped }

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
  ///   - bytes: Any number of bytes; read in place.
  ///   - body: Called for each record that is complete now. If it throws, the stream ends.
  /// - Throws: Whatever the body throws.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  public func feed<Failure: Error>(
    _ bytes: some FeedBuffer, _ body: (Record<Value>) throws(Failure) -> Void
  ) throws(Failure) {
    try bytes.withBytes { bytes throws(Failure) in try push(bytes, isFinal: false, body) }
  }

  /// Gives the next bytes of the feed, in a span.
  ///
  /// - Parameters:
  ///   - bytes: Any number of bytes.
  ///   - body: Called for each record that is complete now. If it throws, the stream ends.
  /// - Throws: Whatever the body throws.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  public func feed<Failure: Error>(
    _ bytes: Span<UInt8>, _ body: (Record<Value>) throws(Failure) -> Void
  ) throws(Failure) {
    try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try push(bytes, isFinal: false, body)
    }
  }

  /// Ends the feed: hands over a record that only the end completes, or the error if the feed ends too early.
  ///
  /// Where the feed continues elsewhere (``FeedOptions/endsHere``), nothing is handed over.
  @inlinable
  public func finish<Failure: Error>(_ body: (Record<Value>) throws(Failure) -> Void)
    throws(Failure)
  {
    if endsHere { try push(UnsafeBufferPointer(start: nil, count: 0), isFinal: true, body) }
    isFinished = true
    end(nil)
  }

  @inlinable
  func push<Failure: Error>(
    _ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool,
    _ body: (Record<Value>) throws(Failure) -> Void
  ) throws(Failure) {
    if isFinished { return }
    engine.input(bytes, isFinal: isFinal)
    while true {
      switch engine.next() {
      case .input:
        if tally != nil { advance() }
        return
      case .end:
        isFinished = true
        isAtEnd = true
        return end(nil)
      case .record(let outcome):
        if let tally { tally.note(number: outcome.number, outcome.address, outcome.notes) }
        if outcome.isDropped {
          dropped += 1
          continue
        }
        do throws(Failure) {
          try body(taker.record(outcome))
        } catch {
          // The bytes cannot be kept after this call, so the rest of them is lost and no record can follow.
          isFinished = true
          end(error)
          throw error
        }
      }
    }
  }

  /// Tells the observer how far the feed is.
  @usableFromInline
  func advance() { tally?.advance(to: offset) }

  /// Tells the observer that the feed is over.
  @usableFromInline
  func end(_ error: (any Error)?) { tally?.end(state, error) }
}

extension Mapper {
  /// A stream to push a feed through.
  ///
  /// - Parameters:
  ///   - paths: Where in each document the records are, such as `$.statuses[*]`; without paths, where the mapper's
  ///     mapping file says, or each document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says.
  ///   - position: Where to resume; the bytes start at its offset. Without one, reading begins at the start of the
  ///     feed.
  ///   - name: The feed's name, for fields of mapping files with `meta: file`.
  ///   - options: What the feed may demand, and who watches it.
  /// - Returns: A stream.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested; ``MappingError`` if the
  ///   position cannot belong to such a feed.
  public func stream(
    at paths: RecordPaths = [], format: FeedFormat = .auto, from position: FeedPosition? = nil,
    named name: String? = nil, options: FeedOptions = FeedOptions()
  ) throws -> RecordStream<Value> {
    let request = FeedRequest(
      try selection(at: paths), format: format.ofFeed(named: name, or: self.format), named: name,
      from: position, options: options)
    let (engine, taker) = try makeEngine(request)
    return RecordStream(engine, taker, endsHere: options.endsHere, request.tally)
  }
}
