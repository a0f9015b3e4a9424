/// A record without a value: which one, where it is, and why.
///
/// It has no values of the feed. The text of the record is what ``AsyncBatches/text(at:)`` gives.
public struct Reject: Sendable, Equatable {
  /// The record's number, from 1; 0 if ``Record/number`` is.
  public let record: Int
  /// Where the record is in the feed: see ``Record/position``.
  public let position: SourcePosition?
  /// Why there is no value.
  public let error: MappingError
  /// The record's key in the object that it is a member of: see ``Record/key``.
  public let key: String?
  /// The record's index in the array that it is an element of: see ``Record/index``.
  public let index: Int?

  /// What a record says, if it failed.
  public init?(_ record: Record<some Any>) {
    guard let error = record.error else { return nil }
    self.init(
      record: record.number, position: record.position, error: error, key: record.key,
      index: record.index)
  }

  /// Makes one, for tests of an observer.
  public init(
    record: Int, position: SourcePosition?, error: MappingError, key: String? = nil,
    index: Int? = nil
  ) {
    self.record = record
    self.position = position
    self.error = error
    self.key = key
    self.index = index
  }
}
