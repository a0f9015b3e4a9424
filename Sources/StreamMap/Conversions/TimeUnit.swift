/// The unit in which a number counts time.
public enum TimeUnit: String, Sendable, Hashable, CaseIterable {
  /// A thousandth of a second.
  case milliseconds
  /// A second.
  case seconds
  /// 60 seconds.
  case minutes
  /// 3600 seconds.
  case hours

  /// The number of milliseconds in the unit.
  var milliseconds: Int {
    switch self {
    case .milliseconds: 1
    case .seconds: 1000
    case .minutes: 60_000
    case .hours: 3_600_000
    }
  }
}
