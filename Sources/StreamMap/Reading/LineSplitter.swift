import CScan

/// Splits a feed of lines into batches of whole lines, which are read by whoever maps them.
///
/// Of a byte it only knows whether it ends a line or is white space: where lines end, and how many of them hold a record. The
/// line that the input ends in is kept until it is whole, or larger than a batch: then the batch is left open, and the next one
/// goes on with it.
///
/// Not thread-safe.
struct LineSplitter {
  /// What is not split yet of the current piece of the feed.
  private var rest = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var isFinal = false
  /// The bytes that are in no batch of the line that is not whole yet.
  private var tail: [UInt8] = []
  /// Where the next batch starts.
  private var start: LineStart
  /// Whether the batch before has the beginning of the line that the next one starts in.
  private var isLineOpen = false
  /// Whether there is a record in the line that is not whole yet.
  private var isRecordOpen = false

  /// A splitter that goes on at the start of a line.
  init(at start: LineStart) {
    self.start = start
  }

  /// Where the last line of some bytes ends; 0 where none does.
  static func end(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var isRecordOpen = false
    return sm_count_lines(&isRecordOpen, bytes.baseAddress, bytes.count, .max).end
  }

  /// Bytes that are behind the splitter.
  var offset: Int { start.offset + tail.count }

  /// Gives the next piece of the feed, once the one before is split.
  mutating func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    rest = bytes
    self.isFinal = isFinal
  }

  /// Adds to a batch until it is full, or the input is used up.
  mutating func fill(_ batch: RecordBatch) -> BatchReader.Step {
    if batch.isEmpty { begin(batch) }
    // What is kept and what the batch has are never more than the bound.
    while !rest.isEmpty {
      let room = RecordBatch.Bounds.lines - batch.lines.text.count - tail.count
      let piece = UnsafeBufferPointer(rebasing: rest.prefix(room))
      let found = sm_count_lines(
        &isRecordOpen, piece.baseAddress, piece.count,
        RecordBatch.Bounds.entries - batch.lines.recordCount)
      if found.end > 0 {
        append(UnsafeBufferPointer(rebasing: piece[..<found.end]), to: batch)
        start.line += found.line_feeds
        start.recordCount += found.texts
        batch.lines.recordCount += found.texts
        isLineOpen = false
      }
      tail.append(contentsOf: piece[found.end..<found.scanned])
      rest = UnsafeBufferPointer(rebasing: rest[found.scanned...])
      if batch.lines.recordCount >= RecordBatch.Bounds.entries { return .batch }
      if batch.lines.text.count + tail.count < RecordBatch.Bounds.lines { continue }
      if batch.lines.text.isEmpty {
        // One line is all of it.
        append(UnsafeBufferPointer(start: nil, count: 0), to: batch)
        batch.lines.isOpen = true
        isLineOpen = true
      }
      return .batch
    }
    guard isFinal else { return .input }
    if !tail.isEmpty || isLineOpen {
      append(rest, to: batch)
      batch.lines.isFinal = true
    }
    return .end
  }

  private func begin(_ batch: RecordBatch) {
    batch.start = start.offset
    batch.end = start.offset
    batch.lines.start = isLineOpen ? nil : start
  }

  /// Adds bytes behind those that were kept.
  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, to batch: RecordBatch) {
    start.offset += tail.count + bytes.count
    if batch.lines.text.isEmpty { batch.lines.text.reserveCapacity(RecordBatch.Bounds.lines) }
    batch.lines.text.append(contentsOf: tail)
    batch.lines.text.append(contentsOf: bytes)
    tail.removeAll(keepingCapacity: true)
    batch.end = start.offset
  }
}

extension RecordBatch {
  /// Lines that are not read yet: whole ones, or a part of one that is larger than a batch.
  struct Lines {
    var text: [UInt8] = []
    /// Nil where the batch before has the beginning of the first one.
    var start: LineStart?
    /// How many of them hold a record, but for one that goes on.
    var recordCount = 0
    /// Whether the last one goes on in the next batch.
    var isOpen = false
    /// Whether the feed ends with them, be it in the middle of a line.
    var isFinal = false

    var isEmpty: Bool { text.isEmpty && !isFinal }

    mutating func clear() {
      text.removeAll(keepingCapacity: true)
      start = nil
      recordCount = 0
      isOpen = false
      isFinal = false
    }
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
