// Lower and upper limits of a value, and ranges.
//
// PERF: inlinable, so that a program gets comparisons of its own types instead of calls through protocols.

extension Rule where Value: Comparable & Sendable {
  /// At least this value.
  @inlinable
  public static func min(_ limit: Value) -> Rule {
    compared("min", "at least", limit) { $0 >= limit }
  }

  /// At most this value.
  @inlinable
  public static func max(_ limit: Value) -> Rule {
    compared("max", "at most", limit) { $0 <= limit }
  }

  /// From the first to the last value, both included.
  ///
  /// Its failures have the name `range`.
  @inlinable
  public static func `in`(_ range: ClosedRange<Value>) -> Rule {
    between(range.lowerBound, range.upperBound)
  }

  /// The same by the values of a mapping file: if the first is above the last, no value is allowed, which is a ``mistake``.
  @inlinable
  package static func between(_ first: Value, _ last: Value) -> Rule {
    guard first <= last else {
      return Rule("range", mistake: "the range from \(first) to \(last) is empty")
    }
    return Rule("range", expecting: "from \(first) to \(last)") { $0 >= first && $0 <= last }
  }

  /// More than this value.
  @inlinable
  public static func greaterThan(_ limit: Value) -> Rule {
    compared("greaterThan", "more than", limit) { $0 > limit }
  }

  /// This value or more.
  @inlinable
  public static func greaterThanOrEqualTo(_ limit: Value) -> Rule {
    compared("greaterThanOrEqualTo", "at least", limit) { $0 >= limit }
  }

  /// Less than this value.
  @inlinable
  public static func lessThan(_ limit: Value) -> Rule {
    compared("lessThan", "less than", limit) { $0 < limit }
  }

  /// This value or less.
  @inlinable
  public static func lessThanOrEqualTo(_ limit: Value) -> Rule {
    compared("lessThanOrEqualTo", "at most", limit) { $0 <= limit }
  }

  @inlinable
  static func compared(
    _ name: String, _ relation: String, _ limit: Value,
    _ check: @escaping @Sendable (Value) -> Bool
  ) -> Rule {
    // A NaN is not even equal to itself, and nothing can be compared with it.
    guard limit <= limit else {
      return Rule(name, mistake: "\(limit) cannot be compared, so it is not a limit")
    }
    return Rule(name, expecting: "\(relation) \(limit)", check: check)
  }
}
