/// Reads a feed into batches.
///
/// Not thread-safe.
final class BatchReader {
  /// What the reader has, or needs.
  enum Next {
    /// Another piece of the feed.
    case input
    /// The batch is full.
    case batch
    /// The feed is over.
    case end
  }

  private let reader: FeedReader
  private let context: (any ContextTaker)?
  /// Goes on once the feed is known to have lines, and a record needs nothing but its line.
  private let lines = LineSplitter()
  // Everything else is read into these. Invariant: what batches use of the window is before `filled`, where the next piece goes.
  private var window = FeedWindow()
  private var filled = 0
  /// Whether a batch has something in the window.
  private var isWindowShared = false
  private var isSplitting = false
  /// What follows in the current piece after the part that the reader was given.
  private var rest: (bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool)?
  private var numbers = RecordCount()
  /// What the faults so far say about the end of the feed.
  private(set) var ending = FeedEnding()
  /// Where the input ends, if it is a part of a feed; nil once that is looked at.
  private var partEnd: PartEnd?
  /// Whether the last line of lines that were split has no end.
  private var endsInLine = false

  /// After this many bytes without a position, the next record ends its batch, so that there is a position.
  private let positionEvery: Int
  /// Where the last position was.
  private var lastPosition = 0

  init(
    _ reader: FeedReader, context: (any ContextTaker)? = nil,
    positionEvery: Int = RecordBatch.Bounds.span
  ) {
    self.reader = reader
    self.context = context
    self.positionEvery = positionEvery
  }

  /// The number of bytes that the reader is done with.
  var offset: Int { isSplitting ? lines.offset : reader.offset }

  /// The record paths that occurred in what is not a line of a batch of lines, as bits in their order.
  var pathsSeen: UInt64 { reader.pathsSeen }

  /// Where the next piece of the feed is to be read, at the start and after ``Next/input``.
  ///
  /// Valid until ``input(_:)``.
  var room: UnsafeMutableRawBufferPointer { isSplitting ? lines.room : window.room(from: filled) }

  /// Says that `count` bytes were read into ``room``; with 0, the feed is over.
  func input(_ count: Int) {
    if isSplitting {
      lines.input(count)
    } else {
      let start = filled
      filled += count
      read(window.bytes(in: start..<filled), isFinal: count == 0)
    }
  }

  /// Has the reader read a piece.
  ///
  /// Where lines can be split after it, it stops at the end of the last line of the piece.
  private func read(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    let end = mayHaveLines ? LineSplitter.end(of: bytes) : 0
    if end == 0 {
      reader.input(bytes, isFinal: isFinal)
    } else {
      rest = (UnsafeBufferPointer(rebasing: bytes[end...]), isFinal)
      reader.input(UnsafeBufferPointer(rebasing: bytes[..<end]), isFinal: false)
    }
  }

  /// Whether each line may be a record for which nothing but the line is needed.
  private var mayHaveLines: Bool {
    guard context == nil, reader.selection.paths.isWholeText else { return false }
    let format = reader.format
    return format == .ndjson || format == .auto
  }

  /// Where the lines that need not be read here start, once the reader is done with those before; nil where the reader must read on.
  private var lineStart: LineStart? {
    // The first bytes are read, and the format will not change any more.
    guard reader.format == .ndjson, let place = position(), place.offset == place.lineStart,
      !place.isAfterFault
    else { return nil }
    return LineStart(offset: place.offset, line: place.line, recordCount: place.countBefore)
  }

  /// Goes on where another reader was.
  ///
  /// - Throws: ``MappingError`` where no reader can have been there.
  func restore(_ position: FeedPosition) throws(MappingError) {
    try reader.restore(position)
    try context?.restore(position.context)
    numbers = RecordCount(position.countBefore)
    lastPosition = position.offset
  }

  /// Says that the input is a part of the feed, and where it ends.
  func end(at end: PartEnd) {
    reader.end(before: end.next)
    partEnd = end
  }

  /// What is wrong with the end of a part, once it is reached; nil where nothing is.
  private func faultAtPartEnd() -> FeedReader.Fault? {
    guard let end = partEnd else { return nil }
    partEnd = nil
    let place =
      isSplitting ? FeedPosition(lines.start, pathsSeen: reader.pathsSeen) : position()
    if ending.isAtFault || end.isReached(at: place) && !endsInLine { return nil }
    ending.note(PartEnd.fault)
    return PartEnd.fault
  }

