import Foundation
import StreamMap
import Testing

@testable import StreamMapFiles

/// Rejects as JSON: the form that `Schemas/reject.schema.json` describes.
@Suite struct RejectFormTests {
  private let schema: JSONValue

  init() throws {
    let text = try Data(contentsOf: Project.root.appending(path: "Schemas/reject.schema.json"))
    schema = try Mapper(JSONValue.self).decode(text).get()
  }

  /// A mapping, its feed, and what the rejects say: the number of the record, then each error.
  struct Case: Sendable {
    let mapping: String
    let feed: String
    let rejects: [[String]]
    var errorsPerRecord = 100
    var reportsKeys = false
  }

  static let cases = [
    Case(
      mapping: "record: { id: { from: id, type: int64 } }", feed: #"{"id":"x"}"#,
      rejects: [["1", "wrongType $.id id 6..<9"]]),
    Case(
      mapping: "record: { id: { from: user.id, type: int8 }, name: { from: name, type: string } }",
      feed: #"{"user":{"id":300}} {"user":{"id":3},"name":"a"} {}"#,
      rejects: [
        ["1", "numberOutOfRange $.user.id id 14..<17", "missing $.name name 0..<19"],
        ["3", "missing $.user.id id 49..<51", "missing $.name name 49..<51"],
      ]),
    Case(
      mapping:
        "input: { records: '$.list[*]' }\nrecord: { a: { from: \"['é \\\"k\\\"']\", type: bool }, b: { from: b, type: bool } }",
      feed: #"{"list":[{"é \"k\"":1,"b":2},{"é \"k\"":true,"b":true},7]}"#,
      rejects: [
        ["1", "wrongType $.list[0]['é \"k\"'] a 21..<22", "wrongType $.list[0].b b 27..<28"],
        ["3", "wrongType $.list[2] $ 57..<58"],
      ], reportsKeys: true),
    Case(
      mapping: "input: { records: '$.by.*' }\nrecord: { a: { from: a, type: bool } }",
      feed: #"{"by":{"x.y":{"a":0}}}"#, rejects: [["1", "wrongType $.by['x.y'].a a 18..<19"]],
      reportsKeys: true),
    Case(
      mapping: "value: { from: x, type: int64 }", feed: #"{"x":[]} {"x" 5}"#,
      rejects: [["1", "wrongType $.x $ 5..<7"], ["2", "syntax $.x nil 14..<15"]]),
    Case(
      mapping: "record: { a: { from: a, type: int64, validate: { max: 9 } } }",
      feed: #"{"a":10}"#, rejects: [["1", "validationFailed $.a a 5..<7"]]),
    Case(
      mapping: "record: { a: { from: a, each: { type: int64 } } }", feed: #"{"a":[[],[],[],[]]}"#,
      rejects: [["1", "wrongType $.a[0] a[0] 6..<8", "wrongType $.a[1] a[1] 9..<11", "and 2"]],
      errorsPerRecord: 2),
    Case(
      mapping: "record: { a: { first_of: [x, y], type: int64 } }",
      feed: #"{"x":"x","y":true}"#,
      rejects: [["1", "noAlternative $ a 0..<18 (wrongType $.y a 13..<17, wrongType $.x a 5..<8)"]]),
    Case(
      mapping: "record: { a: { from: a, type: int64 } }", feed: #"{"a":1} {"a":"#,
      rejects: [["2", "truncated $.a nil 13..<13"]]),
  ]

  private static func text(_ error: MappingError) -> String {
    let target = error.target.map { $0.components.isEmpty ? "$" : $0.relativeDescription }
    let bytes = error.position.map { "\($0.bytes)" } ?? "nil"
    let inner = error.underlying.compactMap { $0 as? MappingError }.map(text)
    return "\(error.code.rawValue) \(error.path) \(target ?? "nil") \(bytes)"
      + (inner.isEmpty ? "" : " (\(inner.joined(separator: ", ")))")
  }

  private static func rejects(_ given: Case) throws -> [Reject] {
    var file = try MappingFile(yaml: "streammap: 1\n\(given.mapping)\n")
    file.limits.errorsPerRecord = given.errorsPerRecord
    var mapper = try file.mapper()
    mapper.reportsKeys = given.reportsKeys
    return try mapper.records(in: Feed(Array(given.feed.utf8))).compactMap { Reject($0) }
  }

  @Test(arguments: cases.indices)
  func `a reject lists each error with its place, follows the schema and comes back as it was`(
    _ index: Int
  ) throws {
    let given = Self.cases[index]
    let rejects = try Self.rejects(given)
    let told = rejects.map { reject in
      ["\(reject.record)"] + reject.error.leaves.map(Self.text)
        + (reject.error.omittedCount > 0 ? ["and \(reject.error.omittedCount)"] : [])
    }
    #expect(told == given.rejects)
    for reject in rejects {
      let json = reject.json(file: "x.ndjson", raw: "{")
      #expect(SchemaValidator(schema).mistakes(of: json) == [])
      let errors = json["errors"]?.elements ?? []
      #expect(errors.count == reject.error.leaves.count)
      #expect(errors.allSatisfy { $0["code"] != "severalErrors" && $0["path"] != nil })
      #expect(json["omitted"] == (reject.error.omittedCount > 0 ? json["omitted"] : nil))
      // A line of it, with the name and the text, and what a coder wrote, are the same reject.
      let line = Data(json.description.utf8)
      #expect(try JSONDecoder().decode(Reject.self, from: line) == reject)
      let coded = try JSONEncoder().encode(reject)
      #expect(try JSONDecoder().decode(Reject.self, from: coded) == reject)
      let read = try Mapper(JSONValue.self).decode(coded).get()
      #expect(SchemaValidator(schema).mistakes(of: read) == [])
      let names = read.members.map(\.key)
      #expect(Set(names).union(["file", "raw"]) == Set(json.members.map(\.key)))
    }
  }

  @Test func `the schema has the keys and the codes that are written`() {
    func keys(_ schema: JSONValue?) -> Set<String> {
      Set(schema?["properties"]?.members.map(\.key) ?? [])
    }
    let error = schema["$defs"]?["mappingError"]
    var written: (reject: Set<String>, error: Set<String>) = ([], [])
    func note(_ errors: JSONValue?) {
      for error in errors?.elements ?? [] {
        written.error.formUnion(error.members.map(\.key))
        note(error["errors"])
      }
    }
    for given in Self.cases {
      for reject in (try? Self.rejects(given)) ?? [] {
        let json = reject.json(file: "x", raw: "")
        written.reject.formUnion(json.members.map(\.key))
        note(json["errors"])
      }
    }
    #expect(written.reject == keys(schema))
    // The others come from values of a program's own types: see `what a program's own types add`.
    #expect(keys(error).subtracting(written.error) == ["record", "severity", "omitted"])
    let codes = error?["properties"]?["code"]?["enum"]?.elements.compactMap(\.text)
    #expect(codes == ErrorCode.allCases.map(\.rawValue))
  }

  @Test func `an error alone is written like one of a reject`() throws {
    let reject = try #require(try Self.rejects(Self.cases[1]).first)
    let error = reject.error.leaves[0]
    let json = error.json
    #expect(json["record"] == 1 && json["code"] == "numberOutOfRange")
    #expect(json["target"] == "id" && json["errors"] == nil)
    // If an error stands for several, its code says so.
    #expect(reject.error.json["code"] == "severalErrors")
    for error in [error, reject.error] {
      let list = JSONValue.object([.init("errors", .array([error.json]))])
      #expect(SchemaValidator(schema).mistakes(of: list) == [])
      let coded = try JSONEncoder().encode(error)
      #expect(try JSONDecoder().decode(MappingError.self, from: coded) == error)
    }
  }

  @Test(arguments: [
    #"[]"#, #"7"#, #"{"errors":{}}"#, #"{"errors":[{"path":"$","message":"x","code":"none"}]}"#,
    #"{"errors":[{"path":7,"message":"x","code":"null"}]}"#, #"{"errors":[{}]}"#,
    #"{"errors":[{"path":"$..","message":"x","code":"null"}]}"#,
    #"{"errors":[{"path":"$.a[*]","message":"x","code":"null"}]}"#,
    #"{"record":-1,"errors":[]}"#, #"{"record":1.5,"errors":[]}"#, #"{"offset":7,"end":3}"#,
    #"{"offset":99999999999999999999,"end":3}"#, #"{"key":7}"#,
    #"{"errors":[{"path":"$","message":"x","code":"null","severity":"worst"}]}"#,
    #"{"errors":[{"message":{}}]}"#,
  ])
  func `what is not in the form is an error of the decoder, never a trap`(_ text: String) {
    if text != "[]", text != "7" {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Reject.self, from: Data(text.utf8))
      }
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(MappingError.self, from: Data(text.utf8))
    }
  }
}
