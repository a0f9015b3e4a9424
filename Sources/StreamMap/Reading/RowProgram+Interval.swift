import CScan

extension RowProgram {
  /// The numbers of an interval, as whole numbers of small units.
  struct Interval {
    fileprivate(set) var bounds = sm_interval()

    /// Nil if an end has too many digits for that.
    init?(_ interval: ExactNumber.Interval) {
      let ends = [interval.first, interval.last].compactMap(\.self).filter { !$0.digits.isEmpty }
      let places = max(ends.map { $0.digits.count - $0.magnitude }.max() ?? 0, 0)
      guard places <= SM_INTERVAL_DIGITS else { return nil }
      bounds.places = UInt8(places)
      bounds.has_ends = interval.includesEnds
      if let first = interval.first {
        guard let units = first.units(ofPlaces: places) else { return nil }
        bounds.has_first = true
        bounds.first = units
      }
      if let last = interval.last {
        guard let units = last.units(ofPlaces: places) else { return nil }
        bounds.has_last = true
        bounds.last = units
      }
    }
  }
}

extension ExactNumber {
  /// The number as a whole number of units of 10^-`places`, which are small enough for all its digits; nil if that is too long.
  fileprivate func units(ofPlaces places: Int) -> Int64? {
    if digits.isEmpty { return 0 }
    let zeros = magnitude - digits.count + places
    guard zeros >= 0, digits.count + zeros <= SM_INTERVAL_DIGITS else { return nil }
    let all = digits + Array(repeating: 0, count: zeros)
    let units = all.reduce(Int64(0)) { $0 * 10 + Int64($1) }
    return isNegative ? -units : units
  }
}
