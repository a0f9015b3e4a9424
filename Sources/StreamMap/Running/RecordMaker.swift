/// Makes records from what reading hands over: joins the sources of events and the machine.
///
/// It does not know the records' type, nor where they come from.
///
/// Not thread-safe.
final class RecordMaker {
  private let builder: Builder
  private let followsRecords: Bool
  private let filtersRecords: Bool
  /// Whether the code of the mapping's author is told which record it is.
  private let namesRecords: Bool
  private let machine: Machine
  private let index: IndexSource
  /// Made when there is text.
  private var yajl: YajlSource?
  /// Where a record's value is built.
  ///
  /// After a record without an error, it holds a value, which has to be taken out.
  let destination: UnsafeMutableRawPointer
  private var isRecordOpen = false
  private let sizeLimit: Int
  /// The number of bytes of the open record.
  private var size = 0
  /// Whether yajl refused a record, or it is too large: the rest of it is passed over.
  private var skipsToRecordEnd = false

  /// A maker of values of a size and alignment in bytes.
  init(_ builder: Builder, size: Int, alignment: Int, plan: Plan, limits: Limits) {
    self.builder = builder
    filtersRecords = builder.filtersRecords
    namesRecords = plan.tables.seesIssues
    followsRecords = builder.followsRecords || namesRecords
    destination = .allocate(byteCount: max(size, 1), alignment: max(alignment, 1))
    machine = Machine(plan: plan, builder: builder, limits: limits, destination: destination)
    index = IndexSource(sink: machine)
    sizeLimit = limits.record
  }

  deinit {
    machine.abandon()
    destination.deallocate()
  }

  /// Takes the next chunk of a record; returns the record's outcome, once it is known.
  ///
  /// The chunk continues the one before, if the record goes on.
  @inline(__always)
  func take(
    _ chunk: RecordChunk, isWhole: Bool, number: Int, at place: some RecordPlace,
    context: ContextValues? = nil
  ) -> RecordOutcome? {
    if let context, let missing = context.missing {
      return isWhole ? recordWithoutContext(missing, number, place) : nil
    }
    if skipsToRecordEnd {
      skipsToRecordEnd = !isWhole
      return nil
    }
    if !isRecordOpen {
      isRecordOpen = true
      size = 0
      if followsRecords { beginRecord(number, place, context) }
      machine.begin()
    }
    // PERF: a record that comes in one piece, as nearly all do, is not scanned for its size.
    if size > 0 || !isWhole || chunk.largestSize > sizeLimit { size += chunk.size }
    if size > sizeLimit {
      abandon()
      skipsToRecordEnd = !isWhole
      return oversizedRecord(number, place)
    }
    do throws(Refusal) {
      try send(chunk)
    } catch {
      abandon()
      skipsToRecordEnd = !isWhole
      return refusedRecord(error, number, place)
    }
    guard isWhole else { return nil }
    isRecordOpen = false
    return outcome(number, place)
  }

  /// Sends the events of a chunk to the machine.
  ///
  /// The rule: text goes to yajl; tokens come from the index, which hands yajl each string that has escapes.
  @inline(__always)
  private func send(_ chunk: RecordChunk) throws(Refusal) {
    switch chunk {
    case .index(let tokens): try index.send(tokens)
    case .text(let text): try (yajl ?? makeYajl()).send(text)
    }
  }

  @inline(never)
  private func makeYajl() -> YajlSource {
    let source = YajlSource(sink: machine)
    yajl = source
    return source
  }

  @inline(never)
  private func beginRecord(
    _ number: Int, _ place: some RecordPlace, _ context: ContextValues?
  ) {
    if namesRecords {
      machine.record = Machine.RecordName(
        path: place.recordPath, number: number > 0 ? number : nil)
    }
    builder.beginRecord(
      RecordInformation(number: number, start: place.recordAddress, context: context))
  }

