import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What is a number by RFC 8259, of texts that anyone may put into a `JSONValue`.
@Suite struct JSONNumberTests {
  @Test(arguments: ["0", "-0", "7", "-120", "0.5", "10.05", "1e5", "1E+5", "-0.0e-12", "9e0"])
  func `a number by RFC 8259 is recognised as one`(_ text: String) {
    #expect(NumberText.isNumber(text))
  }

  @Test(arguments: [
    "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1.e3", "1 ", " 1", "1a", "0x1", "1e5.0",
    "--1", "NaN", "1,5", "١",
  ])
  func `any other text is no number and is not written`(_ text: String) {
    #expect(!NumberText.isNumber(text))
    let mapper = try? Mapper(Mapping<JSONValue>.json)
    #expect(throws: MappingError.self) { try mapper?.encode(.array([.number(text)])) }
  }
}
