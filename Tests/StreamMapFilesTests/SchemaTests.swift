import Foundation
import StreamMap
import Testing

@testable import StreamMapFiles

/// The published JSON Schema says what the reader of mapping files takes.
@Suite struct SchemaTests {
  private let published: PublishedSchema

  init() throws {
    published = try PublishedSchema()
  }

  @Test func `the published schema is what the command writes`() {
    #expect(
      PublishedSchema.text == MappingSchema.text,
      "stale: stream-map schema --mapping-file > Schemas/mapping-file.schema.json")
  }

  // MARK: The reader

  /// A file with a map of a part's keys, which stand for the `@`.
  private static let places: [(part: String?, file: String)] = [
    (nil, "streammap: 1\n@"), (nil, "record: {}\n@"), ("input", "input: { @ }"),
    ("limits", "input: { limits: { @ } }"),
    ("errors", "errors: { @ }"), ("output", "output: { @ }"),
    ("arrays", "output: { arrays: { @ } }"),
    ("context", "input: { records: $.l }\ncontext: { c: { from: $.c, @ } }"),
    ("argument", "args: { a: { @ } }"), ("field", "record: { f: { from: x, @ } }"),
    ("element", "record: { f: { from: x, each: { @ } } }"),
    ("element", "record: { f: { first_of: [{ from: x, @ }] } }"),
    ("element", "value: { @ }"),
    ("case", "record: { f: { cases: [{ when: { from: x, exists: true }, from: x, @ }] } }"),
    ("case", "record: { f: { cases: [{ from: x, @ }] } }"),
    ("field", "record: { f: { cases: [{ when: { from: x, exists: true }, from: x }], @ } }"),
    ("field", "record: { f: { @ } }"), ("field", "record: { f: { from: x, type: date, @ } }"),
    ("field", "record: { f: { from: x, type: decimal, @ } }"),
    ("field", "record: { f: { join: [x], @ } }"),
    ("dispatch", "record: { f: { from: x, dispatch: { @ } } }"),
    ("dispatch", "record: { f: { from: x, dispatch: { on: a, cases: { b: string }, @ } } }"),
    ("lookup", "record: { f: { from: x, lookup: { @ } } }"),
    ("change", "record: { f: { from: x, text: { @ } } }"),
    ("change", "record: { f: { from: x, text: [{ split: a, @ }] } }"),
    ("change", "record: { f: { from: x, text: { hmac: sha256, @ } } }"),
    ("secret", "record: { f: { from: x, text: { hmac: sha256, key: { @ } } } }"),
    ("listChange", "record: { f: { from: x, list: { @ } } }"),
    ("rules", "record: { f: { from: x, validate: { @ } } }"),
    ("rules", "record: { f: { from: x, validate: { not: { @ } } } }"),
    ("combination", "where: { @ }"), ("comparison", "where: { from: x, @ }"),
    ("comparison", "where: { @, exists: true }"), ("oneMapping", "mappings: { m: { @ } }"),
  ]

  /// Values of all kinds, some of which most keys take.
  private static let values = [
    "null", "true", "-1", "1", "1.5", "x", "''", "'1'", "[]", "[1]", "[x, y]", "[x, 1]", "[[x]]",
    "[{ from: x }]", "{}", "{ a: 1 }", "{ a: string }", "{ from: x }", "{ min: x }",
  ]

  private static func text(_ file: String, _ entry: String) -> String {
    let text = file.replacing("@", with: entry) + "\n"
    if file.hasSuffix("\n@") { return text }
    let hasRecord = file.hasPrefix("record") || file.hasPrefix("value")
    return "streammap: 1\n" + text + (hasRecord ? "" : "record: { f: f }\n")
  }

  private static func mistakes(_ text: String) -> [MappingFile.Mistake] {
    do throws(MappingFile.Mistakes) {
      _ = try MappingFile.all(
        Array(text.utf8), named: "m.yaml", arguments: [:], isAlone: true, checking: { _ in [] },
        reading: { name, _ throws(UnreadableFile) in throw UnreadableFile("cannot open \(name)") })
      return []
    } catch {
      return error.mistakes
    }
  }

  @Test func `the reader knows a key where the schema has it, and nowhere else`() {
    let parts = Set(
      published.schema["$defs"]?.members.filter { $0.value["properties"] != nil }
        .map(\.key) ?? [])
    #expect(parts == Set(Self.places.compactMap(\.part)))
    let names = Set(Self.places.flatMap { published.keys(of: $0.part) })
    #expect(names.count > 100)
    for (part, file) in Self.places where !file.contains("@, exists") {
      var keys = published.keys(of: part)
      // One of these makes a comparison of it.
      if part == "combination" { keys += ["field", "from", "calc", "context", "meta"] }
      for name in names {
        let found = Self.mistakes(Self.text(file, "\(name): 1"))
        let isUnknown = found.contains {
          $0.message.hasPrefix("unknown key '\(name)'")
            || $0.message.hasPrefix("where needs a value to look at")
        }
        #expect(isUnknown != keys.contains(name), "\(name) in \(part ?? "the file")")
      }
    }
  }

  @Test(arguments: places.map(\.file))
  func `the schema and the reader agree on the kinds of values`(_ file: String) throws {
    let part = try #require(Self.places.first { $0.file == file }).part
    for name in published.keys(of: part) {
      for value in Self.values {
        let text = Self.text(file, "\(name): \(value)")
        let found = Self.mistakes(text)
        let refusals = published.expectRefusal(of: text, found)
        #expect(refusals.isEmpty || !found.isEmpty, "\(text): \(refusals)")
      }
    }
  }

  // MARK: Files

  @Test func `the example mapping files follow the schema`() throws {
    var count = 0
    for folder in ["Examples", "Tests/CommandLineTests/Mappings"] {
      let root = Project.root.appending(path: folder)
      let names = try #require(FileManager.default.enumerator(atPath: root.path))
      for case let name as String in names where name.contains(".map.") {
        // What is built of an example, too.
        if name.contains(".build/") { continue }
        let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
        #expect(published.mistakes(text, name) == [], "\(name)")
        count += 1
      }
    }
    #expect(count >= 80)
    let blocks = try Project.text("README.md").components(separatedBy: "```yaml\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(!blocks.isEmpty)
    for block in blocks { #expect(published.mistakes(block) == []) }
  }

  @Test(arguments: [
    "context: { s: $.s }\nwhere: { context: s, equals: 1 }",
    "where: { all: [{ meta: line, min: 1 }, { not: { from: a, equals: 1 } }] }",
    "where: { calc: a > 1 }", "where: { calc: a + 1, max: 3 }",
    "where: { any: [{ field: f, exists: true }, { meta: file, matches_anywhere: x }] }",
  ])
  func `the schema takes a condition on all that conditions look at`(_ text: String) {
    let text = "streammap: 1\ninput: { records: $.l }\nrecord: { f: { from: f, nullable: true } }\n\(text)\n"
    #expect(published.mistakes(text) == [])
    #expect(throws: Never.self) { try MappingFile(yaml: text) }
  }

  @Test(arguments: [
    "record: { a: { tpye: string } }", "record: { a: { type: strin } }", "record: { a: 5 }",
    "record: { a: { from: x, each: enum } }", "record: {}\nwhere: { field: a }",
    "record: {}\nwhere: { any: [], all: [] }", "record: {}\nerrors: { max_ratio: 2 }",
    "record: {}\ninput: { unknown: collect }",
    "record: { a: { from: x, validate: { range: [1] } } }",
    "record: {}\ninput: { limits: { depth: -1 } }", "name: x", "record: {}\nrest: all",
    "record: x", "value: strin", "record: { a: { meta: kye } }", "record: {}\ndrop: [[a]]",
    "record: { a: { from: x, text: upcase } }", "record: { a: { from: x, text: [] } }",
    "record: { a: { from: x, text: { replace: [a] } } }", "record: { a: { from: x, parse: xml } }",
    "record: { a: { from: x, list: frist } }", "record: { a: { from: x, list: { nth: 1.5 } } }",
    "record: { a: { from: x, list: { from: a, sort: b } } }", "record: { a: { template: 1 } }",
    "record: { a: { from: x, units: { m: x } } }",
    "record: { a: { from: x, text: { url: hots } } }",
    "record: { a: { from: x, entries: [a] } }", "record: { a: { from: x, split: '' } }",
    "record: { a: { from: x, count: false } }", "record: { a: { from: x, round: 1.5 } }",
    "record: { a: { from: x, type: decimal, scale: '2' } }",
    "record: { a: { from: x, lookup: { file: a.csv, key: k } } }",
    "mappings: { a: { tpye: string } }", "mappings: {}",
  ])
  func `the schema refuses what the reader refuses`(_ text: String) throws {
    let text = "streammap: 1\n\(text)\n"
    #expect(!published.mistakes(text).isEmpty)
    #expect(throws: MappingFile.Mistakes.self) { try MappingFile(yaml: text) }
  }

  @Test func `the schema validator finds mistakes`() {
    let validator = SchemaValidator([
      "type": "object", "required": ["a"], "additionalProperties": false,
      "properties": [
        "a": ["anyOf": [["type": "integer", "minimum": 1], ["const": "x"]]],
        "b": ["type": "array", "items": ["type": "string", "pattern": "^a"], "maxItems": 1],
      ],
    ])
    #expect(validator.mistakes(of: ["a": 1, "b": ["ab"]]) == [])
    #expect(validator.mistakes(of: ["a": "x"]) == [])
    #expect(validator.mistakes(of: ["a": 0]).count == 2)
    #expect(validator.mistakes(of: ["b": ["c", "a"], "d": nil]).count == 4)
    #expect(validator.mistakes(of: []) == ["$: no object"])
    let pair = SchemaValidator(["prefixItems": [["type": "integer"], ["maxLength": 1]]])
    #expect(pair.mistakes(of: [1, "a"]) == [])
    #expect(pair.mistakes(of: ["a", "ab"]).count == 2)
  }
}
