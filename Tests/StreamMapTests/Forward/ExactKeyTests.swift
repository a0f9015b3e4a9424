import Testing

@testable import StreamMap

/// Keys are equal only where their code points are.
@Suite struct ExactKeyTests {
  @Test func `two spellings of one letter are two keys`() throws {
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    let mapping = OutputMapping.object([
      OutputField("one", from: .key(composed), .any),
      OutputField("two", from: .key(decomposed), .any),
      OutputField("all", from: "$", .raw),
    ])
    let text = "{\"\(composed)\":1,\"\(decomposed)\":2}"
    let records = try Routes.run(output: mapping, text)
    #expect(
      try #require(records.first).get().description == "{\"one\":1,\"two\":2,\"all\":\(text)}")
    guard case .object(let members) = try Mapper(Mapping<JSONValue>.json).decode(text.utf8).get()
    else {
      Issue.record("no object")
      return
    }
    #expect(members.map(\.value) == [.number("1"), .number("2")])
  }
}
