/// A feed whose buffers come asynchronously, on its way to the records or the batches that are taken of it.
@usableFromInline
final class AsyncFeed<Value, Buffers: AsyncSequence> where Buffers.Element: FeedBuffer {
  /// Where the records are made.
  enum Making {
    /// In the task that takes them; the buffers come by a pump, or are requested there, too.
    case one(() throws(MappingError) -> (FeedEngine, ValueTaker<Value>), BufferPump?)
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
    _ making: Making
  ) {
    self.selection = selection
    self.endsHere = endsHere
    source =
      switch making {
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

  private var records: any AsyncRoute {
    switch source {
    case .one(let records): records
    case .parallel(let records): records
    }
  }

  func stop() { records.stop() }

  var verdict: FeedVerdict { isCancelled ? .stopped : records.verdict }

  var position: FeedPosition? { records.position }

  var offset: Int { records.offset }

  /// Where the bytes end that were read.
  var end: Int { records.text.end }

  /// Whether the buffers, which are a part of the feed, are used up.
  @usableFromInline var isPartOver: Bool { records.isPartOver }

  var unseenPaths: [PathPattern] { selection.unseenPaths(records.pathsSeen) }

  var droppedCount: Int { records.droppedCount }

  func text(at position: SourcePosition) -> [UInt8]? {
    selection.hidesValues ? nil : records.text.bytes(in: position.bytes)
  }

  /// Where to continue after the records that are taken, also once the feed is over.
  var positionOfBatch: FeedPosition? { records.positionOfBatch }

  /// Whether the record that was just taken ends the feed early.
  var isAtEarlyEnd: Bool { records.isAtEarlyEnd }

  /// Says that the task is cancelled.
  func cancel() {
    isCancelled = true
    stop()
  }

  /// Which bound of its options the feed exceeded, as far as the records are taken.
  var exceeded: FeedDemand? { records.exceeded }

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
    private let makeEngine: () throws(MappingError) -> (FeedEngine, ValueTaker<Value>)
    /// What makes the records, and what takes their values; nil before the first one is asked for.
    @usableFromInline var making: (engine: FeedEngine, taker: ValueTaker<Value>)?
    let text: RecentText
    /// No more is wanted, or the feed is over.
    @usableFromInline var isOver = false
    private var isAtEnd = false
    private(set) var isPartOver = false
    @usableFromInline var droppedCount = 0

    init(
      _ buffers: Buffers, _ pump: BufferPump?, from start: FeedPosition?, endsHere: Bool,
      _ makeEngine: @escaping () throws(MappingError) -> (FeedEngine, ValueTaker<Value>)
    ) {
      self.buffers = pump == nil ? buffers.makeAsyncIterator() : nil
      self.pump = pump
      self.start = start
      self.endsHere = endsHere
      self.makeEngine = makeEngine
      text = pump?.text ?? RecentText(from: start?.offset ?? 0)
    }

    deinit { pump?.stop() }

    private var engine: FeedEngine? { making?.engine }

    var offset: Int { engine?.offset ?? start?.offset ?? 0 }

    var position: FeedPosition? { if let engine { engine.position } else { start } }

    var positionOfBatch: FeedPosition? {
      if let engine { engine.positionAfterRecord } else { start }
    }

    var isAtEarlyEnd: Bool { engine?.ending.verdict != nil }

    var exceeded: FeedDemand? { engine?.ending.excess }

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
          making = try makeEngine()
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

/// What a way to make the records of an asynchronous feed tells of it.
private protocol AsyncRoute {
  var verdict: FeedVerdict { get }
  var exceeded: FeedDemand? { get }
  var position: FeedPosition? { get }
  var positionOfBatch: FeedPosition? { get }
  var offset: Int { get }
  var text: RecentText { get }
  var pathsSeen: UInt64 { get }
  var droppedCount: Int { get }
  var isPartOver: Bool { get }
  var isAtEarlyEnd: Bool { get }
  func stop()
}

extension AsyncFeed.OneByOne: AsyncRoute {}

extension ParallelAsyncRecords: AsyncRoute {}
