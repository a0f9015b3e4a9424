/// The records of a feed, one after the other, with flat memory.
///
/// ```swift
/// let records = try mapper.records(in: Feed(.file("people.json"), at: "$.people[*]"))
/// for record in records {
///   store(record)
///   if let position = records.position { save(position) }
/// }
/// if records.verdict != .complete { warn("the feed is \(records.verdict)") }
/// ```
///
/// A feed is gone through once: the sequence is its own iterator, and a second loop continues where the first one stopped.
/// With several jobs, the threads end with the feed, or when the sequence is no longer in use.
///
/// Errors are reported in the records: reading itself never throws. If the feed cannot be read further (a malformed
/// document, a failing disk), the last record is the error, and ``verdict`` says what ended the feed.
///
/// Not thread-safe.
public final class RecordSequence<Value>: Sequence, IteratorProtocol {
  /// A record.
  public typealias Element = Record<Value>

  @usableFromInline let route: Route<Value>
  private var supply: FeedSupply
  private let hidesValues: Bool
  /// Whether reading failed or was only of a part, and all that was read before is taken.
  private var isCutShort = false
  @usableFromInline var isOver = false
  @usableFromInline var dropped = 0
  /// Nil if there is no observer.
  @usableFromInline let tally: FeedTally?

  init(
    _ route: Route<Value>, _ input: any FeedInput, endsHere: Bool, hidesValues: Bool,
    _ tally: FeedTally?
  ) {
    self.route = route
    supply = FeedSupply(input, endsHere: endsHere)
    self.hidesValues = hidesValues
    self.tally = tally
  }

  deinit {
    tellEnd()
  }

  /// How the feed ended; ``FeedVerdict/stopped`` until the last record was taken.
  public var verdict: FeedVerdict {
    route.ending.verdict ?? (isOver && !isCutShort ? .complete : .stopped)
  }

  /// Where reading can be resumed after the last record; nil if that is not possible.
  ///
  /// With several jobs there is a position only now and then: when all records that were mapped together are taken.
  public var position: FeedPosition? { route.position }

  /// The number of bytes of the feed that were passed so far.
  public var offset: Int { route.offset }

  /// The record paths that did not occur so far; after the end, those that the feed does not have at all.
  public var unseenPaths: [PathPattern] { route.unseenPaths }

  /// How many records the condition (`where`) of a mapping file has dropped so far: they do not come out.
  public var droppedCount: Int { dropped }

  /// The text of a stretch of the feed, such as that of a record that failed.
  ///
  /// - Parameter position: The position of a record or of an error.
  /// - Returns: The bytes; nil if the feed cannot be read twice, or the mapping redacts something.
  /// - Complexity: O(*n*) in the number of bytes: they are read again.
  public func text(at position: SourcePosition) -> [UInt8]? {
    hidesValues ? nil : supply.input.bytes(in: position.bytes)
  }

  /// The next record; nil at the end of the feed.
  @inlinable
  public func next() -> Record<Value>? {
    while !isOver {
      switch route {
      case .one(let engine, let taker):
        // PERF: bypasses the route's own steps, which hold a whole record.
        switch engine.next() {
        case .record(let outcome):
          if let tally { tally.note(number: outcome.number, outcome.address, outcome.notes) }
          if !outcome.isDropped { return taker.record(outcome) }
          dropped += 1
        case .end: end()
        case .input: if let record = readOn() { return record }
        }
      case .parallel(let engine):
        switch engine.next() {
        case .record(let record):
          if let tally { tally.note(number: record.number, record.address, record.notes) }
          return record
        case .dropped:
          tally?.noteDropped()
          dropped += 1
        case .end: end()
        case .input: if let record = readOn() { return record }
        }
      }
    }
    return nil
  }

  /// Reads on; returns the feed's last record if the feed cannot be read further.
  @usableFromInline
  func readOn() -> Record<Value>? {
    tally?.advance(to: offset)
    switch supply.supply(route) {
    case .more: return nil
    case .partEnd:
      isCutShort = true
      end()
      return nil
    case .failure(let error):
      isCutShort = true
      isOver = true
      let record = Record<Value>(error, endsFeed: true)
      tally?.note(number: record.number, record.address, record.notes)
      tellEnd()
      return record
    }
  }

  /// Notes that the feed is over.
  @usableFromInline
  func end() {
    isOver = true
    tellEnd()
  }

  private func tellEnd() {
    tally?.end(
      FeedTally.State(
        verdict: verdict, exceeded: route.ending.excess, unseenPaths: unseenPaths,
        position: position,
        offset: offset))
  }
}
