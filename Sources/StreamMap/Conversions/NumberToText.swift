#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts a number to its text, a JSON number that `NumberText` reads back as the same value.
///
/// Every function writes from the start of `buffer`, which has `capacity` bytes or more, and returns the number of
/// bytes written.
enum NumberToText {
  /// Enough for each of the types here: a 128-bit integer needs 40, a Double 24, a Decimal 48.
  static let capacity = 48

  /// "00" to "99", one after the other.
  private static let pairs: StaticString = """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """

  // MARK: Integers

  /// Writes an integer of at most 128 bits.
  @inline(__always)
  static func write<Value: FixedWidthInteger>(
    _ value: Value, into buffer: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var start = 0
    if value < 0 {
      buffer[0] = UInt8(ascii: "-")
      start = 1
    }
    if let magnitude = UInt64(exactly: value.magnitude) {
      return start &+ write(digitsOf: magnitude, into: buffer + start)
    }
    let magnitude = UInt128(truncatingIfNeeded: value.magnitude)
    return start &+ write(digitsOf: magnitude, into: buffer + start)
  }

  private static func write(
    digitsOf value: UInt64, into buffer: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let count = digitCount(value)
    write(digitsOf: value, count: count, into: buffer)
    return count
  }

  private static func write(
    digitsOf value: UInt128, into buffer: UnsafeMutablePointer<UInt8>
  ) -> Int {
    // 10^19 is the largest power of ten in 64 bits; 2^128 is less than its third power.
    let (upper, low) = value.quotientAndRemainder(dividingBy: 10_000_000_000_000_000_000)
    let (high, middle) = upper.quotientAndRemainder(dividingBy: 10_000_000_000_000_000_000)
    var count = 0
    for part in [high, middle, low] {
      let digits = UInt64(truncatingIfNeeded: part)
      if count > 0 {
        write(digitsOf: digits, count: 19, into: buffer + count)
        count &+= 19
      } else if digits > 0 {
        count = write(digitsOf: digits, into: buffer)
      }
    }
    return count
  }

  /// Writes the last `count` digits.
  @inline(__always)
  static func write(
    digitsOf value: UInt64, count: Int, into buffer: UnsafeMutablePointer<UInt8>
  ) {
    let pairs = pairs.utf8Start
    var value = value
    var index = count
    while index >= 2 {
      let (quotient, remainder) = value.quotientAndRemainder(dividingBy: 100)
      let pair = Int(truncatingIfNeeded: remainder) &* 2
      index &-= 2
      buffer[index] = pairs[pair]
      buffer[index &+ 1] = pairs[pair &+ 1]
      value = quotient
    }
    if index == 1 { buffer[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value % 10) }
  }

  @inline(__always)
  static func digitCount(_ value: UInt64) -> Int {
    var count = 1
    var rest = value
    while rest >= 10_000 {
      rest /= 10_000
      count &+= 4
    }
    return count &+ (rest >= 1000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0)
  }

  // MARK: Binary floating point

  /// Writes the shortest text that is read back as the same Double, or returns nil for an infinity and for NaN, which
  /// JSON does not have.
  ///
  /// An integral value keeps its fraction, `5.0`, and a zero its sign, `-0.0`.
  static func write(_ value: Double, into buffer: UnsafeMutablePointer<UInt8>) -> Int? {
    guard value.isFinite else { return nil }
    // PERF: 7 ns instead of 47; up to 2^53 the digits of an integral value are its shortest text.
    if value.magnitude <= 0x1p53, value != 0, let integer = Int64(exactly: value) {
      return writeIntegral(integer, into: buffer)
    }
    return write(shortest: value.description, into: buffer)
  }

  /// Writes the shortest text that is read back as the same Float, or returns nil for an infinity and for NaN, which
  /// JSON does not have.
  static func write(_ value: Float, into buffer: UnsafeMutablePointer<UInt8>) -> Int? {
    guard value.isFinite else { return nil }
    if value.magnitude <= 0x1p24, value != 0, let integer = Int64(exactly: value) {
      return writeIntegral(integer, into: buffer)
    }
    return write(shortest: value.description, into: buffer)
  }

  private static func writeIntegral(
    _ value: Int64, into buffer: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let count = write(value, into: buffer)
    buffer[count] = UInt8(ascii: ".")
    buffer[count &+ 1] = UInt8(ascii: "0")
    return count &+ 2
  }

  /// The standard library's description of a finite value is already a JSON number: a point has at least one digit on
  /// both sides, and a number without a point has an exponent (`1e-07`, `1.5e+20`).
  private static func write(
    shortest text: String, into buffer: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    var count = 0
    for byte in text.utf8 {
      guard count < capacity else { return nil }
      buffer[count] = byte
      count &+= 1
    }
    return count
  }

  // MARK: Decimals

  /// Writes all digits of a Decimal, or returns nil for NaN.
  ///
  /// Without an exponent if that takes at most six zeros, else like `1.5e-20`.
  static func write(_ value: Decimal, into buffer: UnsafeMutablePointer<UInt8>) -> Int? {
    guard value.isFinite else { return nil }
    var digits = digits(of: value.significand)
    var exponent = value.exponent
    while digits.count > 1, digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent &+= 1
    }
    guard digits.count <= 39, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
      return nil
    }

    var count = 0
    func append(_ byte: UInt8) {
      buffer[count] = byte
      count &+= 1
    }
    func append(_ bytes: ArraySlice<UInt8>) {
      for byte in bytes { append(byte) }
    }
    func append(zeros: Int) {
      for _ in 0..<max(0, zeros) { append(UInt8(ascii: "0")) }
    }

    if digits == [UInt8(ascii: "0")] {
      append(UInt8(ascii: "0"))
      return count
    }
    if value.isSignMinus { append(UInt8(ascii: "-")) }
    let point = digits.count &+ exponent
    if exponent >= 0, exponent <= 6 {
      append(digits[...])
      append(zeros: exponent)
    } else if exponent < 0, point > 0 {
      append(digits[..<point])
      append(UInt8(ascii: "."))
      append(digits[point...])
    } else if point <= 0, point >= -6 {
      append(UInt8(ascii: "0"))
      append(UInt8(ascii: "."))
      append(zeros: 0 &- point)
      append(digits[...])
    } else {
      append(digits[..<1])
      if digits.count > 1 {
        append(UInt8(ascii: "."))
        append(digits[1...])
      }
      append(UInt8(ascii: "e"))
      count &+= write(point &- 1, into: buffer + count)
    }
    return count
  }

  /// The digits of an integral Decimal that is not negative.
  private static func digits(of significand: Decimal) -> [UInt8] {
    // PERF: 100 ns instead of 1060 for a value of 64 bits. Where it lies in a Decimal is not promised, so it is asked whether
    // it is the value; a larger one is not, either.
    let short = withUnsafeBytes(of: significand) { bytes -> UInt64 in
      bytes.count < 12 ? 0 : bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self)
    }
    guard Decimal(short) == significand else { return Array(significand.description.utf8) }
    return Array(unsafeUninitializedCapacity: capacity) { buffer, count in
      if let base = buffer.baseAddress { count = write(short, into: base) }
    }
  }
}
