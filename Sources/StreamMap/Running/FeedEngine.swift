/// Joins reading and the making of records: pieces of a feed in, records out.
///
/// It does not know the records' type: a `ValueTaker` takes the values out.
///
/// Not thread-safe.
@usableFromInline
final class FeedEngine {
  /// What the engine has, or needs.
  // PERF: not copyable, so that it is taken apart where it is returned, and its notes are not retained for that.
  @usableFromInline
  enum Next: ~Copyable {
    /// Another piece of the feed.
    case input
    case record(RecordOutcome)
    /// The feed is over.
    case end
  }

  private let reader: FeedReader
  private let maker: RecordMaker
  private let context: FeedContext?
  /// What writes records without a step of the engine for each; nil if that cannot be.
  private let rowProgram: RowProgram?
  /// Whether records that do not come as rows are tried as rows: those that are found in what is held.
  private let triesRows: Bool
  /// Whether the next record was taken as a row, which was refused.
  private var isRefused = false
  private var numbers = RecordCount()
  private let mostRecords: Int
  /// Where to continue after the last record that the feed may have.
  private var limitPosition: FeedPosition?
  /// Where to continue once the feed is over: before the record that ended it, or at its end.
  private(set) var lastPosition: FeedPosition?
  /// What the faults so far say about the end of the feed.
  private(set) var ending = FeedEnding()
  /// Where the input ends, if it is a part of a feed; nil once that is looked at.
  private var partEnd: PartEnd?

  /// - Throws: ``MappingError`` where memory runs out, or no engine can have been at the position.
  init(
    _ maker: RecordMaker, selection: FeedSelection, format: FeedFormat, limits: Limits,
    demands: FeedDemands = FeedDemands(), resyncs: Bool = false, parser: RecordParser,
    context: FeedContext? = nil, from position: FeedPosition? = nil
  ) throws(MappingError) {
    self.context = context
    mostRecords = demands.maximumRecords
    reader = try FeedReader.make(
      selection, format: format, limits: limits, demands: demands, form: parser.form)
    reader.resyncs = resyncs
    self.maker = maker
    let takesRows = parser == .auto && maker.takesRows && !limits.boundRows
    rowProgram = takesRows ? maker.rowProgram : nil
    triesRows = takesRows && reader.held != nil
    if takesRows {
      reader.takeRows()
      // Those others come whole, or in chunks.
      if !triesRows { reader.takeInnerRows() }
    }
    if let position { try restore(position) }
  }

  /// Makes the engine ready for another feed.
  ///
  /// Its memory is kept.
  func reset(format: FeedFormat) {
    maker.abandon()
    numbers = RecordCount()
    ending = FeedEnding()
    // PERF: as in the reader.
    if lastPosition != nil { lastPosition = nil }
    reader.reset(format: format)
  }

  /// Continues where another engine was; the next piece starts at the position's offset.
  ///
  /// - Throws: ``MappingError`` if no engine can have been there.
  func restore(_ position: FeedPosition) throws(MappingError) {
    try reader.restore(position)
    try context?.restore(position.context)
    numbers = RecordCount(position.countBefore)
    ending = FeedEnding()
    lastPosition = nil
  }

  /// Says that the input is a part of the feed, and where it ends.
  func end(at end: PartEnd) {
    reader.end(before: end.next)
    partEnd = end
  }

  /// Where another engine can continue: see ``FeedReader/position()``.
  var position: FeedPosition? {
    if let limitPosition, reader.isStopped { return limitPosition }
    return completed(reader.position(), after: numbers.whole)
  }

  /// A position of the reader, with what the engine knows.
  private func completed(_ position: FeedPosition?, after records: Int) -> FeedPosition? {
    var position = position
    position?.countBefore = records
    position?.context = context?.saved
    return position
  }

  /// The place after the last record, also where the feed ends with it.
  var positionAfterRecord: FeedPosition? {
    if let place = lastPosition ?? position { return place }
    return reader.isAtLastRecord ? completed(reader.lastPosition(), after: numbers.whole) : nil
  }

  private func noteEnd() {
    if lastPosition == nil { lastPosition = completed(reader.lastPosition(), after: numbers.whole) }
  }

  /// The number of bytes of the feed that the engine is done with.
  var offset: Int { reader.offset }

