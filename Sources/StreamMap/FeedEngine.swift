/// Joins reading, yajl and the machine into one: pieces of a feed in, records out.
///
/// It knows nothing of the records' type: `RecordEngine` takes the values out.
///
/// Not thread-safe.
@usableFromInline
final class FeedEngine {
  /// What the engine has, or needs.
  @usableFromInline
  enum Step {
    /// Another piece of the feed.
    case input
    case record(RecordOutcome)
    /// The feed is over.
    case end
  }

  private let builder: Builder
  private let reader: FeedReader
  private let machine: Machine
  private let parser: YajlParser
  /// Where a record's value is built: it holds one after a record without an error, which is to be taken out.
  @usableFromInline
  let destination: UnsafeMutableRawPointer
  private var isRecordOpen = false
  /// yajl refused a record: the rest of it is passed over.
  private var skipsToRecordEnd = false
  private(set) var recordCount = 0
  /// Whether the feed ended at a fault, behind which no record can be read.
  private(set) var endedAtFault = false

  /// An engine that builds values of a size and alignment in bytes.
  ///
  /// - Throws: ``MappingError`` where memory runs out.
  init(
    _ builder: Builder, size: Int, alignment: Int, plan: Plan, selection: FeedSelection,
    format: FeedFormat,
    limits: Limits
  ) throws(MappingError) {
    guard let reader = FeedReader(selection, format: format, limits: limits) else {
      throw MappingError(.io, found: "out of memory")
    }
    self.builder = builder
    self.reader = reader
    machine = Machine(plan: plan, builder: builder, limits: limits)
    parser = YajlParser(sink: machine)
    destination = .allocate(byteCount: max(size, 1), alignment: max(alignment, 1))
  }

  /// Makes the engine ready for another feed.
  ///
  /// Its memory is kept.
  func reset(format: FeedFormat) {
    abandonRecord()
    skipsToRecordEnd = false
    recordCount = 0
    endedAtFault = false
    reader.reset(format: format)
  }

  deinit {
    machine.abandon()
    destination.deallocate()
  }

  /// Bytes of the feed that are behind the engine.
  var offset: Int { reader.offset }

  /// The record paths that did not occur.
  var unseenPaths: [PathPattern] { reader.unseenPaths }

  /// Gives the next piece: see ``FeedReader/input(_:isFinal:)``.
  @usableFromInline
  func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    reader.input(bytes, isFinal: isFinal)
  }

  /// Goes on to the next record, or to the end of the input.
  @usableFromInline
  func next() -> Step {
    while true {
      switch reader.next() {
      case .input: return .input
      case .end: return .end
      case .chunk:
        if let record = parse(isWhole: false) { return .record(record) }
      case .record:
        if let record = parse(isWhole: true) { return .record(record) }
      case .fault:
        return .record(faultyRecord())
      }
    }
  }

  private func parse(isWhole: Bool) -> RecordOutcome? {
    if skipsToRecordEnd {
      skipsToRecordEnd = !isWhole
      return nil
    }
    if !isRecordOpen {
      isRecordOpen = true
      recordCount += 1
      builder.beginRecord()
      machine.begin(into: destination)
    }
    let chunk = reader.chunk
    machine.addresses = reader.addresses
    do throws(YajlParser.Refusal) {
      try parser.parse(chunk)
      // Only a number is not known to be over by its own last byte.
      if isWhole, let last = chunk.last, last != UInt8(ascii: "}"), last != UInt8(ascii: "]") {
        try parser.endValue()
      }
    } catch {
      skipsToRecordEnd = !isWhole
      return refusedRecord(error)
    }
    guard isWhole else { return nil }
    isRecordOpen = false
    return machine.end() ? madeRecord() : failedRecord()
  }

  // MARK: Outcomes

  private func madeRecord() -> RecordOutcome {
    let issues = machine.errors.isEmpty ? [] : errors()
    return RecordOutcome(
      number: recordCount, position: reader.recordAddress.position, error: nil, issues: issues)
  }

  private func failedRecord() -> RecordOutcome {
    let all = errors()
    let fatal = all.filter { $0.severity == .fatal }
    let position = reader.recordAddress.position
    let log = machine.errors
    let error =
      if fatal.count == 1, log.omittedFatal == 0 { fatal[0] } else {
        MappingError(
          .severalErrors, path: reader.recordPath, position: position, record: recordCount,
          underlying: fatal,
          omitted: log.omittedFatal)
      }
    return RecordOutcome(
      number: recordCount, position: position, error: error,
      issues: all.filter { $0.severity == .issue })
  }

  /// The machine's errors with their whole addresses.
  private func errors() -> [MappingError] {
    let prefix = reader.recordPath
    return machine.errors.entries.map { $0.error(below: prefix, record: recordCount) }
  }

  /// The feed is malformed here.
  ///
  /// What was built of an open record is released.
  private func faultyRecord() -> RecordOutcome {
    let wasOpen = isRecordOpen
    abandonRecord()
    skipsToRecordEnd = false
    let isInRecord = wasOpen || reader.isFaultInRecord
    if !wasOpen, isInRecord { recordCount += 1 }
    let fault = reader.fault(record: isInRecord ? recordCount : nil)
    endedAtFault = fault.isFinal
    return RecordOutcome(
      number: isInRecord ? recordCount : 0, position: fault.text.position, error: fault.error,
      issues: [])
  }

  /// yajl refused what reading had accepted: one of the two is wrong, and nothing of the record can be trusted.
  private func refusedRecord(_ refusal: YajlParser.Refusal) -> RecordOutcome {
    let address = reader.recordAddress
    abandonRecord()
    let error = MappingError(
      .syntax, path: reader.recordPath, position: address.position, record: recordCount,
      found: "text that yajl refuses (\(refusal.message))")
    return RecordOutcome(number: recordCount, position: address.position, error: error, issues: [])
  }

  private func abandonRecord() {
    guard isRecordOpen else { return }
    isRecordOpen = false
    machine.abandon()
    parser.reset()
  }
}

/// What became of a record, without its value.
@usableFromInline
struct RecordOutcome {
  @usableFromInline let number: Int
  @usableFromInline let position: SourcePosition?
  /// Nil where there is a value.
  @usableFromInline let error: MappingError?
  @usableFromInline let issues: [MappingError]
}
