/// Brings together the worker that has a part of a record and the batch with the next part, whichever comes first.
///
/// The pipeline's lock guards it.
final class RecordChain<Value> {
  /// Set once the worker has mapped what comes before.
  var worker: BatchWorker<Value>?
  /// Set once the next part is dispatched.
  var next: Batch<Value>?

  /// Lets go of both.
  func cut() {
    worker = nil
    next = nil
  }
}
