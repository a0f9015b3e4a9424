import Testing

@testable import StreamMap

/// Output records from events by hand, through the maker of records.
@Suite struct TextBuilderTests {
  private func make(
    _ mapping: OutputMapping, omitsNulls: Bool = false, where condition: Condition? = nil,
    _ values: JSONValue...
  ) throws -> [String] {
    let filtered = condition.map { mapping.filtered(by: $0) } ?? mapping
    let plan = try PlanCompiler.compile(filtered.definition)
    let assembly = RecordAssembly<String>.text(plan, omitsNulls: omitsNulls, file: "feed.json") {
      String(decoding: $0, as: UTF8.self)
    }
    let maker = assembly.maker(plan, Limits())
    let taker = assembly.taker(of: maker)
    return values.map { value in
      let record = taker.record(maker.take { value.emit(to: $0) })
      return record.isDropped ? "dropped" : record.value ?? record.error?.code.rawValue ?? ""
    }
  }

  private let mapping = OutputMapping.object([
    OutputField("b", from: "b", .nullable(.any)), OutputField("a\n", from: "a", .raw),
    OutputField("c", from: "list", .array(of: .nullable(.any))), OutputField("f", .file),
  ])

  @Test func `members stand in the order of the fields, whatever the order of the feed`() throws {
    let value: JSONValue = ["list": [1, nil], "a": ["x": ["y"]], "b": "é"]
    let other: JSONValue = ["b": "é", "a": ["x": ["y"]], "list": [1, nil]]
    let text = #"{"b":"é","a\n":{"x":["y"]},"c":[1,null],"f":"feed.json"}"#
    #expect(try make(mapping, value, other, value) == [text, text, text])
  }

  @Test func `members that are null are left out if asked, elements never`() throws {
    let value: JSONValue = ["a": 1, "b": nil, "list": [nil]]
    #expect(
      try make(mapping, omitsNulls: true, value) == [#"{"a\n":1,"c":[null],"f":"feed.json"}"#])
  }

  @Test func `of equal keys the last one stays, and nothing of the others`() throws {
    let member = { (key: String, value: JSONValue) in JSONValue.Member(key, value) }
    let value = JSONValue.object([
      member("k", ["long", "text"]), member("l", 1), member("k", [2]), member("k", 3),
    ])
    #expect(try make(.dictionary(of: .raw), value) == [#"{"k":3,"l":1}"#])
  }

  @Test func `a record that fails leaves nothing for the next one`() throws {
    let strict = OutputMapping.object([
      OutputField("a", from: "a", .array(of: .string)), OutputField("b", from: "b", .string),
    ])
    #expect(
      try make(strict, ["a": ["x", 1], "b": "y"], ["a": ["z"], "b": "w"])
        == ["wrongType", #"{"a":["z"],"b":"w"}"#])
  }

  @Test func `a condition decides by fields and by the source`() throws {
    let condition: Condition = .all(.field("keep", .equalTo("yes")), .nothing(at: "absent"))
    let mapping = OutputMapping.object([
      OutputField("n", from: "n", .any), OutputField("keep", from: "k", .nullable(.any)),
    ])
    #expect(
      try make(
        mapping, where: condition, ["n": 1, "k": "yes"], ["n": 2, "k": "no"], ["n": 3],
        ["k": "yes", "n": 4], ["k": "yes", "n": [], "absent": 1], ["k": "yes", "n": []])
        == [
          #"{"n":1,"keep":"yes"}"#, "dropped", "dropped", #"{"n":4,"keep":"yes"}"#, "dropped",
          "wrongType",
        ])
    // A record that is not an object can be looked at as a whole.
    #expect(
      try make(.any, where: .value(at: "$", .equalTo("yes")), "yes", "no", nil)
        == [#""yes""#, "dropped", "dropped"])
  }
}
