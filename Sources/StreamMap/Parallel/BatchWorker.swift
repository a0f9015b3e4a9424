/// Makes the records of batches of one feed; it belongs to no thread, but is used by one at a time.
///
/// Not thread-safe.
@usableFromInline
final class BatchWorker<Value> {
  /// Where the output records of a batch go.
  final class Output {
    fileprivate(set) var text = OutputBuffer()
    /// Nil if they are text.
    fileprivate(set) var columns: RecordColumns?

    /// Appends what `write` writes for a record; returns its range.
    func append(_ write: (OutputBuffer) -> Void) -> TextRange {
      let start = text.count
      write(text)
      return TextRange(start: start, end: text.count)
    }

    /// How many bytes, or rows, there are.
    var count: Int { columns?.rows ?? text.count }
  }

  /// How the output records of a batch are written at once, where they need nothing more.
  enum Form: Sendable {
    /// Each is made by itself.
    case single
    /// As text, with what stands around each.
    case text(FeedReader.RowText)
    /// In columns of their own.
    case columns(@Sendable () throws(MappingError) -> RecordColumns, isDirect: Bool)
  }

  private let maker: RecordMaker
  @usableFromInline let taker: ValueTaker<Value>
  private let output: Output
  private let selection: FeedSelection
  private let limits: Limits
  private let parser: RecordParser
  private let context: FeedContext?
  private let form: Form
  /// Which column each field fills, where rows go to columns at once.
  private var fields: RecordColumns.Fields?
  /// Reads batches of lines or elements, once there are any.
  private var engine: FeedEngine?

  /// A worker that makes records by an assembly.
  ///
  /// For output records, the assembly adds them to the `Output` it is given, with what stands around each. The context is for batches
  /// that the worker reads itself, and no other worker has it.
  init(
    plan: Plan, selection: FeedSelection, limits: Limits, parser: RecordParser,
    context: FeedContext?, form: Form = .single,
    _ makeAssembly: (Output) -> RecordAssembly<Value>
  ) {
    self.selection = selection
    self.limits = limits
    self.parser = parser
    self.context = context
    self.form = form
    output = Output()
    let assembly = makeAssembly(output)
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

  /// How many bytes, or rows, of output the batch has.
  var outputCount: Int { output.count }

  /// Makes the records of a batch; `wrote` gets those that are written at once, and where in the output they are.
  func forEachOutcome(
    of batch: Batch<Value>, wrote: (FeedEngine.WrittenRecords, TextRange) -> Void,
    _ body: (RecordOutcome) -> Void
  ) {
    output.text = batch.text
    let (made, batch) = (batch, batch.input)
    do throws(MappingError) {
      if case .columns(let make, _) = form, made.columns == nil { made.columns = try make() }
      output.columns = made.columns
      if batch.stretch.isEmpty {
        forEachOutcome(ofRecords: batch, body)
      } else {
        try forEachOutcome(ofStretch: batch, wrote, body)
      }
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
    if !stretch.continues { try engine.restore(stretch.start) }
    if stretch.size > 0 {
      engine.input(stretch.text, isFinal: false)
      forEachOutcome(of: engine, wrote, body)
    }
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
      let start = output.count
      let written = writeRecords(of: engine)
      if written.count > 0 { wrote(written, TextRange(start: start, end: output.count)) }
      guard case .record(let outcome) = engine.next() else { return }
      body(outcome)
    }
  }

  /// Writes the records that come next, as far as that is possible at once.
  private func writeRecords(of engine: FeedEngine) -> FeedEngine.WrittenRecords {
    switch form {
    case .single, .columns(_, isDirect: false): break
    case .text(let ends): return engine.writeRecords(to: output.text, ends, enough: .max)
    case .columns(_, isDirect: true):
      guard let columns = output.columns else { break }
      if fields == nil { fields = engine.fields(of: columns) }
      guard let fields else { break }
      return engine.addRecords(to: columns, by: fields, enough: .max, bytes: .max)
    }
    return FeedEngine.WrittenRecords()
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
        context: entry.context < 0 ? nil : contents.contexts[entry.context],
        triesRow: parser == .auto)
      if let outcome { body(outcome) }
    }
  }
}
