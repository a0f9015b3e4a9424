/// A feed whose buffers come asynchronously, on its way to the records or the batches that are taken of it.
@usableFromInline
final class AsyncFeed<Value, Buffers: AsyncSequence> where Buffers.Element: FeedBuffer {
  /// Where the records are made.
  enum Route {
    /// In the task that takes them; the buffers come by a pump, or are requested there, too.
    case one(() throws(MappingError) -> RecordEngine<Value>, BufferPump?)
    /// By several threads.
    case parallel(ParallelAsyncRecords<Value>)
  }

  @usableFromInline
  enum Source {
    case one(OneByOne)
    case parallel(ParallelAsyncRecords<Value>)
  }

  @usableFromInline let source: Source
  private let selection: FeedSelection
  /// Whether the feed ends with the buffers.
  let endsHere: Bool
  @usableFromInline var isCancelled = false

  init(
    _ buffers: Buffers, _ selection: FeedSelection, from position: FeedPosition?, endsHere: Bool,
    _ route: Route
  ) {
    self.selection = selection
    self.endsHere = endsHere
    source =
      switch route {
      case .one(let makeEngine, let pump):
        .one(OneByOne(buffers, pump, from: position, endsHere: endsHere, makeEngine))
      case .parallel(let records): .parallel(records)
      }
  }

  /// Reads another buffer, or waits for other threads, where no record is ready; false at the end of the feed, and where a deadline
  /// is over: then the next call continues with the same wait.
  ///
  /// - Throws: What the buffers throw; `CancellationError` if the task is cancelled: every later call throws it again.
  func readOn(
    isolation actor: isolated (any Actor)?, until deadline: Deadline? = nil,
    _ mapping: @escaping @Sendable (Batch<Value>, BatchWorker<Value>) -> Void
  ) async throws -> Bool {
    if isCancelled { throw CancellationError() }
    do {
      try Task.checkCancellation()
      let goesOn =
        switch source {
        case .one(let records): try await records.readOn(isolation: actor, until: deadline)
        case .parallel(let records):
          try await records.readOn(isolation: actor, until: deadline, mapping)
        }
      // A cancelled caller must not mistake this for the end of the feed.
      if !goesOn { try Task.checkCancellation() }
      return goesOn
    } catch {
      guard error is CancellationError || Task.isCancelled else { throw error }
      cancel()
      throw CancellationError()
    }
  }

  func stop() {
    switch source {
    case .one(let records): records.stop()
    case .parallel(let records): records.stop()
    }
  }

  var verdict: FeedVerdict {
    if isCancelled { return .stopped }
    return switch source {
    case .one(let records): records.verdict
    case .parallel(let records): records.verdict
    }
  }

  var position: FeedPosition? {
    switch source {
    case .one(let records): records.position
    case .parallel(let records): records.position
    }
  }

  var offset: Int {
    switch source {
    case .one(let records): records.offset
    case .parallel(let records): records.offset
    }
  }

  /// Where the bytes end that were read.
  var end: Int {
    switch source {
    case .one(let records): records.text.end
    case .parallel(let records): records.text.end
    }
  }

  /// Whether the buffers, which are a part of the feed, are used up.
  @usableFromInline var isPartOver: Bool {
    switch source {
    case .one(let records): records.isPartOver
    case .parallel(let records): records.isPartOver
    }
  }

  var unseenPaths: [PathPattern] {
    switch source {
    case .one(let records): selection.unseenPaths(records.pathsSeen)
    case .parallel(let records): selection.unseenPaths(records.pathsSeen)
    }
  }

  var droppedCount: Int {
    switch source {
    case .one(let records): records.droppedCount
    case .parallel(let records): records.droppedCount
    }
  }

  func text(at position: SourcePosition) -> [UInt8]? {
    if selection.hidesValues { return nil }
    return switch source {
    case .one(let records): records.text.bytes(in: position.bytes)
    case .parallel(let records): records.text.bytes(in: position.bytes)
    }
  }

