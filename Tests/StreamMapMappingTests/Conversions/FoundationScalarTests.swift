import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Scalars as Foundation's decoder reads them: the values are the same, except where it is said.
@Suite(.long) struct FoundationScalarTests {
  /// The value of the only element of an array; nil if it is refused.
  private func foundation<Value: Decodable>(_ text: String, _: Value.Type) -> Value? {
    try? JSONDecoder().decode([Value].self, from: Data("[\(text)]".utf8)).first
  }

  private func ours<Value>(_ text: String, _ mapper: Mapper<Value>) -> Value? {
    mapper.decode(text.utf8).value
  }

  private static let numbers: [String] = {
    var cases = RandomCases(seed: 41)
    var numbers = [
      "0", "-0", "0.0", "1.0", "1e3", "1E-1", "12.50e1", "127", "128", "-128", "-129", "255", "256",
      "65535", "65536", "9007199254740993", "9223372036854775807", "9223372036854775808",
      "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
      "18446744073709551616", "1.7976931348623157e308", "5e-324", "0.1", "1e22", "1e23",
      "3.4028235e38", "12345678901234567890.123456789", "100e-2", "123456789e-9",
    ]
    for _ in 0..<3000 { numbers.append(cases.number()) }
    return numbers
  }()

  private func compare<Value: Decodable & Equatable>(
    _ mapping: Mapping<Value>, unless isExplained: (String) -> Bool = { _ in false }
  ) throws {
    let mapper = try Mapper(mapping)
    var compared = 0
    for text in Self.numbers where !isExplained(text) {
      let (ours, foundation) = (ours(text, mapper), foundation(text, Value.self))
      if ours != foundation {
        Issue.record("\(Value.self): \(text): \(ours as Any), Foundation: \(foundation as Any)")
      }
      compared += 1
    }
    #expect(compared > 2000)
  }

  /// Foundation reads no `Double` from a zero with an exponent and no point, although RFC 8259 has it (`0e1`).
  @Test func `fractions are the same as Foundation's, to the last bit`() throws {
    try compare(.double) { $0.drop { $0 == "-" }.lowercased().hasPrefix("0e") }
  }

  /// Foundation reads a whole number with a point or an exponent by way of a `Double`: above 2^53 it is not exact.
  @Test func `whole numbers are the same as Foundation's, where that is exact`() throws {
    func isInexact(_ text: String) -> Bool {
      text.contains { ".eE".contains($0) } && abs(Double(text) ?? 0) >= 9_007_199_254_740_992
    }
    try compare(.int, unless: isInexact)
    try compare(.int8, unless: isInexact)
    try compare(.uint16, unless: isInexact)
    try compare(.uint64, unless: isInexact)
  }

  @Test func `decimals are the same as Foundation's`() throws {
    // Both ends of the range of a Double are beyond a Decimal.
    try compare(.decimal) { $0.contains("e308") || $0.contains("e-324") }
  }

  /// Foundation rounds a decimal of more than 38 digits; here that is an error, because no number is silently changed.
  @Test func `a decimal of too many digits is an error, and not rounded`() throws {
    let text = "1.23456789012345678901234567890123456789012"
    #expect(foundation(text, Decimal.self) != nil)
    #expect(try Mapper(Mapping<Decimal>.decimal).decode(text.utf8).error?.code == .numberOutOfRange)
  }

  @Test func `strings with any escapes are the same as Foundation's`() throws {
    let mapper = try Mapper(Mapping<String>.string)
    var cases = RandomCases(seed: 43)
    for _ in 0..<3000 {
      let text = cases.string()
      let (ours, foundation) = (ours(text, mapper), foundation(text, String.self))
      if foundation == nil || ours.map({ Array($0.utf8) }) != foundation.map({ Array($0.utf8) }) {
        Issue.record("\(text): \(ours as Any), Foundation: \(foundation as Any)")
      }
    }
  }

  @Test(arguments: ["true", "false", "0", "1", #""true""#, "null"])
  func `only true and false are booleans, as for Foundation`(text: String) throws {
    #expect(try ours(text, Mapper(Mapping<Bool>.bool)) == foundation(text, Bool.self))
  }
}
