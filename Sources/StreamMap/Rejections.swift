/// Decides what to do about the failed records of a feed, and counts them.
///
/// ```swift
/// var failed: [Record<Never>] = []
/// var rejections = Rejections(within: ErrorBudget(count: 100)) { record in
///   failed.append(record)
///   return .skip
/// }
/// for record in try mapper.records(in: Feed(.file("people.ndjson")), jobs: 4) {
///   guard let person = try rejections.value(of: record) else { continue }
///   store(person)
/// }
/// try rejections.finish()
/// ```
///
/// It works with records from any source: sequences, buffers and streams, with one job or several. The handler runs where
/// you take the records, not on the threads that map: it may change your own variables.
public struct Rejections {
  /// What to do about a record that fails.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Decision: Sendable, Hashable {
    /// Leave the record out.
    case skip
    /// Give up the feed.
    case stop
  }

  /// Why a feed is given up.
  public struct Stop: Error, CustomStringConvertible {
    /// The last error; nil if only the end of the feed showed that too many records had failed.
    public let error: MappingError?
    /// How many records had failed.
    public let count: Int
    /// How many records there were.
    public let recordCount: Int
    let reason: String

    /// A message such as “3 of 40 records failed, more than 2; the last one: …”.
    public var description: String {
      let last = error.map { "; the last one: \($0)" } ?? ""
      return "\(count) of \(recordCount) records failed, \(reason)\(last)"
    }
  }

  /// How many records may fail.
  public let budget: ErrorBudget
  /// How many records failed.
  public private(set) var count = 0
  /// How many records there were.
  public private(set) var recordCount = 0
  private let decide: ((Record<Never>) -> Decision)?

  /// Decides by a budget, after it asks your own handler about each record that fails.
  ///
  /// - Parameters:
  ///   - budget: How many records may fail.
  ///   - decide: Receives the record with its number, position and error, in ``value(of:)``; without a handler, all
  ///     failed records are skipped.
  public init(
    within budget: ErrorBudget = ErrorBudget(),
    _ decide: ((Record<Never>) -> Decision)? = nil
  ) {
    self.budget = budget
    self.decide = decide
  }

  /// The value of a record; nil if the record failed and is left out.
  ///
  /// - Throws: ``Stop`` if the handler says so, if too many records have failed, or if nothing can be read after this
  ///   record (``Record/endsFeed``).
  public mutating func value<Value>(of record: Record<Value>) throws(Stop) -> Value? {
    recordCount += 1
    let error: MappingError
    switch record.result {
    case .success(let value): return value
    case .failure(let failure): error = failure
    }
    count += 1
    let decision = decide?(record.with(.failure(error))) ?? .skip
    if record.endsFeed { throw stop("and the feed cannot be read after the last one", error) }
    if decision == .stop { throw stop("and the handler stopped at the last one", error) }
    try checkBudget(isOver: false, error)
    return nil
  }

  /// Ends the feed: checks the budget once more.
  ///
  /// - Throws: ``Stop`` if too many records have failed.
  public func finish() throws(Stop) { try checkBudget(isOver: true, nil) }

  private func checkBudget(isOver: Bool, _ error: MappingError?) throws(Stop) {
    switch budget.exceeded(rejected: count, of: recordCount, isOver: isOver) {
    case .count(let count): throw stop("more than \(count)", error)
    case .ratio(let ratio): throw stop("more than \(ratio) of them", error)
    case nil: break
    }
  }

  private func stop(_ reason: String, _ error: MappingError?) -> Stop {
    Stop(error: error, count: count, recordCount: recordCount, reason: reason)
  }
}
