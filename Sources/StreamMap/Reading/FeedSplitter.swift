import CScan

/// Splits a feed into batches of whole lines, or a list of a document into batches of whole elements; the threads that map them
/// also read them.
///
/// The feed is read into windows, one after the other. A batch is a stretch of one window. Only one piece (a line, or the elements
/// from one that has an end of its own to the next one) is copied: the piece that a window ends in, to the start of the next
/// window. The splitter knows only where a line ends and whether it holds a record, and where the brackets of an element are.
/// A piece that grows too large for any window is handed over in parts, one for each window, which one worker reads one after the other. What
/// comes after a list has to be read as it comes.
///
/// Brackets are counted, not matched. That is enough: up to the first fault the count is right, and the worker whose stretch has the
/// fault finds it at its exact place. A document is over at its first fault, so what was split after it is thrown away.
///
/// Not thread-safe; but batches may be read while the splitter fills the window after their stretch.
final class FeedSplitter {
  /// What the splitter has, or needs.
  enum Next {
    /// Another piece of the feed, which is to be read into ``room``.
    case input
    /// The batch is full.
    case batch
    /// The next bytes have to be read: ``rest`` is their beginning.
    case rest
    /// The feed is over.
    case end
  }

  /// The least room that is worth a read: with less, the open piece continues in another window.
  static let leastRoom = FeedWindow.size >> 4

  // Invariant: `end <= scanned <= filled <= window.size`. Batches have the window up to `end`. The rest belongs to the splitter:
  // up to `filled`, it holds bytes of the feed; those up to `scanned` were scanned.
  private var window = FeedWindow(size: 0)
  private var end = 0
  private var scanned = 0
  private var filled = 0
  private var isFinal = false
  /// How many bytes of the open piece were handed over: those before `end`.
  private var handedOver = 0
  /// Where the open piece starts, and with it the next batch.
  private(set) var start = FeedPosition(beginningAt: 0, .ndjson)
  private var isList: Bool { !start.levels.isEmpty }
  /// Whether there is a record in the open line.
  private var isRecordOpen = false
  /// What is known of the open elements; counted from ``start``.
  private var list = sm_elements()

  /// Continues at the start of a line, or after an element of a list, with bytes that were read already.
  ///
  /// - Parameters:
  ///   - start: Where that is; inside a list, its containers are open.
  ///   - bytes: What is read already.
  ///   - isFinal: Whether the feed ends with them.
  func begin(at start: FeedPosition, _ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    // Batches may have a part of the last window, and the bytes may lie there.
    let next = FeedWindow(size: max(FeedWindow.size, bytes.count))
    next.room(from: 0).copyMemory(from: UnsafeRawBufferPointer(bytes))
    window = next
    (end, scanned, filled) = (0, 0, bytes.count)
    handedOver = 0
    self.start = start
    self.isFinal = isFinal
    isRecordOpen = false
    list = sm_elements()
  }

  /// Whether a part of the open piece was handed over.
  var isInsidePiece: Bool { handedOver > 0 }

  /// The bytes of the feed from ``start`` on, as far as they are there and were not handed over.
  ///
  /// Valid until the splitter begins elsewhere.
  var rest: UnsafeBufferPointer<UInt8> { window.bytes(in: end..<filled) }

  /// Whether the feed ends with them.
  var isRestFinal: Bool { isFinal }

  /// Where the bytes end that the splitter is done with; inside a piece, no reader can continue there.
  var place: FeedPosition {
    var place = start
    place.offset = offset
    if list.here.line_feeds > 0 {
      place.line += Int(list.here.line_feeds)
      place.lineStart = start.offset + Int(list.here.line_start)
    }
    return place
  }

  /// Where in the feed the next piece starts.
  var endOfInput: Int { start.offset + handedOver + filled - end }

  /// The number of bytes that the splitter is done with.
  var offset: Int { start.offset + handedOver + scanned - end }

