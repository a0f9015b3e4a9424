import CScan

extension ExactNumber {
  /// The number as a whole number of units of 10^-`places`, which are small enough for all its digits; nil if that is too long.
  func units(ofPlaces places: Int) -> Int64? {
    if digits.isEmpty { return 0 }
    let zeros = magnitude - digits.count + places
    guard zeros >= 0, digits.count + zeros <= SM_INTERVAL_DIGITS else { return nil }
    let all = digits + Array(repeating: 0, count: zeros)
    let units = all.reduce(Int64(0)) { $0 * 10 + Int64($1) }
    return isNegative ? -units : units
  }
}
