/// A decimal number of at most 38 significant digits, for exact arithmetic.
///
/// It is ± coefficient × 10^exponent. Like `type: decimal`, it holds the numbers whose last significant digit is worth
/// 10^-128 to 10^127. A result that would need more digits, or another exponent, is nil; nothing is rounded but a quotient
/// that does not end (`divided(by:)`) and what is asked to be.
struct ExactDecimal: BitwiseCopyable, Sendable {
  // Invariant: less than 10^38; 0 has the exponent 0 and is not negative.
  private(set) var coefficient: UInt128
  private(set) var exponent: Int
  private(set) var isNegative: Bool

  static var zero: ExactDecimal {
    ExactDecimal(coefficient: 0, exponent: 0, isNegative: false)
  }

  private static var mostDigits: Int { 38 }
  private static var exponents: ClosedRange<Int> { -128...127 }
  // PERF: a literal, not a static variable, which would be looked up at each use.
  private static var limit: UInt128 {
    @inline(__always) get { 100_000_000_000_000_000_000_000_000_000_000_000_000 }
  }
  /// Ten to the powers from 0 to 38.
  private static let powers: [UInt128] = (0...mostDigits).map { count in
    (0..<count).reduce(1) { power, _ in power * 10 }
  }

  private init(coefficient: UInt128, exponent: Int, isNegative: Bool) {
    self.coefficient = coefficient
    self.exponent = exponent
    self.isNegative = isNegative
  }

