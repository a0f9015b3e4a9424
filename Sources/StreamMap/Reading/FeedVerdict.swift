/// How a feed ended: whether all of it was read, and if not, why.
///
/// ```swift
/// let records = try mapper.records(in: Feed(.file("people.json"), at: "$.people[*]"))
/// for record in records { store(record) }
/// guard records.verdict == .complete else { throw Incomplete(records.verdict) }
/// ```
///
/// The verdict is about the feed, not about its records. A feed of lines that is read to its end is complete, even if
/// some of its lines are malformed: their records say so.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum FeedVerdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// The feed was read to its end.
  case complete
  /// The feed ends too early: inside a document, or inside its last line or entry.
  case truncated
  /// The feed is malformed, and the rest cannot be read after the fault, such as inside a document.
  case malformed
  /// The feed exceeds one of the ``Limits``, and the rest cannot be read after that place, or a bound of its ``FeedOptions``.
  case limit
  /// More records failed than the ``ErrorBudget`` allows.
  case rejected
  /// The feed was not read to its end: the rest was not read yet, the rest comes elsewhere (``FeedOptions/endsHere``),
  /// reading failed, memory ran out, or the task was cancelled.
  case stopped
}

/// What the faults of a feed say about its end.
package struct FeedEnding {
  /// Whether the feed ended at a fault after which no record can be read.
  private(set) var isAtFault = false
  /// Whether the last fault was met when all input had been given.
  private(set) var isCutOff = false
  /// How the feed ended; nil if the faults do not tell.
  private(set) var verdict: FeedVerdict?
  /// Which bound of its options the feed exceeded, if one ended it.
  private(set) var excess: FeedDemand?

  mutating func note(_ fault: FeedReader.Fault) {
    excess = fault.excess
    isAtFault = fault.isFinal
    isCutOff = fault.isCutOff
    verdict = fault.verdict
  }

  /// Notes that memory ran out.
  mutating func noteFailure() {
    isAtFault = true
    verdict = .stopped
  }
}

extension FeedReader.Fault {
  /// How the feed ends with the fault; nil if the fault costs only a line or an entry.
  fileprivate var verdict: FeedVerdict? {
    if isTruncation { return .truncated }
    guard isFinal else { return nil }
    return switch error.code {
    case .limitExceeded: .limit
    case .io: .stopped
    default: .malformed
    }
  }
}
