import CText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts the text of a JSON number to its value.
///
/// The text is that of one RFC 8259 number, already checked; other text gives nil or `invalid`,
/// or some number, but never a trap. No function here depends on a locale, and no digit of the text
/// is ever ignored: the result is exact, or for binary floating point correctly rounded.
package enum NumberText {
  // MARK: Grammar

  /// Whether the text is one number by RFC 8259, section 6, and nothing else.
  static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var cursor = ByteCursor(text)
    _ = cursor.take("-")
    guard cursor.take("0") || cursor.takeDigits() else { return false }
    if cursor.take("."), !cursor.takeDigits() { return false }
    return cursor.takeExponent() && cursor.isAtEnd
  }

  /// Whether the text is one number by RFC 8259, section 6, and nothing else.
  package static func isNumber(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { isNumber($0) }
  }

  // MARK: Integers

  /// The number as an integer of at most 128 bits.
  ///
  /// The value counts, not its spelling: `1.0`, `1e3`, `12.50e1` and `-0` are integers.
  @inline(__always)
  static func integer<Value: FixedWidthInteger>(
    _ text: UnsafeBufferPointer<UInt8>, as type: Value.Type = Value.self
  ) -> ScalarReading<Value> {
    if let value = plainInteger(text) {
      guard let value = Value(exactly: value) else { return .outOfRange }
      return .value(value)
    }
    return anyInteger(text, as: type)
  }

  /// The value of at most eighteen digits without a fraction and an exponent; it fits into an Int64.
  @inline(__always)
  private static func plainInteger(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard let start = text.baseAddress, !text.isEmpty else { return nil }
    let isNegative = text[0] == UInt8(ascii: "-")
    var index = isNegative ? 1 : 0
    let length = text.count &- index
    guard length > 0, length <= 18 else { return nil }
    var value: UInt64 = 0
    let raw = UnsafeRawPointer(start)
    while text.count &- index >= 8 {
      guard let eight = EightDigits.value(at: raw + index) else { return nil }
      value = value &* 100_000_000 &+ eight
      index &+= 8
    }
    let left = text.count &- index
    if left > 2, text.count >= 8 {
      guard let last = EightDigits.value(ofLast: left, before: raw + text.count) else {
        return nil
      }
      value = value &* EightDigits.scale(of: left) &+ last
      index = text.count
    }
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ UInt64(digit)
      index &+= 1
    }
    let signed = Int64(truncatingIfNeeded: value)
    return isNegative ? 0 &- signed : signed
  }

  @inline(never)
  private static func anyInteger<Value: FixedWidthInteger>(
    _ text: UnsafeBufferPointer<UInt8>, as type: Value.Type
  ) -> ScalarReading<Value> {
    guard let digits = SignificantDigits(text) else { return .invalid }
    guard digits.count > 0 else { return .value(0) }
    // The last digit is not zero, so a negative power of ten is a fraction.
    guard digits.exponent >= 0 else { return .invalid }
    guard let magnitude = digits.integer(zeros: digits.exponent) else { return .outOfRange }
    guard digits.isNegative else {
      guard let value = Value(exactly: magnitude) else { return .outOfRange }
      return .value(value)
    }
    guard magnitude <= UInt128(truncatingIfNeeded: Value.min.magnitude) else { return .outOfRange }
    return .value(Value(truncatingIfNeeded: 0 &- magnitude))
  }

  // MARK: Binary floating point

  /// The Double nearest to the number, ties to even, or nil when the number is too large for one.
  ///
  /// A number too small for a Double is 0, with its sign.
  @inline(__always)
  package static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    if let value = fraction(text) { return value }
    guard let decimal = ShortDecimal(text) else { return longDouble(text) }
    let value = sm_double(decimal.mantissa, Int64(decimal.exponent))
    guard value.isFinite else { return nil }
    return decimal.isNegative ? -value : value
  }

  /// The Double nearest to a number with a point among at most nineteen digits and no exponent; nil for nearly all others.
  ///
  /// The text may be any: nil if it is not a number.
  @inline(__always)
  static func fraction(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var value = 0.0
    guard let start = text.baseAddress, sm_read_fraction(start, text.count, false, &value) else {
      return nil
    }
    return value
  }

  /// The Float nearest to the number, ties to even, or nil when the number is too large for one.
  ///
  /// It is rounded once, not by way of a Double.
  @inline(__always)
  static func float(_ text: UnsafeBufferPointer<UInt8>) -> Float? {
    guard let decimal = ShortDecimal(text) else { return longFloat(text) }
    let value = sm_float(decimal.mantissa, Int64(decimal.exponent))
    guard value.isFinite else { return nil }
    return decimal.isNegative ? -value : value
  }

  @inline(never)
  private static func longDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let digits = SignificantDigits(text) else { return nil }
    let (mantissa, exponent) = leading(digits)
    var value = sm_double(mantissa, Int64(exponent))
    if digits.count > leadingDigits,
      value != sm_double(mantissa &+ 1, Int64(exponent))
    {
      guard let exact = Double(exactText(digits)) else { return nil }
      value = exact
    }
    guard value.isFinite else { return nil }
    return digits.isNegative ? -value : value
  }

  @inline(never)
  private static func longFloat(_ text: UnsafeBufferPointer<UInt8>) -> Float? {
    guard let digits = SignificantDigits(text) else { return nil }
    let (mantissa, exponent) = leading(digits)
    var value = sm_float(mantissa, Int64(exponent))
    if digits.count > leadingDigits,
      value != sm_float(mantissa &+ 1, Int64(exponent))
    {
      guard let exact = Float(exactText(digits)) else { return nil }
      value = exact
    }
    guard value.isFinite else { return nil }
    return digits.isNegative ? -value : value
  }

  /// The number of digits that always fit into 64 bits.
  private static let leadingDigits = 19

  /// The number cut off after nineteen digits.
  ///
  /// The number lies between this mantissa and the next one: if both round to the same value, so does the number.
  private static func leading(_ digits: SignificantDigits) -> (mantissa: UInt64, exponent: Int) {
    var mantissa: UInt64 = 0
    digits.forEachDigit(limit: leadingDigits) { mantissa = mantissa &* 10 &+ UInt64($0) }
    return (mantissa, digits.exponent &+ max(0, digits.count &- leadingDigits))
  }

  /// The number's magnitude as a text for the standard library's exact, locale-independent parser.
  ///
  /// The middle between two neighbouring Doubles has at most 767 significant digits (Floats: 112). All further
  /// digits matter only if one of them is not zero. Texts of hostile length, and hostile exponents, are cut off
  /// here.
  private static func exactText(_ digits: SignificantDigits) -> String {
    let limit = 768
    var text: [UInt8] = []
    text.reserveCapacity(limit &+ 24)
    digits.forEachDigit(limit: limit) { text.append($0 &+ UInt8(ascii: "0")) }
    var exponent = digits.exponent
    if digits.count > limit {
      text.append(UInt8(ascii: "1"))
      exponent &+= digits.count &- limit &- 1
    }
    return String(decoding: text, as: UTF8.self) + "e\(exponent)"
  }

  // MARK: Decimals

  /// The number as a Decimal, or nil if that would not be exact.
  ///
  /// It is exact for up to 38 significant digits, not counting trailing zeros, if the power of ten of the last digit is
  /// from -128 to 127.
  static func decimal(_ text: UnsafeBufferPointer<UInt8>) -> Decimal? {
    guard let digits = SignificantDigits(text) else { return nil }
    guard digits.count > 0 else { return Decimal() }
    guard digits.count <= 38, digits.exponent >= -128, digits.exponent <= 127 else { return nil }
    guard let mantissa = digits.integer() else { return nil }
    let short = UInt64(exactly: mantissa).map { Decimal($0) }
    guard let significand = short ?? Decimal(exactly: mantissa) else { return nil }
    // Only the exponent is set: with 38 digits and no trailing zero nothing is rounded or shifted.
    return Decimal(
      sign: digits.isNegative ? .minus : .plus, exponent: digits.exponent, significand: significand)
  }
}
