/// What became of one record of a feed: a value, a value with issues, or an error and no value.
///
/// ```swift
/// for record in try mapper.records(inFile: "people.ndjson") {
///   switch record.result {
///   case .success(let person): store(person)
///   case .failure(let error): log("\(error)")
///   }
///   for issue in record.issues { warn("\(issue)") }
/// }
/// ```
public struct Record<Value> {
  /// The record's number, from 1 up.
  ///
  /// Malformed records count. 0 for an error outside any record, such as one in what stands around
  /// the records of a document.
  public let number: Int
  /// Where the record stands in the feed; of a malformed one what was read of it.
  public let position: SourcePosition?
  /// The value, or why there is none.
  ///
  /// Several errors come as one with the code `severalErrors`, and all of them under it.
  public let result: Result<Value, MappingError>
  /// What was wrong without costing the value: an alternative was taken.
  public let issues: [MappingError]
  /// Whether nothing can be read behind it: a document is malformed there, or the input fails.
  public let endsFeed: Bool

  @usableFromInline
  init(
    number: Int, position: SourcePosition?, result: Result<Value, MappingError>,
    issues: [MappingError], endsFeed: Bool = false
  ) {
    self.number = number
    self.position = position
    self.result = result
    self.issues = issues
    self.endsFeed = endsFeed
  }

  /// The value.
  ///
  /// - Throws: ``MappingError`` where there is none.
  @inlinable
  public func get() throws(MappingError) -> Value { try result.get() }

  /// The value; nil where there is none.
  @inlinable
  public var value: Value? {
    if case .success(let value) = result { value } else { nil }
  }

  /// Why there is no value; nil where there is one.
  @inlinable
  public var error: MappingError? {
    if case .failure(let error) = result { error } else { nil }
  }
}

extension Record: Sendable where Value: Sendable {}
