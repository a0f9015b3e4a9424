import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Texts made from texts.
@Suite struct TextStepTests {
  @Test(
    arguments: [
      (Conversion.trimmed, "  a b\t\n", "a b"), (.trimmed, "\u{3000}\u{85}é\u{A0}\u{2028}", "é"),
      (.trimmed, " \n ", ""), (.trimmed, "\u{200B}a", "\u{200B}a"),
      (.lowercased, "ÀB1c", "àb1c"), (.lowercased, "İ", "i\u{307}"),
      (.lowercased, "ΟΔΟΣ ΑΣ\u{301}.Σ Σ.Α", "οδος ασ\u{301}.ς σ.α"),
      (.uppercased, "straße", "STRASSE"),
      (.squeezed, "  a \t\u{2003} b\n", " a b "), (.squeezed, "ab", "ab"),
      (.replacing("_", with: "-"), "a__b", "a--b"), (.replacing("aa", with: ""), "aaab", "ab"),
      (.prefixed(by: "é"), "x", "éx"), (.suffixed(by: "é"), "x", "xé"),
      (.strippingPrefix("ab"), "abc", "c"), (.strippingPrefix("ab"), "a", "a"),
      (.strippingSuffix("bc"), "abc", "a"), (.strippingSuffix("abc"), "bc", "bc"),
      (.sliced(from: 0, to: 2), "é€😀", "é€"), (.sliced(from: 1), "é€😀", "€😀"),
      (.sliced(from: -1), "é€😀", "😀"), (.sliced(from: -9, to: -1), "é€😀", "é€"),
      (.sliced(from: 2, to: 1), "abc", ""), (.sliced(from: 9, to: .max), "abc", ""),
      (.part(0, splitBy: " "), "a b", "a"), (.part(-1, splitBy: ", "), "a, b, c", "c"),
      (.part(1, splitBy: "-"), "a-", ""), (.padded(to: 4, with: "0"), "é1", "00é1"),
      (.padded(to: 1, with: "0"), "12", "12"), (.paddedAtEnd(to: 3, with: "é"), "x", "xéé"),
      (.extracting("b(.)"), "abcbd", "c"), (.extracting("b."), "abcbd", "bc"),
    ] as [(Conversion<String, String>, String, String)])
  func `a conversion of texts gives`(
    _ conversion: Conversion<String, String>, _ text: String, _ expected: String
  ) throws {
    // By their scalars: strings that only look the same are equal, too.
    #expect(try Array(conversion.forward(text).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test func `a part or a match that is not there is an error that says what was expected`() {
    for conversion: Conversion<String, String> in [
      .part(2, splitBy: " "), .part(-3, splitBy: " "), .extracting("z"), .extracting("b|(z)"),
    ] {
      let failure = #expect(throws: ConversionFailure.self) { try conversion.forward("a b") }
      #expect(failure?.expected.hasPrefix("a text with a ") == true)
    }
  }

  @Test func `what goes forward again after the way back is the same`() throws {
    for conversion: Conversion<String, String> in [
      .trimmed, .lowercased, .uppercased, .squeezed, .prefixed(by: "a"), .suffixed(by: "a"),
      .strippingPrefix("a"), .strippingSuffix("a"), .padded(to: 6, with: "0"),
      .paddedAtEnd(to: 6, with: " "),
    ] {
      for text in ["", "a", "abca", " É x", "12"] {
        let made = try conversion.forward(text)
        let reverse = try #require(conversion.reverse)
        let back = try reverse(made)
        #expect(try conversion.forward(back) == made, "\(conversion.name) \(text)")
      }
    }
    for conversion: Conversion<String, String> in [
      .replacing("a", with: "b"), .sliced(from: 1), .part(0, splitBy: " "), .extracting("a"),
    ] {
      #expect(conversion.reverse == nil)
    }
  }

  @Test func `a text is split at each separator and joined again`() throws {
    let conversion: Conversion<String, [String]> = .splitting(by: ", ")
    for (text, parts) in [("", []), ("a", ["a"]), ("a, , b", ["a", "", "b"]), (", ", ["", ""])] {
      #expect(try conversion.forward(text) == parts)
      #expect(try conversion.reverse?(parts) == text)
    }
    #expect(throws: ConversionFailure.self) { try conversion.reverse?(["a, b"]) }
    #expect(throws: ConversionFailure.self) { try conversion.reverse?([""]) }
  }

