/// The multiples of a number, found exactly, whatever the size and precision of the numbers.
///
/// A number is digits × 10^exponent, where the last digit is not 0. If its exponent is less than the factor's, it is
/// not a multiple, because otherwise its last digit would be 0. If not, append as many zeros to its digits as the
/// difference of the exponents: it is a multiple if the factor's digits divide the result. More zeros than the factor's
/// digits have bits change nothing, because by then all its twos and fives are divided out. So the digits of both
/// numbers bound the time, whatever the exponents.
package struct NumberMultiples: Sendable {
  /// The factor without its sign: digits × 10^exponent.
  private let digits: Digits
  private let exponent: Int

  private enum Digits: Sendable {
    /// At most eighteen digits: ten times any smaller number, plus one digit, still fits into a word.
    case short(UInt64)
    case long([UInt8])
  }

  /// Nil for 0, whose only multiple is 0.
  package init?(of factor: ExactNumber) {
    guard !factor.digits.isEmpty else { return nil }
    exponent = factor.magnitude - factor.digits.count
    digits =
      factor.digits.count <= 18
      ? .short(factor.digits.reduce(0) { $0 * 10 + UInt64($1) }) : .long(factor.digits)
  }

  /// Whether the number of a text is a multiple; 0 is a multiple of every number.
  ///
  /// - Complexity: O(*n*) in the text; if the factor has *m* digits, more than eighteen, O((*n* + *m*) × *m*).
  @inline(__always)
  func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if case .short(let factor) = digits, let number = ExactNumber.short(text) {
      let zeros = number.exponent &- exponent
      if zeros == 0 { return number.mantissa % factor == 0 }
      if zeros < 0, zeros >= -19 {
        let (number, rest) = number.mantissa.quotientAndRemainder(
          dividingBy: ExactNumber.powers[0 &- zeros])
        return rest == 0 && number % factor == 0
      }
    }
    return containsExactly(text)
  }

  @inline(never)
  private func containsExactly(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let number = SignificantDigits(text) else { return false }
    if number.count == 0 { return true }
    let zeros = number.exponent &- exponent
    if zeros < 0 { return false }
    switch digits {
    case .short(let factor):
      var rest: UInt64 = 0
      number.forEachDigit { rest = (rest &* 10 &+ UInt64($0)) % factor }
      for _ in 0..<min(zeros, 64) where rest != 0 { rest = rest &* 10 % factor }
      return rest == 0
    case .long(let factor):
      var rest = LongRemainder(by: factor)
      number.forEachDigit { rest.append($0) }
      // A digit is less than four bits.
      for _ in 0..<min(zeros, factor.count * 4) where !rest.isZero { rest.append(0) }
      return rest.isZero
    }
  }
}

/// The remainder of a number, digit by digit, after division by a number of many digits.
private struct LongRemainder {
  /// Words of 32 bits, the lowest first; both numbers have one word more than the divisor needs.
  private let divisor: [UInt64]
  private var words: [UInt64]

  private static let base: UInt64 = 1 << 32

  init(by digits: [UInt8]) {
    var divisor: [UInt64] = [0]
    for digit in digits {
      Self.timesTen(&divisor, adding: UInt64(digit))
      // The highest word is 0, so ten times anything less than the divisor has as many words.
      if divisor.last != 0 { divisor.append(0) }
    }
    self.divisor = divisor
    words = Array(repeating: 0, count: divisor.count)
  }

  var isZero: Bool { words.allSatisfy { $0 == 0 } }

  /// Takes the number's next digit.
  mutating func append(_ digit: UInt8) {
    Self.timesTen(&words, adding: UInt64(digit))
    // It was less than the divisor, so now it is less than ten times the divisor.
    while isAtLeastDivisor { subtractDivisor() }
  }

  private static func timesTen(_ words: inout [UInt64], adding digit: UInt64) {
    var carry = digit
    for index in words.indices {
      let product = words[index] &* 10 &+ carry
      words[index] = product % base
      carry = product / base
    }
  }

  private var isAtLeastDivisor: Bool {
    for index in words.indices.reversed() where words[index] != divisor[index] {
      return words[index] > divisor[index]
    }
    return true
  }

  private mutating func subtractDivisor() {
    var borrow: UInt64 = 0
    for index in words.indices {
      let difference = words[index] &+ Self.base &- divisor[index] &- borrow
      words[index] = difference % Self.base
      borrow = difference < Self.base ? 1 : 0
    }
  }
}
