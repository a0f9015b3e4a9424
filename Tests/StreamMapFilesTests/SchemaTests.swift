import Foundation
import StreamMap
import Testing

@testable import StreamMapFiles

/// The published JSON Schema says what the reader of mapping files takes.
@Suite struct SchemaTests {
  private let schema: JSONValue

  init() throws {
    let text = try Data(
      contentsOf: Project.root.appending(path: "Schemas/mapping-file.schema.json"))
    schema = try Mapper(JSONValue.self).decode(text).get()
  }

  private func keys(_ schema: JSONValue?) -> [String] {
    schema?["properties"]?.members.map(\.key).sorted() ?? []
  }

  private func choices(_ schema: JSONValue?) -> [String] {
    schema?["enum"]?.elements.compactMap(\.text) ?? []
  }

  @Test func `the schema has the reader's keys`() {
    let definitions = schema["$defs"]
    #expect(keys(schema) == MappingKeys.file.sorted())
    #expect(keys(definitions?["input"]) == MappingKeys.input.sorted())
    #expect(
      keys(definitions?["input"]?["properties"]?["limits"]) == MappingKeys.limits.sorted())
    #expect(keys(definitions?["errors"]) == MappingKeys.errors.sorted())
    #expect(keys(definitions?["output"]) == MappingKeys.output.sorted())
    #expect(keys(definitions?["context"]) == MappingKeys.context.sorted())
    #expect(keys(definitions?["field"]) == MappingKeys.field.sorted())
    #expect(keys(definitions?["element"]) == MappingKeys.element.sorted())
    #expect(keys(definitions?["case"]) == MappingKeys.case.sorted())
    #expect(keys(definitions?["argument"]) == MappingKeys.argument.sorted())
    #expect(keys(definitions?["dispatch"]) == MappingKeys.dispatch.sorted())
    #expect(
      keys(definitions?["element"]?["properties"]?["lookup"]) == MappingKeys.lookup.sorted())
    #expect(keys(definitions?["rules"]) == MappingKeys.validate.sorted())
    #expect(
      Set(keys(definitions?["combination"]) + MappingKeys.subjects) == Set(MappingKeys.condition))
    #expect(keys(definitions?["comparison"]) == MappingKeys.comparison.sorted())
  }

  @Test func `the schema has the reader's names of types and formats`() {
    let input = schema["$defs"]?["input"]?["properties"]
    let element = schema["$defs"]?["element"]?["properties"]
    let field = schema["$defs"]?["field"]?["properties"]
    let errors = schema["$defs"]?["errors"]?["properties"]
    let output = schema["$defs"]?["output"]?["properties"]
    #expect(
      choices(element?["type"])
        == TypeName.allCases.map(\.rawValue) + TypeName.aliases.map(\.name))
    #expect(choices(field?["meta"]) == RecordFact.allCases.map(\.rawValue))
    #expect(
      choices(schema["$defs"]?["coercion"]) == ScalarSpec.Coercion.allCases.map(\.rawValue))
    #expect(choices(input?["format"]) == InputFormat.allCases.map(\.rawValue))
    #expect(choices(errors?["mode"]) == MappingFile.Errors.Mode.allCases.map(\.rawValue))
    #expect(choices(output?["format"]) == MappingFile.Output.Format.allCases.map(\.rawValue))
    #expect(choices(output?["mode"]) == MappingFile.Output.WriteMode.allCases.map(\.rawValue))
    for (name, _) in DateFormat.named {
      #expect(element?["format"]?["description"]?.text?.contains(name) == true)
    }
  }

  // MARK: Files

  /// A file's mistakes by the schema.
  private func mistakes(_ text: String, _ name: String = "m.yaml") -> [String] {
    let found = FileMistakes(file: name)
    guard let root = MappingFileLoader.root(Array(text.utf8), found), let json = root.json(found)
    else { return [found.found.description] }
    return SchemaValidator(schema).mistakes(of: json)
  }

  @Test func `the example mapping files follow the schema`() throws {
    var count = 0
    for folder in ["Examples", "Tests/CommandLineTests/Mappings"] {
      let root = Project.root.appending(path: folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: root.path)
      where name.contains(".map.") {
        let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
        #expect(mistakes(text, name) == [], "\(name)")
        count += 1
      }
    }
    #expect(count >= 4)
    let readme = try String(
      contentsOf: Project.root.appending(path: "README.md"), encoding: .utf8)
    let blocks = readme.components(separatedBy: "```yaml\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(!blocks.isEmpty)
    for block in blocks { #expect(mistakes(block) == []) }
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
    "record: { a: { from: x, entries: [a] } }", "record: { a: { from: x, split: '' } }",
    "record: { a: { from: x, count: false } }", "record: { a: { from: x, round: 1.5 } }",
    "record: { a: { from: x, type: decimal, scale: '2' } }",
    "record: { a: { from: x, lookup: { file: a.csv, key: k } } }",
  ])
  func `the schema refuses what the reader refuses`(_ text: String) throws {
    let text = "streammap: 1\n\(text)\n"
    #expect(!mistakes(text).isEmpty)
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
  }
}
