import Foundation
import Testing

/// `stream-map schema`.
@Suite struct SchemaCommandTests {
  let command: Command

  init() throws { command = try Command() }

  private static let mapping = """
    streammap: 1
    name: events
    record:
      id: { from: meta.id, type: int8, coerce: [string] }
      at: { from: at, type: date, nullable: true }
      state: { from: st, type: enum, values: { A: active, D: null } }
      tags: { from: tags, each: string, default: [] }
      prices: { from: prices, map: decimal }
      user: { from: user, object: { name: { from: n, type: string } } }
    output: { nulls: omit }

    """

  /// Without the white space.
  private func compact(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined()
      .replacing(": ", with: ":")
  }

  @Test func `the schema of the output has the types of all members`() throws {
    try command.write(Self.mapping, to: "m.yaml")
    let result = try command.run("schema", "-m", "m.yaml")
    #expect(result.errors == "")
    #expect(
      compact(result.output)
        == #"{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"events","type":"object","properties":{"#
        + #""id":{"type":"integer","minimum":-128,"maximum":127},"#
        + #""at":{"type":["string","null"],"format":"date-time"},"state":{"enum":["active",null]},"#
        + #""tags":{"type":"array","items":{"type":"string"}},"#
        + #""prices":{"type":"object","additionalProperties":{"type":"number"}},"#
        + #""user":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}},"#
        + #""required":["id","tags","prices","user"],"additionalProperties":false}"#)
  }

  @Test func `the schema of mapping files is the published one`() throws {
    let published = try String(
      contentsOf: ReadmeTests.root.appending(path: "Schemas/mapping-file.schema.json"),
      encoding: .utf8)
    let result = try command.run("schema", "--mapping-file")
    #expect(result.status == 0)
    #expect(result.output == published)
    #expect(try command.run("schema", "--mapping-file", "--input").status == 2)
    let none = try command.run("schema")
    #expect(none.status == 2)
    #expect(none.errors.hasPrefix("Error: Give a mapping file, or --mapping-file.\n"))
  }

  @Test func `the schema of the input says what has to be there`() throws {
    try command.write(Self.mapping, to: "m.yaml")
    let result = try command.run("schema", "-m", "m.yaml", "--input")
    #expect(result.errors == "")
    #expect(
      compact(result.output)
        == #"{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"what events is mapped from","type":"object","properties":{"#
        + #""meta":{"type":"object","properties":{"id":{"anyOf":[{"type":"integer"},{"type":"string"}]}},"required":["id"]},"#
        + #""at":{"type":["null","string"]},"st":{"type":"string"},"#
        + #""tags":{"type":["null","array"],"items":{"type":"string"}},"#
        + #""prices":{"type":"object","additionalProperties":{"type":"number"}},"#
        + #""user":{"type":"object","properties":{"n":{"type":"string"}},"required":["n"]}},"#
        + #""required":["meta","st","prices","user"]}"#)
  }

  @Test func `the columns have the types of Arrow`() throws {
    try command.write(Self.mapping, to: "m.yaml")
    let result = try command.run("schema", "-m", "m.yaml", "--arrow")
    #expect(result.errors == "")
    #expect(
      result.output == """
        id: int8 not null
        at: timestamp[us, tz=UTC]
        state: utf8
        tags: list not null
          item: utf8 not null
        prices: map not null
          key: utf8 not null
          value: decimal128(38, 10) not null
        user: struct not null
          name: utf8 not null

        """)
    let json = try command.run("schema", "-m", "m.yaml", "--arrow", "--json")
    #expect(
      compact(json.output).hasPrefix(
        #"{"fields":[{"name":"id","type":"int8","nullable":false},"#))
    #expect(try command.run("schema", "-m", "m.yaml", "--arrow", "--input").status == 2)
    #expect(try command.run("schema", "-m", "m.yaml", "--json").status == 2)
  }
}
