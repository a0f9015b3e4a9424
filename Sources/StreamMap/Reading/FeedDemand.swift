/// The properties of ``FeedOptions`` that bound a feed as a whole.
///
/// ```swift
/// if summary.exceeded == .deadline { return .requestTimeout }
/// ```
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum FeedDemand: String, Sendable, Hashable, Codable, CaseIterable {
  /// ``FeedOptions/maximumBytes``.
  case maximumBytes
  /// ``FeedOptions/maximumRecords``.
  case maximumRecords
  /// ``FeedOptions/deadline``.
  case deadline
}
