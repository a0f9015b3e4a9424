import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct NumberTextIntegerTests {
  private enum Verdict: Equatable {
    case value(String)
    case notInteger
    case outOfRange
  }

  private func verdict<Value: FixedWidthInteger>(_ text: String, _ type: Value.Type) -> Verdict {
    switch convert(text, { NumberText.integer($0, as: type) }) {
    case .value(let value): .value("\(value)")
    case .invalid: .notInteger
    case .outOfRange: .outOfRange
    }
  }

  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("0.000", "0"), ("0e99999999", "0"), ("0e-9", "0"),
    ("-0e99999999999999999999999999", "0"), ("1.0", "1"), ("1e2", "100"), ("12.50e1", "125"),
    ("100e-2", "1"), ("0.01e2", "1"), ("-1.28e2", "-128"), ("1270000e-4", "127"), ("1E+1", "10"),
    ("120.000000000000000000000000000000", "120"),
    ("0.00000000000000000000000000000000000012e38", "12"),
    ("12000000000000000000000000000000000000000e-39", "12"),
  ])
  func `an integer counts by its value, not by its spelling`(text: String, value: String) {
    #expect(verdict(text, Int8.self) == .value(value))
    #expect(verdict(text, Int.self) == .value(value))
    if !value.hasPrefix("-") {
      #expect(verdict(text, UInt64.self) == .value(value))
      #expect(verdict(text, UInt128.self) == .value(value))
    }
  }

  @Test(arguments: [
    "1.5", "1e-1", "-0.1", "15e-1", "0.0000000000000000000000000000001", "1e-999999999999999999999",
    "123456789012345678901234567890.5", "99999999999999999999999999999999999e-1",
    "", "-", ".", "-.", "e5", "1e", "1x", "1-", "12345678x", "+1", "１",
  ])
  func `fractions and other texts are not integers`(text: String) {
    #expect(verdict(text, Int8.self) == .notInteger)
    #expect(verdict(text, UInt64.self) == .notInteger)
  }

  @Test(arguments: [
    "1e999999999", "-1e99999999999999999999999", "256e0", "12345678901234567890123",
    "340282366920938463463374607431768211456",
    "99999999999999999999999999999999999999999999999999", "1e39", "18446744073709551616",
  ])
  func `an integer too large for its type is out of range`(text: String) {
    #expect(verdict(text, Int8.self) == .outOfRange)
    #expect(verdict(text, UInt8.self) == .outOfRange)
    if text != "256e0" { #expect(verdict(text, UInt64.self) == .outOfRange) }
  }

  @Test func `each type takes its bounds, and nothing one beyond them`() {
    func check<Value: FixedWidthInteger>(_ type: Value.Type) {
      for bound in [Value.min, Value.max] {
        let text = "\(bound)"
        for spelling in [text, "\(text).0", "\(text)0e-1", "\(text)e0"] {
          #expect(verdict(spelling, type) == .value(text), "\(spelling) \(type)")
        }
        if bound != 0 {
          // One more away from zero; a bound's last digit is never 9.
          let next = text.dropLast() + String((text.last?.wholeNumberValue ?? 0) + 1)
          #expect(verdict(String(next), type) == .outOfRange, "\(next) \(type)")
          #expect(verdict("\(next).0", type) == .outOfRange, "\(next) \(type)")
        }
      }
      if !Value.isSigned {
        #expect(verdict("-1", type) == .outOfRange)
        #expect(verdict("-1.0", type) == .outOfRange)
      }
    }
    check(Int8.self)
    check(UInt8.self)
    check(Int16.self)
    check(UInt16.self)
    check(Int32.self)
    check(UInt32.self)
    check(Int64.self)
    check(UInt64.self)
    check(Int.self)
    check(UInt.self)
    check(Int128.self)
    check(UInt128.self)
  }

  @Test func `random texts are judged as written out without their exponent`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      let sign = Bool.random(using: &random) ? "-" : ""
      let whole = String(
        Int.random(in: 0...Int.max, using: &random) >> Int.random(in: 0...63, using: &random))
      var text = sign + whole
      if Int.random(in: 0..<3, using: &random) > 0 {
        text += "." + random.digits(Int.random(in: 1...8, using: &random))
      }
      if Bool.random(using: &random) { text += "e\(Int.random(in: -12...12, using: &random))" }
      check(text, Int8.self)
      check(text, UInt16.self)
      check(text, Int32.self)
      check(text, UInt64.self)
      check(text, Int.self)
    }
  }

  private func check<Value: FixedWidthInteger>(_ text: String, _ type: Value.Type) {
    let verdict = verdict(text, type)
    let expected = reference(text, type)
    if verdict != expected { Issue.record("\(text) as \(type): \(verdict), not \(expected)") }
  }

  /// Writes the number out without an exponent, as text, and lets the standard library read it.
  private func reference<Value: FixedWidthInteger>(_ text: String, _ type: Value.Type) -> Verdict {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let sides = parts[0].split(separator: ".")
    let zeros = String(repeating: "0", count: 30)
    let digits = zeros + sides.joined() + zeros
    let point = 30 + sides[0].count + exponent
    if digits.dropFirst(point).contains(where: { $0 != "0" }) { return .notInteger }
    let whole = digits.prefix(point).drop { $0 == "0" }
    if whole.isEmpty { return .value("0") }
    guard let value = Value((isNegative ? "-" : "") + whole) else { return .outOfRange }
    return .value("\(value)")
  }
}
