/// Where a record of a batch is.
struct BatchLocation: RecordLocation {
  let batch: RecordBatch
  let entry: RecordBatch.Entry

  var recordAddress: FeedToken { entry.address }
  var recordPath: JSONPath { batch.path(entry.steps) }
  var recordStep: JSONPath.Component? { batch.lastStep(of: entry.steps) }
}
