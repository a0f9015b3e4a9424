import StreamMap
import Testing

@testable import StreamMapFiles

/// Lookups by several columns, in them, and in tables of objects.
@Suite struct LookupColumnTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write("a,b,v,w\nx,yz,1,\"q\"\"\"\nxy,z,2,é\n", to: "t.csv")
    try folder.write(
      "{\"a\":\"x\",\"v\":1.50,\"w\":{\"k\":[null]}}\n\r\n{\"a\":7,\"v\":null}\n{\"a\":true,\"v\":\"2\",\"w\":3}",
      to: "t.ndjson")
  }

  /// What a field makes of records, or the code of the error; or the mistakes of the file.
  private func values(_ field: String, _ records: String...) throws -> [String] {
    let path = try folder.write("streammap: 1\nrecord: { f: \(field) }\n", to: "m.map.yaml")
    let file: MappingFile
    do throws(MappingFile.Mistakes) {
      file = try MappingFile(contentsOf: path)
    } catch {
      return error.mistakes.map(\.message)
    }
    let mapper = try file.mapper()
    return records.map { record in
      let result = mapper.decode(record.utf8)
      guard let value = result.value else { return result.error.map { "\($0.code)" } ?? "" }
      return String(value.description.dropFirst(5).dropLast())
    }
  }

  @Test func `each text of a key is compared with its own column`() throws {
    let lookup = "lookup: { file: t.csv, key: [a, b], value: v }"
    #expect(
      try values(
        "{ join: [p, q], \(lookup), type: int8 }", #"{"p":"x","q":"yz"}"#, #"{"p":"xy","q":"z"}"#,
        #"{"p":"x","q":"y"}"#, #"{"p":"x\u001fyz","q":""}"#, #"{"p":"x"}"#)
        == ["1", "2", "invalidValue", "invalidValue", "missing"])
    #expect(
      try values(
        "{ join: [p, q], text: lower, \(lookup), otherwise: 0 }", #"{"p":"X","q":"YZ"}"#,
        #"{"p":"","q":""}"#)
        == ["\"1\"", "0"])
  }

  @Test func `several columns are an object of texts or, in a table of objects, of values`() throws
  {
    #expect(
      try values(
        "{ from: p, lookup: { file: t.csv, key: a, value: [w, v] } }", #"{"p":"x"}"#, #"{"p":"?"}"#)
        == [#"{"w":"q\"","v":"1"}"#, "invalidValue"])
    #expect(
      try values(
        "{ from: p, coerce: [number, bool], lookup: { file: t.ndjson, key: a, value: [w, v] } }",
        #"{"p":"x"}"#, #"{"p":7}"#, #"{"p":true}"#)
        == [#"{"w":{"k":[null]},"v":1.50}"#, #"{"w":null,"v":null}"#, #"{"w":3,"v":"2"}"#])
    #expect(
      try values(
        "{ from: p, lookup: { file: t.csv, key: a, value: [v] }, object: { n: { from: v, type: int8 } }, optionally: null }",
        #"{"p":"x"}"#, #"{"p":"?"}"#, "{}") == [#"{"n":1}"#, "null", "null"])
    #expect(
      try values(
        "{ join: [p, q], lookup: { file: t.csv, key: [a, b], value: [v, w] }, map: string }",
        #"{"p":"xy","q":"z"}"#) == [#"{"v":"2","w":"é"}"#])
  }

  @Test(arguments: [
    (
      "from: p, lookup: { file: t.csv, key: [a, b], value: v }",
      "lookup by 2 columns needs as many texts: join: [ … ] with 2 paths"
    ),
    (
      "join: [p, q], with: '-', lookup: { file: t.csv, key: [a, b], value: v }",
      "with is for a text: a lookup by several columns takes each by itself"
    ),
    ("from: p, lookup: { file: t.csv, key: a, value: [] }", "lookup: value names no columns"),
    (
      "from: p, lookup: { file: t.csv, key: a, value: [v, v] }",
      "lookup: value names the column 'v' twice"
    ),
    (
      "from: p, lookup: { file: t.csv, key: a, value: [v] }, each: string",
      "lookup goes with 'object', 'map', 'use', not with 'each'"
    ),
    (
      "from: p, lookup: { file: t.ndjson, key: a, value: v }",
      "lookup: t.ndjson, line 3: 'v' is null, and what stands for a key is a text, a number, true or false; without the line, otherwise: null stands for it, and with value: [v] an object that has null"
    ),
    (
      "from: p, lookup: { file: t.ndjson, key: w, value: v }",
      "lookup: t.ndjson, line 1: 'w' is not a scalar"
    ),
    (
      "from: p, lookup: { file: bad.ndjson, key: a, value: v }",
      "lookup: bad.ndjson, line 2: it is not an object"
    ),
    (
      "join: [p, q], lookup: { file: unit.csv, key: [a, b], value: a }",
      "lookup: unit.csv, line 2: a key has the character U+001F"
    ),
  ])
  func `a table that cannot be used is a mistake`(_ keys: String, _ message: String) throws {
    try folder.write("{\"a\":1,\"v\":2}\n[1]\n", to: "bad.ndjson")
    try folder.write("a,b\nx\u{1F},y\n", to: "unit.csv")
    #expect(try values("{ \(keys) }") == [message])
  }
}
