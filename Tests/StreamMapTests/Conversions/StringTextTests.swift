import Testing

@testable import StreamMap

@Suite struct StringTextTests {
  @Test(arguments: ["", "a", "fifteen bytes..", "sixteen bytes...", "é日😀", "a\u{0}b"])
  func comesThroughUnchanged(text: String) {
    #expect(convert(text, StringText.string) == text)
    let long = String(repeating: text, count: 1000)
    #expect(convert(long, StringText.string) == long)
  }

  @Test func whatIsNotUTF8IsReplaced() {
    let text = [0x61, 0xFF, 0x62].withUnsafeBufferPointer(StringText.string)
    #expect(text == "a\u{FFFD}b")
  }
}
