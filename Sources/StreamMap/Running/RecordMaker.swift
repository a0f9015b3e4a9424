/// Makes records from what reading hands over: joins the sources of events and the machine.
///
/// It does not know the records' type, nor where they come from.
///
/// Not thread-safe.
final class RecordMaker {
  private let builder: any Builder
  private let followsRecords: Bool
  // PERF: the builder's own, asked once.
  private let buildsRecords: Bool
  /// Whether the code of the mapping's author gets the record's number.
  private let namesRecords: Bool
  /// Whether the builder gets the last step to the record; and whether the taker of the record gets it.
  private let buildsStep: Bool
  private let reportsStep: Bool
  private let machine: Machine
  private let index: IndexSource
  /// Nil if records are not made from rows.
  private let rowMaker: RowMaker?
  // PERF: the same; it is not retained for each record.
  private let rows: Unmanaged<RowMaker>?
  private let watch: FieldWatch?
  /// The mapping's, for records that do not come as rows; nil if none are made from rows.
  private let joined: PlanTables?
  /// Made when there is such a record.
  private lazy var joiner = joined.flatMap { RecordJoiner($0, limits: limits) }
  private let limits: Limits
  /// Whether the parts of the open record are joined; if not, they go to the machine.
  private var isJoining = false
  /// Made when there is text.
  private var madeTextSource: TextSource?
  /// Where a record's value is built.
  ///
  /// After a record without an error, it holds a value, which has to be taken out.
  let destination: UnsafeMutableRawPointer
  private var isRecordOpen = false
  let sizeLimit: Int
  /// Which records are mapped; nil for all.
  private let choice: RecordChoice?
  /// What is wrong with the open record as a whole.
  ///
  /// The rest of it is passed over, and its error comes at its end: then its place is known, however the feed is cut.
  private var misfit: Misfit?

  private enum Misfit {
    case tooLarge
    case refused(Refusal)
  }

  /// A maker of values of a size and alignment in bytes, which tells somebody what the fields find.
  init(
    _ builder: any Builder, size: Int, alignment: Int, plan: Plan, limits: Limits,
    finds: FieldFinds? = nil, choice: RecordChoice? = nil, reportsStep: Bool = false
  ) {
    self.builder = builder
    self.choice = choice
    self.reportsStep = reportsStep
    buildsStep = plan.tables.asksForStep
    namesRecords = plan.tables.seesIssues
    buildsRecords = builder.followsRecords
    followsRecords = buildsRecords || namesRecords
    destination = .allocate(byteCount: max(size, 1), alignment: max(alignment, 1))
    watch = finds.map { FieldWatch(plan.tables, $0) }
    machine = Machine(
      plan: plan, builder: builder, limits: limits, destination: destination, watch: watch)
    index = IndexSource(sink: machine)
    rowMaker = builder.rowMaker(limits: limits)
    rowMaker?.watch = watch
    rows = rowMaker.map { Unmanaged.passUnretained($0) }
    self.limits = limits
    joined = rowMaker == nil || limits.boundRows ? nil : plan.tables
    sizeLimit = limits.record
  }

  deinit {
    machine.abandon()
    destination.deallocate()
  }

  /// Takes the next chunk of a record; returns the record's outcome, once it is known.
  ///
  /// The chunk continues the one before, if the record continues. `triesRow`: whether the record is tried as a row, since reading did not.
  @inline(__always)
  func take(
    _ chunk: RecordChunk, isWhole: Bool, number: Int, at location: some RecordLocation,
    context: ContextValues? = nil, triesRow: Bool
  ) -> RecordOutcome? {
    if let choice, number > 0, !choice.takes(number) {
      return isWhole ? Self.passedOver(number, location.recordAddress) : nil
    }
    if let context, let missing = context.missing {
      return isWhole ? recordWithoutContext(missing, number, location) : nil
    }
    if let misfit { return isWhole ? record(of: misfit, number, location) : nil }
    let isFirst = !isRecordOpen
    if isFirst {
      isRecordOpen = true
      isJoining = triesRow && joined != nil && joiner?.begin() == true
      if !isJoining { openRecord(number, location, context) }
    }
    // PERF: whether a whole record is too large is asked once its value is made, when its place is known.
    if !isWhole, let last = chunk.tokens.last, reaches(tooFar: last.end, location) {
      passOver(.tooLarge)
    } else if isJoining {
      if let record = join(chunk, isFirst, isWhole, number, location, context) { return record }
    } else {
      send(chunk)
    }
    guard isWhole else { return nil }
    if let misfit { return record(of: misfit, number, location) }
    isRecordOpen = false
    return outcome(number, location)
  }

