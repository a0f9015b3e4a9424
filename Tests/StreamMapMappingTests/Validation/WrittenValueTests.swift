import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Values of output records, by their text.
@Suite struct WrittenValueTests {
  private func with<Result>(_ text: String, _ body: (WrittenValue) throws -> Result) rethrows
    -> Result
  {
    var text = text
    return try text.withUTF8 { try body(WrittenValue($0)) }
  }

  private static let texts = [
    "null", "true", "false", "0", "-1.5e7", "\"\"", "\"a\\\"b\\\\c\\n\\u0001é\"", "[]", "{}",
    "[[],{},[1,[2,\"]\"]],\"}\"]", "{\"a\":{\"b\":[1,2]},\"\":null,\"x\\\"y\":\"a,b:c\"}",
  ]

  @Test(arguments: texts)
  func `the tree of a text is the value it was written from`(_ text: String) throws {
    let value = try #require(try Mapper(JSONValue.self).decode(Array(text.utf8)).value)
    #expect(with(text) { $0.json } == value)
    #expect(value.description == text)
  }

  @Test
  func `members and elements are found, the last of equal keys`() {
    let text = "{\"k\":1,\"a\\\"b\":[10,\"x,]\",{\"k\":[7]},null],\"k\":{\"é\":true}}"
    with(text) { value in
      #expect(value[WrittenKey("k")].json == ["é": true])
      #expect(value[WrittenKey("k")][WrittenKey("é")].json == true)
      #expect(value[WrittenKey("a\"b")][0].json == 10)
      #expect(value[WrittenKey("a\"b")][1].string == "x,]")
      #expect(value[WrittenKey("a\"b")][2][WrittenKey("k")][0].json == 7)
      for absent in [
        value[WrittenKey("none")], value[0], value[WrittenKey("a\"b")][9],
        value[WrittenKey("a\"b")][-1],
      ] {
        #expect(absent.isNull)
      }
    }
  }

  @Test
  func `the end of a deep value is found without a stack`() {
    let deep = String(repeating: "[", count: 1_000_000) + String(repeating: "]", count: 1_000_000)
    with("{\"a\":\(deep),\"b\":5}") { #expect($0[WrittenKey("b")].json == 5) }
  }

  @Test(arguments: texts)
  func `a text that is cut off is not read beyond its end`(_ text: String) {
    for count in 0..<text.utf8.count {
      let bytes = Array(text.utf8.prefix(count))
      bytes.withUnsafeBufferPointer {
        let value = WrittenValue($0)
        _ = (
          value.json, value[0].isNull, value[WrittenKey("a")].isNull, value.string,
          value.elementCount
        )
      }
    }
  }

  @Test
  func `elements differ by value, whether few or many`() throws {
    let rule = Rule<WrittenValue>.unique
    for padding in [0, 100] {
      let more = (0..<padding).map { ",\"p\($0)\"" }.joined()
      for (elements, differ) in [
        ("1,2,\"1\"", true), ("1,1.0", false), ("0,-0", false), ("1e999999999,10e999999998", false),
        ("1.00000000000000000000000000000001,1", true), ("\"a\",\"a\"", false),
        ("null,true,false", true),
        ("null,null", false), ("[1],[1]", false), ("[1],[2],{}", true),
        ("{\"a\":1},{\"a\":1}", false),
        ("\"é\",\"e\u{301}\"", true),
      ] {
        #expect(with("[\(elements)\(more)]") { rule.isKept(by: $0) } == differ, "\(elements)")
      }
    }
    #expect(with("[]") { rule.isKept(by: $0) })
    #expect(
      with("{}") { rule.failure(of: $0)?.description }
        == "unique: expected an array, elements that all differ")
  }

  @Test
  func `a choice compares numbers by value, all else as it is`() {
    let rule = Rule<WrittenValue>.oneOf([
      1, .number("2.50"), "a\"b", true, [1], .number("1" + String(repeating: "0", count: 40)),
    ])
    for kept in ["1", "1.0", "10e-1", "2.5", "\"a\\\"b\"", "true", "[1]", "1e40"] {
      #expect(with(kept) { rule.isKept(by: $0) }, "\(kept)")
    }
    for broken in [
      "2", "\"1\"", "false", "null", "[2]", "1.00000000000000000000000000000001", "\"a\"", "{}",
      "1e41",
    ] {
      #expect(!with(broken) { rule.isKept(by: $0) }, "\(broken)")
    }
    #expect(rule.expected.hasPrefix("one of 1, 2.50, 'a\"b', true, [1], 1000"))
    #expect(Rule<WrittenValue>.oneOf([]).mistake != nil)
  }
}