  /// Where another reader can go on: see ``FeedReader/position()``.
  private func position() -> FeedPosition? {
    var position = reader.position()
    position?.countBefore = numbers.count
    position?.context = context?.saved
    return position
  }

  /// Adds to a batch until it is full, or the input is used up.
  func fill(_ batch: RecordBatch) -> Next {
    while !batch.isFull {
      let step = isSplitting ? split(into: batch) : read(into: batch)
      if step == .input {
        if goOnWithRest(batch) { continue }
        makeRoom(batch)
      }
      batch.isFull = step == .batch
      return step
    }
    return .batch
  }

  /// Makes room in the window, or takes another one, once the reader is done with it.
  private func makeRoom(_ batch: RecordBatch) {
    if isSplitting { return }
    if !isWindowShared {
      filled = 0
    } else if window.size - filled < LineSplitter.leastRoom {
      batch.windows.leave(window)
      window = batch.windows.take()
      filled = 0
      isWindowShared = false
    }
  }

  /// Goes on with the rest of a piece, once the reader is done with a part of it; false where there is no rest.
  private func goOnWithRest(_ batch: RecordBatch) -> Bool {
    guard let (bytes, isFinal) = rest else { return false }
    rest = nil
    if let start = lineStart {
      isSplitting = true
      lines.begin(at: start, bytes, isFinal: isFinal)
      // What was read, and lines that are not, are batches of their own.
      batch.isFull = !batch.isEmpty
      batch.position = position()
    } else {
      read(bytes, isFinal: isFinal)
    }
    return true
  }

  private func split(into batch: RecordBatch) -> Next {
    switch lines.fill(batch) {
    case .input: return .input
    case .batch: return .batch
    case .end:
      if partEnd == nil { return .end }
      if batch.lines.isFinal { endsInLine = true }
      // What is wrong comes in a batch without lines.
      if !batch.isEmpty { return .batch }
      batch.start = offset
      batch.end = offset
      if let fault = faultAtPartEnd() { batch.contents.add(fault, number: 0) }
      batch.ending = ending
      return .end
    case .line:
      isSplitting = false
      reader.begin(at: lines.start)
      numbers = RecordCount(lines.start.recordCount)
      reader.input(lines.openLine, isFinal: false)
      return read(into: batch)
    }
  }

  private func read(into batch: RecordBatch) -> Next {
    if batch.isEmpty { batch.start = offset }
    let step = fill(&batch.contents, since: batch.start)
    if batch.contents.windows.last === window { isWindowShared = true }
    batch.end = offset
    batch.pathsSeen = reader.pathsSeen
    batch.ending = ending
    batch.position = step == .end ? nil : position()
    if batch.position != nil || step == .batch { lastPosition = offset }
    return step
  }

  private func fill(_ contents: inout RecordBatch.Contents, since start: Int) -> Next {
    while true {
      var isAfterRecord = false
      switch reader.next() {
      case .input: return .input
      case .end:
        if let fault = faultAtPartEnd() { contents.add(fault, number: 0) }
        return .end
      case .chunk:
        if context != nil, note(&contents, isWhole: false) { continue }
        contents.add(.part, number: numbers.take(isWhole: false), from: reader, in: window)
      case .record, .row:
        if context != nil, note(&contents, isWhole: true) { continue }
        contents.add(.record, number: numbers.take(isWhole: true), from: reader, in: window)
        isAfterRecord = true
      case .fault:
        let number = numbers.fault(isInRecord: reader.isFaultInRecord)
        let fault = reader.fault(record: number)
        ending.note(fault)
        context?.abandon()
        contents.add(fault, number: number ?? 0)
      }
      let offset = offset
      if contents.isFull || offset - start >= RecordBatch.Bounds.span { return .batch }
      if isAfterRecord, offset - lastPosition >= positionEvery { return .batch }
    }
  }

  /// Whether what is handed over is for the records to come, and is not a part of one.
  private func note(_ contents: inout RecordBatch.Contents, isWhole: Bool) -> Bool {
    guard let context else { return false }
    context.follow(reader)
    guard reader.contextIndex != nil else {
      contents.enter(context.values)
      return false
    }
    if let fault = context.take(from: reader, isWhole: isWhole) { contents.add(fault, number: 0) }
    return true
  }
}
