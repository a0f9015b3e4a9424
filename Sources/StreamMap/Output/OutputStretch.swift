/// Output records that follow each other, with nothing to report but their number.
///
/// PERF: a thread that maps hands over a batch's records as few of these instead of one value for each record, and their text as
/// it stands in the output.
struct OutputStretch {
  var mapped = 0
  /// How many records among them the filter dropped.
  var dropped = 0
  /// Their text in the batch's output.
  var text: TextRange
  /// Why there is none; then it is one record.
  var failure: RowFailure?

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
    func add(_ mapped: Int, _ dropped: Int, _ text: TextRange, _ number: Int, _ address: FeedToken)
    {
      var stretch = open ?? OutputStretch(text: text)
      if stretch.mapped == 0 { stretch.text.start = text.start }
      if mapped > 0 { stretch.text.end = text.end }
      stretch.mapped += mapped
      stretch.dropped += dropped
      open = stretch
      last = (number, address)
    }
    worker.forEachOutcome(of: batch) { written, text in
      add(written.mapped, written.dropped, text, written.number, written.last)
    } _: { outcome in
      if outcome.isDropped {
        let end = batch.text.count
        add(0, 1, TextRange(start: end, end: end), outcome.number, outcome.address)
      } else if outcome.notes == nil {
        let record = worker.taker.record(outcome)
        guard case .success(let made) = record.result else { return }
        if made.failure != nil {
          close()
          records.append(record)
        } else {
          add(1, 0, made.text, outcome.number, outcome.address)
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
