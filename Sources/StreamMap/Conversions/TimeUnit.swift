/// What a number of a date counts.
public enum TimeUnit: String, Sendable, Hashable, CaseIterable {
  /// A thousandth of a second.
  case milliseconds
  /// A second.
  case seconds
  /// 60 seconds.
  case minutes
  /// 3600 seconds.
  case hours

  /// How many of a second's thousandths it has.
  var milliseconds: Int {
    switch self {
    case .milliseconds: 1
    case .seconds: 1000
    case .minutes: 60_000
    case .hours: 3_600_000
    }
  }
}
