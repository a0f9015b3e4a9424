import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The text of every syntax error, its path through parts that are passed over included.
@Suite struct SyntaxErrorTests {
  struct Row: Sendable {
    let id: String
    let text: String
    let description: String

    init(_ id: String, _ text: String, _ description: String) {
      self.id = id
      self.text = text
      self.description = description
    }
  }

  static let rows: [Row] = [
    Row(
      "empty", "«»",
      "fatal truncated at $ (record 1, line 1, column 1, bytes 0..<0): expected a JSON value, found nothing"
    ),
    Row(
      "white space", " \n «»",
      "fatal truncated at $ (record 1, line 2, column 2, bytes 3..<3): expected a JSON value, found nothing"
    ),
    Row(
      "value", "«]»",
      "fatal syntax at $ (record 1, line 1, column 1, bytes 0..<1): expected a value, found ']'"),
    Row(
      "value after colon", #"{"a":«}»"#,
      "fatal syntax at $.a (record 1, line 1, column 6, bytes 5..<6): expected a value, found '}'"),
    Row(
      "value after comma", "[1,«]»",
      "fatal syntax at $[1] (record 1, line 1, column 4, bytes 3..<4): expected a value, found ']'"),
    Row(
      "value or end", "[«,»]",
      "fatal syntax at $[0] (record 1, line 1, column 2, bytes 1..<2): expected a value or ], found ','"
    ),
    Row(
      "key or end", "{«1»}",
      "fatal syntax at $ (record 1, line 1, column 2, bytes 1..<2): expected a key or }, found '1'"),
    Row(
      "key", #"{"a":1,«}»"#,
      "fatal syntax at $ (record 1, line 1, column 8, bytes 7..<8): expected a key, found '}'"),
    Row(
      "colon", #"{"a"«}»"#,
      "fatal syntax at $.a (record 1, line 1, column 5, bytes 4..<5): expected a colon, found '}'"),
    Row(
      "key without its closing quote", #"{"a: 1, what follows a key without its quote, "«b»":2}"#,
      "fatal syntax at $['a: 1, what follows a key without…'] (record 1, line 1, column 48, bytes 47..<48): expected a colon, found 'b'"
    ),
    Row(
      "comma or brace", #"{"a":[1,2] «[»]}"#,
      "fatal syntax at $.a (record 1, line 1, column 12, bytes 11..<12): expected a comma or }, found '['"
    ),
    Row(
      "comma or bracket", "[1 «:»2]",
      "fatal syntax at $[0] (record 1, line 1, column 4, bytes 3..<4): expected a comma or ], found ':'"
    ),
    Row(
      "digit", "[-«a»]",
      "fatal syntax at $[0] (record 1, line 1, column 3, bytes 2..<3): expected a digit, found 'a'"),
    Row(
      "end of number", #"{"a":[0,12«a»]}"#,
      "fatal syntax at $.a[1] (record 1, line 1, column 11, bytes 10..<11): expected the end of the number, found 'a'"
    ),
    Row(
      "literal", #"{"a":tru«E»}"#,
      "fatal syntax at $.a (record 1, line 1, column 9, bytes 8..<9): expected true, false or null, found 'E'"
    ),
    Row(
      "end of document", "{} «{»}",
      "fatal syntax at $ (record 1, line 1, column 4, bytes 3..<4): expected the end of the document or line, found '{'"
    ),
    Row(
      "truncated object", #"{"a":{"b":1}«»"#,
      "fatal truncated at $.a (record 1, line 1, column 13, bytes 12..<12): expected a comma or }, found the end"
    ),
    Row(
      "truncated string", #"{"a":"bc«»"#,
      "fatal truncated at $.a (record 1, line 1, column 9, bytes 8..<8): expected the end of the string, found the end"
    ),
    Row(
      "truncated key", #"{"a":1,"bc«»"#,
      "fatal truncated at $ (record 1, line 1, column 11, bytes 10..<10): expected the end of the string, found the end"
    ),
    Row(
      "truncated literal", "[true,fal«»",
      "fatal truncated at $[1] (record 1, line 1, column 10, bytes 9..<9): expected true, false or null, found the end"
    ),
    Row(
      "truncated number", "[1,-«»",
      "fatal truncated at $[1] (record 1, line 1, column 5, bytes 4..<4): expected a digit, found the end"
    ),
    Row(
      "truncated after colon", #"{"a":«»"#,
      "fatal truncated at $.a (record 1, line 1, column 6, bytes 5..<5): expected a value, found the end"
    ),
    Row(
      "control character", "{\"a\":\"x«\u{7}»\"}",
      #"fatal syntax at $.a (record 1, line 1, column 8, bytes 7..<8): expected an escape (\u0007), found the control character 0x07 in a string"#
    ),
    Row(
      "line feed in string", "[\"x«\n»\"]",
      #"fatal syntax at $[0] (record 1, line 1, column 4, bytes 3..<4): expected an escape (\u000A), found the control character 0x0A in a string"#
    ),
    Row(
      "escape", #"{"a":"x«\»q"}"#,
      #"fatal syntax at $.a (record 1, line 1, column 8, bytes 7..<8): expected one of the escapes \" \\ \/ \b \f \n \r \t \uXXXX, found another one"#
    ),
    Row(
      "surrogate", #"{"a":"«\»ud83d"}"#,
      "fatal invalidUTF8 at $.a (record 1, line 1, column 7, bytes 6..<7): expected a pair of surrogate escapes, found one half of it"
    ),
    Row(
      "ill-formed UTF-8", "{\"a\":\"é«\u{E0C3}»(\"}",
      "fatal invalidUTF8 at $.a (record 1, line 1, column 9, bytes 8..<9): expected well-formed UTF-8, found the byte 0xC3"
    ),
    Row(
      "UTF-8 cut off", "[\"«\u{E0E2}»\u{E082}",
      "fatal invalidUTF8 at $[0] (record 1, line 1, column 3, bytes 2..<3): expected well-formed UTF-8, found the byte 0xE2"
    ),
    Row(
      "escape cut off", "[\"«\\»u12",
      #"fatal syntax at $[0] (record 1, line 1, column 3, bytes 2..<3): expected one of the escapes \" \\ \/ \b \f \n \r \t \uXXXX, found another one"#
    ),
    Row(
      "byte beyond ASCII", "[«\u{E0C3}»\u{E0A9}]",
      "fatal syntax at $[0] (record 1, line 1, column 2, bytes 1..<2): expected a value or ], found the byte 0xC3"
    ),
    Row(
      "record separator", "[1«\u{1E}»]",
      "fatal syntax at $[0] (record 1, line 1, column 3, bytes 2..<3): expected a comma or ], found a record separator"
    ),
    Row(
      "backslash", #"[«\»]"#,
      #"fatal syntax at $ (record 1, line 1, column 2, bytes 1..<2): expected a value or ], found '\'"#
    ),
    Row(
      "limit of depth", #"{"a":[[[[«[»]]]]]}"#,
      "fatal limitExceeded at $.a[0][0][0][0] (record 1, line 1, column 10, bytes 9..<10): expected at most 5 levels of nesting (Limits.depth), found more"
    ),
    Row(
      "limit of number", "[«12345678901»2]",
      "fatal limitExceeded at $[0] (record 1, line 1, column 2, bytes 1..<12): expected at most 10 characters in a number (Limits.number), found more"
    ),
    Row(
      "limit of key", #"{"k":{«"123456789012»3":1}}"#,
      "fatal limitExceeded at $.k (record 1, line 1, column 7, bytes 6..<19): expected at most 12 bytes in a key (Limits.key), found more"
    ),
    Row(
      "lines", "{\n  \"a\": [\n    1,\r\n    «x»\n  ]\n}",
      "fatal syntax at $.a[1] (record 1, line 4, column 5, bytes 23..<24): expected a value, found 'x'"
    ),
    Row(
      "path", #"{"a":1,"b":{"x":1,"c d":[0,{"e":[[],[«}»]]}]}}"#,
      "fatal syntax at $.b['c d'][1].e[1][0] (record 1, line 1, column 38, bytes 37..<38): expected a value or ], found '}'"
    ),
    Row(
      "path with escapes", #"{"\u0061\n'\\\ud83d\ude00":{"é":«}»}"#,
      #"fatal syntax at $['a\n\'\\😀'].é (record 1, line 1, column 34, bytes 33..<34): expected a value, found '}'"#
    ),
    Row(
      "path at key", #"{"a":{"b":1,«2»:3}}"#,
      "fatal syntax at $.a (record 1, line 1, column 13, bytes 12..<13): expected a key, found '2'"),
    Row(
      "path after element", "[[1,2],[3,4«:»]]",
      "fatal syntax at $[1][1] (record 1, line 1, column 12, bytes 11..<12): expected a comma or ], found ':'"
    ),
    Row(
      "path after member", #"{"a":{"b":[1],"c":{"d":2}«]»}}"#,
      "fatal syntax at $.a.c (record 1, line 1, column 26, bytes 25..<26): expected a comma or }, found ']'"
    ),
    Row(
      "long keys", #"{"0123456789":{"abcdefghij":{"x":«?»}}}"#,
      "fatal syntax at $.0123456789.abcdefghij.x (record 1, line 1, column 34, bytes 33..<34): expected a value, found '?'"
    ),
  ]

  @Test(arguments: rows.indices)
  func `each syntax error is described with path and position`(_ index: Int) throws {
    let row = Self.rows[index]
    let feed = MarkedFeed(row.text)
    for mapping in [OutputMapping.raw, FeedCase.nothing] {
      let limits = row.id.hasPrefix("limit of") ? BrokenText.limits : Limits()
      let mapper = try Mapper(output: mapping, limits: limits)
      let records = try Routes.run(mapper, feed.bytes, at: [], format: .json) { $0.description }
      try #require(records.count == 1, "\(row.id)")
      let error = try #require(records[0].error)
      #expect(error.description == row.description, "\(row.id)")
      #expect(error.position == feed.marks.first.map(feed.position), "\(row.id)")
    }
  }
}
