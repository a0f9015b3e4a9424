import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Paths as users write them, and as errors show them.
@Suite struct PathTests {
  static let good: [(String, String)] = [
    ("$", "$"), ("$.a", "$.a"), ("a", "$.a"), ("a.b", "$.a.b"), ("$.a.b[0]", "$.a.b[0]"),
    ("a[12][*]", "$.a[12][*]"),
    ("$[*]", "$[*]"), ("[0]", "$[0]"), ("['a.b']", "$['a.b']"), ("$[\"a b\"].c", "$['a b'].c"),
    ("$['a']", "$.a"),
    ("$.$", "$['$']"), ("$a", "$['$a']"), ("a-b_c", "$.a-b_c"), ("é.ü", "$.é.ü"),
    ("a b", "$['a b']"),
    ("['it\\'s']", "$['it\\'s']"), ("['\\\\']", "$['\\\\']"), ("['\\u00e9\\n']", "$['é\\n']"),
    ("['']", "$['']"),
    ("['\\u0001']", "$['\\u0001']"), ("/", "$['']"), ("/a/0/b", "$.a[0].b"),
    ("/a~1b/c~0d", "$['a/b']['c~d']"),
    ("/01", "$.01"), ("**", "$['**']"), ("a.0", "$.a.0"), ("[*][*].x", "$[*][*].x"),
    ("$.a[1:3]", "$.a[1:3]"), ("a[2:]", "$.a[2:]"), ("a[:2].b", "$.a[0:2].b"), ("a[:]", "$.a[0:]"),
    ("a[1:3:1]", "$.a[1:3]"), ("a[1::]", "$.a[1:]"), ("$..a", "$..a"), ("..a.b", "$..a.b"),
    ("$.a..b[*]..['c.d']", "$.a..b[*]..['c.d']"), ("$..['a']", "$..a"), ("/..", "$['..']"),
    ("a[?(@.b>1)]", "$.a[?@.b > 1]"), ("a[-1]", "$.a[-1]"), ("a[1:-1]", "$.a[1:-1]"),
    ("a[0:9:2]", "$.a[0:9:2]"), ("a[::-1]", "$.a[::-1]"), ("a[3:3]", "$.a[3:3]"),
    ("$..[0]", "$..[0]"), ("$..*", "$..[*]"), ("$ .a\n[ 0 , 'b' ]", "$.a[0,'b']"),
    ("$..['a',1]", "$..['a',1]"), ("['\\ud834\\udd1e']", "$.𝄞"), ("a .b", "$.a.b"),
    (
      "$[?!(@.a&&@['b c']||(length(@.x)<=-1.5e2))]",
      "$[?!(@.a && @['b c'] || length(@.x) <= -1.5e2)]"
    ),
    (
      "$[?(@.a||!@.b)&&count($..*)!=value(@.x[0,1])]",
      "$[?(@.a || !@.b) && count($..[*]) != value(@.x[0,1])]"
    ),
    ("$[?@.a=='it\\'s',?@==null].b", "$[?@.a == 'it\\'s',?@ == null].b"),
  ]

  @Test(arguments: good.indices) func `a good path is read and described in its normal form`(
    _ index: Int
  ) throws {
    let (text, description) = Self.good[index]
    let pattern = try PathPattern(parsing: text)
    #expect(pattern.description == description)
    #expect(try PathPattern(parsing: description) == pattern)
  }

