import Testing

@testable import StreamMap

/// Numbers as people read them.
@Suite struct NumberFormatTests {
  private func text(_ format: String, _ number: String) throws -> String {
    let step = try #require(NumberFormat(format)).step
    guard
      case .string(let text) = try OutputMapping.value(
        of: number, TextChange(steps: [step]), .text, expected: "a text")
    else { return "-" }
    return text
  }

  @Test(arguments: [
    ("0", "1234.5", "1235"), ("0", "-0.4", "0"), ("0", "0", "0"), ("0.00", "0", "0.00"),
    ("0.00", "1234.5", "1234.50"), ("0.00", "-0.005", "-0.01"), ("0.00", "-0.004", "0.00"),
    ("#,##0.00", "1234567.891", "1,234,567.89"), ("#,##0.00", "999.995", "1,000.00"),
    ("#,##0", "999999.5", "1,000,000"), ("#,##0", "100", "100"), ("#,##0", "-1000", "-1,000"),
    ("#.##0,00", "1234.5", "1.234,50"), ("# ##0", "1e6", "1 000 000"), ("0.000", "1e-9", "0.000"),
    ("0.0", "0.05", "0.1"), ("0.0", "0.04999999999999999999999", "0.0"), ("0.00", "9.995", "10.00"),
    ("0.00", "1E+3", "1000.00"), ("0٫0", "2.25", "2٫3"),
    ("0.00", "12345678901234567890.125", "12345678901234567890.13"),
    ("0.00", "5e-3", "0.01"), ("0.00", "4e-400", "0.00"),
    ("0.00", "-1e-9999999999999999999", "0.00"), ("0.00", "0e2000000000", "0.00"),
  ])
  func `a number is written with all places, and in groups`(
    _ format: String, _ number: String, _ expected: String
  ) throws {
    #expect(try text(format, number) == expected)
  }

  @Test(arguments: ["", "x", "1 ", "01", "+1", "1e400", "1e4503599627370496", "0x1", ".5", "1."])
  func `a text that is not a number, or one without end, is refused`(_ number: String) {
    #expect(throws: ConversionFailure.self) { try text("0.00", number) }
  }

  @Test(arguments: [
    "", "#", "##0", "#,#0", "#,##", "0.", "0.#", "00", "#,##0,00", "0-00", "#-##0", "1.00", "0.00x",
    "0100", "-0",
  ])
  func `what is no format is refused`(_ format: String) {
    #expect(NumberFormat(format) == nil)
  }

  @Test func `a format has at most a hundred places`() {
    #expect(NumberFormat("0." + String(repeating: "0", count: 100)) != nil)
    #expect(NumberFormat("0." + String(repeating: "0", count: 101)) == nil)
  }

  @Test func `each number of some places is the one that Decimal arithmetic makes`() throws {
    // Hundredths, rounded to tenths: a half goes away from zero.
    for hundredths in -1200...1200 {
      let sign = hundredths < 0 ? "-" : ""
      let size = abs(hundredths)
      let number = "\(sign)\(size / 100).\(size % 100 < 10 ? "0" : "")\(size % 100)"
      let tenths = (size + 5) / 10
      let expected = "\(tenths == 0 ? "" : sign)\(tenths / 10).\(tenths % 10)"
      #expect(try text("0.0", number) == expected)
    }
  }
}
