/// A stretch of a feed that another thread maps: what reading hands over of it, or lines or elements that are not read yet.
///
/// Reading hands over chunks of records, the places of the records, and faults, all in the order of the feed. A batch begins and
/// ends between chunks, so its first and last record may lie partly in other batches. The texts of an index stay in the windows
/// that the feed was read into: the batch keeps these alive.
///
/// A batch belongs to one thread at a time: reading fills it and gives it away.
final class RecordBatch {
  /// A chunk of a record, or a fault.
  struct Entry {
    enum Kind {
      /// A part of a record that continues.
      case part
      /// The last part of a record.
      case record
      /// A fault, by its index among the faults.
      case fault(Int)
    }

    let kind: Kind
    /// The record's number; 0 for a fault outside any record.
    let number: Int
    let address: FeedToken
    /// The entry's tokens in the batch; none for a fault.
    let tokens: Range<Int>
    let texts: Texts
    let steps: Range<Int>
    /// The index of its context; -1 without one.
    let context: Int
  }

  /// Where the texts of a chunk's tokens are.
  enum Texts {
    /// The chunk is this text of the batch.
    case json(Range<Int>)
    /// In a window, counted from an origin. The text of the first token is in the batch, if it was cut off.
    case window(origin: UInt, joined: Range<Int>)
    /// Copied into the batch, from index `at` on, which corresponds to `offset` in the feed.
    case copied(at: Int, offset: UInt64, joined: Range<Int>)
  }

  /// A step of a record's path: a member, whose key, as written, is a stretch of the keys; or an element.
  struct Step {
    let key: Range<Int>?
    let index: Int
  }

  /// What the entries refer to.
  ///
  /// PERF: a struct, so that filling it is one access to the batch for the runtime to check.
  struct Contents {
    fileprivate(set) var entries: [Entry] = []
    fileprivate(set) var text: [UInt8] = []
    fileprivate(set) var tokens: [FeedToken] = []
    /// The windows that contain the texts of tokens.
    fileprivate(set) var windows: [FeedWindow] = []
    fileprivate(set) var faults: [FeedReader.Fault] = []
    /// The values from outside the records that the entries refer to; the last ones are for entries to come.
    fileprivate(set) var contexts: [ContextValues] = []
    fileprivate var steps: [Step] = []
    fileprivate var keys: [UInt8] = []
  }

  /// The thresholds that end a batch; one chunk may go beyond them.
  enum Bounds {
    /// With these, the text and the tokens stay in the second-level cache of the two processors that touch them.
    static let text = 64 << 10
    static let tokens = 2048
    /// If little of a feed is mapped, batches would keep many windows alive.
    static let windows = 1
    /// A bound, because a mapping may write much for a record of few bytes.
    static let entries = 1024
    /// The bytes of the feed, kept or not.
    static let span = 1 << 20
    /// The bytes of the largest line or element that is read only when it is whole.
    static let line = 1 << 20
  }

  var contents = Contents()
  /// What is not read yet, instead of contents.
  var stretch = Stretch()
  var windows = Windows()
  /// Whether nothing more is to be added.
  var isFull = false
  /// Where in the feed it begins and ends.
  var start = 0
  var end = 0
  /// Where reading can continue after it; nil if it ends inside something.
  var position: FeedPosition?
  /// Once the feed is over: where to continue before the record that ended it, or at its end.
  var lastPosition: FeedPosition?
  /// The record paths that had occurred when it ended, as bits.
  var pathsSeen: UInt64 = 0
  /// What the faults up to its end say about the end of the feed; for a stretch, once it is read.
  var ending = FeedEnding()

  var isEmpty: Bool { contents.entries.isEmpty && stretch.isEmpty }
  /// Whether the last record continues in the next batch.
  var isRecordOpen: Bool {
    if case .part? = contents.entries.last?.kind { true } else { stretch.isOpen }
  }
  /// The size in memory of what it holds.
  var size: Int { contents.size + stretch.size }

  func clear() {
    position = nil
    lastPosition = nil
    isFull = false
    ending = FeedEnding()
    stretch.clear()
    windows.clear()
    if contents.size > 8 * Bounds.text {
      // The memory that one outsized value took is given back.
      contents = Contents()
      return
    }
    contents.entries.removeAll(keepingCapacity: true)
    contents.text.removeAll(keepingCapacity: true)
    contents.tokens.removeAll(keepingCapacity: true)
    contents.windows.removeAll(keepingCapacity: true)
    contents.faults.removeAll()
    contents.contexts.removeAll()
    contents.steps.removeAll(keepingCapacity: true)
    contents.keys.removeAll(keepingCapacity: true)
  }

  func path(_ steps: Range<Int>) -> JSONPath { contents.path(steps) }
  func lastStep(of steps: Range<Int>) -> JSONPath.Component? {
    steps.last.map { contents.component($0) }
  }
}

extension RecordBatch.Contents {
  fileprivate var size: Int {
    text.count + tokens.count * MemoryLayout<FeedToken>.stride
  }

