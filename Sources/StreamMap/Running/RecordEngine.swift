/// An engine whose records have values of a known type.
@usableFromInline
final class RecordEngine<Value> {
  /// What the engine has, or needs.
  @usableFromInline
  enum Next {
    /// Another piece of the feed.
    case input
    case record(Record<Value>)
    /// A record is over, and the mapping's condition drops it.
    case dropped
    /// The feed is over.
    case end
  }

  @usableFromInline let engine: FeedEngine
  @usableFromInline let taker: ValueTaker<Value>

  init(
    _ assembly: RecordAssembly<Value>, plan: Plan, selection: FeedSelection, format: FeedFormat,
    limits: Limits, demands: FeedDemands = FeedDemands(), parser: RecordParser,
    context: FeedContext? = nil, from position: FeedPosition? = nil
  ) throws(MappingError) {
    let maker = assembly.maker(plan, limits)
    engine = try FeedEngine(
      maker, selection: selection, format: format, limits: limits, demands: demands,
      parser: parser, context: context)
    if let position { try engine.restore(position) }
    taker = assembly.taker(of: maker)
  }

  /// The number of bytes of the feed that the engine is done with.
  var offset: Int { engine.offset }

  /// Where another engine can continue: see ``FeedReader/position()``.
  var position: FeedPosition? { engine.position }

  /// What the faults so far say about the end of the feed.
  var ending: FeedEnding { engine.ending }

  /// The record paths that occurred, as bits in their order.
  var pathsSeen: UInt64 { engine.pathsSeen }

  /// The record paths that did not occur.
  var unseenPaths: [PathPattern] { engine.unseenPaths }

  /// Gives the next piece: see ``FeedReader/input(_:isFinal:)``.
  @inlinable
  func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    engine.input(bytes, isFinal: isFinal)
  }

  /// Makes a value from events that do not come from text; an error that `send` throws is the record's error.
  func record(_ send: (EventSink) throws(MappingError) -> Void) -> Record<Value> {
    taker.record(engine.take(send))
  }

  /// Advances to the next record, or to the end of the input.
  @inlinable
  func next() -> Next {
    switch engine.next() {
    case .input: .input
    case .end: .end
    case .record(let outcome): outcome.isDropped ? .dropped : .record(taker.record(outcome))
    }
  }
}