  /// The number of a text; nil if it is not a number, or not one of 38 digits.
  @inline(__always)
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    if let short = ShortDecimal(text), -100...100 ~= short.exponent {
      coefficient = UInt128(short.mantissa)
      exponent = short.mantissa == 0 ? 0 : short.exponent
      isNegative = short.isNegative && short.mantissa != 0
    } else {
      guard let long = Self.long(text) else { return nil }
      self = long
    }
  }

  @inline(never)
  private static func long(_ text: UnsafeBufferPointer<UInt8>) -> ExactDecimal? {
    guard let digits = SignificantDigits(text) else { return nil }
    guard digits.count > 0 else { return zero }
    guard digits.count <= mostDigits, exponents ~= digits.exponent,
      let coefficient = digits.integer()
    else { return nil }
    return ExactDecimal(
      coefficient: coefficient, exponent: digits.exponent, isNegative: digits.isNegative)
  }

  /// A whole number.
  init(_ integer: Int) {
    self.init(
      coefficient: UInt128(integer.magnitude), exponent: 0, isNegative: integer < 0)
  }

  /// The number of what was calculated; nil if it is not one of 38 digits.
  @inline(__always)
  private static func made(_ coefficient: UInt128, _ exponent: Int, _ isNegative: Bool)
    -> ExactDecimal?
  {
    if coefficient == 0 { return zero }
    if coefficient < limit, -90...90 ~= exponent {
      return ExactDecimal(coefficient: coefficient, exponent: exponent, isNegative: isNegative)
    }
    return fitted(coefficient, exponent, isNegative)
  }

  @inline(never)
  private static func fitted(_ coefficient: UInt128, _ exponent: Int, _ isNegative: Bool)
    -> ExactDecimal?
  {
    let made = ExactDecimal(coefficient: coefficient, exponent: exponent, isNegative: isNegative)
      .withoutZeros
    return made.coefficient < limit && exponents ~= made.exponent ? made : nil
  }

  /// The same number without zeros at its end.
  private var withoutZeros: ExactDecimal {
    var number = self
    while number.coefficient != 0 {
      if let short = UInt64(exactly: number.coefficient) {
        var (rest, zeros) = (short, 0)
        while rest % 10 == 0 {
          rest /= 10
          zeros += 1
        }
        number.coefficient = UInt128(rest)
        number.exponent += zeros
        break
      }
      let (quotient, rest) = number.coefficient.quotientAndRemainder(dividingBy: 10)
      if rest != 0 { break }
      number.coefficient = quotient
      number.exponent += 1
    }
    return number
  }

  // MARK: Arithmetic

  var negated: ExactDecimal {
    ExactDecimal(
      coefficient: coefficient, exponent: exponent, isNegative: !isNegative && coefficient != 0)
  }

  var magnitude: ExactDecimal {
    ExactDecimal(coefficient: coefficient, exponent: exponent, isNegative: false)
  }

  /// The exact sum; nil if it needs more than 38 digits.
  @inline(__always)
  func adding(_ other: ExactDecimal) -> ExactDecimal? {
    if exponent == other.exponent {
      return Self.sum(coefficient, isNegative, other.coefficient, other.isNegative, exponent)
    }
    return addingShifted(other)
  }

  @inline(never)
  private func addingShifted(_ other: ExactDecimal) -> ExactDecimal? {
    if coefficient == 0 { return other }
    if other.coefficient == 0 { return self }
    let (high, low) = exponent > other.exponent ? (self, other) : (other, self)
    if let shifted = high.coefficient(at: low.exponent) {
      return Self.sum(shifted, high.isNegative, low.coefficient, low.isNegative, low.exponent)
    }
    let short = low.withoutZeros
    if short.exponent >= high.exponent { return high.adding(short) }
    // Where that has no room, the sum has none either: its last digit is that of the lower number.
    guard let shifted = high.coefficient(at: short.exponent) else { return nil }
    return Self.sum(shifted, high.isNegative, short.coefficient, short.isNegative, short.exponent)
  }

  /// Ten to a power of at most nineteen.
  // PERF: a few multiplications, instead of a table that is looked up as a static variable.
  @inline(__always)
  private static func shortPower(_ exponent: Int) -> UInt64 {
    var power: UInt64 = 1
    for _ in 0..<exponent { power &*= 10 }
    return power
  }

  /// What the coefficient is with a lower exponent; nil if it is too large to be added to another one.
  private func coefficient(at lower: Int) -> UInt128? {
    let zeros = exponent &- lower
    if zeros <= 9, coefficient < 1 << 32 {
      return UInt128(UInt64(truncatingIfNeeded: coefficient) &* Self.shortPower(zeros))
    }
    guard zeros <= Self.mostDigits else { return nil }
    let (product, isTooLarge) = coefficient.multipliedReportingOverflow(by: Self.powers[zeros])
    return isTooLarge || product >= Self.limit &* 2 ? nil : product
  }

  @inline(__always)
  private static func sum(
    _ a: UInt128, _ isANegative: Bool, _ b: UInt128, _ isBNegative: Bool, _ exponent: Int
  ) -> ExactDecimal? {
    // Both are less than 2 × 10^38, and 2^128 is more than 3.4 × 10^38: one of them is less than 10^38.
    if isANegative == isBNegative { return made(a &+ b, exponent, isANegative) }
    return a >= b ? made(a &- b, exponent, isANegative) : made(b &- a, exponent, isBNegative)
  }

  func subtracting(_ other: ExactDecimal) -> ExactDecimal? { adding(other.negated) }

  /// The exact product; nil if it needs more than 38 digits.
  @inline(__always)
  func multiplied(by other: ExactDecimal) -> ExactDecimal? {
    let (high, low) = coefficient.multipliedFullWidth(by: other.coefficient)
    let isNegative = isNegative != other.isNegative
    if high == 0 { return Self.made(low, exponent &+ other.exponent, isNegative) }
    return Self.shortened(high, low, exponent &+ other.exponent, isNegative)
  }

  /// A product of more than 128 bits, without the zeros at its end.
  @inline(never)
  private static func shortened(
    _ high: UInt128, _ low: UInt128, _ exponent: Int, _ isNegative: Bool
  ) -> ExactDecimal? {
    var (high, low, exponent) = (high, low, exponent)
    while high != 0 {
      let (top, rest) = high.quotientAndRemainder(dividingBy: 10)
      let (bottom, last) = (10 as UInt128).dividingFullWidth((rest, low))
      guard last == 0 else { return nil }
      (high, low, exponent) = (top, bottom, exponent + 1)
    }
    return made(low, exponent, isNegative)
  }

  /// The quotient: exact if it ends within 38 digits, else rounded to 38 significant digits, halves to the even digit.
  ///
  /// - Parameter other: Not 0.
  /// - Returns: Nil if its exponent is out of range.
  func divided(by other: ExactDecimal) -> ExactDecimal? {
    let divisor = other.withoutZeros
    guard divisor.coefficient != 0 else { return nil }
    if divisor.coefficient == 1 {
      return Self.made(
        coefficient, exponent &- divisor.exponent, isNegative != other.isNegative)
    }
    var (quotient, rest) = coefficient.quotientAndRemainder(dividingBy: divisor.coefficient)
    var exponent = exponent - divisor.exponent
    let isNegative = isNegative != other.isNegative
    let enough = Self.powers[Self.mostDigits - 1]
    while rest != 0, quotient < enough {
      let digit: UInt128
      (digit, rest) = Self.nextDigit(rest, divisor.coefficient)
      quotient = quotient &* 10 &+ digit
      exponent -= 1
    }
    // The rest is less than 10^38, so that twice the rest has room.
    let twice = rest &* 2
    if twice > divisor.coefficient || twice == divisor.coefficient && quotient & 1 == 1 {
      quotient &+= 1
    }
    return Self.made(quotient, exponent, isNegative)
  }

  /// The next digit of a quotient, and the rest: ten times the rest before, divided.
  @inline(__always)
  private static func nextDigit(_ rest: UInt128, _ divisor: UInt128) -> (UInt128, UInt128) {
    if let small = UInt64(exactly: divisor), small < 1 << 60 {
      let (digit, next) = (UInt64(truncatingIfNeeded: rest) &* 10)
        .quotientAndRemainder(dividingBy: small)
      return (UInt128(digit), UInt128(next))
    }
    let (high, low) = rest.multipliedFullWidth(by: 10)
    let (digit, next) = divisor.dividingFullWidth((high, low))
    return (digit, next)
  }

  /// The remainder of the division whose quotient is whole, cut towards 0: it has the sign of this number.
  ///
  /// - Parameter other: Not 0.
  /// - Returns: Nil if its exponent is out of range.
  func remainder(dividingBy other: ExactDecimal) -> ExactDecimal? {
    let divisor = other.withoutZeros
    guard divisor.coefficient != 0, coefficient != 0 else { return Self.zero }
    if exponent >= divisor.exponent {
      var rest = coefficient % divisor.coefficient
      for _ in 0..<exponent - divisor.exponent where rest != 0 {
        rest = Self.nextDigit(rest, divisor.coefficient).1
      }
      return Self.made(rest, divisor.exponent, isNegative)
    }
    let zeros = divisor.exponent - exponent
    guard zeros <= Self.mostDigits else { return self }
    let (shifted, isTooLarge) = divisor.coefficient
      .multipliedReportingOverflow(by: Self.powers[zeros])
    return isTooLarge ? self : Self.made(coefficient % shifted, exponent, isNegative)
  }

  // MARK: Rounding

  /// The number with at most this many digits after the point (before it, if negative); halves are rounded away from 0.
  func rounded(to places: Int) -> ExactDecimal? {
    guard let (quotient, rest, unit) = cut(at: places) else { return self }
    return Self.made(rest &* 2 >= unit ? quotient &+ 1 : quotient, 0 - places, isNegative)
  }

  /// The greatest whole number that is not greater.
  var floor: ExactDecimal? {
    guard let (quotient, rest, _) = cut(at: 0) else { return self }
    return Self.made(isNegative && rest > 0 ? quotient &+ 1 : quotient, 0, isNegative)
  }

  /// The coefficient divided by what the last digit that stays is worth; nil if all digits stay.
  private func cut(at places: Int) -> (quotient: UInt128, rest: UInt128, unit: UInt128)? {
    let dropped = 0 - exponent - places
    guard dropped > 0 else { return nil }
    // With more digits to drop than there are, the rest is less than a tenth of the unit.
    guard dropped <= Self.mostDigits else { return (0, coefficient, .max) }
    if dropped <= 19, coefficient <= UInt64.max {
      let unit = Self.shortPower(dropped)
      let (quotient, rest) = UInt64(truncatingIfNeeded: coefficient)
        .quotientAndRemainder(dividingBy: unit)
      return (UInt128(quotient), UInt128(rest), UInt128(unit))
    }
    let unit = Self.powers[dropped]
    let (quotient, rest) = coefficient.quotientAndRemainder(dividingBy: unit)
    return (quotient, rest, unit)
  }

  // MARK: Order

  /// Less than 0 if this number is less than the other, 0 if they are equal, else more than 0.
  @inline(__always)
  func order(to other: ExactDecimal) -> Int {
    if exponent == other.exponent, isNegative == other.isNegative {
      let order = coefficient < other.coefficient ? -1 : coefficient == other.coefficient ? 0 : 1
      return isNegative ? 0 - order : order
    }
    return orderByMagnitude(to: other)
  }

  @inline(never)
  private func orderByMagnitude(to other: ExactDecimal) -> Int {
    if coefficient == 0 || other.coefficient == 0 || isNegative != other.isNegative {
      return sign < other.sign ? -1 : sign == other.sign ? 0 : 1
    }
    let (own, others) = (digitCount + exponent, other.digitCount + other.exponent)
    if own != others { return own < others ? 0 - sign : sign }
    // With as many digits before the point, the shifted one has as many digits as the other.
    let zeros = exponent - other.exponent
    let a = zeros > 0 ? coefficient &* Self.powers[min(zeros, Self.mostDigits)] : coefficient
    let b =
      zeros < 0
      ? other.coefficient &* Self.powers[min(0 - zeros, Self.mostDigits)] : other.coefficient
    return a < b ? 0 - sign : a == b ? 0 : sign
  }

  private var sign: Int { coefficient == 0 ? 0 : isNegative ? -1 : 1 }

  private var digitCount: Int {
    var (first, end) = (0, Self.mostDigits)
    while first < end {
      let middle = (first + end) / 2
      if coefficient < Self.powers[middle] { end = middle } else { first = middle + 1 }
    }
    return first
  }

  // MARK: Text

  /// Enough for any number.
  static let capacity = 64

  /// Writes the number, and returns how many bytes that takes.
  ///
  /// A whole number of at most 38 digits is written without an exponent, a fraction without zeros at its end. Smaller than
  /// 0.0000001, or larger, it is written like `1.5e-20`.
  func write(into buffer: UnsafeMutablePointer<UInt8>) -> Int {
    let number = withoutZeros
    var count = 0
    if number.isNegative {
      buffer[0] = UInt8(ascii: "-")
      count = 1
    }
    if number.exponent == 0 {
      return count + NumberToText.write(number.coefficient, into: buffer + count)
    }
    let length = NumberToText.write(number.coefficient, into: buffer + count)
    let digits = buffer + count
    let point = length + number.exponent
    if number.exponent > 0, point <= Self.mostDigits {
      (digits + length).initialize(repeating: UInt8(ascii: "0"), count: number.exponent)
      return count + point
    }
    if number.exponent < 0, point > 0 {
      Self.insertPoint(into: digits, at: point, of: length)
      return count + length + 1
    }
    if number.exponent < 0, point >= -6 {
      // A zero and a point, and the zeros after it.
      let added = 2 - point
      (digits + added).update(from: digits, count: length)
      digits.initialize(repeating: UInt8(ascii: "0"), count: added)
      digits[1] = UInt8(ascii: ".")
      return count + length + added
    }
    var end = count + length
    if length > 1 {
      Self.insertPoint(into: digits, at: 1, of: length)
      end += 1
    }
    buffer[end] = UInt8(ascii: "e")
    return end + 1 + NumberToText.write(point - 1, into: buffer + end + 1)
  }

  /// Puts a point between digits.
  private static func insertPoint(
    into digits: UnsafeMutablePointer<UInt8>, at point: Int, of count: Int
  ) {
    (digits + point + 1).update(from: digits + point, count: count - point)
    digits[point] = UInt8(ascii: ".")
  }
}
