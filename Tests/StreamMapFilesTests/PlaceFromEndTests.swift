import StreamMap
import Testing

@testable import StreamMapFiles

/// Paths of fields that count from the end of an array.
@Suite struct PlaceFromEndTests {
  private static let records = [
    "{}", #"{"c":null}"#, #"{"c":[]}"#, #"{"c":[null]}"#, #"{"c":[{"x":1}]}"#,
    #"{"c":[{"s":null}]}"#,
    #"{"c":[{"s":1},{"s":2,"l":[5,6]}]}"#, #"{"c":{"s":1}}"#, #"{"c":[{"s":"x"}]}"#,
  ]

  /// What a field makes of each record, or the code and the path of its error.
  private func values(_ field: String, of records: [String] = records) throws -> [String] {
    let mapper = try MappingFile(yaml: "streammap: 1\nrecord: { f: \(field) }\n").mapper()
    return records.map { record in
      let result = mapper.decode(record.utf8)
      guard let value = result.value else {
        return result.error.map { "\($0.code) \($0.path)" } ?? ""
      }
      return String(value.description.dropFirst(5).dropLast())
    }
  }

  @Test func `a policy holds for whatever is missing on the way`() throws {
    let nothing = ["null", "null", "null", "null", "null", "null", "2"]
    #expect(try values("\"c[-1].s\"") == nothing + ["wrongType $.c", "\"x\""])
    #expect(
      try values(#"{ from: "c[-1].s", type: int8, nullable: true }"#)
        == nothing + ["wrongType $.c", "wrongType $.c.s"])
    #expect(
      try values(#"{ from: "c[-1].s", type: int8, default: 9 }"#)
        == ["9", "9", "9", "9", "9", "9", "2", "wrongType $.c", "wrongType $.c.s"])
    #expect(
      try values(#"{ from: "c[-1].s", type: int8, optionally: 9 }"#)
        == ["9", "9", "9", "9", "9", "9", "2", "9", "9"])
    #expect(
      try values(#"{ from: "c[-1].s", type: int8 }"#) == [
        "missing $.c", "null $.c", "null $.c", "null $.c", "missing $.c.s", "null $.c.s", "2",
        "wrongType $.c", "wrongType $.c.s",
      ])
  }

  @Test func `null is replaced before it is an object of what stands in`() throws {
    let object = "object: { q: { first_of: [x], default: 0 } }"
    let records = [#"{"c":[]}"#, #"{"c":[{"x":1}]}"#]
    #expect(
      try values("{ from: \"c[-1]\", \(object), nullable: true }", of: records) == [
        "null", #"{"q":1}"#,
      ])
    #expect(
      try values("{ from: c, list: last, \(object), default: { q: 7 } }", of: records) == [
        #"{"q":7}"#, #"{"q":1}"#,
      ])
  }

  @Test(arguments: [
    (#""a[-2][-1]""#, "2"), (#""$[-1]""#, "wrongType $"),
    (#"{ first_of: ["a[-9]", "a[-1][0]"] }"#, "3"),
    (#"{ from: "b[-1].k", text: upper }"#, #""V""#), (#"{ from: "a[-1]", each: int8 }"#, "[3]"),
    (#"{ from: "a[-1]", count: true }"#, "1"),
    (#"{ from: "a", each: { from: "$[-1]", type: any } }"#, "[2,3]"),
    (#"{ from: "/b/-1", type: string }"#, "wrongType $.b"),
    (#"{ from: "b[-1]", object: { k: k }, rest: keep }"#, #"{"k":"v","z":[]}"#),
    (#"{ from: "b[-1].k", type: string, validate: { length: 2 } }"#, "validationFailed $.b.k"),
  ])
  func `an index from the end is anywhere in the path of a field`(
    _ field: String, _ expected: String
  )
    throws
  {
    let record = #"{"a":[[1,2],[3]],"b":[{"k":"u"},{"k":"v","z":[]}]}"#
    #expect(try values(field, of: [record]) == [expected])
  }
}
