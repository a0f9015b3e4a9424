import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct NumberTextDecimalTests {
  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("-0.00", "0"), ("0e999999999999", "0"), ("1", "1"), ("-1.50", "-1.5"),
    ("12.345678", "12.345678"), ("1e3", "1000"), ("1.5e-7", "0.00000015"), ("1.5e-8", "1.5e-8"),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("99999999999999999999999999999999999999e-20", "999999999999999999.99999999999999999999"),
    ("1.2300000000000000000000000000000000000000000000000000000000000000", "1.23"),
    ("1e127", "1e127"), ("-1e-128", "-1e-128"), ("10e-129", "1e-128"), ("0.1e128", "1e127"),
    ("99999999999999999999999999999999999999e127", "9.9999999999999999999999999999999999999e164"),
    (
      "-99999999999999999999999999999999999999e-128",
      "-9.9999999999999999999999999999999999999e-91"
    ),
    ("0.30", "0.3"), ("1000000", "1000000"), ("10000000", "1e7"),
    ("18446744073709551616", "18446744073709551616"),
  ])
  func `a Decimal is exact both ways, in its shortest text`(text: String, back: String) throws {
    let value = try #require(convert(text, NumberText.decimal))
    #expect(written { NumberToText.write(value, into: $0) } == back)
    #expect(!value.isNaN)
  }

  @Test(arguments: [
    "123456789012345678901234567890123456789", "1.23456789012345678901234567890123456789",
    "1e128", "1e-129", "15e-129", "1e999999999999999999999", "1e-999999999999999999999", "1e165",
    "", "-", "1x", ".",
  ])
  func `a text that Decimal cannot hold exactly is nil`(text: String) {
    #expect(convert(text, NumberText.decimal) == nil)
  }

  @Test func `random texts are the Decimals that Foundation makes of them`() throws {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<5000 {
      let sign = Bool.random(using: &random) ? "-" : ""
      let digits = "1" + random.digits(Int.random(in: 0...37, using: &random))
      let text = "\(sign)\(digits)e\(Int.random(in: -128...80, using: &random))"
      let value = try #require(convert(text, NumberText.decimal), "\(text)")
      #expect(value == Decimal(string: text, locale: nil), "\(text)")
      let back = try #require(written { NumberToText.write(value, into: $0) })
      #expect(convert(back, NumberText.decimal) == value, "\(text)")
      #expect(value.isSignMinus == (sign == "-"))
    }
  }

  @Test func `the extreme Decimals are written, and NaN is not`() {
    for value in [
      Decimal.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ] {
      #expect(written { NumberToText.write(value, into: $0) } != nil)
    }
    #expect(written { NumberToText.write(Decimal.nan, into: $0) } == nil)
  }
}
