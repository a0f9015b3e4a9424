import StreamMap
import Testing

@testable import StreamMapFiles

/// Paths of fields that select several values: these are a list.
@Suite struct SeveralValuesTests {
  private static let record = """
    {"l":[{"a":1,"s":"x","m":[{"b":1},{"b":2}]},{"a":null,"s":"y","m":{"k":{"b":3}}},{"s":"x","m":[]},7],\
    "o":{"p":{"a":"é"},"q":{"a":[1,2]}},"n":null,"t":"text","a":"outer"}
    """

  /// What the record `{ f: … }` becomes, by each way to read it.
  private static func made(_ field: String) throws -> Set<String> {
    var results: Set<String> = []
    for parser in [RecordParser.auto, .index, .yajl] {
      var mapper = try MappingFile(yaml: "streammap: 1\nrecord: { f: \(field) }\n").mapper()
      mapper.parser = parser
      let result = mapper.decode(record.utf8)
      results.insert(result.value?.description ?? result.error?.description ?? "-")
    }
    return results
  }

  @Test(arguments: [
    (#""l[*].a""#, "[1,null]"),
    (#""l[*].m[*].b""#, "[1,2,3]"),
    (#""l[0:2].s""#, #"["x","y"]"#),
    (#""l[-2:]""#, #"[{"s":"x","m":[]},7]"#),
    (#""l[0,2].s""#, #"["x","x"]"#),
    (#""l[?@.s == 'x'].a""#, "[1]"),
    (#""l[?match(@.s, '[y-z]')].s""#, #"["y"]"#),
    (#""l[?@ > 5]""#, "[7]"),
    (#""l[*].m[-1].b""#, "[2]"),
    (#""l[0].m[*].b""#, "[1,2]"),
    (#""l[-4].m[*].b""#, "[1,2]"),
    (#""o.*.a""#, #"["é",[1,2]]"#),
    (#""o..a""#, #"["é",[1,2]]"#),
    (#""$..b""#, "[1,2,3]"),
    (#""l[*].none""#, "[]"),
    (#""l[9:]""#, "[]"),
    (#""none[*]""#, "null"),
    (#""n[*]""#, "null"),
    (#"{ from: "l[*].a", list: count }"#, "2"),
    (#"{ from: "l[*].m[*].b", list: sum }"#, "6"),
    (#"{ from: "l[*].m[*].b", list: [{ slice: [1] }, reverse], each: int64 }"#, "[3,2]"),
    (#"{ from: "l[*].s", each: string, joined: "-" }"#, #""x-y-x""#),
    (#"{ from: "l[*].a", count: true }"#, "2"),
    (
      #"{ from: "l[*]", each: { object: { s: { from: s, type: string } } }, on_item_error: drop }"#,
      #"[{"s":"x"},{"s":"y"},{"s":"x"}]"#
    ),
    (#"{ first_of: ["none[*]", "l[*].s"], each: string }"#, #"["x","y","x"]"#),
    (
      #"{ zip: { a: "l[0:2].s", b: "l[*].m[*].b" } }"#,
      #"[{"a":"x","b":1},{"a":"y","b":2},{"b":3}]"#
    ),
    (
      #"{ from: "l[*].m[*]", each: { dispatch: { cases: { object: { object: { b: b } } } } } }"#,
      #"[{"b":1},{"b":2},{"b":3}]"#
    ),
    (#"{ from: "none[*].a", type: json, default: [] }"#, "[]"),
    (#"{ from: "t[*]", type: json, optionally: [] }"#, "[]"),
  ])
  func `a path selects a list of values`(_ field: String, _ expected: String) throws {
    #expect(try Self.made(field) == ["{\"f\":\(expected)}"])
  }

  @Test(arguments: [
    (#"{ from: "none[*]", type: json }"#, "$.none", "missing"),
    (#"{ from: "t[*]", type: json }"#, "$.t", "expected an array or an object, found a string"),
    (#"{ from: "l[*].a", each: int64 }"#, "$.l[1]", "null"),
  ])
  func `a value that is not there, or none of the kind, has its place`(
    _ field: String, _ path: String, _ text: String
  ) throws {
    for message in try Self.made(field) {
      #expect(message.contains(path) && message.contains(text), "\(message)")
    }
  }

  @Test(arguments: [
    (#"{ from: "l[*].a", type: string }"#, "each for what becomes of each"),
    (#"{ from: "l[*].a", object: { b: b } }"#, "each for what becomes of each"),
    (#"{ from: "l[*].a", split: ",", each: string }"#, "each for what becomes of each"),
    (#"{ from: "l[*].a", entries: [k, v] }"#, "each for what becomes of each"),
    (#"{ from: "l[?@.a == $.x]", type: json }"#, "and not at $"),
    (#"{ join: ["l[*].a", s] }"#, "means several values here"),
    (#"{ from: l, list: { from: "m[*]" } }"#, "from of a field can have it, and makes a list"),
    (#"{ cases: [{ when: { from: "l[*].a", equals: 1 }, const: 1 }] }"#, "makes a list"),
  ])
  func `what takes one value says what takes several`(_ field: String, _ text: String) {
    do throws(MappingFile.Mistakes) {
      _ = try MappingFile(yaml: "streammap: 1\nrecord: { f: \(field) }\n", named: "m.yaml")
      Issue.record("it is accepted")
    } catch {
      #expect(error.mistakes.contains { $0.message.contains(text) }, "\(error)")
    }
  }

  @Test func `what is selected is bounded, and what it is selected from, too`() throws {
    var file = try MappingFile(
      yaml: #"{ streammap: 1, record: { f: { from: "a..*", type: json } } }"#)
    file.limits.capturedValue = 20_000
    let mapper = try file.mapper()
    // 20 lists in each other are written 20 times.
    func nested(_ inside: String) -> String {
      "{\"a\":" + String(repeating: "[", count: 20) + inside + String(repeating: "]", count: 20)
        + "}"
    }
    let small = mapper.decode(nested(String(repeating: "1,", count: 50) + "1").utf8)
    #expect(small.error == nil)
    for inside in [
      String(repeating: "1,", count: 1000) + "1", "\"\(String(repeating: "x", count: 30_000))\"",
    ] {
      #expect(mapper.decode(nested(inside).utf8).error?.code == .limitExceeded)
    }
  }

  @Test func `a path to several values has no way back`() throws {
    let file = try MappingFile(yaml: #"{ streammap: 1, record: { f: "l[*].a" } }"#)
    #expect("\(file.explanation)".contains("all of [*].a"))
    #expect(throws: (any Error).self) { try file.reversed() }
  }
}
