// Instants as numbers of units of time since 1970, by the digits of the numbers.

extension Instant {
  /// The milliseconds since 1970, as a clock that counts them would show.
  var milliseconds: Int64 { seconds &* 1000 &+ Int64(nanosecond) / 1_000_000 }

  /// Nil outside the years 0 to 9999.
  init?(milliseconds: Int64) {
    let (quotient, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let borrow: Int64 = rest < 0 ? 1 : 0
    self.init(
      quotient &- borrow, nanosecond: Int32(truncatingIfNeeded: rest &+ borrow &* 1000) &* 1_000_000
    )
  }

  // MARK: From a number

  /// The instant that a JSON number counts the units to, since 1970; digits finer than a nanosecond are cut off.
  ///
  /// Nil for a text that is not a number, and outside the years 0 to 9999. It takes time linear in the text, whatever the exponent.
  init?(_ number: UnsafeBufferPointer<UInt8>, of unit: TimeUnit) {
    let parts =
      if let short = ShortDecimal(number) {
        Self.nanoseconds(short, unit.inNanoseconds)
      } else if let digits = SignificantDigits(number) {
        Self.nanoseconds(digits, unit.inNanoseconds)
      } else {
        Nanoseconds?.none
      }
    guard let parts else { return nil }
    // Before 1970 the nanosecond that has begun is the one farther away.
    let magnitude = parts.whole &+ (parts.isNegative && parts.hasMore ? 1 : 0)
    guard magnitude < 1_000_000_000_000_000_000_000 else { return nil }
    let (quotient, rest) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let (seconds, nanosecond) = (
      Int64(truncatingIfNeeded: quotient), Int32(truncatingIfNeeded: rest)
    )
    if !parts.isNegative {
      self.init(seconds, nanosecond: nanosecond)
    } else if nanosecond == 0 {
      self.init(0 &- seconds)
    } else {
      self.init(-1 &- seconds, nanosecond: 1_000_000_000 &- nanosecond)
    }
  }

  /// A number of nanoseconds: the whole ones, whether there is a part of one more, and the sign.
  private typealias Nanoseconds = (whole: UInt128, hasMore: Bool, isNegative: Bool)

  /// Nil if there are surely too many.
  private static func nanoseconds(_ number: ShortDecimal, _ unit: UInt64) -> Nanoseconds? {
    // Less than 10^19 times 10^14.
    let product = UInt128(number.mantissa) &* UInt128(unit)
    if number.exponent == 0 || product == 0 { return (product, false, number.isNegative) }
    if number.exponent > 0 {
      guard number.exponent <= 21 else { return nil }
      let (whole, overflow) = product.multipliedReportingOverflow(by: power(number.exponent))
      return overflow ? nil : (whole, false, number.isNegative)
    }
    guard number.exponent >= -33 else { return (0, true, number.isNegative) }
    let (whole, rest) = product.quotientAndRemainder(dividingBy: power(0 &- number.exponent))
    return (whole, rest != 0, number.isNegative)
  }

  /// Does the same for a number of any length.
  private static func nanoseconds(_ number: SignificantDigits, _ unit: UInt64) -> Nanoseconds? {
    let (digits, point) = (number.digits, number.magnitude)
    if digits.isEmpty { return (0, false, number.isNegative) }
    guard point <= 22 else { return nil }
    if point < -14 { return (0, true, number.isNegative) }
    var whole: UInt128 = 0
    for index in 0..<max(0, point) {
      whole = whole &* 10 &+ (index < digits.count ? UInt128(digits[index]) : 0)
    }
    // What the digits after the point are of a unit, from the last one to the first.
    var (carry, hasMore): (UInt64, Bool) = (0, false)
    func multiply(_ digit: UInt8) {
      let (quotient, rest) = (UInt64(digit) &* unit &+ carry).quotientAndRemainder(dividingBy: 10)
      hasMore = hasMore || rest != 0
      carry = quotient
    }
    for digit in digits.dropFirst(max(0, point)).reversed() { multiply(digit) }
    for _ in 0..<max(0, 0 &- point) { multiply(0) }
    return (whole &* UInt128(unit) &+ UInt128(carry), hasMore, number.isNegative)
  }

  /// Ten to a power of at most 33.
  private static func power(_ exponent: Int) -> UInt128 {
    (0..<exponent).reduce(1) { power, _ in power &* 10 }
  }

  // MARK: To a number

  /// Writes the shortest number of the units since 1970 that reads as the same instant, and returns the number of bytes.
  fileprivate func write(numberOf unit: TimeUnit, into buffer: UnsafeMutablePointer<UInt8>) -> Int {
    let (count, odd) = UInt64(1_000_000_000).quotientAndRemainder(dividingBy: unit.inNanoseconds)
    let (parts, rest) = UInt64(nanosecond).quotientAndRemainder(dividingBy: unit.inNanoseconds)
    // PERF: up to the year 2242, nanoseconds have 64 bits.
    if seconds >= 0, seconds < 1 << 33, odd == 0, rest == 0 {
      return NumberToText.write(UInt64(seconds) &* count &+ parts, into: buffer)
    }
    let text = Array(number(of: unit).utf8)
    buffer.update(from: text, count: text.count)
    return text.count
  }

  /// The shortest number of the units since 1970 that reads as the same instant.
  ///
  /// It is exact wherever a number can be: always, but for fractions of minutes, hours and days that have no end.
  func number(of unit: TimeUnit) -> String {
    let unit = unit.inNanoseconds
    let isNegative = seconds < 0
    // Less than 10^21.
    let total = Int128(seconds) &* 1_000_000_000 &+ Int128(nanosecond)
    let (whole, remainder) = total.magnitude.quotientAndRemainder(dividingBy: UInt128(unit))
    // PERF: the description of an integer takes four times as long, and that of 128 bits a division for each digit.
    let digits = String(unsafeUninitializedCapacity: NumberToText.capacity) { room in
      room.baseAddress.map { NumberToText.write(whole, into: $0) } ?? 0
    }
    var text = isNegative ? "-" + digits : digits
    var rest = UInt64(truncatingIfNeeded: remainder)
    if rest == 0 { return text }
    var (fraction, places, power): (UInt64, Int, UInt64) = (0, 0, 1)
    // A unit has less than 10^14 nanoseconds, so this ends after at most fourteen places.
    while true {
      let (digit, next) = (rest &* 10).quotientAndRemainder(dividingBy: unit)
      (fraction, rest) = (fraction &* 10 &+ digit, next)
      (places, power) = (places &+ 1, power &* 10)
      if rest == 0 { break }
      // Reading cuts off. So a number that is off by less than a nanosecond has to be later than the instant.
      if isNegative, rest < power { break }
      if !isNegative, unit &- rest < power {
        fraction &+= 1
        break
      }
    }
    let decimals = "\(fraction)"
    text += "." + String(repeating: "0", count: places - decimals.utf8.count) + decimals
    return text
  }
}

extension InstantForm {
  /// A JSON number of units of time since 1970.
  package static func number(since1970 unit: TimeUnit) -> InstantForm {
    // Less than 10^21 units with a sign, and at most fourteen places.
    InstantForm("date in \(unit) since 1970", "a number of \(unit)", capacity: 40) {
      NumberText.isNumber($0) ? Instant($0, of: unit) : nil
    } write: {
      $0.write(numberOf: unit, into: $1)
    } reason: {
      NumberText.isNumber($0) ? .outOfYears : nil
    }
  }
}
