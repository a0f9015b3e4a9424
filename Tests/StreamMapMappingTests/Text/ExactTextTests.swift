import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Keys are equal only where their code points are.
@Suite struct ExactTextTests {
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

  private let one = "\u{E9}"
  private let two = "e\u{301}"

  private struct Pair: Equatable {
    var text = ""
    var optional: String?
    var list: [String] = []
    var optionalList: [String]?
  }

  @Test func `Strings of this package are equal by code points, whatever holds them`() {
    let (kelvin, optional): (String, String?) = ("\u{212A}", "\u{212A}")
    #expect(one != two && !(one == two) && one == "\u{E9}")
    #expect(optional != "K" && !(optional == "K") && !("K" == optional) && optional == kelvin)
    #expect([one] != [two] && ![one].contains(two) && [one, two].firstIndex(of: two) == 1)
    for (text, isKnown) in [("K", true), (kelvin, false)] {
      switch text {
      case "K": #expect(isKnown)
      default: #expect(!isKnown)
      }
      switch Optional(text) {
      case "K": #expect(isKnown)
      default: #expect(!isKnown)
      }
    }
    #expect(
      !"\u{212A}x".hasPrefix("K") && "e\u{301}".hasPrefix("e") && "e\u{301}".hasSuffix("\u{301}"))
    #expect(!(one < two) && two < one && [one, two, "f"].sorted() == [two, "f", one])
    #expect(Pair(text: one) != Pair(text: two) && Pair(text: one) == Pair(text: one))
    #expect(Pair(optional: one) != Pair(optional: two) && Pair(list: [one]) != Pair(list: [two]))
    #expect(Pair(optionalList: [one]) != Pair(optionalList: [two]))
    #expect(Set([ExactText(one), ExactText(two), ExactText(one)]).count == 2)
  }

  @Test func `public values are equal by code points`() throws {
    let (a, b): (JSONValue, JSONValue) = (.string(one), .string(two))
    #expect(a != b && JSONValue.object([.init(one, 1)]) != .object([.init(two, 1)]))
    #expect(JSONPath([.key(one)]) != JSONPath([.key(two)]))
    #expect(Set([JSONPath([.key(one)]), JSONPath([.key(two)])]).count == 2)
    #expect(try PathPattern(parsing: one) != PathPattern(parsing: two))
    #expect(!JSONPath([.key(one), .index(0)]).starts(with: [.key(two)]))
    #expect(try PathPattern(parsing: "/a/\u{301}b").steps == [.key("a"), .key("\u{301}b")])
  }

  @Test func `rules and tables of the program's own types compare code points`() throws {
    #expect(
      try Mapper(Mapping<String>.string.validated(.oneOf([one]))).decode("\"\(two)\"".utf8).error
        != nil)
    #expect(
      try Mapper(Mapping<String>.string.validated(.equalTo(one))).decode("\"\(two)\"".utf8).error
        != nil)
    let unique: Mapping<[String]> = .array(of: .string).validated(.unique)
    #expect(try Mapper(unique).decode("[\"\(one)\",\"\(two)\"]".utf8).get().count == 2)
    let table: Mapping<Int> = .enumeration([one: 1, two: 2, "K": 3])
    #expect(try Mapper(table).decode("\"\(two)\"".utf8).get() == 2)
    #expect(try Mapper(table).decode("\"\u{212A}\"".utf8).error?.code == .invalidValue)
    #expect(try String(decoding: Mapper(table).encode(2), as: UTF8.self) == "\"\(two)\"")
  }

  private enum Sign: String, Mappable { case kelvin = "K" }
  private struct Name: RawRepresentable, Mappable { let rawValue: String }

  @Test func `a case is found by its own raw value only`() throws {
    let mapper = try Mapper(Sign.self)
    #expect(try mapper.decode(#""K""#.utf8).get() == .kelvin)
    #expect(try Routes.run(Sign.mapping, "\"\u{212A}\"").first?.error?.code == .invalidValue)
    #expect(try Mapper(Name.self).decode("\"\u{212A}\"".utf8).get().rawValue == "\u{212A}")
  }

  @Test func `formulas read the member that they name`() throws {
    let text = "{\"\(one)\":1,\"\(two)\":2,\"K\":3,\"\u{212A}\":4}"
    let mapping = OutputMapping.object([
      OutputField("sum", calculated: "['\(one)'] + ['\(two)'] * 10 + ['\u{212A}'] * 100", .any),
      OutputField("is", calculated: "['K'] == 3 and ['\u{212A}'] == 4", .any),
    ])
    let record = try #require(try Routes.run(output: mapping, text).first)
    #expect(try record.get().description == #"{"sum":421,"is":true}"#)
  }
}
