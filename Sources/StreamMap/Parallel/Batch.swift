/// A batch on its way: what reading found, and what a worker made of it.
///
/// It belongs to one thread at a time: reading, then a worker, then the taker of the records. A pipeline hands it on.
@usableFromInline
final class Batch<Value> {
  let input = RecordBatch()
  /// Once mapped: the records in reverse order, so that they can be taken from the end without a copy.
  @usableFromInline var records: [Record<Value>] = []
  /// The text of the records, one after the other, where they are output records.
  var text = OutputBuffer()
  /// The records, where they go to columns.
  var columns: RecordColumns?

  /// The memory for the records, empty.
  @usableFromInline
  func takeRecords() -> [Record<Value>] {
    defer { records = [] }
    return records
  }

  // The pipeline sets these when the batch is dispatched.
  /// How it is mapped.
  var mapping: MappingPipeline<Value>.Mapping?
  /// The chain that the batch came by, if it continues with a record of the batch before.
  var origin: RecordChain<Value>?
  /// The chain to the next batch, if its last record continues there.
  var chain: RecordChain<Value>?
  /// Whether it is mapped.
  var isDone = false

  func clear() {
    input.clear()
    records.removeAll(keepingCapacity: true)
    text.clear()
    // Few batches have more than this.
    if let columns, columns.bytes > 1 << 20 { self.columns = nil }
    columns?.clear()
  }
}