  /// Whether the open record has too many bytes up to a place in the feed.
  @inline(never)
  private func reaches(tooFar end: UInt64, _ location: some RecordLocation) -> Bool {
    let start = location.recordAddress.start
    return end > start && end - start > UInt64(clamping: sizeLimit)
  }

  /// Takes the values that come next in the open record as rows, up to the first that has to come as a chunk.
  @inline(never)
  func takeInnerRows(of reader: FeedReader) {
    // A record that is passed over needs nothing of them.
    guard isRecordOpen, misfit == nil, let rowMaker else { return }
    let values = reader.innerRows
    for number in 0..<values.count {
      guard let value = reader.innerRow(number),
        machine.take(value, readBy: values.reader, by: rowMaker)
      else { return reader.redo(innerRow: number) }
      if reaches(tooFar: value.place.end, reader) { return passOver(.tooLarge) }
    }
  }

  /// Begins a record that the machine maps.
  @inline(__always)
  private func openRecord(
    _ number: Int, _ location: some RecordLocation, _ context: ContextValues?
  ) {
    if followsRecords { beginRecord(number, location, context) }
    machine.begin()
  }

  /// Joins a chunk to those before it, and takes the record as a row once it is whole; nil if there is no outcome yet, or
  /// the machine has all chunks now.
  @inline(never)
  private func join(
    _ chunk: RecordChunk, _ isFirst: Bool, _ isWhole: Bool, _ number: Int,
    _ location: some RecordLocation, _ context: ContextValues?
  ) -> RecordOutcome? {
    guard let joiner else { return nil }
    var (isAdded, row) = (false, RecordRow?.none)
    if isFirst, isWhole, case .index(let index) = chunk {
      // PERF: what comes in one part is read where it is.
      row = joiner.row(of: index)
    } else {
      isAdded = joiner.add(chunk)
      if isAdded, !isWhole { return nil }
      if isAdded { row = joiner.row }
    }
    if let row, let record = take(row, number: number, at: location, context: context) {
      joiner.end(isMade: true)
      isRecordOpen = false
      return record
    }
    isJoining = false
    openRecord(number, location, context)
    if joiner.hasParts { send(joiner.chunk) }
    joiner.end(isMade: false)
    if !isAdded, misfit == nil { send(chunk) }
    return nil
  }

  /// Whether records may come as rows.
  var takesRows: Bool { rows != nil }

  /// What writes whole records from rows; nil if each needs more than that.
  var rowProgram: RowProgram? {
    reportsStep || choice != nil ? nil : (rowMaker as? TextRowMaker)?.program
  }

  /// Looks at a record that the program wrote, for fields that have found nothing yet; nil if there is none.
  var note: ((RecordRow) -> Void)? {
    guard let watch, !watch.isOver else { return nil }
    return { if !watch.isOver { watch.note($0) } }
  }

  /// Tells what a record knows about itself, before a program writes its row.
  func beginRow(_ number: Int, _ location: some RecordLocation, _ context: ContextValues?) {
    beginRecord(number, location, context)
  }

  /// Takes a whole record as a row; returns nil, and leaves nothing behind, where it has to be taken as a chunk.
  @inline(__always)
  func take(
    _ row: RecordRow, number: Int, at location: some RecordLocation, context: ContextValues?
  ) -> RecordOutcome? {
    let address = location.recordAddress
    if let choice, !choice.takes(number) { return Self.passedOver(number, address) }
    if let missing = context?.missing { return recordWithoutContext(missing, number, location) }
    guard let rows, address.length <= sizeLimit else { return nil }
    if buildsRecords { beginRecord(number, location, context) }
    // `rowMaker` keeps it alive.
    let (made, noted) = rows._withUnsafeGuaranteedRef {
      ($0.make(record: row, in: destination), $0.noted)
    }
    if noted > 0 { return record(row, made, number, location) }
    if made == .omitted { return droppedRecord(number, location) }
    guard made == .made else { return nil }
    if reportsStep { return toldRecord(number, location) }
    return RecordOutcome(number: number, address: address)
  }

