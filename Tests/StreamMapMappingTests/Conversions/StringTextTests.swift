import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct StringTextTests {
  @Test(arguments: ["", "a", "fifteen bytes..", "sixteen bytes...", "é日😀", "a\u{0}b"])
  func `a text comes through unchanged, whatever its length`(text: String) {
    #expect(convert(text, StringText.string) == text)
    #expect(convert(text, StringText.standardString) == text)
    let long = String(repeating: text, count: 1000)
    #expect(convert(long, StringText.string) == long)
  }

  @Test func `a letter beyond ASCII is right at every place and length`() {
    // A letter beyond ASCII at every place of every length around the words it is looked for in.
    for count in 1...40 {
      for place in 0..<count {
        var scalars = Array(repeating: Unicode.Scalar("x"), count: count)
        scalars[place] = "é"
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        let made = convert(text, StringText.string)
        #expect(made == text)
        // What a String believes of itself shows in what it does.
        #expect(made.count == count)
        #expect(made.uppercased() == text.uppercased())
        #expect(Array(made.utf16) == Array(text.utf16))
      }
    }
  }

  @Test func `a short text is stored as the standard library stores it`() throws {
    for letter: Unicode.Scalar in ["x", "é", "日", "\u{0}"] {
      for count in 0...SmallString.mostBytes {
        var text = ""
        while text.utf8.count + String(letter).utf8.count <= count {
          text.unicodeScalars.append(letter)
        }
        let made = try #require(convert(text, SmallString.make))
        #expect(layout(made) == layout(String(decoding: Array(text.utf8), as: UTF8.self)))
        #expect(Set([text]).contains(made))
        #expect(made + "y" == text + "y")
      }
    }
  }

  @Test func `a longer text is left to the standard library`() {
    #expect(convert(String(repeating: "x", count: 16), SmallString.make) == nil)
  }

  private func layout(_ text: String) -> [UInt8] { withUnsafeBytes(of: text) { Array($0) } }
}
