/// An engine whose records have values of a known type.
@usableFromInline
final class RecordEngine<Value> {
  /// What the engine has, or needs.
  @usableFromInline
  enum Step {
    /// Another piece of the feed.
    case input
    case record(Record<Value>)
    /// A record is over, and the mapping's filter drops it.
    case dropped
    /// The feed is over.
    case end
  }

  @usableFromInline let engine: FeedEngine
  @usableFromInline let outlet: RecordOutlet<Value>

  init(
    _ product: Product<Value>, plan: Plan, selection: FeedSelection, format: FeedFormat,
    limits: Limits, parser: RecordParser, context: FeedContext? = nil,
    from position: FeedPosition? = nil
  ) throws(MappingError) {
    let maker = product.maker(plan, limits)
    engine = try FeedEngine(
      maker, selection: selection, format: format, limits: limits, parser: parser,
      context: context)
    if let position { try engine.restore(position) }
    outlet = product.outlet(of: maker)
  }

  /// The number of bytes of the feed that the engine is done with.
  var offset: Int { engine.offset }

  /// Where another engine can go on: see ``FeedReader/position()``.
  var position: FeedPosition? { engine.position }

  /// What the faults so far say about the end of the feed.
  var ending: FeedEnding { engine.ending }

  /// The record paths that occurred, as bits in their order.
  var pathsSeen: UInt64 { engine.pathsSeen }

  /// The record paths that did not occur.
  var unseenPaths: [PathPattern] { engine.unseenPaths }

  /// Makes the engine ready for another feed.
  func reset(format: FeedFormat) { engine.reset(format: format) }

  /// Gives the next piece: see ``FeedReader/input(_:isFinal:)``.
  @inlinable
  func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    engine.input(bytes, isFinal: isFinal)
  }

  /// Goes on to the next record, or to the end of the input.
  @inlinable
  func next() -> Step {
    switch engine.next() {
    case .input: .input
    case .end: .end
    case .record(let outcome): outcome.isDropped ? .dropped : .record(outlet.record(outcome))
    }
  }
}
