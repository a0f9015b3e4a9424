import CScan

/// Splits a feed of lines into batches of whole lines, which are read by whoever maps them.
///
/// Of a byte it only knows whether it ends a line or is white space: where lines end, and how many of them hold a record. The
/// line that the input ends in is kept until it is whole; one that grows too large for that has to be read as it comes.
///
/// Not thread-safe.
final class LineSplitter {
  /// What the splitter has, or needs.
  enum Step {
    /// Another piece of the feed.
    case input
    /// The batch is full.
    case batch
    /// A line is too large: ``kept`` is its beginning, ``rest`` follows.
    case line
    /// The feed is over.
    case end
  }

  /// What is not split yet of the current piece of the feed, and whether the feed ends with it.
  private(set) var rest = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private(set) var isFinal = false
  /// Where the next batch starts, and before it what is kept.
  private(set) var start = LineStart(offset: 0, line: 1, recordCount: 0)
  /// Whether there is a record in the line that is kept.
  private var isRecordOpen = false

  // Invariant: allocated in `init`, freed in `deinit`; the first `keptCount` bytes are initialised.
  private let memory: UnsafeMutableBufferPointer<UInt8>
  private var keptCount = 0

  init() {
    memory = .allocate(capacity: RecordBatch.Bounds.line)
  }

  deinit {
    memory.deallocate()
  }

  /// Goes on at the start of a line.
  func begin(at start: LineStart) {
    self.start = start
    keptCount = 0
    isRecordOpen = false
  }

  /// The bytes of the line that is not whole yet, which starts at ``start``.
  ///
  /// Valid until the next step.
  var kept: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory)[..<keptCount])
  }

  /// Bytes that are behind the splitter.
  var offset: Int { start.offset + keptCount }

  /// Where the last line of some bytes ends; 0 where none does.
  static func end(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var isRecordOpen = false
    return sm_count_lines(&isRecordOpen, bytes.baseAddress, bytes.count, .max).end
  }

  /// Gives the next piece of the feed, once the one before is split.
  func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    rest = bytes
    self.isFinal = isFinal
  }

  /// Adds to a batch until it is full, or the input is used up.
  func fill(_ batch: RecordBatch) -> Step {
    if batch.isEmpty { batch.beginLines(at: start) }
    while !rest.isEmpty {
      let size = batch.lines.text.count + keptCount
      var room = RecordBatch.Bounds.lines - size
      var mostRecords = RecordBatch.Bounds.entries - batch.lines.recordCount
      if room <= 0 {
        // One line may go beyond it.
        guard batch.lines.text.isEmpty else { return .batch }
        room = memory.count - size
        mostRecords = 1
      }
      guard room > 0 else { return .line }
      guard mostRecords > 0 else { return .batch }
      split(UnsafeBufferPointer(rebasing: rest.prefix(room)), into: batch, mostRecords)
    }
    guard isFinal else { return .input }
    if keptCount > 0 {
      append(rest, to: batch)
      batch.lines.isFinal = true
    }
    return .end
  }

  private func split(
    _ piece: UnsafeBufferPointer<UInt8>, into batch: RecordBatch, _ mostRecords: Int
  ) {
    let found = sm_count_lines(&isRecordOpen, piece.baseAddress, piece.count, mostRecords)
    if found.end > 0 {
      append(UnsafeBufferPointer(rebasing: piece[..<found.end]), to: batch)
      start.line += found.line_feeds
      start.recordCount += found.texts
      batch.lines.recordCount += found.texts
    }
    // All that is kept lay in the room that the piece has.
    let tail = UnsafeBufferPointer(rebasing: piece[found.end..<found.scanned])
    _ = UnsafeMutableBufferPointer(rebasing: memory[keptCount...]).update(fromContentsOf: tail)
    keptCount += tail.count
    rest = UnsafeBufferPointer(rebasing: rest[found.scanned...])
  }

  /// Adds what is kept, and bytes behind it.
  private func append(_ bytes: UnsafeBufferPointer<UInt8>, to batch: RecordBatch) {
    batch.lines.text.reserveCapacity(RecordBatch.Bounds.lines)
    batch.lines.text.append(contentsOf: kept)
    batch.lines.text.append(contentsOf: bytes)
    start.offset += keptCount + bytes.count
    batch.end = start.offset
    keptCount = 0
  }
}

extension RecordBatch {
  /// Lines that are not read yet.
  struct Lines {
    fileprivate(set) var text: [UInt8] = []
    fileprivate(set) var start = LineStart(offset: 0, line: 1, recordCount: 0)
    /// How many of them hold a record.
    fileprivate(set) var recordCount = 0
    /// Whether the feed ends with them, in the middle of a line.
    fileprivate(set) var isFinal = false

    var isEmpty: Bool { text.isEmpty }

    mutating func clear() {
      // What one outsized line took is given back.
      text.removeAll(keepingCapacity: text.count <= RecordBatch.Bounds.lines)
      recordCount = 0
      isFinal = false
    }
  }

  fileprivate func beginLines(at start: LineStart) {
    lines.start = start
    self.start = start.offset
    end = start.offset
  }
}

/// A place in a feed of lines where a line starts.
struct LineStart {
  var offset: Int
  /// The line's number.
  var line: Int
  /// How many records came before.
  var recordCount: Int
}
