import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// How records follow each other, in every format.
@Suite struct FramingTests {
  static let lines: [FeedCase] = [
    FeedCase(id: "empty", feed: "", expected: []),
    FeedCase(id: "blank", feed: " \n\r\n\t\n", expected: []),
    FeedCase(
      id: "lines", feed: "{\"a\":1}\n[2]\n3\n",
      expected: [.text(#"{"a":1}"#), .text("[2]"), .text("3")]),
    FeedCase(id: "CRLF", feed: "1\r\n\"x\"\r\n", expected: [.text("1"), .text(#""x""#)]),
    FeedCase(id: "blank lines", feed: "\n\n1\n\n \r\n2\n\n", expected: [.text("1"), .text("2")]),
    FeedCase(id: "no last line feed", feed: "true\n12", expected: [.text("true"), .text("12")]),
    FeedCase(
      id: "white space around", feed: " \t{ } \r\n  null\t",
      expected: [.text("{ }"), .text("null")]),
    FeedCase(id: "byte-order mark", feed: "\u{FEFF}1\n2", expected: [.text("1"), .text("2")]),
    FeedCase(id: "only a byte-order mark", feed: "\u{FEFF}", expected: []),
  ]

  static let concatenated: [FeedCase] = [
    FeedCase(id: "empty", feed: "", format: .concatenated, expected: []),
    FeedCase(id: "blank", feed: " \n", format: .concatenated, expected: []),
    FeedCase(
      id: "glued", feed: #"{}{"a":[]}[1]"x""y"[]"#, format: .concatenated,
      expected: [
        .text("{}"), .text(#"{"a":[]}"#), .text("[1]"), .text(#""x""#), .text(#""y""#), .text("[]"),
      ]),
    FeedCase(
      id: "numbers", feed: "1 2\n3", format: .concatenated,
      expected: [.text("1"), .text("2"), .text("3")]),
    FeedCase(
      id: "over lines", feed: "{\n\"a\":\n1}\n\n[\n]", format: .concatenated,
      expected: [.text("{\n\"a\":\n1}"), .text("[\n]")]),
    FeedCase(
      id: "glued scalars", feed: "[1]2«[»3]", format: .concatenated,
      expected: [.text("[1]"), .error(.syntax)]),
    FeedCase(
      id: "glued literal", feed: "null«\"»x\"", format: .concatenated, expected: [.error(.syntax)]),
    FeedCase(
      id: "comma between", feed: "{}«,»{}", format: .concatenated,
      expected: [.text("{}"), .error(.syntax)]),
    FeedCase(
      id: "truncated", feed: "{} {\"a\"«»", format: .concatenated,
      expected: [.text("{}"), .error(.truncated)]),
  ]

  static let documents: [FeedCase] = [
    FeedCase(id: "empty", feed: "«»", format: .json, expected: [.error(.truncated)]),
    FeedCase(id: "blank", feed: " \n\n«»", format: .json, expected: [.error(.truncated)]),
    FeedCase(
      id: "byte-order mark alone", feed: "\u{FEFF}«»", format: .json, expected: [.error(.truncated)]
    ),
    FeedCase(id: "one", feed: "\n {\"a\":\n1} \n", format: .json, expected: [.text("{\"a\":\n1}")]),
    FeedCase(id: "byte-order mark", feed: "\u{FEFF}[1]", format: .json, expected: [.text("[1]")]),
    FeedCase(id: "scalar", feed: "-1.5e3", format: .json, expected: [.text("-1.5e3")]),
    FeedCase(id: "two", feed: "{}\n«{»}", format: .json, expected: [.error(.syntax)]),
    FeedCase(
      id: "byte-order mark later", feed: "«\u{E0EF}»\u{E0BB}".reversedMark, format: .json,
      expected: [.error(.syntax)]),
  ]

  static let sequences: [FeedCase] = [
    FeedCase(id: "empty", feed: "", format: .sequence, expected: []),
    FeedCase(id: "only separators", feed: "\u{1E}\u{1E}\n\u{1E}", format: .sequence, expected: []),
    FeedCase(
      id: "entries", feed: "\u{1E}{\"a\":1}\n\u{1E}\u{1E}[\n2]\n\u{1E}\"x\"", format: .sequence,
      expected: [.text(#"{"a":1}"#), .text("[\n2]"), .text(#""x""#)]),
    FeedCase(
      id: "scalars", feed: "\u{1E}1\n\u{1E}true \u{1E}null\n", format: .sequence,
      expected: [.text("1"), .text("true"), .text("null")]),
    FeedCase(
      id: "truncated scalars", feed: "\u{1E}1«»\u{1E}true«»\u{1E}2\n\u{1E}3«»", format: .sequence,
      expected: [.error(.truncated), .error(.truncated), .text("2"), .error(.truncated)]),
    FeedCase(
      id: "truncated entry", feed: "\u{1E}{\"a\":«»\u{1E}[1]\n", format: .sequence,
      expected: [.error(.truncated), .text("[1]")]),
    FeedCase(
      id: "junk first", feed: "«{»\"a\":1}\n\u{1E}[1]\n", format: .sequence,
      expected: [.error(.syntax), .text("[1]")]),
    FeedCase(
      id: "two in an entry", feed: "\u{1E}[1]\n«[»2]\n\u{1E}[3]\n", format: .sequence,
      expected: [.error(.syntax), .text("[3]")]),
  ]

  static let automatic: [FeedCase] = [
    FeedCase(id: "empty", feed: "", format: .auto, expected: []),
    FeedCase(
      id: "one document", feed: "{\n\"a\":1\n}\n", format: .auto, expected: [.text("{\n\"a\":1\n}")]
    ),
    FeedCase(
      id: "lines", feed: "{\"a\":1}\n{\"a\":«»\n{\"a\":3}", format: .auto,
      expected: [.text(#"{"a":1}"#), .error(.truncated), .text(#"{"a":3}"#)]),
    FeedCase(
      id: "first line broken", feed: "{\"a\":1«]»\n{\"a\":2}\n", format: .auto,
      expected: [.error(.syntax), .text(#"{"a":2}"#)]),
    FeedCase(
      id: "two on the first line", feed: "1 2\n[\n3]", format: .auto,
      expected: [.text("1"), .text("2"), .text("[\n3]")]),
    FeedCase(
      id: "over lines", feed: "[1,\n2]\n[3,\n«x»]\n[4]", format: .auto,
      expected: [.text("[1,\n2]"), .error(.syntax)]),
    FeedCase(
      id: "sequence", feed: "\u{1E}[1]\n\u{1E}[2«»\u{1E}[3]\n", format: .auto,
      expected: [.text("[1]"), .error(.truncated), .text("[3]")]),
    FeedCase(
      id: "byte-order mark", feed: "\u{FEFF}1\n2\n", format: .auto,
      expected: [.text("1"), .text("2")]),
  ]

  @Test(arguments: lines) func `each line that is not blank is a record`(_ feed: FeedCase) throws {
    try feed.check()
  }
  @Test(arguments: concatenated) func `each of several concatenated values is a record`(
    _ feed: FeedCase
  ) throws { try feed.check() }
  @Test(arguments: documents) func `a document feed is exactly one record`(_ feed: FeedCase) throws
  { try feed.check() }
  @Test(arguments: sequences) func `each entry of a sequence is a record`(_ feed: FeedCase) throws {
    try feed.check()
  }
  @Test(arguments: automatic) func `the format of a feed is told from its text`(_ feed: FeedCase)
    throws
  { try feed.check() }
}

extension String {
  /// A byte-order mark where none can stand: after the start of the text.
  fileprivate var reversedMark: String { " " + self + "\u{E0BF}1" }
}
