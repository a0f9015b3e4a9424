/// The outcome of a record, without its value.
@usableFromInline
struct RecordOutcome {
  @usableFromInline let number: Int
  @usableFromInline let address: FeedToken
  /// Nil if there is a value and nothing to report about it.
  @usableFromInline let notes: RecordNotes?

  /// The outcome where no memory is left.
  @usableFromInline static var outOfMemory: RecordOutcome {
    RecordOutcome(number: 0, address: .none, error: .outOfMemory)
  }

  /// Whether the mapping's condition drops the record.
  @inlinable var isDropped: Bool { notes?.isDropped ?? false }

  init(number: Int, address: FeedToken, notes: RecordNotes? = nil) {
    self.number = number
    self.address = address
    self.notes = notes
  }

  /// A record without a value.
  init(
    number: Int, address: FeedToken, error: MappingError, issues: [MappingError] = [],
    endsFeed: Bool = false, step: JSONPath.Component? = nil
  ) {
    self.init(
      number: number, address: address,
      notes: RecordNotes(error: error, issues: issues, endsFeed: endsFeed, step: step))
  }
}
