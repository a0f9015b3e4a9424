/// Output records that follow each other, and of which there is nothing to say but how many there are.
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
  var failure: RowWriter.Failure?

  /// Makes the records of a batch, each stretch as one record.
  ///
  /// It has the number and the address of its last record. A record with issues is a stretch of its own.
  static func map(_ batch: Batch<OutputStretch>, _ worker: BatchWorker<OutputStretch>) {
    var records = batch.takeRecords()
    var open: OutputStretch?
    var last: RecordOutcome?
    func close() {
      guard let stretch = open, let outcome = last else { return }
      records.append(
        Record(
          number: outcome.number, address: outcome.address, result: .success(stretch), notes: nil))
      open = nil
    }
    worker.forEachOutcome(of: batch) { outcome in
      if outcome.isDropped {
        if open == nil { open = OutputStretch(text: TextRange(start: 0, end: 0)) }
        open?.dropped += 1
      } else if outcome.notes == nil {
        let record = worker.taker.record(outcome)
        guard case .success(let made) = record.result else { return }
        if made.failure != nil {
          close()
          records.append(record)
          return
        }
        if let before = open, before.mapped > 0 {
          open?.text.end = made.text.end
        } else {
          open = OutputStretch(dropped: open?.dropped ?? 0, text: made.text)
        }
        open?.mapped += 1
      } else {
        close()
        records.append(worker.taker.record(outcome))
        return
      }
      last = outcome
    }
    close()
    records.reverse()
    batch.records = records
  }
}
