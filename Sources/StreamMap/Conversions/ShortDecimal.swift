/// A number with at most nineteen digits, including leading zeros: ± mantissa × 10^exponent.
///
/// The mantissa is not normalised. Nearly all numbers in feeds are short decimals; `SignificantDigits` handles the
/// others.
struct ShortDecimal {
  let isNegative: Bool
  let mantissa: UInt64
  let exponent: Int

  /// - Returns: nil when the text has more digits, or is not a number.
  @inline(__always)
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress, !text.isEmpty else { return nil }
    let raw = UnsafeRawPointer(start)
    let end = text.count
    isNegative = text[0] == UInt8(ascii: "-")
    var index = isNegative ? 1 : 0

    var mantissa: UInt64 = 0
    var digits = index
    while index < end {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      index &+= 1
    }
    digits = index &- digits

    var exponent = 0
    if index < end, text[index] == UInt8(ascii: ".") {
      index &+= 1
      let point = index
      while end &- index >= 8, let eight = EightDigits.value(at: raw + index) {
        mantissa = mantissa &* 100_000_000 &+ eight
        index &+= 8
      }
      let left = end &- index
      if left > 2, left < 8, end >= 8, let last = EightDigits.value(ofLast: left, before: raw + end)
      {
        mantissa = mantissa &* EightDigits.scale(of: left) &+ last
        index = end
      }
      while index < end {
        let digit = text[index] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        mantissa = mantissa &* 10 &+ UInt64(digit)
        index &+= 1
      }
      exponent = point &- index
      digits &+= index &- point
    }
    // With more digits, the mantissa has wrapped around and is useless.
    guard digits > 0, digits <= 19 else { return nil }

    if index < end {
      guard text[index] | 0x20 == UInt8(ascii: "e") else { return nil }
      index &+= 1
      var isNegative = false
      if index < end, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
        isNegative = text[index] == UInt8(ascii: "-")
        index &+= 1
      }
      guard index < end else { return nil }
      var written = 0
      while index < end {
        let digit = text[index] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        // Nineteen digits cannot compensate an exponent of this size.
        written = min(written &* 10 &+ Int(digit), 1 << 20)
        index &+= 1
      }
      exponent &+= isNegative ? 0 &- written : written
    }
    self.mantissa = mantissa
    self.exponent = exponent
  }
}
