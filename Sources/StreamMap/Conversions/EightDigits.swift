/// Reads eight decimal digits at once, in one 64-bit word.
///
/// Source: Lemire, "Number Parsing at a Gigabyte per Second" (2021), section 3.
enum EightDigits {
  /// The value of the eight digits at an address, or nil if not all eight bytes are digits.
  ///
  /// The caller ensures that there are eight bytes.
  @inline(__always)
  static func value(at start: UnsafeRawPointer) -> UInt64? { value(of: word(at: start)) }

  /// The value of the last digits of a text, at most seven, or nil if not all of these bytes are digits.
  ///
  /// The caller ensures that the text, which ends at `end`, has eight bytes; the bytes before the digits may have any
  /// value.
  @inline(__always)
  static func value(ofLast count: Int, before end: UnsafeRawPointer) -> UInt64? {
    let mask = UInt64.max &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    let zeros: UInt64 = 0x3030_3030_3030_3030
    return value(of: (word(at: end - 8) & mask) | (zeros & ~mask))
  }

  /// Ten to the power of a number of digits, at most seven.
  @inline(__always)
  static func scale(of count: Int) -> UInt64 { scales[count & 7] }
  private static let scales: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000,
  ]

  @inline(__always)
  private static func word(at start: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  private static func value(of digits: UInt64) -> UInt64? {
    var word = digits
    // A digit is 0x30 to 0x39: its high half is 3, and is still 3 after 6 is added.
    let highHalves: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    let sixMore = (word &+ 0x0606_0606_0606_0606) & highHalves
    guard (word & highHalves) | (sixMore &>> 4) == 0x3333_3333_3333_3333 else { return nil }
    // Pairs of neighbours, then pairs of pairs, then both halves.
    word &-= 0x3030_3030_3030_3030
    word = word &* 10 &+ (word &>> 8)
    let pairs: UInt64 = 0x0000_00FF_0000_00FF
    let first = (word & pairs) &* 0x000F_4240_0000_0064
    let second = ((word &>> 16) & pairs) &* 0x0000_2710_0000_0001
    return (first &+ second) &>> 32
  }
}