  static let bad: [(String, String)] = [
    ("", "it is empty; the value itself is written $ (at character 1)"),
    ("$.", "a name is missing (at character 3)"),
    (".a", "a path does not start with a dot; write a (at character 1)"),
    (".", "a path does not start with a dot; write $ (at character 1)"),
    (".a.b[].c", "a path does not start with a dot; write a.b[*].c (at character 1)"),
    (".[]", "a path does not start with a dot; write $[*] (at character 1)"),
    (".a | .b", "a path does not start with a dot (at character 1)"),
    (
      "$.http.ms * 2",
      "this is a calculation, not a path: see calc in mapping files; if it is a key, quote it: ['ms * 2'] (at character 11)"
    ),
    (
      "é b - c",
      "this is a calculation, not a path: see calc in mapping files; if it is a key, quote it: ['é b - c'] (at character 5)"
    ),
    ("a[", "it ends inside [ (at character 3)"),
    ("a[0", "] is missing (at character 4)"),
    ("a[0x]", "] is missing (at character 4)"),
    ("a[01]", "not an index (at character 3)"),
    ("a[99999999999999999999]", "not an index (at character 3)"),
    ("a[1:x]", "] is missing (at character 5)"),
    ("a[9223372036854775807]", "not an index (at character 3)"),
    ("$..", "a name is missing (at character 4)"),
    ("$...a", "a name is missing (at character 4)"),
    ("a[]", "for every element write [*] (at character 3)"),
    ("a[b]", "an index, a slice, *, ? or a quoted key must follow [ (at character 3)"),
    ("a]", "] without [ (at character 2)"),
    ("a['b", "the quote that opens here is not closed (at character 3)"),
    ("a['b'", "] is missing (at character 6)"),
    (
      "a['\\q']",
      "not an escape; there are \\n \\r \\t \\b \\f \\\\ \\/ \\' \\\" \\u0000 (at character 4)"
    ),
    ("a['\\u12']", "four hexadecimal digits of one character must follow \\u (at character 4)"),
    (
      "a['\\ud800']", "four hexadecimal digits of one character must follow \\u (at character 4)"
    ),
    ("a[0]b", "a dot or [ is missing (at character 5)"),
    ("a[-0]", "not an index (at character 3)"),
    ("a[9007199254740992]", "not an index (at character 3)"),
    (
      "a['\\udd1e\\ud834']",
      "four hexadecimal digits of one character must follow \\u (at character 4)"
    ),
    (
      "a['\\ud834\\u0041']",
      "four hexadecimal digits of one character must follow \\u (at character 4)"
    ),
    (
      "$[?match(@.a, 'x')]",
      "match and search are for mapping files and the command: they need RE2 (at character 15)"
    ),
  ]

  @Test(arguments: bad.indices) func `a bad path is refused with a reason and its place`(
    _ index: Int
  ) {
    let (text, reason) = Self.bad[index]
    let error = #expect(throws: PathSyntaxError.self) { try PathPattern(parsing: text) }
    #expect(error?.description == "path '\(text)': \(reason)")
  }

  @Test func `only a pattern for a single value becomes a path`() throws {
    #expect(try PathPattern.single(parsing: "a[1].b") == [.key("a"), .index(1), .key("b")])
    #expect(try PathPattern.single(parsing: "/a/1") == [.key("a"), .index(1)])
    for (text, step, character) in [
      ("a[*]", "[*]", 2), ("$.é.*", "[*]", 4), ("a..b", "..b", 2), ("*", "[*]", 1),
      ("a.b[1:]", "[1:]", 4),
    ] {
      let error = #expect(throws: PathSyntaxError.self) { try PathPattern.single(parsing: text) }
      #expect(
        error?.description
          == "path '\(text)': \(step) means several values here (at character \(character))")
    }
  }

  @Test func `a path starts with its prefixes and describes itself relatively`() {
    let path: JSONPath = [.key("a"), .index(1), .key("b")]
    #expect(path.starts(with: []) && path.starts(with: [.key("a")]) && path.starts(with: path))
    #expect(!path.starts(with: [.key("b")]) && !JSONPath([.key("a")]).starts(with: path))
    #expect(path.relativeDescription == "a[1].b")
    #expect(JSONPath([.key("a b"), .index(0)]).relativeDescription == "['a b'][0]")
    #expect(JSONPath().relativeDescription == "")
  }

  /// The tests of `@Mappable`, which reads literals, read the same table.
  @Test func `the path of a field has the mistake of the table`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../FieldPaths.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: "\t").map(String.init) }
    #expect(lines.count > 40)
    for line in lines.dropFirst() {
      var found: [String] = []
      if case .invalid(let mistake) = FieldSource.path(line[0]).source {
        found = ["\(mistake.offset + 1)", mistake.reason]
      }
      #expect(found == Array(line.dropFirst()), "\(line[0])")
    }
  }
}
