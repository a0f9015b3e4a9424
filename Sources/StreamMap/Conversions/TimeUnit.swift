/// The unit in which a number counts time.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum TimeUnit: String, Sendable, Hashable, CaseIterable {
  /// A thousand millionth of a second.
  case nanoseconds
  /// A millionth of a second.
  case microseconds
  /// A thousandth of a second.
  case milliseconds
  /// A second.
  case seconds
  /// 60 seconds.
  case minutes
  /// 3600 seconds.
  case hours
  /// 86,400 seconds: time since 1970 has no other days, because leap seconds do not count.
  case days

  /// The number of nanoseconds in the unit: at most 86.4 × 10^12.
  var inNanoseconds: UInt64 {
    switch self {
    case .nanoseconds: 1
    case .microseconds: 1000
    case .milliseconds: 1_000_000
    case .seconds: 1_000_000_000
    case .minutes: 60_000_000_000
    case .hours: 3_600_000_000_000
    case .days: 86_400_000_000_000
    }
  }
}
