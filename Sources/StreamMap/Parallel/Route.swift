/// Where the records of a feed are made.
///
/// Whatever takes the records of a feed, or text or columns that are made of them, takes them by one of these ways.
@usableFromInline
enum Route<Value> {
  /// By the thread that takes them, one at a time.
  case one(FeedEngine, ValueTaker<Value>)
  /// By several threads, in batches.
  case parallel(ParallelEngine<Value>)

  /// What a route has, or needs.
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

  /// Says that the input is a part of the feed, and where it ends; before anything is read.
  func end(at end: PartEnd) {
    switch self {
    case .one(let engine, _): engine.end(at: end)
    case .parallel(let engine): engine.end(at: end)
    }
  }

  /// The number of bytes of the feed that were passed.
  var offset: Int {
    switch self {
    case .one(let engine, _): engine.offset
    case .parallel(let engine): engine.offset
    }
  }

  /// Where another route can continue; nil if that is not possible here.
  var position: FeedPosition? {
    switch self {
    case .one(let engine, _): engine.position
    case .parallel(let engine): engine.position
    }
  }

  /// What the faults up to the last record say about the end of the feed.
  var ending: FeedEnding {
    switch self {
    case .one(let engine, _): engine.ending
    case .parallel(let engine): engine.ending
    }
  }

  /// The record paths that did not occur.
  var unseenPaths: [PathPattern] {
    switch self {
    case .one(let engine, _): engine.unseenPaths
    case .parallel(let engine): engine.unseenPaths
    }
  }

  /// Advances to the next record, or to the end of the input.
  ///
  /// Other threads make their records by `mapping`.
  func next(
    _ mapping: @escaping @Sendable (Batch<Value>, BatchWorker<Value>) -> Void = { $1.map($0) }
  ) -> Next {
    switch self {
    case .one(let engine, let taker):
      switch engine.next() {
      case .input: .input
      case .end: .end
      case .record(let outcome): outcome.isDropped ? .dropped : .record(taker.record(outcome))
      }
    case .parallel(let engine): engine.next(mapping)
    }
  }
}

extension Route: FeedConsumer {
  package var room: UnsafeMutableRawBufferPointer? {
    switch self {
    case .one: nil
    case .parallel(let engine): engine.room
    }
  }

  package func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    switch self {
    case .one(let engine, _): engine.input(bytes, isFinal: isFinal)
    case .parallel(let engine): engine.input(bytes.count)
    }
  }

  package func drain() -> Bool {
    switch self {
    case .one: false
    case .parallel(let engine): engine.drain()
    }
  }
}
