/// Converts a JSON number to a Duration and back, to the attosecond: nothing is rounded.
enum DurationNumber {
  /// The number, counted in the unit, as a Duration.
  ///
  /// It is invalid if it is not a whole number of attoseconds. It takes time linear in the text, whatever the exponent.
  static func duration(
    _ text: UnsafeBufferPointer<UInt8>, in unit: TimeUnit
  ) -> ScalarReading<Duration> {
    guard let digits = SignificantDigits(text) else { return .invalid }
    guard digits.count > 0 else { return .value(.zero) }
    let places = max(0, 0 - digits.exponent)
    // The last digit is not 0, so that each place counts.
    guard places <= mostPlaces else { return .invalid }
    guard let whole = integer(digits, at: 0..<max(0, digits.count - places), zeros: digits.exponent)
    else {
      return .outOfRange
    }
    guard let part = part(digits, places, in: unit) else { return .invalid }
    let (product, isTooLarge) = whole.multipliedReportingOverflow(by: attoseconds(in: unit))
    let (magnitude, isSumTooLarge) = product.addingReportingOverflow(part)
    guard !isTooLarge, !isSumTooLarge else { return .outOfRange }
    guard digits.isNegative else {
      return Int128(exactly: magnitude).map { .value(Duration(attoseconds: $0)) } ?? .outOfRange
    }
    guard magnitude <= Int128.min.magnitude else { return .outOfRange }
    return .value(Duration(attoseconds: Int128(truncatingIfNeeded: 0 &- magnitude)))
  }

  /// What some of the digits are, and zeros after them; nil if that is more than 128 bits have.
  private static func integer(
    _ digits: SignificantDigits, at range: Range<Int>, zeros: Int = 0
  ) -> UInt128? {
    var value: UInt128 = 0
    var (index, isTooLarge) = (0, false)
    func append(_ digit: UInt8) {
      let (product, first) = value.multipliedReportingOverflow(by: 10)
      let (sum, second) = product.addingReportingOverflow(UInt128(digit))
      value = sum
      isTooLarge = isTooLarge || first || second
    }
    digits.forEachDigit(limit: range.upperBound) { digit in
      if index >= range.lowerBound { append(digit) }
      index += 1
    }
    // 2^128 has 39 digits.
    for _ in 0..<min(max(0, zeros), 39) { append(0) }
    return isTooLarge ? nil : value
  }

  /// The attoseconds of what stands after the point; nil if they are not whole.
  private static func part(
    _ digits: SignificantDigits, _ places: Int, in unit: TimeUnit
  ) -> UInt128? {
    let first = max(0, digits.count - places)
    guard let fraction = integer(digits, at: first..<digits.count) else { return nil }
    let (high, low) = fraction.multipliedFullWidth(by: attoseconds(in: unit))
    var divisor: UInt128 = 1
    for _ in 0..<places { divisor *= 10 }
    // The fraction is less than the divisor, so that the quotient is less than the unit.
    let (quotient, rest) = divisor.dividingFullWidth((high, low))
    return rest == 0 ? quotient : nil
  }

  /// The shortest number without an exponent that counts the Duration in the unit; nil if there is none, as for a second in minutes.
  static func text(_ duration: Duration, in unit: TimeUnit) -> String? {
    let all = duration.attoseconds
    let inUnit = attoseconds(in: unit)
    var (digits, rest) = all.magnitude.quotientAndRemainder(dividingBy: inUnit)
    var text = (all < 0 ? "-" : "") + "\(digits)"
    if rest > 0 { text += "." }
    // A rest is less than 10^23, so that ten times the rest has room.
    for _ in 0..<mostPlaces where rest > 0 {
      (digits, rest) = (rest * 10).quotientAndRemainder(dividingBy: inUnit)
      text += "\(digits)"
    }
    return rest == 0 ? text : nil
  }

  /// A day is 2^25 × 3^3 × 5^20 attoseconds: what is not divided by 3 needs at most 25 places.
  private static let mostPlaces = 25

  private static func attoseconds(in unit: TimeUnit) -> UInt128 {
    UInt128(unit.inNanoseconds) * 1_000_000_000
  }
}
