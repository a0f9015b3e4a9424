/// A batch on its way: what reading found, and what a worker made of it.
///
/// It belongs to one thread at a time: reading, then a worker, then the taker of the records. A pipeline hands it on.
@usableFromInline
final class MappedBatch<Value> {
  let input = RecordBatch()
  /// Once mapped: the records in reverse order, so that they can be taken from the end without a copy.
  @usableFromInline var records: [Record<Value>] = []
  /// The text of the records, one after the other, where they are output records.
  let text = OutputBuffer()

  /// The memory for the records, empty.
  @usableFromInline
  func takeRecords() -> [Record<Value>] {
    defer { records = [] }
    return records
  }

  // The pipeline sets these when the batch is dispatched.
  /// The chain that the batch came by, if it goes on with a record of the batch before.
  var origin: RecordChain<Value>?
  /// The chain to the next batch, if its last record goes on there.
  var chain: RecordChain<Value>?
  /// Whether it is mapped.
  var isDone = false

  func clear() {
    input.clear()
    records.removeAll(keepingCapacity: true)
    text.clear()
  }
}

/// Leads the worker that has a part of a record to the batch with the next part.
///
/// The pipeline's lock guards it.
final class RecordChain<Value> {
  var next: MappedBatch<Value>?
}

/// Makes the records of batches; each worker has its own mapper.
///
/// Not thread-safe.
@usableFromInline
final class BatchMapper<Value> {
  /// Where the text of output records goes.
  final class Text {
    fileprivate var output = OutputBuffer()

    /// Appends the text of a record; returns its range.
    func append(_ text: UnsafeBufferPointer<UInt8>) -> TextRange {
      let start = output.count
      output.append(text)
      return TextRange(start: start, end: output.count)
    }
  }

  private let maker: RecordMaker
  @usableFromInline let outlet: RecordOutlet<Value>
  private let text: Text
  private let selection: FeedSelection
  private let limits: Limits
  private let parser: RecordParser
  /// Reads batches of lines, once there are any.
  private var lineEngine: FeedEngine?

  /// A mapper for a product.
  ///
  /// For output records, the product appends their text to the `Text` it is given.
  init(
    plan: Plan, selection: FeedSelection, limits: Limits, parser: RecordParser,
    _ makeProduct: (Text) -> Product<Value>
  ) {
    self.selection = selection
    self.limits = limits
    self.parser = parser
    text = Text()
    let product = makeProduct(text)
    maker = product.maker(plan, limits)
    outlet = product.outlet(of: maker)
  }

  /// Makes the records of a batch; the batch goes on where the last one ended.
  @inlinable
  func map(_ batch: MappedBatch<Value>) {
    var records = batch.takeRecords()
    forEachOutcome(of: batch) { records.append(outlet.record($0)) }
    records.reverse()
    batch.records = records
  }

  @usableFromInline
  func forEachOutcome(of batch: MappedBatch<Value>, _ body: (RecordOutcome) -> Void) {
    text.output = batch.text
    let batch = batch.input
    if batch.lines.isEmpty {
      forEachOutcome(ofRecords: batch, body)
      return
    }
    do throws(MappingError) {
      try forEachOutcome(ofLines: batch, body)
    } catch {
      batch.ending.noteFailure()
      body(RecordOutcome(number: 0, address: .none, error: error, endsFeed: true))
    }
  }

  /// Reads the lines of a batch.
  private func forEachOutcome(ofLines batch: RecordBatch, _ body: (RecordOutcome) -> Void)
    throws(MappingError)
  {
    let engine = try makeLineEngine()
    let lines = batch.lines
    engine.begin(at: lines.start)
    engine.input(lines.text, isFinal: false)
    engine.forEachOutcome(body)
    if lines.isFinal {
      engine.input(UnsafeBufferPointer(start: nil, count: 0), isFinal: true)
      engine.forEachOutcome(body)
    }
    batch.position = engine.position
    batch.pathsSeen = engine.pathsSeen
    batch.ending = engine.ending
  }

  private func makeLineEngine() throws(MappingError) -> FeedEngine {
    if let lineEngine { return lineEngine }
    let engine = try FeedEngine(
      maker, selection: selection, format: .ndjson, limits: limits, parser: parser)
    lineEngine = engine
    return engine
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
        chunk, isWhole: isWhole, number: entry.number, at: BatchPlace(batch: batch, entry: entry),
        context: entry.context < 0 ? nil : contents.contexts[entry.context])
      if let outcome { body(outcome) }
    }
  }
}
