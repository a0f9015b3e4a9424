/// A batch on its way: what reading found, and what a worker made of it.
///
/// It belongs to one thread at a time: reading, a worker, who takes the records. A pipeline hands it on.
@usableFromInline
final class MappedBatch<Value> {
  let input = RecordBatch()
  /// Once mapped: the records, the last one first, so that they can be taken from the end without a copy.
  @usableFromInline var records: [Record<Value>] = []
  /// The text of the records, one behind the other, where they are output records.
  let text = OutputBuffer()

  /// The memory for the records, empty.
  @usableFromInline
  func takeRecords() -> [Record<Value>] {
    defer { records = [] }
    return records
  }

  // The pipeline's, which sets them when the batch is dispatched.
  /// The chain that it came by, if it goes on with a record of the batch before.
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

/// Leads the worker that has a part of a record to the batch with the next one.
///
/// Guarded by the pipeline.
final class RecordChain<Value> {
  var next: MappedBatch<Value>?
}

/// Makes the records of batches: what each worker has of its own.
///
/// Not thread-safe.
@usableFromInline
final class BatchMapper<Value> {
  /// Where the text of output records goes.
  final class Text {
    fileprivate var output = OutputBuffer()

    /// Appends the text of a record; where it stands.
    func append(_ text: UnsafeBufferPointer<UInt8>) -> TextRange {
      let start = output.count
      output.append(text)
      return TextRange(start: start, end: output.count)
    }
  }

  private let maker: RecordMaker
  @usableFromInline let outlet: RecordOutlet<Value>
  private let text: Text
  /// A mapper of what a product is made of; that of output records appends their text to what it is given.
  init(plan: Plan, limits: Limits, _ makeProduct: (Text) -> Product<Value>) {
    text = Text()
    let product = makeProduct(text)
    maker = product.maker(plan, limits)
    outlet = product.outlet(of: maker)
  }

  /// Makes the records of a batch, which goes on where the last one ended.
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
    let contents = batch.contents
    contents.text.withUnsafeBufferPointer { text in
      contents.addresses.withUnsafeBufferPointer { addresses in
        for entry in contents.entries {
          let isWhole: Bool
          switch entry.kind {
          case .fault(let index):
            body(maker.take(contents.faults[index], number: entry.number))
            continue
          case .part: isWhole = false
          case .record: isWhole = true
          }
          let chunk = RecordChunk(
            json: UnsafeBufferPointer(rebasing: text[entry.text]),
            addresses: UnsafeBufferPointer(rebasing: addresses[entry.addresses]),
            textOrigin: 0)
          let outcome = maker.take(
            chunk, isWhole: isWhole, number: entry.number,
            at: BatchPlace(batch: batch, entry: entry),
            context: entry.context < 0 ? nil : contents.contexts[entry.context])
          if let outcome { body(outcome) }
        }
      }
    }
  }
}