  /// Makes a value from events that do not come from text: as the first record, without a position.
  ///
  /// - Parameter send: Sends the events of one value; an error that it throws is the record's error.
  /// - Returns: The outcome.
  func take(_ send: (EventSink) throws(MappingError) -> Void) -> RecordOutcome {
    machine.record = Machine.RecordName(number: 1)
    builder.beginRecord(RecordInformation(number: 1, start: .none))
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
  private struct Nowhere: RecordPlace {
    var recordAddress: SourceAddress { .none }
    var recordPath: JSONPath { JSONPath() }
  }

  /// Takes a fault of the feed; what was built of an open record is released.
  func take(_ fault: FeedReader.Fault, number: Int) -> RecordOutcome {
    abandon()
    return RecordOutcome(
      number: number, address: fault.text, error: fault.error, endsFeed: fault.isFinal)
  }

  /// Throws away an open record.
  func abandon() {
    skipsToRecordEnd = false
    guard isRecordOpen else { return }
    isRecordOpen = false
    machine.abandon()
    index.reset()
    yajl?.reset()
  }

  // MARK: Outcomes

  @inline(__always)
  private func outcome(_ number: Int, _ place: some RecordPlace) -> RecordOutcome {
    guard machine.end() else { return failedRecord(number, place) }
    if filtersRecords, !builder.keepsRecord { return droppedRecord(number, place) }
    return madeRecord(number, place)
  }

  @inline(__always)
  private func madeRecord(_ number: Int, _ place: some RecordPlace) -> RecordOutcome {
    let address = place.recordAddress
    if machine.errors.isEmpty { return RecordOutcome(number: number, address: address) }
    let notes = RecordNotes(error: nil, issues: errors(number, place))
    return RecordOutcome(number: number, address: address, notes: notes)
  }

  @inline(never)
  private func failedRecord(_ number: Int, _ place: some RecordPlace) -> RecordOutcome {
    let all = errors(number, place)
    let fatal = all.filter { $0.severity == .fatal }
    let address = place.recordAddress
    let log = machine.errors
    let error =
      if fatal.count == 1, log.omittedFatal == 0 { fatal[0] } else {
        MappingError(
          .severalErrors, path: place.recordPath, position: address.position,
          record: number > 0 ? number : nil,
          underlying: fatal,
          // The record failed even if the limit kept none of its errors.
          omitted: max(log.omittedFatal, fatal.isEmpty ? 1 : 0))
      }
    return RecordOutcome(
      number: number, address: address, error: error,
      issues: all.filter { $0.severity == .issue })
  }

  /// The machine's errors with their whole addresses.
  private func errors(_ number: Int, _ place: some RecordPlace) -> [MappingError] {
    let prefix = place.recordPath
    // A value from outside the records has no number.
    let record = number > 0 ? number : nil
    return machine.errors.entries.map { $0.error(below: prefix, record: record) }
  }

  /// The error is for documents that are mapped alone: a feed's dropped records never come out.
  @inline(never)
  private func droppedRecord(_ number: Int, _ place: some RecordPlace) -> RecordOutcome {
    let address = place.recordAddress
    let error = MappingError(
      .validationFailed, path: place.recordPath, position: address.position, record: number,
      expected: "a record that the mapping keeps", found: "one that its condition drops")
    return RecordOutcome(
      number: number, address: address, notes: RecordNotes(error: error, isDropped: true))
  }

  @inline(never)
  private func recordWithoutContext(_ missing: String, _ number: Int, _ place: some RecordPlace)
    -> RecordOutcome
  {
    let address = place.recordAddress
    let error = MappingError(
      .missing, path: place.recordPath, position: address.position, record: number,
      expected: missing)
    return RecordOutcome(number: number, address: address, error: error)
  }

  @inline(never)
  private func oversizedRecord(_ number: Int, _ place: some RecordPlace) -> RecordOutcome {
    let address = place.recordAddress
    let error = MappingError(
      .limitExceeded, path: place.recordPath, position: address.position, record: number,
      expected: Limits.message(.record, sizeLimit))
    return RecordOutcome(number: number, address: address, error: error)
  }

  /// Reports that yajl refused what reading had accepted: one of the two is wrong, and nothing of the record can be trusted.
  @inline(never)
  private func refusedRecord(
    _ refusal: Refusal, _ number: Int, _ place: some RecordPlace
  ) -> RecordOutcome {
    let address = place.recordAddress
    let error = MappingError(
      .syntax, path: place.recordPath, position: address.position, record: number,
      found: "text that yajl refuses (\(refusal.message))")
    return RecordOutcome(number: number, address: address, error: error)
  }
}

/// The outcome of a record, without its value.
@usableFromInline
struct RecordOutcome {
  @usableFromInline let number: Int
  @usableFromInline let address: SourceAddress
  /// Nil where there is a value and nothing to report about it.
  @usableFromInline let notes: RecordNotes?

  /// Whether the mapping's filter drops the record.
  @inlinable var isDropped: Bool { notes?.isDropped ?? false }

  init(number: Int, address: SourceAddress, notes: RecordNotes? = nil) {
    self.number = number
    self.address = address
    self.notes = notes
  }

  /// A record without a value.
  init(
    number: Int, address: SourceAddress, error: MappingError, issues: [MappingError] = [],
    endsFeed: Bool = false
  ) {
    self.init(
      number: number, address: address,
      notes: RecordNotes(error: error, issues: issues, endsFeed: endsFeed))
  }
}

/// Takes the values of a known type from where they were built.
///
/// PERF: inlinable, so that a program that uses it gets code for its own type. Generic code would look up the type's description
/// at each record (7 % of the time of a typed feed).
@usableFromInline
struct RecordOutlet<Value> {
  @usableFromInline let destination: UnsafeMutableRawPointer
  /// Makes a value from an output record's text; nil where values are built in place.
  @usableFromInline let take: ((UnsafeMutableRawPointer) -> Value)?

  @inlinable
  @inline(__always)
  func record(_ outcome: RecordOutcome) -> Record<Value> {
    let result: Result<Value, MappingError>
    if let error = outcome.notes?.error {
      result = .failure(error)
    } else if let take {
      result = .success(take(destination))
    } else {
      result = .success(destination.assumingMemoryBound(to: Value.self).move())
    }
    return Record(
      number: outcome.number, address: outcome.address, result: result, notes: outcome.notes)
  }
}
