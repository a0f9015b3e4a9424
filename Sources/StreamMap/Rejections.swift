/// Decides about the records of a feed that fail, and counts them.
///
/// ```swift
/// var rejections = Rejections(within: ErrorBudget(count: 100)) { record in
///   if let error = record.error { log("\(error)") }
///   return .skip
/// }
/// for record in try mapper.records(inFile: "people.ndjson", jobs: 4) {
///   guard let person = try rejections.value(of: record) else { continue }
///   store(person)
/// }
/// try rejections.finish()
/// ```
///
/// It goes with records from everywhere: sequences, buffers, streams, with one job or several.
public struct Rejections: Sendable {
  /// What is done about a record that fails.
  public enum Decision: Sendable, Hashable {
    /// It is left out.
    case skip
    /// The feed is given up.
    case stop
  }

  /// Why a feed is given up.
  public struct Stop: Error, CustomStringConvertible {
    /// What went wrong last; nil where only the end showed that too many records had failed.
    public let error: MappingError?
    /// How many records had failed.
    public let count: Int
    /// Of how many.
    public let recordCount: Int
    let reason: String

    /// As in “3 of 40 records failed, more than 2; the last one: …”.
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
  private let decide: (@Sendable (Record<Never>) -> Decision)?

  /// Decides by a budget, and a handler of your own that is asked first about each record that fails.
  ///
  /// - Parameters:
  ///   - budget: How many may fail.
  ///   - decide: Given the record, with its number, position and error; without a handler all are skipped.
  public init(
    within budget: ErrorBudget = ErrorBudget(),
    _ decide: (@Sendable (Record<Never>) -> Decision)? = nil
  ) {
    self.budget = budget
    self.decide = decide
  }

  /// The value of a record; nil where it failed and is left out.
  ///
  /// - Throws: ``Stop`` where the handler says so, where too many records have failed, and where nothing can be read behind
  ///   this one (``Record/endsFeed``).
  public mutating func value<Value>(of record: Record<Value>) throws(Stop) -> Value? {
    recordCount += 1
    let error: MappingError
    switch record.result {
    case .success(let value): return value
    case .failure(let failure): error = failure
    }
    count += 1
    let decision = decide?(record.with(.failure(error))) ?? .skip
    if record.endsFeed { throw stop("and nothing can be read behind the last one", error) }
    if decision == .stop { throw stop("and the last one ends the feed", error) }
    try checkBudget(isOver: false, error)
    return nil
  }

  /// The feed is over.
  ///
  /// - Throws: ``Stop`` where too many records have failed.
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
