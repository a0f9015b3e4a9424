import Testing

@testable import StreamMap

/// The parts of a number, read byte by byte.
@Suite struct ByteCursorTests {
  /// The rest of a text after something is taken; nil if it cannot be.
  private func rest(of text: String, after take: (inout ByteCursor) -> Bool) -> String? {
    var text = text
    return text.withUTF8 { bytes in
      var cursor = ByteCursor(bytes)
      guard take(&cursor) else { return nil }
      #expect(cursor.isAtEnd == (cursor.index == bytes.count))
      return String(decoding: bytes[cursor.index...], as: UTF8.self)
    }
  }

  @Test(arguments: [
    ("7", ""), ("007x", "x"), ("12.5", ".5"), ("9/", "/"), ("9:", ":"), ("1e5", "e5"),
  ])
  func `digits are taken up to the first other byte`(text: String, left: String) {
    #expect(rest(of: text) { $0.takeDigits() } == left)
  }

  @Test(arguments: ["", "x", "-1", ".5", "/", ":", "١", "\u{ff}1"])
  func `where no digit comes next, none are taken`(_ text: String) {
    #expect(rest(of: text) { $0.takeDigits() } == nil)
    #expect(rest(of: text) { !$0.takeDigits() } == text)
  }

  @Test(arguments: [
    ("", ""), ("x", "x"), ("e5", ""), ("E+05]", "]"), ("e-1", ""), ("5", "5"), ("-", "-"),
  ])
  func `an exponent is taken where there is one`(text: String, left: String) {
    #expect(rest(of: text) { $0.takeExponent() } == left)
  }

  @Test(arguments: ["e", "E", "e+", "e-x", "e--1", "e+-1", "e.5"])
  func `an exponent needs digits`(_ text: String) {
    #expect(rest(of: text) { $0.takeExponent() } == nil)
  }
}