  /// A record from a row with something to report; nil if all of it is not known here.
  @inline(never)
  private func record(
    _ row: RecordRow, _ made: Made, _ number: Int, _ location: some RecordLocation
  ) -> RecordOutcome? {
    guard let rowMaker else { return nil }
    defer { rowMaker.clearNotes() }
    switch made {
    case .refused: return nil
    // A condition leaves it out, whatever is wrong with it.
    case .omitted: return droppedRecord(number, location)
    case .made, .rejected, .failed, .absent:
      rowMaker.settleErrors(of: row, at: location.recordAddress)
      return made == .made
        ? madeRecord(number, location, location.recordAddress, rowMaker.errors)
        : failedRecord(number, location, rowMaker.errors)
    }
  }

  /// Sends the events of a chunk to the machine.
  ///
  /// The rule: text goes to a parser of text, which is yajl; tokens come from the index.
  ///
  /// What a source refuses makes the record a misfit.
  @inline(__always)
  private func send(_ chunk: RecordChunk) {
    do throws(Refusal) {
      switch chunk {
      case .index(let tokens): try index.send(tokens)
      case .text(let text): try textSource().send(text)
      }
    } catch {
      passOver(.refused(error))
    }
  }

  @inline(never)
  private func textSource() throws(Refusal) -> TextSource {
    if let madeTextSource { return madeTextSource }
    guard let source = TextSources.make(into: machine) else {
      throw Refusal(message: "there is no parser of text in this build")
    }
    madeTextSource = source
    return source
  }

  @inline(never)
  private func beginRecord(
    _ number: Int, _ location: some RecordLocation, _ context: ContextValues?
  ) {
    if namesRecords {
      machine.record = Machine.RecordName(
        path: location.recordPath, number: number > 0 ? number : nil)
    }
    builder.beginRecord(
      RecordInformation(
        number: number, start: location.recordAddress,
        step: buildsStep ? location.recordStep : nil, context: context))
  }

  /// Makes a value from events that do not come from text: as the first record, without a position.
  ///
  /// - Parameter send: Sends the events of one value; an error that it throws is the record's error.
  /// - Returns: The outcome.
  func take(_ send: (EventSink) throws(MappingError) -> Void) -> RecordOutcome {
    // The machine may have been sent a text before.
    machine.address = .none
    machine.record = Machine.RecordName(number: 1)
    builder.beginRecord(RecordInformation(number: 1, start: .none, step: nil))
    machine.begin()
    do throws(MappingError) {
      try send(machine)
    } catch {
      machine.abandon()
      return RecordOutcome(number: 1, address: .none, error: error)
    }
    return outcome(1, Nowhere())
  }

  /// The place of a record that is not in a text.
  private struct Nowhere: RecordLocation {
    var recordAddress: FeedToken { .none }
    var recordPath: JSONPath { JSONPath() }
    var recordStep: JSONPath.Component? { nil }
  }

  /// Takes a fault of the feed; the half-built value of an open record is released.
  func take(_ fault: FeedReader.Fault, number: Int) -> RecordOutcome {
    abandon()
    return RecordOutcome(
      number: number, address: fault.text, error: fault.error, endsFeed: fault.isFinal)
  }

  /// Throws away an open record.
  func abandon() {
    misfit = nil
    guard isRecordOpen else { return }
    isRecordOpen = false
    if isJoining {
      isJoining = false
      joiner?.clear()
      return
    }
    machine.abandon()
    index.reset()
    madeTextSource?.reset()
  }

  // MARK: Outcomes

  @inline(__always)
  private func outcome(_ number: Int, _ location: some RecordLocation) -> RecordOutcome {
    let address = location.recordAddress
    if address.length > sizeLimit {
      machine.abandon()
      return oversizedRecord(number, location)
    }
    guard machine.end() else {
      return machine.isOmitted
        ? droppedRecord(number, location) : failedRecord(number, location, machine.errors)
    }
    return madeRecord(number, location, address, machine.errors)
  }

  @inline(__always)
  private func madeRecord(
    _ number: Int, _ location: some RecordLocation, _ address: FeedToken, _ log: ErrorLog
  ) -> RecordOutcome {
    if log.isEmpty {
      if reportsStep { return toldRecord(number, location) }
      return RecordOutcome(number: number, address: address)
    }
    let notes = RecordNotes(
      error: nil, issues: errors(log, .issue, number, location), step: step(to: location))
    return RecordOutcome(number: number, address: address, notes: notes)
  }

