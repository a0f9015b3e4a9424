/// A number with which others are compared exactly, whatever the size and precision of either.
///
/// It is prepared once; each comparison reads the text of a number of a feed. Numbers of at most nineteen digits are
/// compared by integer arithmetic, others digit by digit, in time linear in the text. Neither allocates anything.
///
/// Exponents beyond ±2^52 are treated as ±2^52: no number of a feed comes near.
package struct ExactNumber: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// The number as it was written.
  package let description: String
  /// The number is 0.digits × 10^magnitude: its digits have no zero at either end, and 0 has none.
  let isNegative: Bool
  let digits: [UInt8]
  let magnitude: Int
  private let short: ShortDecimal?

  /// Nil if the text is not a number by RFC 8259.
  package init?(_ text: String) {
    let number = Array(text.utf8).withUnsafeBufferPointer { ExactNumber($0, text) }
    guard let number else { return nil }
    self = number
  }

  private init?(_ bytes: UnsafeBufferPointer<UInt8>, _ text: String) {
    guard NumberText.isNumber(bytes), let exact = SignificantDigits(bytes) else { return nil }
    description = text
    isNegative = exact.isNegative && exact.count > 0
    digits = exact.digits
    magnitude = exact.magnitude
    short = Self.short(bytes)
  }

  /// A text that integer arithmetic can compare; nil for other texts.
  ///
  /// Short decimals limit far exponents.
  @inline(__always)
  static func short(_ text: UnsafeBufferPointer<UInt8>) -> ShortDecimal? {
    guard let short = ShortDecimal(text), -1000...1000 ~= short.exponent else { return nil }
    return short
  }

  // MARK: Order

  /// Compares the number of a text with this one: less than 0 if it is less, 0 if they are equal, else more than 0.
  ///
  /// - Parameter text: A number by RFC 8259.
  /// - Returns: The order.
  @inline(__always)
  func order(of text: UnsafeBufferPointer<UInt8>) -> Int {
    if let short, let other = Self.short(text), let order = Self.order(of: other, to: short) {
      return order
    }
    return exactOrder(of: text)
  }

  /// Nil if their exponents are so far apart that the comparison would need more than 128 bits.
  @inline(__always)
  static func order(of a: ShortDecimal, to b: ShortDecimal) -> Int? {
    if a.exponent == b.exponent, !a.isNegative, !b.isNegative {
      return a.mantissa < b.mantissa ? -1 : a.mantissa == b.mantissa ? 0 : 1
    }
    var (left, right) = (Int128(a.mantissa), Int128(b.mantissa))
    let more = a.exponent &- b.exponent
    if more != 0 {
      guard -19...19 ~= more else { return nil }
      if more > 0 { left &*= power(more) } else { right &*= power(0 &- more) }
    }
    if a.isNegative { left = 0 &- left }
    if b.isNegative { right = 0 &- right }
    return left < right ? -1 : left == right ? 0 : 1
  }

  /// Ten to the power of a number up to nineteen.
  ///
  /// Its product with nineteen digits has at most 38 digits, which fit into 127 bits.
  @inline(__always)
  static func power(_ exponent: Int) -> Int128 { Int128(powers[exponent]) }
  static let powers: [UInt64] = (0...19).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

  @inline(never)
  private func exactOrder(of text: UnsafeBufferPointer<UInt8>) -> Int {
    // A text that is not a number is less than any number.
    guard let other = SignificantDigits(text) else { return -1 }
    let sign = digits.isEmpty ? 0 : isNegative ? -1 : 1
    let otherSign = other.count == 0 ? 0 : other.isNegative ? -1 : 1
    if otherSign != sign { return otherSign < sign ? -1 : 1 }
    if sign == 0 { return 0 }
    if other.magnitude != magnitude { return other.magnitude < magnitude ? 0 - sign : sign }
    var index = 0
    var order = 0
    other.forEachDigit { digit in
      if order == 0 {
        let own = index < digits.count ? digits[index] : 0
        order = digit < own ? -1 : digit > own ? 1 : 0
      }
      index &+= 1
    }
    if order == 0, index < digits.count { order = -1 }
    return order * sign
  }

  package static func < (a: ExactNumber, b: ExactNumber) -> Bool { b.order(of: a) < 0 }

  /// Compares a number with this one.
  private func order(of other: ExactNumber) -> Int {
    Array(other.description.utf8).withUnsafeBufferPointer { order(of: $0) }
  }

  // MARK: Equality, by value

  package static func == (a: ExactNumber, b: ExactNumber) -> Bool {
    a.isNegative == b.isNegative && a.magnitude == b.magnitude && a.digits == b.digits
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(isNegative)
    hasher.combine(magnitude)
    hasher.combine(digits)
  }

  /// Compares the numbers of two texts: less than 0 if the first is less, 0 if they are equal, else more than 0.
  static func order(of a: UnsafeBufferPointer<UInt8>, to b: UnsafeBufferPointer<UInt8>) -> Int {
    if let one = short(a), let other = short(b), let order = order(of: one, to: other) {
      return order
    }
    guard let number = ExactNumber(b, "") else { return 1 }
    return number.order(of: a)
  }

  /// Whether two texts are the same number.
  static func areEqual(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    if let one = short(a), let other = short(b), let order = order(of: one, to: other) {
      return order == 0
    }
    guard let one = SignificantDigits(a), let other = SignificantDigits(b) else { return false }
    return one.count == 0 && other.count == 0 || one.isSameNumber(as: other)
  }
}

extension ExactNumber {
  /// The numbers from one to another, or without a limit on one side.
  package struct Interval: Sendable {
    let first: ExactNumber?
    let last: ExactNumber?
    let includesEnds: Bool

    /// The numbers from the first to the last; nil for no limit.
    ///
    /// `includesEnds` tells whether the ends belong to them.
    package init(_ first: ExactNumber?, _ last: ExactNumber?, includesEnds: Bool) {
      self.first = first
      self.last = last
      self.includesEnds = includesEnds
    }

    /// Whether the number of a text is in the interval.
    @inline(__always)
    func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
      let least = includesEnds ? 0 : 1
      if let first, first.order(of: text) < least { return false }
      if let last, last.order(of: text) > 0 &- least { return false }
      return true
    }
  }
}