  var isFull: Bool {
    text.count >= RecordBatch.Bounds.text || tokens.count >= RecordBatch.Bounds.tokens
      || entries.count >= RecordBatch.Bounds.entries || windows.count > RecordBatch.Bounds.windows
  }

  /// Adds the chunk that the reader hands over; the reader reads from a window.
  mutating func add(
    _ kind: RecordBatch.Entry.Kind, number: Int, from reader: FeedReader, in window: FeedWindow
  ) {
    let (firstToken, firstStep) = (tokens.count, steps.count)
    let chunk = reader.chunk
    tokens.append(contentsOf: chunk.tokens)
    let texts: RecordBatch.Texts =
      switch chunk {
      case .text(let chunk): .json(keep(chunk.json))
      case .index(let chunk): keep(chunk, in: window)
      }
    if reader.hasRecordLevels { addSteps(from: reader) }
    entries.append(
      RecordBatch.Entry(
        kind: kind, number: number, address: reader.recordAddress,
        tokens: firstToken..<tokens.count, texts: texts,
        steps: firstStep..<steps.count, context: contexts.count - 1))
  }

  private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let start = text.count
    text.append(contentsOf: bytes)
    return start..<text.count
  }

  private mutating func keep(_ chunk: RecordChunk.Index, in window: FeedWindow)
    -> RecordBatch.Texts
  {
    let joined = keep(chunk.joined)
    guard let stretch = chunk.stretch else { return .window(origin: chunk.origin, joined: joined) }
    if window.contains(stretch.bytes) {
      if windows.last !== window { windows.append(window) }
      return .window(origin: chunk.origin, joined: joined)
    }
    // The reader had to join some bytes in its own memory, or it reads a line elsewhere that grew too large.
    return .copied(at: keep(stretch.bytes).lowerBound, offset: stretch.offset, joined: joined)
  }

  /// Sets the values from outside that records have from here on.
  mutating func enter(_ context: ContextValues) {
    if contexts.last !== context { contexts.append(context) }
  }

  private mutating func addSteps(from reader: FeedReader) {
    reader.forEachRecordLevel { key, index in
      if let key {
        steps.append(RecordBatch.Step(key: keys.count..<keys.count + key.count, index: 0))
        keys.append(contentsOf: key)
      } else {
        steps.append(RecordBatch.Step(key: nil, index: index))
      }
    }
  }

  mutating func add(_ fault: FeedReader.Fault, number: Int) {
    entries.append(
      RecordBatch.Entry(
        kind: .fault(faults.count), number: number, address: fault.text,
        tokens: tokens.count..<tokens.count, texts: .json(text.count..<text.count),
        steps: steps.count..<steps.count, context: -1))
    faults.append(fault)
  }

  fileprivate func path(_ range: Range<Int>) -> JSONPath {
    JSONPath(range.map { component($0) })
  }

  fileprivate func component(_ number: Int) -> JSONPath.Component {
    guard let key = steps[number].key else { return .index(steps[number].index) }
    return keys[key].withUnsafeBufferPointer { .key(EscapedText.decoded($0)) }
  }
}

extension RecordBatch.Contents {
  /// Calls `body` with each entry and its chunk, which is valid during the call, except for faults, which have none.
  func forEachEntry(_ body: (RecordBatch.Entry, RecordChunk) -> Void) {
    text.withUnsafeBufferPointer { text in
      tokens.withUnsafeBufferPointer { tokens in
        for entry in entries {
          let tokens = UnsafeBufferPointer(rebasing: tokens[entry.tokens])
          let chunk: RecordChunk
          switch entry.texts {
          case .json(let range):
            let json = UnsafeBufferPointer(rebasing: text[range])
            chunk = .text(RecordChunk.Text(json: json, tokens: tokens))
          case .window(let origin, let range):
            let joined = UnsafeBufferPointer(rebasing: text[range])
            chunk = .index(RecordChunk.Index(tokens: tokens, origin: origin, joined: joined))
          case .copied(let start, let offset, let range):
            let joined = UnsafeBufferPointer(rebasing: text[range])
            let origin =
              UInt(bitPattern: text.baseAddress) &+ UInt(bitPattern: start)
              &- UInt(truncatingIfNeeded: offset)
            chunk = .index(RecordChunk.Index(tokens: tokens, origin: origin, joined: joined))
          }
          body(entry, chunk)
        }
      }
    }
  }
}

extension RecordBatch {
  /// The windows that reading is done with, on their way to be reused.
  struct Windows {
    /// The windows that reading left while it filled this batch.
    ///
    /// Once this batch is taken, so are all batches that use them.
    private var left: [FeedWindow] = []
    /// The windows that no batch uses.
    private var spare: [FeedWindow] = []

    /// Notes that reading continues in another window.
    mutating func leave(_ window: FeedWindow) {
      if window.size == FeedWindow.size { left.append(window) }
    }

    /// A window to continue in.
    mutating func take() -> FeedWindow { spare.popLast() ?? FeedWindow() }

    /// Says that the batch is taken.
    fileprivate mutating func clear() {
      if !left.isEmpty { spare += left }
      left.removeAll(keepingCapacity: true)
    }
  }
}
