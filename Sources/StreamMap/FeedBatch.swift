/// Records of a feed that come together: one `await` a batch.
///
/// ```swift
/// for try await batch in try mapper.batches(in: Feed(request.body)) {
///   try await database.insert(batch.values, position: batch.position)
/// }
/// ```
public struct FeedBatch<Value> {
  /// The values, in the order of their records.
  public let values: [Value]
  /// The records without a value, in their order.
  ///
  /// If the feed has to end for a reason that does not lie in a record, that is ``AsyncBatches/reason``.
  public let rejects: [Reject]
  /// Where reading can be resumed after the batch's last record, to be stored with the values.
  ///
  /// The last batch has one, too: after it comes nothing, or the fault that ended the feed early. It is nil only if several
  /// threads map the feed and the batch ends inside records that were mapped together.
  public let position: FeedPosition?
  /// The number that its first record has in the feed, counted from 1, even if reading resumed inside it.
  public let firstRecord: Int
  /// How many records are over with the batch: mapped, rejected and dropped.
  public let records: Int
  /// How many records the condition (`where`) of a mapping file dropped.
  public let dropped: Int
  /// How many issues the values have.
  public let issues: Int
  /// How many bytes of the feed were passed with it.
  public let bytes: Int
}

extension FeedBatch: Sendable where Value: Sendable {}
