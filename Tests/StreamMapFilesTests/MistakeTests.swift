import Foundation
import StreamMap
import Testing

@testable import StreamMapFiles

/// The mistakes of mapping files, as data.
@Suite struct MistakeTests {
  private func mistakes(_ text: String) throws -> [MappingFile.Mistake] {
    let text = "streammap: 1\n" + text
    let error = #expect(throws: MappingFile.Mistakes.self) {
      try MappingFile(yaml: text, named: "m.yaml")
    }
    let found = try #require(error).mistakes
    try PublishedSchema().expectRefusal(of: text, found)
    return found
  }

  @Test func `what hides nothing may stand beside a fact`() throws {
    for field in ["{ meta: line, redact: false }", "{ context: c, redact: false }"] {
      #expect(throws: Never.self) {
        try MappingFile(
          yaml:
            "streammap: 1\ninput: { records: $.l.* }\ncontext: { c: $.c }\nrecord: { a: \(field) }"
        )
      }
    }
  }

  @Test
  func `a mistake has its place, its keys and a suggestion`() throws {
    let found = try mistakes(
      """
      inptu: {}
      record:
        id: { from: id, tpye: int8 }
        b: { from: b, type: strin }
        c: { from: c, dispatch: { cases: { string: { from: "d[" }, nul: string } } }
        d: { from: d, type: date, format: [rfc3339, rfc882] }
        e: { first_of: [a, { from: x, type: url, schemes: 5 }] }
        e: { from: e }
      where: { all: [ { field: idd, min: 1 } ] }
      """)
    #expect(
      found.map { "\($0.line):\($0.column) \($0.keys.joined(separator: "/"))" } == [
        "2:1 inptu", "4:19 record/id/tpye", "5:23 record/b/type",
        "6:54 record/c/dispatch/cases/string/from", "6:62 record/c/dispatch/cases/nul",
        "7:47 record/d/format/1", "8:53 record/e/first_of/1/schemes", "9:3 record/e",
        "10:26 where/all/0/field",
      ])
    #expect(
      found.map(\.suggestion) == [
        "input", "type", "string", nil, "null", "rfc822", nil, nil, nil,
      ])
    #expect(found.allSatisfy { $0.file == "m.yaml" })
    #expect(found[1].message == "unknown key 'tpye' in field 'id'")
    #expect(
      found[1].description
        == "m.yaml:4:19: error: unknown key 'tpye' in field 'id'; did you mean 'type'?")
  }

  @Test(arguments: [("[", "]"), ("{a: ", "}"), ("- ", "")])
  func `a file is at most 1000 levels deep`(start: String, end: String) throws {
    func text(_ levels: Int) -> String {
      String(repeating: start, count: levels) + "x" + String(repeating: end, count: levels)
    }
    // The file itself is the first level.
    #expect(try !mistakes("record:\n  " + text(999)).contains { $0.message.contains("levels") })
    for levels in [1000, 100_000] {
      let found = try mistakes("record:\n  " + text(levels))
      #expect(found.map(\.message) == ["lists and maps are more than 1000 levels deep"])
      #expect(found.first.map { [$0.line, $0.column] } == [3, 3 + 999 * start.utf8.count])
    }
  }

  @Test(arguments: [
    ("record: {}\ndrop: a", 3, "drop is only for 'rest: keep': it removes something that is kept"),
    (
      "record: {}\nrest: drop\ndrop: a", 4,
      "drop is only for 'rest: keep': it removes something that is kept"
    ),
    (
      "record: { a: b.c }\nrest: keep\ndrop: [x, b]", 4,
      "drop: a field names 'b', so it is not among the members that are kept"
    ),
    (
      "record: {}\nrest: keep\ndrop: ['[0]']", 4,
      "drop: '[0]' has to begin with the key of a member"
    ),
    (
      "record: {}\nrest: keep\ndrop: a..b", 4,
      "drop: 'a..b': .. is for input.records; write the whole path"
    ),
    ("record: { a: { from: a, each: string, rest: keep } }", 2, "rest is only for 'object'"),
    ("record: {}\nvalue: string", 3, "the file has 'record' and 'value'; keep one of them"),
    ("record: $\nrest: keep", 3, "rest stands beside the fields of a record"),
    ("record: id", 2, "record has to be a map of fields; found 'id'"),
    (
      "record: $\ninput: { unknown: collect:x }", 3,
      "unknown: collect:x is for a record that is a map of fields"
    ),
    (
      "record: {}\nrest: keep\ninput: { unknown: collect:x }", 3,
      "rest: keep and unknown: collect:x say two things of the same members; keep one of them"
    ),
    ("record: { a: { meta: key, from: b } }", 2, "a field with meta: key cannot have 'from'"),
    ("record: { a: { meta: line, const: 1 } }", 2, "a field with meta: line cannot have 'const'"),
    (
      "record: { a: { meta: index, each: string } }", 2,
      "a field with meta: index cannot have 'each'"
    ),
    (
      "context: { o: { from: '$..o' } }\nrecord: {}\ninput: { records: $.l }", 2,
      "context: a context value has one place in what is around the records: write the whole path"
    ),
    (
      "context: { o: { from: '$.o.*' } }\nrecord: {}\ninput: { records: $.l }", 2,
      "context: $.o[*] means several values; a context value is one for each container, as in $.o[*].id"
    ),
    (
      "context: { o: { from: '$.o[*].id' } }\nrecord: {}\ninput: { records: [$.l.*.o, $.o] }", 2,
      "context: the records, at $.l[*].o or $.o, are not in $.o[*], which the context value belongs to"
    ),
    (
      "record: { a: { from: a.*, type: string } }", 2,
      "path 'a.*': it may select several values, and they are a list; write each for what becomes of each, list for one value of them, or type: json"
    ),
  ])
  func `what cannot be said of records is a mistake`(_ text: String, _ line: Int, _ message: String)
    throws
  {
    let found = try mistakes(text)
    #expect(found.map(\.message) == [message])
    #expect(found.map(\.line) == [line])
  }

  @Test
  func `a missing key is reported at the map that lacks it`() throws {
    let found = try mistakes("record:\n  a:\n    type: int8\n")
    #expect(found.map(\.keys) == [["record", "a"]])
    let whole = #expect(throws: MappingFile.Mistakes.self) { try MappingFile(yaml: "name: x\n") }
    #expect(whole?.mistakes.map(\.keys) == [[], []])
    #expect(whole?.mistakes.map(\.line) == [1, 1])
  }

  @Test
  func `mistakes in JSON are located like those in YAML`() throws {
    let error = #expect(throws: MappingFile.Mistakes.self) {
      try MappingFile(
        json: #"{"streammap":1,"record":{"a":{"from":"a","validate":{"mni":1}}}}"#)
    }
    let mistake = try #require(error?.mistakes.first)
    #expect(error?.mistakes.count == 1)
    #expect((mistake.line, mistake.column) == (1, 54))
    #expect(mistake.keys == ["record", "a", "validate", "mni"])
    #expect(mistake.suggestion == "min")
    let broken = #expect(throws: MappingFile.Mistakes.self) { try MappingFile(json: "{\n 5}") }
    #expect(broken?.mistakes.map(\.line) == [2])
    #expect(broken?.mistakes.map(\.keys) == [[]])
  }

  @Test
  func `mistakes can be encoded and decoded again`() throws {
    let error = MappingFile.Mistakes("m.yaml", try mistakes("record: { a: { tpye: url } }\n"))
    let data = try JSONEncoder().encode(error)
    #expect(try JSONDecoder().decode(MappingFile.Mistakes.self, from: data) == error)
    #expect(
      error.description
        == error.mistakes.map(\.description).joined(separator: "\n"))
    #expect(error.mistakes.count == 1)
  }

  @Test
  func `a used file's mistakes are located in that file`() throws {
    let folder = try Folder()
    let part = try folder.write("streammap: 1\nrecord: { c: { tpye: url } }\n", to: "b/part.yaml")
    let path = try folder.write(
      "streammap: 1\nuse: { p: b/part.yaml, q: none.yaml }\nrecord: { a: { from: a, use: p } }\n",
      to: "m.yaml")
    let error = #expect(throws: MappingFile.Mistakes.self) { try MappingFile(contentsOf: path) }
    #expect(error?.file == path)
    #expect(error?.mistakes.map(\.file) == [path, part])
    #expect(error?.mistakes.map(\.keys) == [["use", "q"], ["record", "c", "tpye"]])
    #expect(error?.mistakes.map(\.line) == [2, 2])
  }

  // MARK: What the compiler finds

  @Test(arguments: [
    ("input: { records: [ $.b, ^$.a, $.a.b ] }\nrecord: { x: x }", "input/records/1"),
    ("input: { records: $ }\ncontext: { ^d: { from: $.a } }\nrecord: { x: x }", "context/d"),
    (
      "input: { records: $.a }\ncontext: { c: { from: $.c }, ^d: { from: $.a } }\nrecord: { x: x }",
      "context/d"
    ),
    (
      "input: { records: \"$.a.b[*]\" }\ncontext: { ^d: { from: $.a } }\nrecord: { x: x }",
      "context/d"
    ),
    ("input: { unknown: \"collect:x\" }\nrecord: ^{ x: x }", "record"),
  ])
  func `a mistake found by the compiler has its place in the file`(_ text: String, _ keys: String)
    throws
  {
    let lines = text.split(separator: "\n")
    let line = try #require(lines.firstIndex { $0.contains("^") })
    let column = try #require(lines[line].firstIndex(of: "^"))
    let found = try mistakes(text.replacing("^", with: ""))
    #expect(found.map(\.line) == [line + 2])
    #expect(
      found.map(\.column) == [lines[line].distance(from: lines[line].startIndex, to: column) + 1])
    #expect(found.map { $0.keys.joined(separator: "/") } == [keys])
  }

  @Test func `ten thousand mistakes of the compiler are found by one look at each key`() throws {
    let count = 10_000
    let fields = (0..<count).map { "\"f\($0)\":{\"from\":\"a\",\"each\":\"int8\"}" }
    let cases = (0..<count).map { "\"c\($0)\":{\"object\":{\"x\":\"x\"}}" }
    let mistakes = FileMistakes(file: "m.json")
    let root = try #require(
      MappingFileLoader.root(
        Array(
          """
          {"streammap":1,"record":{\(fields.joined(separator: ",")),
          "d":{"from":"d","dispatch":{"on":"t","cases":{\(cases.joined(separator: ","))}}}}}
          """.utf8), mistakes))
    #expect(mistakes.isEmpty)
    let record = DefinitionError.Mistake.Step.object("record")
    let finder = PartFinder(root)
    for number in 0..<count {
      let field = finder.mark(of: [record, .field(number + 1, "f\(number)"), .elements])
      #expect(field.keys == ["record", "f\(number)", "each"])
      let value = finder.mark(of: [record, .field(count + 1, "d"), .dispatchCase("c\(number)")])
      #expect(value.keys == ["record", "d", "dispatch", "cases", "c\(number)"])
    }
    // Two keys in each field; the file's own, those of `d` and of its choice.
    #expect(finder.keysRead == 2 + (count + 1) + 2 * count + 2 + 2 + count)
  }

  @Test
  func `each path of the compiled mapping leads to its file part`() throws {
    let mistakes = FileMistakes(file: "m.yaml")
    let root = try #require(
      MappingFileLoader.root(
        Array(
          """
          context: { c: { from: c } }
          record:
            object: { from: a, object: { b: { from: b, each: { object: { d: { from: d, map: string } } } } } }
            f: { first_of: [x, { from: y, object: { z: z } }] }
            g: { from: g, dispatch: { on: t, cases: { u: { object: { v: v } } }, otherwise: { type: string } } }
          """.utf8), mistakes))
    #expect(mistakes.isEmpty)
    let finder = PartFinder(root)
    func keys(_ path: DefinitionError.Mistake.Step...) -> String {
      finder.mark(of: path).keys.joined(separator: "/")
    }
    let record = DefinitionError.Mistake.Step.object("record")
    #expect(keys() == "record")
    #expect(keys(.recordPath(1)) == "")
    #expect(keys(.contextValue(1)) == "context/c")
    #expect(keys(.contextValue(2)) == "context")
    #expect(keys(record, .field(1, "object")) == "record/object")
    #expect(keys(record, .field(1, "none")) == "record")
    let inner = "record/object/object/b"
    #expect(keys(record, .field(1, "object"), record, .field(1, "b")) == inner)
    #expect(
      keys(
        record, .field(1, "object"), record, .field(1, "b"), .elements, record, .field(1, "d"),
        .members) == inner + "/each/object/d/map")
    let second = "record/f/first_of/1"
    #expect(keys(record, .field(2, "f"), .alternative(2)) == second)
    #expect(
      keys(
        record, .field(2, "f"), .alternative(2), .object("value"), .field(1, "value"), record,
        .field(1, "z")) == second + "/object/z")
    #expect(
      keys(record, .field(3, "g"), .dispatchCase("u"), record, .field(1, "v"))
        == "record/g/dispatch/cases/u/object/v")
    #expect(keys(record, .field(3, "g"), .otherCases) == "record/g/dispatch/otherwise")
  }
}
