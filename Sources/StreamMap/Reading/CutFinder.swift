import CScan

/// Goes over a feed once and finds places where it can be cut: between two records, some way apart.
///
/// Nothing is mapped, but for the values from outside the records. Lines that need nothing else are only counted.
///
/// Not thread-safe.
final class CutFinder {
  private let reader: FeedReader
  private let context: (any ContextTaker)?
  private let every: Int
  private var numbers = RecordCount()
  /// The first place at or after this offset is taken.
  private var due: Int
  /// The places where the feed can be cut.
  private(set) var places: [FeedPosition] = []
  /// Set once nothing but lines is looked at: where the line starts that is being counted.
  private var line: LineStart?
  /// How many bytes of lines are counted; and whether the open line holds a record.
  private var counted = 0
  private var isRecordOpen = false

  /// Finds a place after each `every` bytes.
  init(_ reader: FeedReader, context: (any ContextTaker)?, every: Int) {
    self.reader = reader
    self.context = context
    self.every = max(every, 1)
    due = self.every
  }

  /// How many records there were.
  var recordCount: Int { line?.recordCount ?? numbers.count }

  /// The record paths that occurred, as bits in their order.
  var pathsSeen: UInt64 { reader.pathsSeen | (line != nil && recordCount > 0 ? 1 : 0) }

  /// Reads the next piece; an empty one ends the feed.
  ///
  /// - Throws: ``MappingError`` if nothing can be read after a malformed place.
  func read(_ piece: UnsafeBufferPointer<UInt8>) throws(MappingError) {
    if line != nil { return count(piece) }
    let end = mayHaveLines ? FeedSplitter.endOfLine(in: piece) : 0
    if end == 0 { return try read(piece, isFinal: piece.isEmpty) }
    // The reader stops after a line: from there on lines can be counted, if they are all that matters.
    try read(UnsafeBufferPointer(rebasing: piece[..<end]), isFinal: false)
    let rest = UnsafeBufferPointer(rebasing: piece[end...])
    if reader.format == .ndjson, let place = position(), place.place == .text,
      place.offset == place.lineStart, place.offset == reader.offset
    {
      line = LineStart(offset: place.offset, line: place.line, recordCount: place.countBefore)
      counted = place.offset
      count(rest)
    } else if !rest.isEmpty {
      try read(rest, isFinal: false)
    }
  }

  /// Whether each line may be a record, and only its place matters.
  private var mayHaveLines: Bool {
    guard context == nil, reader.selection.paths.isWholeText else { return false }
    return reader.format == .ndjson || reader.format == .auto
  }

  private func position() -> FeedPosition? {
    var position = reader.position()
    position?.countBefore = numbers.count
    position?.context = context?.saved
    return position
  }

  private func add(_ place: FeedPosition) {
    places.append(place)
    let (next, overflow) = place.offset.addingReportingOverflow(every)
    due = overflow ? .max : next
  }

  // MARK: Records

  private func read(_ piece: UnsafeBufferPointer<UInt8>, isFinal: Bool) throws(MappingError) {
    reader.input(piece, isFinal: isFinal)
    while true {
      switch reader.next() {
      case .input, .end: return
      case .chunk, .innerRows: _ = isRecord(isWhole: false)
      case .record, .row:
        // PERF: the offset is that of the batch, which is at hand.
        if isRecord(isWhole: true), reader.offset >= due, reader.recordAddress.end >= due,
          let place = position(), place.offset >= due, place.isBetweenRecords,
          // A splitter of lines begins with a whole line.
          !mayHaveLines || place.offset == place.lineStart
        {
          add(place)
        }
      case .fault:
        let fault = reader.fault(record: numbers.fault(isInRecord: reader.isFaultInRecord))
        context?.abandon()
        if fault.isFinal { throw fault.error }
      }
    }
  }

  /// Takes what the reader hands over; whether it is of a record.
  private func isRecord(isWhole: Bool) -> Bool {
    if let context {
      context.follow(reader)
      if reader.contextIndex != nil {
        // The run that maps that part reports what is wrong with it.
        _ = context.take(from: reader, isWhole: isWhole)
        return false
      }
    }
    _ = numbers.take(isWhole: isWhole)
    return true
  }

  // MARK: Lines

  private func count(_ piece: UnsafeBufferPointer<UInt8>) {
    if piece.isEmpty { return endLines() }
    var rest = piece
    while counted + rest.count >= due {
      // A line begins at the place that is due where the byte before it ends one.
      let first = max(due - 1 - counted, 0)
      guard let found = rest[first...].firstIndex(of: UInt8(ascii: "\n")) else { break }
      countLines(UnsafeBufferPointer(rebasing: rest[...found]))
      rest = UnsafeBufferPointer(rebasing: rest[(found + 1)...])
      if let line { add(FeedPosition(line, pathsSeen: pathsSeen)) }
    }
    countLines(rest)
  }

  private func countLines(_ bytes: UnsafeBufferPointer<UInt8>) {
    let found = sm_count_lines(&isRecordOpen, bytes.baseAddress, bytes.count, .max)
    line?.line += found.line_feeds
    line?.recordCount += found.texts
    if found.end > 0 { line?.offset = counted + found.end }
    counted += bytes.count
  }

  /// The last line may have no line feed.
  private func endLines() {
    if isRecordOpen { line?.recordCount += 1 }
    isRecordOpen = false
  }
}