  /// Where to continue after the records that are taken, also once the feed is over.
  var positionOfBatch: FeedPosition? {
    switch source {
    case .one(let records): records.engine.map(\.engine.positionAfterRecord) ?? position
    case .parallel(let records): records.positionOfBatch
    }
  }

  /// Whether the record that was just taken ends the feed early.
  var isAtEarlyEnd: Bool {
    switch source {
    case .one(let records): records.engine?.ending.verdict != nil
    case .parallel(let records): records.isAtEarlyEnd
    }
  }

  /// Says that the task is cancelled.
  func cancel() {
    isCancelled = true
    stop()
  }

  /// Which bound of its options the feed exceeded, as far as the records are taken.
  var exceeded: FeedDemand? {
    switch source {
    case .one(let records): records.engine?.ending.excess
    case .parallel(let records): records.exceeded
    }
  }

  var state: FeedTally.State {
    FeedTally.State(
      verdict: verdict, exceeded: exceeded, unseenPaths: unseenPaths, position: position,
      offset: offset)
  }

  /// Makes each record when it is asked for.
  @usableFromInline
  final class OneByOne {
    /// Nil if a pump requests the buffers.
    private var buffers: Buffers.AsyncIterator?
    private let pump: BufferPump?
    private let start: FeedPosition?
    private let endsHere: Bool
    private let makeEngine: () throws(MappingError) -> RecordEngine<Value>
    @usableFromInline var engine: RecordEngine<Value>?
    let text: RecentText
    /// No more is wanted, or the feed is over.
    @usableFromInline var isOver = false
    private var isAtEnd = false
    private(set) var isPartOver = false
    @usableFromInline var droppedCount = 0

    init(
      _ buffers: Buffers, _ pump: BufferPump?, from start: FeedPosition?, endsHere: Bool,
      _ makeEngine: @escaping () throws(MappingError) -> RecordEngine<Value>
    ) {
      self.buffers = pump == nil ? buffers.makeAsyncIterator() : nil
      self.pump = pump
      self.start = start
      self.endsHere = endsHere
      self.makeEngine = makeEngine
      text = pump?.text ?? RecentText(from: start?.offset ?? 0)
    }

    deinit { pump?.stop() }

    var offset: Int { engine?.offset ?? start?.offset ?? 0 }

    var position: FeedPosition? { if let engine { engine.position } else { start } }

    var pathsSeen: UInt64 { engine?.pathsSeen ?? start?.pathsSeen ?? 0 }

    var verdict: FeedVerdict { engine?.ending.verdict ?? (isAtEnd ? .complete : .stopped) }

    func stop() {
      isOver = true
      pump?.stop()
    }

    /// Notes that the engine has come to the end of the feed.
    @usableFromInline
    func end() {
      isOver = true
      isAtEnd = true
    }

    /// Gives the engine the next buffer that is not empty, or the end; false if the feed is over, or the deadline.
    func readOn(
      isolation actor: isolated (any Actor)?, until deadline: Deadline?
    ) async throws -> Bool {
      if isOver { return false }
      do {
        guard let engine else {
          engine = try makeEngine()
          return true
        }
        while true {
          try Task.checkCancellation()
          text.forget(before: text.end - RecentText.largest)
          switch try await next(isolation: actor, until: deadline) {
          case .bytes(let bytes):
            if bytes.isEmpty { continue }
            engine.input(bytes, isFinal: false)
            return true
          case .late: return false
          case .failure(let error): throw error
          case .end:
            // In a cancelled task, sequences may end before the feed does.
            try Task.checkCancellation()
            guard endsHere else {
              isOver = true
              isPartOver = true
              return false
            }
            engine.input(UnsafeBufferPointer(start: nil, count: 0), isFinal: true)
            return true
          }
        }
      } catch {
        isOver = true
        throw error
      }
    }

    private func next(
      isolation actor: isolated (any Actor)?, until deadline: Deadline?
    ) async throws -> BufferPump.Step {
      if let pump { return try await pump.next(isolation: actor, until: deadline) }
      guard let buffer = try await buffers?.next(isolation: actor) else { return .end }
      return .bytes(text.append(buffer))
    }
  }
}
