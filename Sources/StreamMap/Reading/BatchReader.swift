/// Reads a feed into batches.
///
/// Where each line is a record and needs nothing else, it reads only the first lines, until encoding and format are settled. From there
/// on ``FeedSplitter`` makes the batches. A list whose elements are the records is split in the same way, once 64 KiB of it were read. At
/// the end of a list, and where a line or an element is larger than `RecordBatch.Bounds.line`, reading continues here, from the position
/// that the splitter has.
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
  /// Continues where the feed is known to have lines, or to be in a long list, and a record needs nothing but its line or element.
  private let splitter = FeedSplitter()
  // Everything else is read into these. Invariant: what batches use of the window is before `filled`, where the next piece goes.
  private var window = FeedWindow()
  private var filled = 0
  /// Whether a batch has something in the window.
  private var isWindowShared = false
  private var isSplitting = false
  /// The rest of the current piece, after the part that the reader has.
  private var rest: (bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool)?
  /// What the reader was given last, and where in the feed that starts; nil at the end of the feed.
  private var piece: (bytes: UnsafeBufferPointer<UInt8>, start: Int)?
  private var numbers = RecordCount()
  /// What the faults so far say about the end of the feed.
  private(set) var ending = FeedEnding()
  /// Where the input ends, if it is a part of a feed; nil once that is looked at.
  private var partEnd: PartEnd?
  /// Whether the last line of lines that were split has no end.
  private var endsInLine = false

  /// After this many bytes without a position, the next record ends its batch, so that there is a position.
  private let positionEvery: Int
  private let demands: FeedDemands
  /// Where to continue after the last record that the feed may have.
  private var limitPosition: FeedPosition?
  /// Where to continue once the feed is over, unless only the mapping of the last lines can say that.
  private(set) var endPosition: FeedPosition?
  /// Where the last position was.
  private var lastPosition = 0
  /// Where it was last asked whether the reader is in a long list.
  private var lastLook = 0

  init(
    _ reader: FeedReader, demands: FeedDemands = FeedDemands(),
    context: (any ContextTaker)? = nil, positionEvery: Int = RecordBatch.Bounds.span
  ) {
    self.reader = reader
    self.demands = demands
    self.context = context
    self.positionEvery = positionEvery
  }

  /// The number of bytes that the reader is done with.
  var offset: Int { isSplitting ? splitter.offset : reader.offset }

  /// The record paths that occurred in what is not split, as bits in their order.
  var pathsSeen: UInt64 { reader.pathsSeen }

  /// Where the next piece of the feed is to be read, at the start and after ``Next/input``.
  ///
  /// Valid until ``input(_:)``.
  var room: UnsafeMutableRawBufferPointer {
    isSplitting ? splitter.room : window.room(from: filled)
  }

  /// Says that `count` bytes were read into ``room``; with 0, the feed is over.
  func input(_ count: Int) {
    if isSplitting {
      inputToSplit(count)
    } else {
      let start = filled
      filled += count
      read(window.bytes(in: start..<filled), isFinal: count == 0)
    }
  }

  private func inputToSplit(_ count: Int) {
    var count = count
    if count > 0, demands.areOfInput {
      if let deadline = demands.deadline, ContinuousClock.now >= deadline {
        reader.excess = .deadline
        count = 0
      } else if count > demands.maximumBytes - splitter.endOfInput {
        reader.excess = .maximumBytes
        count = max(demands.maximumBytes - splitter.endOfInput, 0)
      }
      // No bytes would mean the end.
      if count == 0 { return }
    }
    splitter.input(count)
  }

  /// Has the reader read a piece.
  ///
  /// Where lines can be split after it, it stops at the end of the first line of the piece: what is split is read by the threads that map it.
  private func read(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    let end = mayHaveLines ? FeedSplitter.endOfLine(in: bytes) : 0
    piece = isFinal ? nil : (bytes, reader.given)
    if end == 0 {
      reader.input(bytes, isFinal: isFinal)
    } else {
      rest = (UnsafeBufferPointer(rebasing: bytes[end...]), isFinal)
      reader.input(UnsafeBufferPointer(rebasing: bytes[..<end]), isFinal: false)
    }
  }

  /// Whether each line may be a record for which nothing but the line is needed.
  private var mayHaveLines: Bool {
    guard context == nil, reader.selection.paths.isWholeText, reader.excess == nil,
      numbers.count < demands.maximumRecords
    else { return false }
    let format = reader.format
    return format == .ndjson || format == .auto
  }

  /// Where the lines that need not be read here start, once the reader is done with those before; nil if the reader must read on.
  private var lineStart: FeedPosition? {
    // The first bytes are read, and the format will not change any more.
    guard reader.format == .ndjson, let place = position(), place.place == .text,
      place.offset == place.lineStart, place.offset == reader.offset
    else { return nil }
    let start = LineStart(
      offset: place.offset, line: place.line, recordCount: place.countBefore)
    return FeedPosition(start, pathsSeen: 0)
  }

  /// Continues by splitting the list that the reader is in, if it is a long one.
  private func splitElements(after batch: RecordBatch) {
    guard let piece, let start = batch.position, start.offset >= piece.start,
      isInLongList(start), reader.excess == nil,
      numbers.count < demands.maximumRecords
    else { return }
    let bytes = piece.bytes[(start.offset - piece.start)...]
    splitter.begin(at: start, UnsafeBufferPointer(rebasing: bytes), isFinal: false)
    isSplitting = true
    self.piece = nil
  }

  /// Whether a place is after an element of a list, much of the list was read, and its elements are records that need only their
  /// element, and the same values from outside.
  private func isInLongList(_ place: FeedPosition) -> Bool {
    guard place.place == .next, context?.isFixed(inList: place.depth) ?? true,
      place.levels.count == reader.selection.paths.levelOfElements,
      let list = place.levels.last, case .element = list.step,
      place.offset - list.start >= RecordBatch.Bounds.text
    else { return false }
    // In the others, a line feed or a separator ends the text, whatever is open.
    return place.framing != .ndjson && place.framing != .sequence
  }

  /// Continues where another reader was.
  ///
  /// - Throws: ``MappingError`` if no reader can have been there.
  func restore(_ position: FeedPosition) throws(MappingError) {
    try reader.restore(position)
    try context?.restore(position.context)
    numbers = RecordCount(position.countBefore)
    lastPosition = position.offset
    lastLook = position.offset
  }

  /// Says that the input is a part of the feed, and where it ends.
  func end(at end: PartEnd) {
    reader.end(before: end.next)
    partEnd = end
  }

  /// What is wrong with the end of a part, once it is reached; nil if it is right.
  private func faultAtPartEnd() -> FeedReader.Fault? {
    guard let end = partEnd else { return nil }
    partEnd = nil
    let place = isSplitting ? splitter.start : position()
    if ending.isAtFault || end.isReached(at: place) && !endsInLine { return nil }
    ending.note(PartEnd.fault)
    return PartEnd.fault
  }

  /// Where another reader can continue: see ``FeedReader/position()``.
  private func position() -> FeedPosition? {
    if let limitPosition, reader.isStopped { return limitPosition }
    return completed(reader.position(), after: numbers.whole)
  }

  /// Where the rest of a feed begins that continues elsewhere; nil if the end of the last batch says it.
  var positionInPart: FeedPosition? { isSplitting ? nil : position() }

  /// A position of the reader, with what is known here.
  private func completed(_ position: FeedPosition?, after records: Int) -> FeedPosition? {
    var position = position
    position?.countBefore = records
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
      if step == .batch, !isSplitting { splitElements(after: batch) }
      return step
    }
    return .batch
  }

  /// Makes room in the window, or takes another one, once the reader is done with it.
  private func makeRoom(_ batch: RecordBatch) {
    if isSplitting { return }
    if !isWindowShared {
      filled = 0
    } else if window.size - filled < FeedSplitter.leastRoom {
      batch.windows.leave(window)
      window = batch.windows.take()
      filled = 0
      isWindowShared = false
    }
  }

  /// Continues with the rest of a piece, once the reader is done with a part of it; false if there is no rest.
  private func goOnWithRest(_ batch: RecordBatch) -> Bool {
    guard let (bytes, isFinal) = rest else { return false }
    rest = nil
    if let start = lineStart {
      isSplitting = true
      let taken = reader.bounded(bytes)
      splitter.begin(at: start, taken, isFinal: isFinal && taken.count == bytes.count)
      // What was read, and lines that are not, are batches of their own.
      batch.isFull = !batch.isEmpty
      batch.position = position()
    } else {
      read(bytes, isFinal: isFinal)
    }
    return true
  }

  private func split(into batch: RecordBatch) -> Next {
    switch splitter.fill(batch, mostRecords: demands.maximumRecords) {
    case .input:
      // A feed that demands too much is reported where it is read.
      guard reader.excess != nil else { return .input }
      return batch.isEmpty ? readRest(into: batch) : .batch
    case .batch: return .batch
    case .end:
      if partEnd == nil { return .end }
      if batch.stretch.isFinal { endsInLine = true }
      // A fault comes in a batch without lines.
      if !batch.isEmpty { return .batch }
      batch.start = offset
      batch.end = offset
      if let fault = faultAtPartEnd() { batch.contents.add(fault, number: 0) }
      batch.ending = ending
      return .end
    case .rest: return readRest(into: batch)
    }
  }

  /// Reads what cannot be split, or what the feed must not have.
  private func readRest(into batch: RecordBatch) -> Next {
    isSplitting = false
    let start = splitter.start
    var rest = splitter.rest
    do throws(MappingError) {
      try reader.restore(start)
      numbers = RecordCount(start.countBefore)
      if isBeyondLimit || splitter.isInsidePiece { limitPosition = position() }
      if splitter.isInsidePiece {
        // A bound of the feed is met in a piece whose beginning was handed over.
        try reader.restore(splitter.place)
        rest = UnsafeBufferPointer(rebasing: rest[..<0])
      }
    } catch {
      // A reader has been there, so there is no memory for what is open there.
      ending.noteFailure()
      batch.contents.add(.outOfMemory, number: 0)
      batch.ending = ending
      return .end
    }
    piece = splitter.isRestFinal ? nil : (rest, start.offset)
    reader.give(rest, isFinal: splitter.isRestFinal)
    return read(into: batch)
  }

  private func read(into batch: RecordBatch) -> Next {
    if batch.isEmpty { batch.start = offset }
    let step = fill(&batch.contents, since: batch.start)
    if batch.contents.windows.last === window { isWindowShared = true }
    batch.end = offset
    batch.pathsSeen = reader.pathsSeen
    batch.ending = ending
    if step == .end, endPosition == nil {
      endPosition = completed(reader.lastPosition(), after: numbers.whole)
    }
    batch.lastPosition = endPosition
    batch.position = step == .end && !reader.isStopped ? nil : position()
    if batch.position != nil || step == .batch { lastPosition = offset }
    return step
  }

  private func fill(_ contents: inout RecordBatch.Contents, since start: Int) -> Next {
    while true {
      if isBeyondLimit, limitPosition == nil { limitPosition = position() }
      var isAfterRecord = false
      switch reader.next() {
      case .input: return .input
      case .end:
        if let fault = faultAtPartEnd() { contents.add(fault, number: 0) }
        return .end
      case .chunk, .innerRows:
        // It does not ask for rows.
        if context != nil, note(&contents, isWhole: false) { continue }
        if isBeyondLimit {
          stop(&contents)
          continue
        }
        contents.add(.part, number: numbers.take(isWhole: false), from: reader, in: window)
      case .record, .row:
        if context != nil, note(&contents, isWhole: true) { continue }
        if isBeyondLimit {
          stop(&contents)
          continue
        }
        contents.add(.record, number: numbers.take(isWhole: true), from: reader, in: window)
        isAfterRecord = true
      case .fault:
        if isBeyondLimit, !reader.isStopped, reader.isFaultInRecord {
          stop(&contents, isFault: true)
          continue
        }
        addFault(to: &contents)
      }
      if isAfterRecord, isBeyondLimit { return .batch }
      let offset = offset
      if contents.isFull || offset - start >= RecordBatch.Bounds.span { return .batch }
      if isAfterRecord, offset - lastPosition >= positionEvery { return .batch }
      if isAfterRecord, offset - lastLook >= RecordBatch.Bounds.text, canSplit(at: offset) {
        return .batch
      }
    }
  }

  /// Whether the rest of a list can be split; it is looked at rarely.
  private func canSplit(at offset: Int) -> Bool {
    lastLook = offset
    return position().map(isInLongList) ?? false
  }

  /// Adds the reader's fault.
  private func addFault(to contents: inout RecordBatch.Contents) {
    let before = numbers.whole
    let number =
      reader.isStopped ? nil : numbers.fault(isInRecord: reader.isFaultInRecord)
    let fault = reader.fault(record: number)
    ending.note(fault)
    if ending.verdict != nil {
      endPosition =
        reader.isStopped ? position() : completed(reader.lastPosition(), after: before)
    }
    context?.abandon()
    contents.add(fault, number: number ?? 0)
  }

  /// Whether the feed must not have another record.
  private var isBeyondLimit: Bool { numbers.count >= demands.maximumRecords && !numbers.isOpen }

  /// Ends the feed: it has a record too many.
  private func stop(_ contents: inout RecordBatch.Contents, isFault: Bool = false) {
    reader.stopAtRecord(isFault: isFault)
    addFault(to: &contents)
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