  /// The record paths that occurred since the engine began, as bits in their order.
  var pathsSeen: UInt64 { reader.pathsSeen }

  /// The record paths that did not occur.
  var unseenPaths: [PathPattern] { reader.unseenPaths }

  /// Gives the next piece: see ``FeedReader/input(_:isFinal:)``.
  @usableFromInline
  func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    reader.input(bytes, isFinal: isFinal)
  }

  /// Advances to the next record, or to the end of the input.
  @usableFromInline
  func next() -> Next {
    while true {
      // PERF: a feed of any number of records pays a comparison.
      if numbers.count >= mostRecords, !numbers.isOpen { return nextBeyondLimit() }
      switch reader.next() {
      case .input: return .input
      case .end:
        if partEnd != nil, let record = recordAtPartEnd() { return .record(record) }
        noteEnd()
        return .end
      case .fault:
        return .record(faultyRecord())
      // PERF: its own case, so that most records are known to be whole.
      case .record:
        let record = context == nil ? parse(isWhole: true) : parseOrNote(isWhole: true)
        if let record { return .record(record) }
      case .row:
        if let record = takeRow() { return .record(record) }
      case .chunk:
        if let record = parseOrNote(isWhole: false) { return .record(record) }
      case .innerRows:
        if let record = parseOrNote(isWhole: false) { return .record(record) }
        maker.takeInnerRows(of: reader)
      }
    }
  }

  /// Takes a feed that is one document: the outcome of its record, or of its fault.
  ///
  /// The engine is ready for another document then.
  @usableFromInline
  func take(document: UnsafeBufferPointer<UInt8>) -> RecordOutcome {
    // PERF: a message that can be a row takes two steps, and leaves little behind.
    if reader.input(document: document), let record = takeRow() {
      numbers = RecordCount()
      reader.resetAfterRow()
      return record
    }
    defer { reset(format: .json) }
    switch next() {
    case .record(let outcome): return outcome
    case .input: break
    case .end: break
    }
    return RecordOutcome(
      number: 0, address: .none,
      error: MappingError(.truncated, expected: "a JSON value", found: "nothing"))
  }

  /// The output records that were written at once.
  struct WrittenRecords {
    var mapped = 0
    /// How many a condition dropped.
    var dropped = 0
    /// The number and the address of the last one of both.
    var number = 0
    var last = FeedToken.none

    var count: Int { mapped + dropped }
  }

  /// Writes the output records that come next, as long as each is made in one step and has nothing to report.
  ///
  /// The record that comes then is the one that ``next()`` continues with.
  ///
  /// - Parameters:
  ///   - output: Where they are written.
  ///   - text: How they follow each other.
  ///   - enough: How many bytes of output end it.
  /// - Returns: What was written.
  func writeRecords(to output: OutputBuffer, _ text: FeedReader.RowText, enough: Int)
    -> WrittenRecords
  {
    var total = WrittenRecords()
    guard let rowProgram else { return total }
    while true {
      let watch = watch(rowProgram, after: total.count)
      var (needsRoom, continues) = (false, false)
      output.extend { start, count, capacity in
        let written = reader.writeRows(
          by: rowProgram,
          to: RowProgram.Output(start: start, count: count, capacity: capacity), text,
          most: maker.sizeLimit, enough: enough, watch: watch)
        if written.rows + written.leftOut > 0 { total.last = written.last }
        total.mapped += written.rows
        total.dropped += written.leftOut
        (needsRoom, continues) = (written.needsRoom, written.continues)
        return written.count
      }
      if needsRoom {
        if output.room >= RowProgram.mostRoom { break }
        output.makeRoom()
      }
      if !needsRoom && !continues { break }
    }
    numbers.take(whole: total.count)
    total.number = numbers.count
    return total
  }

  /// What is asked and told about the rows that are written at once, after so many others of the same call.
  private func watch(_ program: RowProgram, after count: Int) -> FeedReader.RowWatch {
    var watch = FeedReader.RowWatch(note: maker.note)
    if context == nil, !program.asksForRecord { return watch }
    let first = numbers.count + count + 1
    watch.begin = { [self] before in
      context?.follow(reader)
      // What it lacks is an error of the record.
      if context?.values.missing != nil { return false }
      maker.beginRow(first + before, reader, context?.values)
      return true
    }
    return watch
  }

  /// How columns are filled from rows; nil if records have to be written as text for them.
  func fields(of columns: RecordColumns) -> RecordColumns.Fields? {
    rowProgram.flatMap { RecordColumns.Fields($0, columns) }
  }

  /// Adds the records that come next to columns, as long as each is added in one step and has nothing to report.
  ///
  /// The record that comes then is the one that ``next()`` continues with.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - fields: Which column each field fills.
  ///   - rows: How many rows the columns have when it ends.
  ///   - bytes: How many bytes they have when it ends.
  /// - Returns: What was added.
  func addRecords(
    to columns: RecordColumns, by fields: RecordColumns.Fields, enough rows: Int, bytes: Int
  ) -> WrittenRecords {
    let added = reader.addRows(
      to: columns, by: fields, most: maker.sizeLimit, enough: rows, bytes: bytes,
      watch: watch(fields.program, after: 0))
    numbers.take(whole: added.rows + added.leftOut)
    return WrittenRecords(
      mapped: added.rows, dropped: added.leftOut, number: numbers.count, last: added.last)
  }

  /// Makes a value from events that do not come from text: see ``RecordMaker/take(_:)``.
  func take(_ send: (EventSink) throws(MappingError) -> Void) -> RecordOutcome { maker.take(send) }

  @inline(__always)
  private func parse(isWhole: Bool, context: ContextValues? = nil) -> RecordOutcome? {
    let number = numbers.take(isWhole: isWhole)
    defer { if isWhole { isRefused = false } }
    return maker.take(
      reader.chunk, isWhole: isWhole, number: number, at: reader, context: context,
      triesRow: triesRows && !isRefused)
  }

  /// Takes a record in one step; nil if it has to be read again.
  @inline(__always)
  private func takeRow() -> RecordOutcome? {
    let before = numbers
    let number = numbers.take(isWhole: true)
    context?.follow(reader)
    if let row = reader.row,
      let record = maker.take(row, number: number, at: reader, context: context?.values)
    {
      return record
    }
    numbers = before
    isRefused = true
    reader.redo()
    return nil
  }

  /// Takes a part of a record, or of a value for the records to come.
  @inline(never)
  private func parseOrNote(isWhole: Bool) -> RecordOutcome? {
    context?.follow(reader)
    guard reader.contextIndex != nil else {
      return parse(isWhole: isWhole, context: context?.values)
    }
    return context?.take(from: reader, isWhole: isWhole).map { maker.take($0, number: 0) }
  }

  /// What is wrong with the end of a part, if anything.
  @inline(never)
  private func recordAtPartEnd() -> RecordOutcome? {
    guard let end = partEnd else { return nil }
    partEnd = nil
    if ending.isAtFault || end.isReached(at: position) { return nil }
    ending.note(PartEnd.fault)
    return maker.take(PartEnd.fault, number: 0)
  }

  /// Continues after the last record that the feed may have: another one ends the feed.
  @inline(never)
  private func nextBeyondLimit() -> Next {
    if limitPosition == nil { limitPosition = position }
    while true {
      let step = reader.next()
      switch step {
      case .input: return .input
      case .end:
        if partEnd != nil, let record = recordAtPartEnd() { return .record(record) }
        noteEnd()
        return .end
      case .fault:
        if reader.isStopped || !reader.isFaultInRecord { return .record(faultyRecord()) }
      case .chunk, .record, .row, .innerRows:
        context?.follow(reader)
        if let context, reader.contextIndex != nil {
          let fault = context.take(from: reader, isWhole: step == .record)
          if let fault { return .record(maker.take(fault, number: 0)) }
          continue
        }
      }
      reader.stopAtRecord(isFault: step == .fault)
      return .record(faultyRecord())
    }
  }

  private func faultyRecord() -> RecordOutcome {
    let before = numbers.whole
    // What the feed as a whole demands is no record's fault; a record that is open is not taken.
    let number =
      reader.isStopped ? nil : numbers.fault(isInRecord: reader.isFaultInRecord)
    let fault = reader.fault(record: number)
    ending.note(fault)
    if ending.verdict != nil {
      lastPosition =
        reader.isStopped ? position : completed(reader.lastPosition(), after: before)
    }
    context?.abandon()
    return maker.take(fault, number: number ?? 0)
  }
}
