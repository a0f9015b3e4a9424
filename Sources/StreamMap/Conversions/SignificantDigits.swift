/// The parts of a number's text: its value is ± digits × 10^exponent, with the digits read as an integer.
///
/// The digits have no leading and no trailing zero; zero has none. They stay where they are in the text: `1.50e3` has
/// the digits `1` and `5`, and the exponent 2. This is the slow, exact view of a number, for texts that the fast paths
/// of `NumberText` do not handle. It takes time linear in the text, whatever the exponent.
struct SignificantDigits {
  let isNegative: Bool
  /// How many significant digits there are.
  let count: Int
  /// The power of ten of the last significant digit.
  let exponent: Int

  /// The number is 0.digits × 10^magnitude; 0 for zero.
  var magnitude: Int { exponent &+ count }

  /// The exponent that stands in the text; 0 if none does.
  let writtenExponent: Int

  private let text: UnsafeBufferPointer<UInt8>
  private let first: Int

  /// An exponent is limited to this: it is far outside what the leading or trailing zeros of any text in memory can
  /// bring back into a range, and far from overflowing.
  private static let exponentLimit = 1 << 52

  /// Whether the exponent in the text may be a larger one, so that the number is known by its digits alone.
  var isBeyondLimit: Bool { abs(writtenExponent) == Self.exponentLimit }

  /// - Returns: nil if the text is not a number.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
    var index = 0
    isNegative = text.first == UInt8(ascii: "-")
    if isNegative { index = 1 }

    let digitsStart = index
    var first = -1
    var last = -1
    var point = -1
    scan: while index < text.count {
      switch text[index] {
      case UInt8(ascii: "0"): break
      case UInt8(ascii: "1")...UInt8(ascii: "9"):
        if first < 0 { first = index }
        last = index
      case UInt8(ascii: "."):
        guard point < 0 else { return nil }
        point = index
      default: break scan
      }
      index &+= 1
    }
    guard index &- digitsStart > (point < 0 ? 0 : 1) else { return nil }
    if point < 0 { point = index }

    guard let written = Self.exponent(of: text, from: index) else { return nil }
    writtenExponent = written
    guard first >= 0 else {
      self.first = 0
      count = 0
      exponent = 0
      return
    }
    let spansPoint = first < point && point < last
    self.first = first
    count = last &- first &+ (spansPoint ? 0 : 1)
    exponent = written &+ point &- last &- (last < point ? 1 : 0)
  }

  /// The value of the exponent part that starts at `start`: 0 if the text ends there, nil if something else is there.
  private static func exponent(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start < text.count else { return 0 }
    guard text[start] | 0x20 == UInt8(ascii: "e") else { return nil }
    var index = start &+ 1
    var isNegative = false
    if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      isNegative = text[index] == UInt8(ascii: "-")
      index &+= 1
    }
    guard index < text.count else { return nil }
    var value = 0
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = min(value &* 10 &+ Int(digit), exponentLimit)
      index &+= 1
    }
    return isNegative ? 0 &- value : value
  }

  /// Calls `body` with the value of each of the first `limit` digits.
  @inline(__always)
  func forEachDigit(limit: Int = .max, _ body: (UInt8) -> Void) {
    var left = min(limit, count)
    var index = first
    while left > 0, index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      index &+= 1
      if digit < 10 {
        body(digit)
        left &-= 1
      }
    }
  }

  /// Whether the two are the same number, however they are written; zeros with different signs differ.
  func isSameNumber(as other: SignificantDigits) -> Bool {
    guard isNegative == other.isNegative, count == other.count, exponent == other.exponent else {
      return false
    }
    return digits == other.digits
  }

  /// The value of each digit.
  var digits: [UInt8] {
    var digits: [UInt8] = []
    forEachDigit { digits.append($0) }
    return digits
  }

  /// A text that all numbers of this value have.
  var unifiedText: String {
    if count == 0 { return "0" }
    return (isNegative ? "-" : "") + digits.map { "\($0)" }.joined() + "e\(exponent)"
  }

  /// The digits as an integer; nil if there are more than nineteen, which may need more than 64 bits.
  var shortInteger: UInt64? {
    if count > 19 { return nil }
    var value: UInt64 = 0
    forEachDigit { value = value &* 10 &+ UInt64($0) }
    return value
  }

  /// The digits as an integer times 10^`zeros`, or nil if that needs more than 128 bits.
  func integer(zeros: Int = 0) -> UInt128? {
    // 2^128 has 39 digits.
    guard count <= 39, zeros <= 39 else { return nil }
    if zeros == 0, let short = shortInteger { return UInt128(short) }
    var value: UInt128 = 0
    var overflow = false
    func append(_ digit: UInt8) {
      let (product, overflow1) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = product.addingReportingOverflow(UInt128(digit))
      value = sum
      overflow = overflow || overflow1 || overflow2
    }
    forEachDigit { append($0) }
    var zeros = count == 0 ? 0 : zeros
    while zeros > 0 {
      append(0)
      zeros &-= 1
    }
    return overflow ? nil : value
  }
}
