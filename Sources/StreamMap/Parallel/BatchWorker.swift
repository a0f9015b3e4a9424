/// Makes the records of batches of one feed; it belongs to no thread, but is used by one at a time.
///
/// Not thread-safe.
@usableFromInline
final class BatchWorker<Value> {
  /// Where the text of output records goes.
  final class Text {
    fileprivate var output = OutputBuffer()

    /// Appends what `write` writes for a record; returns its range.
    func append(_ write: (OutputBuffer) -> Void) -> TextRange {
      let start = output.count
      write(output)
      return TextRange(start: start, end: output.count)
    }
  }

  private let maker: RecordMaker
  @usableFromInline let taker: ValueTaker<Value>
  private let text: Text
  private let selection: FeedSelection
  private let limits: Limits
  private let parser: RecordParser
  private let context: FeedContext?
  /// The text around output records that are written at once; nil if records are something else.
  private let ends: FeedReader.RowText?
  /// Reads batches of lines or elements, once there are any.
  private var engine: FeedEngine?

  /// A worker that makes records by an assembly.
  ///
  /// For output records, the assembly appends their text to the `Text` it is given, with what stands around each. The context is for batches
  /// that the worker reads itself, and no other worker has it.
  init(
    plan: Plan, selection: FeedSelection, limits: Limits, parser: RecordParser,
    context: FeedContext?, ends: FeedReader.RowText? = nil,
    _ makeAssembly: (Text) -> RecordAssembly<Value>
  ) {
    self.selection = selection
    self.limits = limits
    self.parser = parser
    self.context = context
    self.ends = ends
    text = Text()
    let assembly = makeAssembly(text)
    maker = assembly.maker(plan, limits)
    taker = assembly.taker(of: maker)
  }

  /// Makes the records of a batch; the batch continues where the last one ended.
  @inlinable
  func map(_ batch: Batch<Value>) {
    var records = batch.takeRecords()
    forEachOutcome(of: batch) { records.append(taker.record($0)) }
    records.reverse()
    batch.records = records
  }

  @usableFromInline
  func forEachOutcome(of batch: Batch<Value>, _ body: (RecordOutcome) -> Void) {
    forEachOutcome(of: batch, wrote: { _, _ in }, body)
  }

  /// Makes the records of a batch; `wrote` gets those that are written at once, and where their text is.
  func forEachOutcome(
    of batch: Batch<Value>, wrote: (FeedEngine.WrittenRecords, TextRange) -> Void,
    _ body: (RecordOutcome) -> Void
  ) {
    text.output = batch.text
    let batch = batch.input
    if batch.stretch.isEmpty {
      forEachOutcome(ofRecords: batch, body)
      return
    }
    do throws(MappingError) {
      try forEachOutcome(ofStretch: batch, wrote, body)
    } catch {
      batch.ending.noteFailure()
      body(RecordOutcome(number: 0, address: .none, error: error, endsFeed: true))
    }
  }

  /// Reads the lines or elements of a batch.
  private func forEachOutcome(
    ofStretch batch: RecordBatch, _ wrote: (FeedEngine.WrittenRecords, TextRange) -> Void,
    _ body: (RecordOutcome) -> Void
  ) throws(MappingError) {
    let engine = try makeEngine()
    let stretch = batch.stretch
    try engine.restore(stretch.start)
    engine.input(stretch.text, isFinal: false)
    forEachOutcome(of: engine, wrote, body)
    if stretch.isFinal {
      engine.input(UnsafeBufferPointer(start: nil, count: 0), isFinal: true)
      forEachOutcome(of: engine, wrote, body)
    }
    batch.position = engine.position
    batch.lastPosition = engine.lastPosition
    batch.pathsSeen = engine.pathsSeen
    batch.ending = engine.ending
    if engine.ending.isAtFault { batch.end = engine.offset }
  }

  /// Advances to the end of an engine's input.
  private func forEachOutcome(
    of engine: FeedEngine, _ wrote: (FeedEngine.WrittenRecords, TextRange) -> Void,
    _ body: (RecordOutcome) -> Void
  ) {
    while true {
      if let ends {
        let start = text.output.count
        let written = engine.writeRecords(to: text.output, ends, enough: .max)
        if written.count > 0 { wrote(written, TextRange(start: start, end: text.output.count)) }
      }
      guard case .record(let outcome) = engine.next() else { return }
      body(outcome)
    }
  }

  private func makeEngine() throws(MappingError) -> FeedEngine {
    if let engine { return engine }
    let made = try FeedEngine(
      maker, selection: selection, format: .ndjson, limits: limits, parser: parser,
      context: context)
    engine = made
    return made
  }

  private func forEachOutcome(
    ofRecords batch: RecordBatch, _ body: (RecordOutcome) -> Void
  ) {
    let contents = batch.contents
    contents.forEachEntry { entry, chunk in
      let isWhole: Bool
      switch entry.kind {
      case .fault(let index):
        return body(maker.take(contents.faults[index], number: entry.number))
      case .part: isWhole = false
      case .record: isWhole = true
      }
      let outcome = maker.take(
        chunk, isWhole: isWhole, number: entry.number,
        at: BatchLocation(batch: batch, entry: entry),
        context: entry.context < 0 ? nil : contents.contexts[entry.context])
      if let outcome { body(outcome) }
    }
  }
}