  /// Where the first line of these bytes ends that has a record; where there is none, the last one; 0 if none ends.
  static func endOfLine(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var isRecordOpen = false
    return sm_count_lines(&isRecordOpen, bytes.baseAddress, bytes.count, 1).end
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
  /// The record after the most that the feed may have is not split off: it has to be read.
  func fill(_ batch: RecordBatch, mostRecords mostOfFeed: Int = .max) -> Next {
    if batch.isEmpty { batch.beginStretch(at: start, after: handedOver, in: window, end) }
    while scanned < filled {
      let most = min(
        RecordBatch.Bounds.entries - batch.stretch.recordCount, mostOfFeed - start.countBefore)
      if isList, list.here.commas > most {
        // Elements without an end of their own would be too many in one batch, or in the feed.
        scanned = end
        list = sm_elements()
        return batch.isEmpty ? .rest : .batch
      }
      guard most > 0, !list.is_over else { return batch.isEmpty ? .rest : .batch }
      if isList { splitList(into: batch, most) } else { splitLines(into: batch, most) }
    }
    if isFinal {
      // A document is not over inside a list.
      if isList, !isInsidePiece { return batch.isEmpty ? .rest : .batch }
      if end < filled || isInsidePiece {
        add(upTo: filled, to: batch)
        batch.stretch.isFinal = true
      }
      return .end
    }
    // A single piece may use the largest window up to its end.
    let isLargest = end == 0 && (isInsidePiece || window.size >= RecordBatch.Bounds.line)
    if window.size - filled >= (isLargest ? 1 : Self.leastRoom) { return .input }
    if !batch.isEmpty { return .batch }
    if isLargest, end < filled {
      // The first comma is before the piece. Elements without an end of their own would be any number.
      if list.here.commas > 1 { return .rest }
      handOver(to: batch)
      return .batch
    }
    moveOn(with: batch)
    return .input
  }

  private func splitLines(into batch: RecordBatch, _ most: Int) {
    let piece = window.bytes(in: scanned..<filled)
    let found = sm_count_lines(&isRecordOpen, piece.baseAddress, piece.count, most)
    if found.end > 0 {
      add(upTo: scanned + found.end, to: batch)
      batch.stretch.recordCount += found.texts
      start.beginLine(after: found.line_feeds, recordCount: found.texts)
    }
    scanned += found.scanned
  }

  private func splitList(into batch: RecordBatch, _ most: Int) {
    let piece = window.bytes(in: scanned..<filled)
    scanned += sm_split_elements(&list, piece.baseAddress, piece.count, UInt64(most))
    let found = list.end
    if found.offset == 0 { return }
    if found.line_feeds > 0 { start.lineStart = start.offset + Int(found.line_start) }
    add(upTo: end + Int(found.offset) - handedOver, to: batch)
    batch.stretch.recordCount += Int(found.commas)
    start.pass(elements: Int(found.commas), lineFeeds: Int(found.line_feeds))
    list.here.offset -= found.offset
    list.here.commas -= found.commas
    list.here.line_feeds -= found.line_feeds
    list.here.line_start -= min(found.offset, list.here.line_start)
    list.end = sm_element_place()
  }

  private func add(upTo newEnd: Int, to batch: RecordBatch) {
    start.offset += newEnd - end + handedOver
    handedOver = 0
    end = newEnd
    batch.end = start.offset
    batch.stretch.textEnd = newEnd
  }

  /// Gives a batch what is there of the open piece.
  private func handOver(to batch: RecordBatch) {
    handedOver += filled - end
    end = filled
    batch.end = start.offset + handedOver
    batch.stretch.textEnd = filled
    batch.stretch.isOpen = true
  }

  /// Continues with the open piece in another window, which becomes that of an empty batch.
  private func moveOn(with batch: RecordBatch) {
    let open = UnsafeRawBufferPointer(rest)
    var size = FeedWindow.size
    while size < 2 * open.count, size < RecordBatch.Bounds.line { size *= 2 }
    let next = size == FeedWindow.size ? batch.windows.take() : FeedWindow(size: size)
    next.room(from: 0).copyMemory(from: open)
    batch.windows.leave(window)
    window = next
    (end, scanned, filled) = (0, open.count, open.count)
    batch.beginStretch(at: start, after: handedOver, in: window, 0)
  }
}

extension RecordBatch {
  /// Whole lines, or whole elements of a list, that are not read yet.
  struct Stretch {
    /// What it was read into (nil if there is none), and the place in that.
    private var window: FeedWindow?
    private var textStart = 0
    fileprivate(set) var textEnd = 0
    /// Where its reader begins.
    fileprivate(set) var start = FeedPosition(beginningAt: 0, .ndjson)
    /// How many records it has.
    fileprivate(set) var recordCount = 0
    /// Whether the feed ends with it, in the middle of a line.
    fileprivate(set) var isFinal = false
    /// Whether it begins in the middle of a line or element, which the reader of the stretch before it continues.
    fileprivate(set) var continues = false
    /// Whether it ends there, and the feed does not.
    fileprivate(set) var isOpen = false

    var isEmpty: Bool { textStart == textEnd && !isFinal }
    var size: Int { textEnd - textStart }

    /// Its bytes; valid as long as the batch has them.
    var text: UnsafeBufferPointer<UInt8> {
      window?.bytes(in: textStart..<textEnd) ?? UnsafeBufferPointer(start: nil, count: 0)
    }

    fileprivate mutating func begin(
      at start: FeedPosition, continues: Bool, in window: FeedWindow, _ offset: Int
    ) {
      self.start = start
      self.continues = continues
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
      continues = false
      isOpen = false
    }
  }

  /// Begins at the start of a piece, or after so many bytes of it.
  fileprivate func beginStretch(
    at start: FeedPosition, after handedOver: Int, in window: FeedWindow, _ offset: Int
  ) {
    stretch.begin(at: start, continues: handedOver > 0, in: window, offset)
    self.start = start.offset + handedOver
    end = self.start
  }
}
