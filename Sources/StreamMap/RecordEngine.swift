/// An engine whose records have values of a known type.
///
/// PERF: what is generic here is inlinable, so that a program that uses it gets code for its own type; with generic code
/// it would look up the type's description at each record (7 % of the time of a typed feed).
@usableFromInline
final class RecordEngine<Value> {
  /// What the engine has, or needs.
  @usableFromInline
  enum Step {
    /// Another piece of the feed.
    case input
    case record(Record<Value>)
    /// The feed is over.
    case end
  }

  @usableFromInline let engine: FeedEngine
  /// Takes a value out of an output record's text; nil where values are built in place.
  @usableFromInline let take: ((UnsafeMutableRawPointer) -> Value)?

  init(
    _ product: Product<Value>, plan: Plan, selection: FeedSelection, format: FeedFormat,
    limits: Limits
  )
    throws(MappingError)
  {
    engine = try FeedEngine(
      product.builder, size: product.size, alignment: product.alignment, plan: plan,
      selection: selection,
      format: format, limits: limits)
    take = product.take
  }

  /// Bytes of the feed that are behind the engine.
  var offset: Int { engine.offset }

  /// Whether the feed ended at a fault, behind which no record can be read.
  var endedAtFault: Bool { engine.endedAtFault }

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
    case .record(let outcome): .record(record(outcome))
    }
  }

  @inlinable
  func record(_ outcome: RecordOutcome) -> Record<Value> {
    let result: Result<Value, MappingError>
    if let error = outcome.error {
      result = .failure(error)
    } else if let take {
      result = .success(take(engine.destination))
    } else {
      result = .success(engine.destination.assumingMemoryBound(to: Value.self).move())
    }
    return Record(
      number: outcome.number, position: outcome.position, result: result, issues: outcome.issues)
  }
}
