import Foundation

// Multiples of a number. By exact arithmetic: 0.3 is a multiple of 0.1.

extension Rule where Value: BinaryInteger & Sendable {
  /// A multiple of this number; 0 is one of every number.
  ///
  /// A ``mistake`` where the number is 0.
  public static func multipleOf(_ factor: Value) -> Rule {
    guard factor != 0 else { return Rule("multipleOf", mistake: "only 0 is a multiple of 0") }
    return Rule("multipleOf", limit: "a multiple of \(factor)") { $0.isMultiple(of: factor) }
  }
}

extension Rule where Value == Double {
  /// A multiple of this number, as decimal numbers: of what both are in their shortest texts.
  ///
  /// A ``mistake`` where the number is 0 or not finite.
  public static func multipleOf(_ factor: Double) -> Rule { decimalMultiple(of: factor) }
}

extension Rule where Value == Float {
  /// A multiple of this number, as decimal numbers: of what both are in their shortest texts.
  ///
  /// A ``mistake`` where the number is 0 or not finite.
  public static func multipleOf(_ factor: Float) -> Rule { decimalMultiple(of: factor) }
}

extension Rule where Value == Decimal {
  /// A multiple of this number, exactly.
  ///
  /// A ``mistake`` where the number is 0 or NaN.
  public static func multipleOf(_ factor: Decimal) -> Rule { decimalMultiple(of: factor) }
}

extension Rule where Value: CustomStringConvertible & Sendable {
  fileprivate static func decimalMultiple(of factor: Value) -> Rule {
    guard let factorParts = DecimalParts(factor.description), factorParts.digits != 0 else {
      return Rule("multipleOf", mistake: "there are no multiples of \(factor)")
    }
    return Rule("multipleOf", limit: "a multiple of \(factor)") { value in
      DecimalParts(value.description)?.isMultiple(of: factorParts) ?? false
    }
  }
}

/// A decimal number: digits × 10^exponent, its sign left out.
private struct DecimalParts {
  var digits: UInt128 = 0
  var exponent = 0

  /// From a text such as `1.5e-07`; nil where it is no number, or has more digits than fit.
  init?(_ text: String) {
    var hasPoint = false
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    guard let first = rest.first, first &- UInt8(ascii: "0") < 10 else { return nil }
    // Zeros are held back until another digit follows: 10^127, a Decimal, is written with 128 digits.
    var zeros = 0
    while let byte = rest.first {
      if byte == UInt8(ascii: ".") {
        guard !hasPoint else { return nil }
        hasPoint = true
      } else {
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        if hasPoint { exponent -= 1 }
        if digit == 0 {
          zeros += 1
        } else {
          for factor in [UInt128](repeating: 0, count: zeros) + [UInt128(digit)] {
            let (tens, overflow) = digits.multipliedReportingOverflow(by: 10)
            let (sum, overflow2) = tens.addingReportingOverflow(factor)
            guard !overflow, !overflow2 else { return nil }
            digits = sum
          }
          zeros = 0
        }
      }
      rest.removeFirst()
    }
    exponent += zeros
    guard let mark = rest.first else { return }
    guard mark == UInt8(ascii: "e"), let written = Int(Substring(rest.dropFirst())),
      written.magnitude < 10_000
    else { return nil }
    exponent += written
  }

  func isMultiple(of factor: DecimalParts) -> Bool {
    guard digits != 0 else { return true }
    var (number, divisor) = (digits, factor.digits)
    if exponent < factor.exponent {
      // What the number lacks in tens, the divisor gets.
      for _ in exponent..<factor.exponent {
        let (tens, overflow) = divisor.multipliedReportingOverflow(by: 10)
        guard !overflow, tens <= number else { return false }
        divisor = tens
      }
      return number % divisor == 0
    }
    // number × 10^n has the same remainder as (number mod divisor) × 10^n.
    number %= divisor
    for _ in factor.exponent..<exponent {
      guard number != 0 else { return true }
      number = timesTen(number, modulo: divisor)
    }
    return number == 0
  }

  /// A number below the divisor, ten times, and the remainder of that.
  private func timesTen(_ number: UInt128, modulo divisor: UInt128) -> UInt128 {
    func sum(_ a: UInt128, _ b: UInt128) -> UInt128 {
      // a + b without overflow: both are below the divisor.
      a >= divisor - b ? a - (divisor - b) : a + b
    }
    let two = sum(number, number)
    let four = sum(two, two)
    return sum(sum(four, four), two)
  }
}
