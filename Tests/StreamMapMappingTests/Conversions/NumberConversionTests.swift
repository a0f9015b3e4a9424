import Foundation
import StreamMapFoundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct NumberConversionTests {
  @Test(arguments: [
    ("0", 0), ("-0", 0), ("12", 12), ("-128", -128), ("127", 127), ("1e2", 100), ("1.0", 1),
    ("12.50e1", 125), ("100E-2", 1), ("0e999999999999999999999", 0),
  ])
  func `a text is an integer by its value, not its spelling`(text: String, value: Int8) {
    #expect(Conversion<String, Int8>.number.value(text) == value)
  }

  @Test(arguments: [
    "", " ", "+5", "007", "00", "-", "1.", ".5", "1e", "1e+", "0x1F", "1_000", "1,000", " 1", "1 ",
    "1\u{0}", "١٢", "１", "½", "Infinity", "nan", "NaN", "true", "--1", "1-", "1e1.0", "²", "1\n",
    "-٣", "1e٣",
  ])
  func `a text that is not a JSON number is an invalid value`(text: String) {
    let wrong = ErrorCode.invalidValue
    func code<Number>(_ conversion: Conversion<String, Number>) -> ErrorCode? {
      if case .failure(let failure) = outcome(conversion, text) { failure.code } else { nil }
    }
    #expect(code(Conversion<String, Int>.number) == wrong)
    #expect(code(Conversion<String, UInt8>.number) == wrong)
    #expect(code(Conversion<String, Double>.number) == wrong)
    #expect(code(Conversion<String, Float>.number) == wrong)
    #expect(code(Conversion<String, Decimal>.number) == wrong)
  }

  @Test func `a number beyond its type's range is refused as out of range`() {
    let byte = ConversionFailure(
      expected: "a text that is an integer (Int8)", code: .numberOutOfRange)
    for text in ["128", "-129", "1e3", "1e999999999", String(repeating: "9", count: 5000)] {
      #expect(outcome(.number, text) == Result<Int8, _>.failure(byte))
    }
    #expect(
      outcome(.number, "1.5")
        == Result<Int8, _>.failure(ConversionFailure(expected: "a text that is an integer (Int8)")))
    #expect(Conversion<String, UInt64>.number.value("18446744073709551615") == .max)
    #expect(Conversion<String, UInt64>.number.value("18446744073709551616") == nil)
    #expect(Conversion<String, UInt>.number.value("-1") == nil)
    #expect(Conversion<String, Int64>.number.value("-9223372036854775808") == .min)
    #expect(
      Conversion<String, Int128>.number.value("-170141183460469231731687303715884105728") == .min)
    let double = ConversionFailure(
      expected: "a text that is a number (Double)", code: .numberOutOfRange)
    #expect(outcome(.number, "1e309") == Result<Double, _>.failure(double))
    #expect(Conversion<String, Float>.number.value("1e39") == nil)
    let digits = String(repeating: "9", count: 39)
    #expect(Conversion<String, Decimal>.number.value(digits) == nil)
    #expect(Conversion<String, Decimal>.number.value(String(digits.dropLast())) != nil)
  }

  @Test func `every finite Double comes back from its written text`() throws {
    let double: Conversion<String, Double> = .number
    #expect(double.value("0.1") == 0.1)
    #expect(double.value("-0")?.sign == .minus)
    #expect(double.back(-0.0) == "-0")
    #expect(double.back(100) == "100")
    #expect(double.back(1.05) == "1.05")
    #expect(double.back(1e300) == "1e+300")
    for value in [.nan, .infinity, -.infinity] as [Double] { #expect(double.back(value) == nil) }
    var random = SeededGenerator(seed: 21)
    for _ in 0..<5000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(double.value(try #require(double.back(value))) == value)
    }
    let decimal: Conversion<String, Decimal> = .number
    #expect(
      decimal.back(Decimal(string: "12345678901234567890.123") ?? 0) == "12345678901234567890.123")
    #expect(decimal.back(.nan) == nil)
  }

  @Test func `digits are grouped by threes or not at all`() {
    let number: Conversion<String, Int> = .number(.grouped(by: ","))
    #expect(number.value("1,235,555") == 1_235_555)
    #expect(number.back(1_235_555) == "1,235,555")
    let table: [(String, Int?)] = [
      ("1235555", 1_235_555), ("0", 0), ("-1,000", -1000), ("999", 999), ("1,000.0", 1000),
      ("1,23", nil), ("1,2345", nil), ("12,34,567", nil), (",123", nil), ("1,,000", nil),
      ("1,000,", nil), ("1.000", 1), ("0,123", nil), ("1234,567", nil), ("1,000.5", nil),
      ("", nil), ("-", nil), ("+1", nil), ("1e3", nil), (" 1", nil), ("1 000", nil), ("01", nil),
      ("1,000.", nil), ("1.000,0", nil), ("--1", nil),
    ]
    for (text, value) in table { #expect(number.value(text) == value, "\(text)") }
    for value in [0, 1, 12, 123, 1234, 12345, 123_456, 1_234_567, -1000, .max, .min] {
      #expect(number.back(value).flatMap(number.value) == value)
    }
    #expect(number.back(-999) == "-999")
    #expect(number.back(.min) == "-9,223,372,036,854,775,808")
  }

  @Test func `a grouped fraction is written in full, without an exponent`() {
    let number: Conversion<String, Double> = .number(.grouped(by: ",", decimal: "."))
    let table: [(Double, String)] = [
      (1e21, "1,000,000,000,000,000,000,000"), (1e-7, "0.0000001"), (0.5, "0.5"), (0, "0"),
      (1234.5678, "1,234.5678"), (-0.001, "-0.001"), (1.5e22, "15,000,000,000,000,000,000,000"),
      (.leastNonzeroMagnitude, "0." + String(repeating: "0", count: 323) + "5"),
    ]
    for (value, text) in table {
      #expect(number.back(value) == text)
      #expect(number.value(text) == value)
    }
    #expect(number.back(1e300)?.utf8.count == 401)
    #expect(number.back(1e300).flatMap(number.value) == 1e300)
    #expect(number.value("-0")?.sign == .minus)
    #expect(number.back(.nan) == nil)
  }

  @Test func `a number is read and written with its locale's punctuation`() {
    func number(_ locale: String) -> Conversion<String, Decimal> {
      .number(.locale(Locale(identifier: locale)))
    }
    #expect(number("en_US").value("1,235.5") == 1235.5)
    #expect(number("de_DE").value("1.235,5") == 1235.5)
    #expect(number("de_DE").value("1,235.5") == nil)
    #expect(number("de_DE").back(1_234_567.25) == "1.234.567,25")
    #expect(number("fr_FR").value("1\u{202F}235,5") == 1235.5)
    #expect(number("fr_FR").value("1 235,5") == 1235.5)
    #expect(number("fr_FR").value("1\u{A0}235,5") == 1235.5)
    #expect(number("fr_FR").value("1\t235,5") == nil)
    #expect(number("ar_EG").value("١٬٢٣٤٫٥") == 1234.5)
    #expect(number("ar_EG").value("1٬234٫5") == 1234.5)
    #expect(number("ar_EG").back(1234.5) == "١٬٢٣٤٫٥")
    #expect(number("sv_SE").value("−5") == -5)
    #expect(number("sv_SE").value("-5") == -5)
    for locale in ["en_US", "de_DE", "fr_FR", "ar_EG", "de_CH", "en_IN", "fa_IR", "sv_SE"] {
      for value in [0, -1, 1234.5, -1_234_567.125] as [Decimal] {
        #expect(number(locale).back(value).flatMap(number(locale).value) == value, "\(locale)")
      }
    }
  }

  @Test func `separators that are equal, digits or a sign are a mistake`() {
    for (group, decimal) in [(".", "."), ("1", "."), (",", "5"), ("-", "."), ("٣", ".")]
      as [(Character, Character)]
    {
      let number: Conversion<String, Int> = .number(.grouped(by: group, decimal: decimal))
      #expect(number.mistake != nil)
      #expect(number.value("1") == nil)
    }
    #expect(Conversion<String, Int>.number(.grouped(by: "'")).mistake == nil)
  }
}
