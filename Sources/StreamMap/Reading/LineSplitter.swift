import CScan

/// Splits a feed of lines into batches of whole lines; the threads that map them also read them.
///
/// The feed is read into windows, one after the other. A batch of lines is a stretch of one window. Only one line is copied: the
/// line that a window ends in, to the start of the next window. Of a byte, the splitter only knows whether it ends a line or is
/// white space: it finds where lines end, and how many of them hold a record. A line that grows too large for any window has to
/// be read as it comes.
///
/// Not thread-safe; but the lines of batches may be read while the splitter fills the window after them.
final class LineSplitter {
  /// What the splitter has, or needs.
  enum Next {
    /// Another piece of the feed, which is to be read into ``room``.
    case input
    /// The batch is full.
    case batch
    /// A line is too large: ``openLine`` is its beginning.
    case line
    /// The feed is over.
    case end
  }

  /// The least room that is worth a read: with less, the open line goes on in another window.
  static let leastRoom = FeedWindow.size >> 4

  // Invariant: `end <= scanned <= filled <= window.size`. Batches have the lines of the window up to `end`. The rest belongs to
  // the splitter: up to `filled`, it holds bytes of the feed, of which those up to `scanned` were scanned.
  private var window = FeedWindow()
  private var end = 0
  private var scanned = 0
  private var filled = 0
  private var isFinal = false
  /// Where the open line starts, and with it the next batch.
  private(set) var start = LineStart(offset: 0, line: 1, recordCount: 0)
  /// Whether there is a record in the open line.
  private var isRecordOpen = false

  /// Goes on at the start of a line, with bytes of it that were read already, or of several lines.
  ///
  /// No batch has lines of the window: it is the first window, or its only content was a line that is too large.
  ///
  /// - Parameters:
  ///   - start: Where the line starts.
  ///   - bytes: What is read already; no more than a window.
  ///   - isFinal: Whether the feed ends with them.
  func begin(at start: LineStart, _ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    if window.size > FeedWindow.size { window = FeedWindow() }
    window.room(from: 0).copyMemory(from: UnsafeRawBufferPointer(bytes))
    (end, scanned, filled) = (0, 0, bytes.count)
    self.start = start
    self.isFinal = isFinal
    isRecordOpen = false
  }

  /// The bytes of the line that is not whole yet; the line starts at ``start``.
  ///
  /// Valid until the splitter begins elsewhere.
  var openLine: UnsafeBufferPointer<UInt8> { window.bytes(in: end..<scanned) }

  /// Whether the feed ends with them.
  var isOpenLineFinal: Bool { isFinal && scanned == filled }

  /// Where in the feed the next piece starts.
  var endOfInput: Int { start.offset + filled - end }

  /// The number of bytes that the splitter is done with.
  var offset: Int { start.offset + scanned - end }

  /// Where the last line of these bytes ends; 0 where none ends.
  static func end(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var isRecordOpen = false
    return sm_count_lines(&isRecordOpen, bytes.baseAddress, bytes.count, .max).end
  }

  /// Where the next piece of the feed is to be read.
  ///
  /// Valid until the next step.
  var room: UnsafeMutableRawBufferPointer { window.room(from: filled) }

  /// Says that `count` bytes were read into ``room``; with 0, the feed is over.
  func input(_ count: Int) {
    filled += count
    isFinal = count == 0
  }

  /// Adds to a batch until it is full, or the input is used up.
  ///
  /// The line after the most records that the feed may have is not split: it has to be read.
  func fill(_ batch: RecordBatch, mostRecords mostOfFeed: Int = .max) -> Next {
    if batch.isEmpty { batch.beginLines(at: start, in: window, end) }
    while scanned < filled {
      let mostRecords = min(
        RecordBatch.Bounds.entries - batch.lines.recordCount, mostOfFeed - start.recordCount)
      guard mostRecords > 0 else {
        if !batch.isEmpty { return .batch }
        scanned = filled
        return .line
      }
      let piece = window.bytes(in: scanned..<filled)
      let found = sm_count_lines(&isRecordOpen, piece.baseAddress, piece.count, mostRecords)
      if found.end > 0 {
        add(upTo: scanned + found.end, to: batch)
        batch.lines.recordCount += found.texts
        start.line += found.line_feeds
        start.recordCount += found.texts
      }
      scanned += found.scanned
    }
    if isFinal {
      if end < filled {
        add(upTo: filled, to: batch)
        batch.lines.isFinal = true
      }
      return .end
    }
    // A single line may use the largest window up to its end.
    let isLargest = end == 0 && window.size >= RecordBatch.Bounds.line
    if window.size - filled >= (isLargest ? 1 : Self.leastRoom) { return .input }
    if !batch.isEmpty { return .batch }
    if isLargest { return .line }
    moveOn(with: batch)
    return .input
  }

  private func add(upTo newEnd: Int, to batch: RecordBatch) {
    start.offset += newEnd - end
    end = newEnd
    batch.end = start.offset
    batch.lines.textEnd = newEnd
  }

  /// Goes on with the open line in another window, which becomes that of an empty batch.
  private func moveOn(with batch: RecordBatch) {
    let open = UnsafeRawBufferPointer(openLine)
    var size = FeedWindow.size
    while size < 2 * open.count, size < RecordBatch.Bounds.line { size *= 2 }
    let next = size == FeedWindow.size ? batch.windows.take() : FeedWindow(size: size)
    next.room(from: 0).copyMemory(from: open)
    batch.windows.leave(window)
    window = next
    (end, scanned, filled) = (0, open.count, open.count)
    batch.beginLines(at: start, in: window, 0)
  }
}

extension RecordBatch {
  /// Lines that are not read yet.
  struct Lines {
    /// What they were read into (nil without lines), and where they are there.
    private var window: FeedWindow?
    private var textStart = 0
    fileprivate(set) var textEnd = 0
    fileprivate(set) var start = LineStart(offset: 0, line: 1, recordCount: 0)
    /// How many of them hold a record.
    fileprivate(set) var recordCount = 0
    /// Whether the feed ends with them, in the middle of a line.
    fileprivate(set) var isFinal = false

    var isEmpty: Bool { textStart == textEnd }
    var size: Int { textEnd - textStart }

    /// Their bytes; valid as long as the batch has them.
    var text: UnsafeBufferPointer<UInt8> {
      window?.bytes(in: textStart..<textEnd) ?? UnsafeBufferPointer(start: nil, count: 0)
    }

    fileprivate mutating func begin(at start: LineStart, in window: FeedWindow, _ offset: Int) {
      self.start = start
      self.window = window
      textStart = offset
      textEnd = offset
    }

    mutating func clear() {
      window = nil
      textStart = 0
      textEnd = 0
      recordCount = 0
      isFinal = false
    }
  }

  fileprivate func beginLines(at start: LineStart, in window: FeedWindow, _ offset: Int) {
    lines.begin(at: start, in: window, offset)
    self.start = start.offset
    end = start.offset
  }
}
