/// Leads the worker that has a part of a record to the batch with the next part.
///
/// The pipeline's lock guards it.
final class RecordChain<Value> {
  var next: Batch<Value>?
}