  @Test func `arguments without a meaning are mistakes of the definition`() {
    #expect(Conversion<String, String>.replacing("", with: "a").mistake != nil)
    #expect(Conversion<String, String>.part(0, splitBy: "").mistake != nil)
    #expect(Conversion<String, String>.padded(to: 10_001, with: "0").mistake != nil)
    #expect(Conversion<String, String>.padded(to: -1, with: "0").mistake != nil)
    #expect(Conversion<String, String>.extracting("(").mistake != nil)
    #expect(Conversion<String, [String]>.splitting(by: "").mistake != nil)
  }

  @Test func `steps cannot multiply what a feed sends`() {
    let wide = String(repeating: "x", count: 1 << 14)
    let conversion: Conversion<String, String> = .replacing("a", with: wide)
    let failure = #expect(throws: ConversionFailure.self) {
      try conversion.forward(String(repeating: "a", count: 1 << 14))
    }
    #expect(failure?.code == .limitExceeded)
  }

  // MARK: Numbers

  @Test(
    arguments: [
      ("1500", "0.001", nil, "1.5"), ("2000", "0.001", nil, "2"), ("-0.0015", "1000", nil, "-1.5"),
      ("0", "5", nil, "0"), ("-0", "5", nil, "0"), ("1e3", "0.1", nil, "100"),
      (
        "123456789012345678901234567890", "1.000000000000000000000000000001", nil,
        "123456789012345678901234567890.12345678901234567890123456789"
      ),
      ("9999999999999999999", "9999999999999999999", nil, "99999999999999999980000000000000000001"),
      ("1e300", "10", nil, "1e301"), ("15e-200", "1", nil, "1.5e-199"),
      ("2.675", nil, 2, "2.68"), ("-2.675", nil, 2, "-2.68"), ("2.665", nil, 2, "2.67"),
      ("1.50", nil, 2, "1.50"), ("1.500", nil, 2, "1.5"),
      ("0.00", nil, 1, "0"), ("1.0e0", nil, 0, "1.0e0"), ("1.5001", nil, 2, "1.5"),
      ("0.999", nil, 2, "1"), ("-0.001", nil, 2, "0"), ("0.5", nil, 0, "1"), ("0.49", nil, 0, "0"),
      ("1550", nil, -2, "1600"), ("49", nil, -2, "0"), ("1e-400", nil, 3, "0"),
      (
        "9999999999999999999999999999999999999999.5", nil, 0,
        "10000000000000000000000000000000000000000"
      ), ("1234", "0.001", 1, "1.2"),
    ] as [(String, String?, Int?, String)])
  func `numbers are scaled and rounded exactly`(
    _ text: String, _ factor: String?, _ places: Int?, _ expected: String
  ) throws {
    let change = DecimalChange(scale: factor.flatMap { ExactNumber($0) }, places: places)
    #expect(change.mistake == nil)
    #expect(try change.applied(to: text) == expected)
  }

  @Test func `a conversion scales Decimals both ways and rounds one way`() throws {
    let milli = Decimal(sign: .plus, exponent: -3, significand: 1)
    let scaled: Conversion<Decimal, Decimal> = .scaled(by: milli)
    #expect(try scaled.forward(1500) == Decimal(string: "1.5"))
    #expect(try scaled.reverse?(Decimal(1.5)) == 1500)
    #expect(Conversion<Decimal, Decimal>.scaled(by: 0).mistake != nil)
    let third: Conversion<Decimal, Decimal> = .scaled(by: 3)
    #expect(throws: ConversionFailure.self) { try third.reverse?(1) }
    let rounded: Conversion<Decimal, Decimal> = .rounded(toPlaces: 1)
    #expect(try rounded.forward(Decimal(string: "-0.25") ?? 0) == Decimal(string: "-0.3"))
    let double: Conversion<Double, Double> = .rounded(toPlaces: 2)
    #expect(try double.forward(2.675) == 2.68)
    #expect(try double.forward(-1e300) == -1e300)
    #expect(try double.forward(.infinity) == .infinity)
    #expect(double.reverse == nil && rounded.reverse == nil)
    #expect(Conversion<Double, Double>.rounded(toPlaces: 101).mistake != nil)
  }

  @Test func `a table of many values to one is one-way and may have a value for all others`() throws
  {
    let table: Conversion<String, Int> = .oneWayTable(["a": 1, "b": 1], otherwise: 0)
    #expect(try ["a", "b", "c"].map { try table.forward($0) } == [1, 1, 0])
    #expect(table.reverse == nil)
    let strict: Conversion<String, Int> = .oneWayTable(["a": 1, "b": 1])
    #expect(throws: ConversionFailure(expected: "one of 'a', 'b'")) { try strict.forward("c") }
    #expect(Conversion<String, Int>.oneWayTable(["a": 1, "a": 2]).mistake != nil)
    #expect(Conversion<String, Int>.oneWayTable([:]).mistake != nil)
  }
}
