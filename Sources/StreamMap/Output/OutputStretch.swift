/// Output records that follow each other, with nothing to report but their number.
///
/// PERF: a thread that maps hands over a batch's records as few of these instead of one value for each record, and their text or columns as
/// they stand in the output.
struct OutputStretch {
  /// What the range is.
  enum Content {
    /// Records, of the batch's text or columns.
    case records
    /// Rows of one record, which stay together.
    case rows
    /// The text of one record that the batch's columns had no place for.
    case text
  }

  var content = Content.records
  var mapped = 0
  /// How many records among them the filter dropped.
  var dropped = 0
  /// Where they are in the batch's output: bytes of its text, or rows of its columns.
  var range: TextRange
  /// Why there are none; then it is one record.
  var failure: RowFailure?

  /// Whether it cannot be part of a longer one.
  private var isAlone: Bool { content != .records || failure != nil }

  /// Makes the records of a batch, each stretch as one record.
  ///
  /// It has the number and the address of its last record. A record with issues is a stretch of its own.
  static func map(_ batch: Batch<OutputStretch>, _ worker: BatchWorker<OutputStretch>) {
    var records = batch.takeRecords()
    var open: OutputStretch?
    var last = (number: 0, address: FeedToken.none)
    func close() {
      guard let stretch = open else { return }
      records.append(
        Record(number: last.number, address: last.address, result: .success(stretch), notes: nil))
      open = nil
    }
    func add(
      _ mapped: Int, _ dropped: Int, _ range: TextRange, _ number: Int, _ address: FeedToken
    ) {
      var stretch = open ?? OutputStretch(range: range)
      if stretch.mapped == 0 { stretch.range.start = range.start }
      if mapped > 0 { stretch.range.end = range.end }
      stretch.mapped += mapped
      stretch.dropped += dropped
      open = stretch
      last = (number, address)
    }
    worker.forEachOutcome(of: batch) { written, range in
      add(written.mapped, written.dropped, range, written.number, written.last)
    } _: { outcome in
      if outcome.isDropped {
        let end = worker.outputCount
        add(0, 1, TextRange(start: end, end: end), outcome.number, outcome.address)
      } else if outcome.notes == nil {
        let record = worker.taker.record(outcome)
        guard case .success(let made) = record.result else { return }
        if made.isAlone {
          close()
          records.append(record)
        } else {
          add(1, 0, made.range, outcome.number, outcome.address)
        }
      } else {
        close()
        records.append(worker.taker.record(outcome))
      }
    }
    close()
    records.reverse()
    batch.records = records
  }
}