  /// A record with nothing to report but the last step to it.
  @inline(never)
  private func toldRecord(_ number: Int, _ location: some RecordLocation) -> RecordOutcome {
    RecordOutcome(
      number: number, address: location.recordAddress,
      notes: RecordNotes(error: nil, step: step(to: location)))
  }

  private func step(to location: some RecordLocation) -> JSONPath.Component? {
    reportsStep ? location.recordStep : nil
  }

  @inline(never)
  private func failedRecord(
    _ number: Int, _ location: some RecordLocation, _ log: ErrorLog
  ) -> RecordOutcome {
    let fatal = errors(log, .fatal, number, location)
    let address = location.recordAddress
    let error =
      if fatal.count == 1, log.omittedFatal == 0 { fatal[0] } else {
        MappingError(
          .severalErrors, path: location.recordPath, position: address.position,
          record: number > 0 ? number : nil,
          underlying: fatal,
          // The record failed even if the limit kept none of its errors.
          omitted: max(log.omittedFatal, fatal.isEmpty ? 1 : 0))
      }
    return RecordOutcome(
      number: number, address: address, error: error,
      issues: errors(log, .issue, number, location), step: step(to: location))
  }

  /// The errors of a record of a severity, with their whole addresses.
  private func errors(
    _ log: ErrorLog, _ severity: MappingError.Severity, _ number: Int,
    _ location: some RecordLocation
  ) -> [MappingError] {
    let prefix = location.recordPath
    // A value from outside the records has no number.
    let record = number > 0 ? number : nil
    // PERF: an error is large: it is made where it stays.
    return log.entries.compactMap {
      $0.severity == severity ? $0.error(below: prefix, record: record) : nil
    }
  }

  /// A record that is not chosen: it counts as one that is dropped.
  @inline(never)
  private static func passedOver(_ number: Int, _ address: FeedToken) -> RecordOutcome {
    RecordOutcome(number: number, address: address, notes: passedOver)
  }

  private static let passedOver = RecordNotes(error: nil, isDropped: true)

  /// The error is for documents that are mapped alone: a feed's dropped records never come out.
  @inline(never)
  private func droppedRecord(_ number: Int, _ location: some RecordLocation) -> RecordOutcome {
    let address = location.recordAddress
    let error = MappingError(
      .validationFailed, path: location.recordPath, position: address.position, record: number,
      expected: "a record that the mapping keeps", found: "one that its condition drops")
    return RecordOutcome(
      number: number, address: address, notes: RecordNotes(error: error, isDropped: true))
  }

  @inline(never)
  private func recordWithoutContext(
    _ missing: String, _ number: Int, _ location: some RecordLocation
  )
    -> RecordOutcome
  {
    let address = location.recordAddress
    let error = MappingError(
      .missing, path: location.recordPath, position: address.position, record: number,
      expected: missing)
    return RecordOutcome(
      number: number, address: address, error: error, step: step(to: location))
  }

  /// Throws away an open record, and the rest of it when it comes.
  private func passOver(_ misfit: Misfit) {
    abandon()
    self.misfit = misfit
  }

  @inline(never)
  private func record(
    of misfit: Misfit, _ number: Int, _ location: some RecordLocation
  ) -> RecordOutcome {
    self.misfit = nil
    switch misfit {
    case .tooLarge: return oversizedRecord(number, location)
    case .refused(let refusal): return refusedRecord(refusal, number, location)
    }
  }

  private func oversizedRecord(_ number: Int, _ location: some RecordLocation) -> RecordOutcome {
    let address = location.recordAddress
    let error = MappingError(
      .limitExceeded, path: location.recordPath, position: address.position, record: number,
      expected: Limits.message(.record, sizeLimit))
    return RecordOutcome(
      number: number, address: address, error: error, step: step(to: location))
  }

  /// Reports that a source refused what reading had accepted: one of the two is wrong, and nothing of the record can be trusted.
  private func refusedRecord(
    _ refusal: Refusal, _ number: Int, _ location: some RecordLocation
  ) -> RecordOutcome {
    let address = location.recordAddress
    let error = MappingError(
      .syntax, path: location.recordPath, position: address.position, record: number,
      found: "text that the parser refuses (\(refusal.message))")
    return RecordOutcome(
      number: number, address: address, error: error, step: step(to: location))
  }
}
