/// The result of one record of a feed: a value, a value with issues, or an error and no value.
///
/// ```swift
/// for record in try mapper.records(in: Feed(.file("people.ndjson"))) {
///   switch record.result {
///   case .success(let person): store(person)
///   case .failure(let error): log("\(error)")
///   }
///   for issue in record.issues { warn("\(issue)") }
/// }
/// ```
@frozen
public struct Record<Value> {
  /// The record's number, from 1.
  ///
  /// Malformed records count. The number is 0 for an error outside any record, such as one in what is around the records of a
  /// document, and in a part of a feed that does not know how many records come before it (``FeedPart/tellsNumbers``).
  public let number: Int
  // PERF: stored as reading gives it; the position is made when it is asked for.
  @usableFromInline let address: FeedToken
  /// Where the record is in the feed.
  ///
  /// For a malformed line or entry, it is the whole line or entry, without what ends it. If that has more than 64 KiB, it is the
  /// first 64 KiB, or the bytes up to the fault if these are more. For a malformed document, it is the part that was read. The
  /// error says where the fault is.
  public var position: SourcePosition? { address.position }
  /// The value, or why there is none.
  ///
  /// Several errors come as one with the code `severalErrors`, which contains all of them.
  public let result: Result<Value, MappingError>
  /// What was wrong without losing the value: an alternative was taken.
  public var issues: [MappingError] { notes?.issues ?? [] }
  /// Whether nothing can be read after it: a document is malformed there, or the input fails.
  public var endsFeed: Bool { notes?.endsFeed ?? false }
  /// The record's key in the object that it is a member of; nil if it is not one.
  ///
  /// Only where the mapper's ``Mapper/reportsKeys`` is set.
  public var key: String? {
    if case .key(let key)? = notes?.step { key } else { nil }
  }
  /// The record's index in the array that it is an element of, from 0; nil if it is not one.
  ///
  /// Only where the mapper's ``Mapper/reportsKeys`` is set.
  public var index: Int? {
    if case .index(let index)? = notes?.step { index } else { nil }
  }
  @usableFromInline let notes: RecordNotes?
  /// Whether the mapping's condition drops it; such a record never comes out.
  @usableFromInline var isDropped: Bool { notes?.isDropped ?? false }

  @inlinable
  init(
    number: Int, address: FeedToken, result: Result<Value, MappingError>, notes: RecordNotes?
  ) {
    self.number = Uncounted.shown(number)
    self.address = address
    self.result = result
    self.notes = notes
  }

  /// A record for what is wrong with the feed, not with a record of it.
  @usableFromInline
  package init(_ error: MappingError, endsFeed: Bool = false) {
    self.init(
      number: 0, address: .none, result: .failure(error),
      notes: RecordNotes(error: error, endsFeed: endsFeed))
  }

  /// The same record with another result.
  func with<Other>(_ result: Result<Other, MappingError>) -> Record<Other> {
    Record<Other>(number: number, address: address, result: result, notes: notes)
  }

  /// The value.
  ///
  /// - Throws: ``MappingError`` if there is none.
  @inlinable
  public func get() throws(MappingError) -> Value { try result.get() }

  /// The value; nil if there is none.
  @inlinable
  public var value: Value? {
    if case .success(let value) = result { value } else { nil }
  }

  /// Why there is no value; nil if there is one.
  @inlinable
  public var error: MappingError? {
    if case .failure(let error) = result { error } else { nil }
  }
}

extension Record: Sendable where Value: Sendable {}

/// What has to be reported about a record that is not simply a value.
///
/// PERF: a class, so that most records, which have nothing to report, pay for it with one word that is nil.
@usableFromInline
final class RecordNotes: Sendable {
  /// Nil if there is a value.
  @usableFromInline let error: MappingError?
  let issues: [MappingError]
  let endsFeed: Bool
  @usableFromInline let isDropped: Bool
  /// The last step of the path to the record, where it is asked for.
  let step: JSONPath.Component?

  init(
    error: MappingError?, issues: [MappingError] = [], endsFeed: Bool = false,
    isDropped: Bool = false, step: JSONPath.Component? = nil
  ) {
    self.step = step
    self.error = error
    self.issues = issues
    self.endsFeed = endsFeed
    self.isDropped = isDropped
  }
}
