import Testing

@testable import StreamMap

@Suite struct StringTextTests {
  @Test(arguments: ["", "a", "fifteen bytes..", "sixteen bytes...", "é日😀", "a\u{0}b"])
  func `a text comes through unchanged, whatever its length`(text: String) {
    #expect(convert(text, StringText.string) == text)
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
}
