/// How many records of a feed may fail before the feed is given up.
///
/// ```swift
/// var rejections = Rejections(within: ErrorBudget(count: 100, ratio: 0.01))
/// ```
public struct ErrorBudget: Sendable, Hashable {
  /// The number of records that may fail; nil for any number.
  public var count: Int?
  /// The share of all records that may fail, from 0 to 1; nil for any share.
  ///
  /// It is checked from the thousandth record on, and at the end of the feed: the first few records say little about the feed.
  public var ratio: Double?

  private static let firstRecords = 1000

  /// Makes a budget; without bounds, any number of records may fail.
  public init(count: Int? = nil, ratio: Double? = nil) {
    self.count = count
    self.ratio = ratio
  }

  /// A part of a budget that can be used up.
  package enum Bound {
    case count(Int)
    case ratio(Double)
  }

  /// The bound that is exceeded; nil if none is exceeded.
  package func exceeded(rejected: Int, of records: Int, isOver: Bool) -> Bound? {
    if let count, rejected > count { return .count(count) }
    if let ratio, isOver || records >= Self.firstRecords,
      Double(rejected) > ratio * Double(records)
    {
      return .ratio(ratio)
    }
    return nil
  }
}
