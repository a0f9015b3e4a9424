import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Exact arithmetic of at most 38 digits.
@Suite struct ExactDecimalTests {
  private func number(_ text: String) -> ExactDecimal? {
    var text = text
    return text.withUTF8 { ExactDecimal($0) }
  }

  private func text(_ number: ExactDecimal?) -> String {
    guard let number else { return "none" }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ExactDecimal.capacity) {
      guard let start = $0.baseAddress else { return "" }
      let count = number.write(into: start)
      return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }

  private func calculate(
    _ a: String, _ b: String, _ operation: (ExactDecimal, ExactDecimal) -> ExactDecimal?
  ) throws -> String {
    text(operation(try #require(number(a)), try #require(number(b))))
  }

  private static let nines = String(repeating: "9", count: 38)

  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("0.00e5", "0"), ("1.50", "1.5"), ("100", "100"), ("1e3", "1000"),
    ("12e-1", "1.2"), ("1e37", "1" + String(repeating: "0", count: 37)), ("1e38", "1e38"),
    ("0.0000001", "0.0000001"), ("0.00000001", "1e-8"), ("-12.5e-10", "-1.25e-9"),
    (nines, nines), ("1e127", "1e127"), ("1e-128", "1e-128"),
  ])
  func `a number is written without needless zeros and exponents`(_ given: String, _ made: String) {
    #expect(text(number(given)) == made)
  }

  @Test(arguments: [nines + "1", "1e128", "1e-129", "1e999999999999", "x", "", "1.2.3"])
  func `what has more digits or another exponent is no number here`(_ given: String) {
    #expect(number(given) == nil)
  }

  @Test(arguments: [
    ("0.1", "0.2", "0.3"), ("1", "-1", "0"),
    ("1e37", "1", "1" + String(repeating: "0", count: 36) + "1"),
    ("1e38", "1", "none"), ("1e-100", "1e-100", "2e-100"),
    ("5e30", "5e-7", "5" + String(repeating: "0", count: 30) + ".0000005"),
    (nines, "1", "1e38"), (nines, "0.1", "none"), ("1e127", "9e127", "none"),
    ("0", "1e-128", "1e-128"),
    ("10000000000000000000000000000000000000e-10", "1e-30", "none"), ("-7.25", "2.25", "-5"),
  ])
  func `sums are exact or none`(_ a: String, _ b: String, _ sum: String) throws {
    #expect(try calculate(a, b) { $0.adding($1) } == sum)
    #expect(try calculate(b, a) { $0.adding($1) } == sum)
    #expect(try calculate(a, b) { $0.subtracting($1.negated) } == sum)
  }

  @Test(arguments: [
    ("1.5", "-2", "-3"), ("0", "-5", "0"), ("99999999999999999999", "99999999999999999999", "none"),
    ("12345678901234567890", "1000000000000000000", "12345678901234567890000000000000000000"),
    ("25e30", "4e-30", "100"), ("1e100", "1e27", "1e127"), ("1e100", "1e28", "none"),
    ("1e-100", "1e-29", "none"),
    ("50000000000000000000000000000000000000", "0.2", "1" + String(repeating: "0", count: 37)),
    ("5e37", "2e37", "1e75"),
  ])
  func `products are exact or none`(_ a: String, _ b: String, _ product: String) throws {
    #expect(try calculate(a, b) { $0.multiplied(by: $1) } == product)
    #expect(try calculate(b, a) { $0.multiplied(by: $1) } == product)
  }

