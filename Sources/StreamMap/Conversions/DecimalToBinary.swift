/// From mantissa × 10^exponent to the nearest binary floating-point number.
///
/// Two exact methods, no fallback:
/// - Clinger, "How to Read Floating Point Numbers Accurately" (1990): if the mantissa and the power of ten are both
///   exact in the format, one multiplication or division rounds correctly.
/// - Eisel and Lemire, in Lemire, "Number Parsing at a Gigabyte per Second" (2021): the product of
///   the mantissa with the first 128 bits of the power of five decides the rounding, ties included.
///   Mushtak and Lemire, "Fast Number Parsing Without Fallback" (2022), prove that it always does
///   for a mantissa of 64 bits.
enum DecimalToBinary {
  /// - Returns: the nearest number, ties to even; infinity when it is too large.
  @inline(__always)
  static func double(mantissa: UInt64, exponent: Int) -> Double {
    if mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
      let value = Double(mantissa)
      if exponent == 0 { return value }
      return exponent < 0 ? value / doublePowers[0 &- exponent] : value * doublePowers[exponent]
    }
    return Double(bitPattern: bits(mantissa: mantissa, exponent: exponent, format: .double))
  }

  /// - Returns: the nearest number, ties to even; infinity when it is too large.
  @inline(__always)
  static func float(mantissa: UInt64, exponent: Int) -> Float {
    if mantissa <= 1 << 24, exponent >= -10, exponent <= 10 {
      let value = Float(mantissa)
      if exponent == 0 { return value }
      return exponent < 0 ? value / floatPowers[0 &- exponent] : value * floatPowers[exponent]
    }
    let bits = bits(mantissa: mantissa, exponent: exponent, format: .float)
    return Float(bitPattern: UInt32(truncatingIfNeeded: bits))
  }

  /// The powers of ten that a Double holds exactly.
  private static let doublePowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The powers of ten that a Float holds exactly.
  private static let floatPowers: [Float] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
  ]

  /// The properties of an IEEE 754 format that the method needs.
  private struct Format {
    /// The stored bits of the mantissa, without the leading one.
    let mantissaBits: Int
    let exponentBias: Int
    /// The biased exponent of infinity.
    let infinity: Int
    /// Below the first power of ten, every mantissa gives zero; above the last, infinity.
    let smallestPower: Int
    let largestPower: Int
    /// A decimal can lie exactly between two neighbours only with these powers of ten.
    let firstTiePower: Int
    let lastTiePower: Int

    @inline(__always)
    static var double: Format {
      Format(
        mantissaBits: 52, exponentBias: 1023, infinity: 0x7FF, smallestPower: -342,
        largestPower: 308, firstTiePower: -4, lastTiePower: 23)
    }

    @inline(__always)
    static var float: Format {
      Format(
        mantissaBits: 23, exponentBias: 127, infinity: 0xFF, smallestPower: -65,
        largestPower: 38, firstTiePower: -17, lastTiePower: 10)
    }
  }

  @inline(__always)
  private static func bits(mantissa: UInt64, exponent: Int, format: Format) -> UInt64 {
    let mantissaBits = UInt64(truncatingIfNeeded: format.mantissaBits)
    let infinity = UInt64(truncatingIfNeeded: format.infinity) &<< mantissaBits
    guard mantissa != 0, exponent >= format.smallestPower else { return 0 }
    guard exponent <= format.largestPower else { return infinity }

    let leadingZeros = mantissa.leadingZeroBitCount
    let product = product(mantissa &<< leadingZeros, exponent, bits: mantissaBits &+ 3)

    // Two bits more than the format stores: the leading bit, and the last, which is the rounding bit.
    let upperBit = product.high &>> 63
    let shift = upperBit &+ 61 &- mantissaBits
    var result = product.high &>> shift
    // 217706 / 65536 approximates log2(10) closely enough for every exponent in the table.
    var power =
      ((217_706 &* exponent) &>> 16) &+ 63 &+ Int(truncatingIfNeeded: upperBit) &- leadingZeros
      &+ format.exponentBias

    if power <= 0 {
      // Subnormal. There are no ties here: they occur only with powers of ten near 0.
      let down = 1 &- power
      guard down < 64 else { return 0 }
      result &>>= UInt64(truncatingIfNeeded: down)
      result = (result &+ (result & 1)) &>> 1
      // Rounding up may have made it normal; then the carry is the biased exponent 1.
      return result
    }

    if product.low <= 1, exponent >= format.firstTiePower, exponent <= format.lastTiePower,
      isTie(result, shift, product.high)
    {
      // Do not round up.
      result &= ~1
    }
    result = (result &+ (result & 1)) &>> 1
    if result >= 2 &<< mantissaBits {
      result = 1 &<< mantissaBits
      power &+= 1
    }
    guard power < format.infinity else { return infinity }
    let stored = result & ((1 &<< mantissaBits) &- 1)
    return stored | UInt64(truncatingIfNeeded: power) &<< mantissaBits
  }

  /// Whether a number lies exactly between two neighbours, of which the lower one is even.
  // PERF: outlined, because hardly any number needs it.
  @inline(never)
  private static func isTie(_ result: UInt64, _ shift: UInt64, _ product: UInt64) -> Bool {
    result & 3 == 1 && result &<< shift == product
  }

  /// The upper 128 bits, as far as they matter, of a normalised mantissa times 5^exponent.
  ///
  /// The lower half of the power is used only if it could change the first `bits` bits.
  @inline(__always)
  private static func product(
    _ mantissa: UInt64, _ exponent: Int, bits: UInt64
  ) -> (high: UInt64, low: UInt64) {
    let index = 2 &* (exponent &- PowersOfFive.smallest)
    let words = PowersOfFive.words
    var (high, low) = mantissa.multipliedFullWidth(by: words[index])
    let mask = UInt64.max &>> bits
    if high & mask == mask {
      let second = mantissa.multipliedFullWidth(by: words[index &+ 1])
      let (sum, carry) = low.addingReportingOverflow(second.high)
      low = sum
      if carry { high &+= 1 }
    }
    return (high, low)
  }
}
