import CText
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// `NumberText.fraction`, which recognises and reads most numbers with a point in one go.
@Suite struct FractionTests {
  /// What it makes of a text that has memory of just its size.
  ///
  /// All processors make the same of it.
  private func fraction(_ text: [UInt8]) -> Double? {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
    defer { memory.deallocate() }
    _ = memory.initialize(from: text)
    let value = NumberText.fraction(UnsafeBufferPointer(memory))
    var portable = 0.0
    let isTaken = sm_read_fraction(memory.baseAddress, text.count, true, &portable)
    #expect(isTaken == (value != nil) && portable.bitPattern == (value ?? 0).bitPattern)
    return value
  }

  private func standard(_ text: [UInt8]) -> Double? {
    let text = String(decoding: text, as: UTF8.self)
    return NumberText.isNumber(text) ? Double(text) : nil
  }

  /// Texts of each number of digits before and after the point, with and without a sign.
  private func texts(_ random: inout SeededGenerator) -> [(text: [UInt8], isTaken: Bool)] {
    var all: [(text: [UInt8], isTaken: Bool)] = []
    for before in 1...9 {
      for after in 1...19 {
        for sign in ["", "-"] {
          for digits in [
            random.digits(before + after), String(repeating: "9", count: before + after),
            String(repeating: "1", count: before) + String(repeating: "0", count: after),
          ] {
            let whole =
              (digits.first == "0" ? "7" : "") + digits.dropFirst(digits.first == "0" ? 1 : 0)
            let text = "\(sign)\(whole.prefix(before)).\(whole.suffix(after))"
            let isTaken =
              (8...24).contains(text.utf8.count) && sign.count + before <= 7 && after <= 16
              && before + after <= 19
            all.append((Array(text.utf8), isTaken))
          }
        }
      }
    }
    return all
  }

  @Test func `a fraction of any number of digits is the Double of the standard library`() {
    var random = SeededGenerator(seed: 7)
    var wrong: [String] = []
    for _ in 0..<40 {
      for (text, isTaken) in texts(&random) {
        let value = fraction(text)
        if value?.bitPattern != (isTaken ? standard(text)?.bitPattern : nil) {
          wrong.append(String(decoding: text, as: UTF8.self))
        }
      }
    }
    #expect(wrong.prefix(5) == [])
  }

  @Test func `with a zero before the point it is the Double of the standard library`() {
    for text in ["0.123456", "-0.00001", "0.000000", "-0.000000", "0.9999999999999999"] {
      #expect(fraction(Array(text.utf8))?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test func `a text that is not a number is not taken, whatever byte is wrong`() {
    var random = SeededGenerator(seed: 8)
    let bytes = Array("+-./:e,\" \u{0}".utf8) + [0x80, 0xB5, 0xFA, 0xFF]
    var wrong: [[UInt8]] = []
    var taken = 0
    for (text, _) in texts(&random) {
      for place in text.indices {
        for byte in bytes {
          var text = text
          text[place] = byte
          guard let value = fraction(text) else { continue }
          taken += 1
          if standard(text)?.bitPattern != value.bitPattern { wrong.append(text) }
        }
      }
    }
    #expect(wrong.prefix(5) == [])
    // A minus sign in the place of the first digit makes another number.
    #expect(taken > 0)
  }

  @Test(arguments: [
    "01.234567", "-01.23456", "00.000000", ".12345678", "-.1234567", "12345678.", "1234567.",
  ])
  func `a spelling that JSON does not have is not taken`(text: String) {
    #expect(fraction(Array(text.utf8)) == nil)
  }
}