  @Test(arguments: [
    ("1", "8", "0.125"), ("6", "3", "2"), ("1", "3", "0." + String(repeating: "3", count: 38)),
    ("2", "3", "0." + String(repeating: "6", count: 37) + "7"),
    ("-2", "3", "-0." + String(repeating: "6", count: 37) + "7"),
    ("0", "7", "0"), ("1e37", "1e-37", "1e74"), ("1e-100", "1e50", "none"), ("1", "1e38", "1e-38"),
    (nines, "1", nines), (nines, "0.5", "none"),
    ("1", nines, "1.0000000000000000000000000000000000000e-38"),
    ("123", "1000", "0.123"),
    ("5", "1000000000000000000007", "4.9999999999999999999650000000000000000e-21"),
  ])
  func `quotients are exact or rounded to 38 digits`(_ a: String, _ b: String, _ made: String)
    throws
  {
    let made = made == "none" ? made : text(number(made))
    // Twice 38 nines has 39 digits.
    let expected = (a, b) == (Self.nines, "0.5") ? "2e38" : made
    #expect(try calculate(a, b) { $0.divided(by: $1) } == expected)
  }

  @Test(arguments: [
    ("7", "3", "1"), ("-7", "3", "-1"), ("7", "-3", "1"), ("7.5", "2", "1.5"), ("1e100", "7", "4"),
    ("3", "1e100", "3"), ("0.3", "0.1", "0"), ("1e-5", "3", "0.00001"), (nines, "10", "9"),
    ("1e127", "9999999999999999999999999999999999999", "10000000000000000"),
  ])
  func `remainders have the sign of the dividend`(_ a: String, _ b: String, _ rest: String) throws {
    #expect(try calculate(a, b) { $0.remainder(dividingBy: $1) } == rest)
  }

  @Test(arguments: [
    ("2.5", 0, "3"), ("-2.5", 0, "-3"), ("2.449", 1, "2.4"), ("2.45", 1, "2.5"),
    ("1250", -2, "1300"),
    ("49", -2, "0"), ("1e-100", 2, "0"), ("7", 5, "7"), ("0.5", 0, "1"), ("1e50", 3, "1e50"),
    ("99999999999999999999999999999999999999", -38, "1e38"),
  ])
  func `halves are rounded away from 0`(_ given: String, _ places: Int, _ made: String) {
    #expect(text(number(given)?.rounded(to: places)) == made)
  }

  @Test(arguments: [
    ("2.5", "2"), ("-2.5", "-3"), ("-0.1", "-1"), ("1e-100", "0"), ("-1e-100", "-1"),
    ("1e50", "1e50"),
    ("-3", "-3"),
  ])
  func `the floor is the whole number that is not greater`(_ given: String, _ made: String) {
    #expect(text(number(given)?.floor) == made)
  }

  @Test func `the order is that of the numbers`() throws {
    let texts = [
      "-1e127", "-3", "-2.5", "-1e-100", "0", "1e-128", "0.1", "1", "1.0000001", "2", "10",
      Self.nines, "1e38", "1e127",
    ]
    let numbers = try texts.map { try #require(number($0)) }
    for (a, one) in numbers.enumerated() {
      for (b, other) in numbers.enumerated() {
        #expect(one.order(to: other).signum() == (a - b).signum(), "\(texts[a]) \(texts[b])")
      }
    }
    #expect(try #require(number("1.0")).order(to: try #require(number("1"))) == 0)
    #expect(try #require(number("1e2")).order(to: try #require(number("100"))) == 0)
  }

  @Test func `random sums, differences and products are those of Decimal`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      func some() -> (String, Decimal) {
        let digits = Int64.random(in: -999_999_999_999...999_999_999_999, using: &random)
        let text = "\(digits)e\(Int.random(in: -9...3, using: &random))"
        return (text, Decimal(string: text) ?? 0)
      }
      let ((a, left), (b, right)) = (some(), some())
      for (made, expected) in [
        (try calculate(a, b) { $0.adding($1) }, left + right),
        (try calculate(a, b) { $0.subtracting($1) }, left - right),
        (try calculate(a, b) { $0.multiplied(by: $1) }, left * right),
      ] { #expect(Decimal(string: made) == expected, "\(a) \(b)") }
      let order = try #require(number(a)).order(to: try #require(number(b)))
      #expect(order.signum() == (left < right ? -1 : left == right ? 0 : 1))
    }
  }
}
