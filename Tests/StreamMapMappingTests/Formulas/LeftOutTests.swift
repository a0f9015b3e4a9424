import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What a condition leaves out is no error, whatever it is, by every route.
@Suite struct LeftOutTests {
  private static let odd = ["null", "[1]", "[]", "\"x\"", "7", "true", "{}", "[[{\"a\":1}]]"]

  private static let id: OutputMapping = .object([OutputField("id", from: "id", .int64)])

  private func outcomes(_ mapping: OutputMapping, _ documents: [String]) throws -> [String] {
    try Routes.run(output: mapping, documents.joined(separator: "\n"), format: .ndjson).map {
      $0.value?.description ?? $0.error.map { "\($0.code) \($0.path)" } ?? ""
    }
  }

  private static let mappings: [OutputMapping] = [
    id, .nullable(id), id.default(.string("stand-in"), when: .failing),
    id.validated(Rule<JSONValue>("none", expecting: "none") { _ in false }), .at("in.to", id),
    .object([OutputField("second", from: "[1]", .int64)]),
    OutputMapping.object([OutputField("id", from: "id", .int64)], rest: .kept).unknownKeys(.fail),
    .object([OutputField("all", from: "$", id), OutputField("id", from: "id", .int64)]),
    id.duplicateKeys(.fail), .int64, .array(of: .int64), .dictionary(of: .int64),
    .firstOf([id, .int64]),
  ]

  @Test func `a record whose condition does not hold is dropped, whatever it is`() throws {
    let conditions: [Condition] = [
      .value(at: "a"), .value(at: "a.b[0]"), .all(.value(at: "a"), .nothing(at: "b")),
      .value(at: "$", .equalTo("no such value")), .calculated("(a ?? 0) > 1"),
      .not(.nothing(at: "a")),
    ]
    for mapping in Self.mappings {
      for condition in conditions {
        #expect(try outcomes(mapping.filtered(by: condition), Self.odd) == [])
      }
    }
  }

  @Test func `a record whose condition holds is mapped as without one`() throws {
    let documents = Self.odd + [#"{"id":1}"#, #"{"id":"x"}"#]
    for mapping in [
      Self.id, .nullable(Self.id), Self.id.default(.string("stand-in"), when: .failing),
      .object([OutputField("second", from: "[1]", .nullable(.int64))]), .nullable(.int64),
    ] {
      for condition in [Condition.nothing(at: "zz"), .all([]), .calculated("zz == null")] {
        #expect(
          try outcomes(mapping.filtered(by: condition), documents) == outcomes(mapping, documents))
      }
    }
  }

  @Test func `a condition on the record itself sees what it is`() throws {
    let isObject = Rule<JSONValue>("object", expecting: "an object") {
      if case .object = $0 { true } else { false }
    }
    #expect(
      try outcomes(
        Self.id.filtered(by: .value(at: "$", isObject)), Self.odd + [#"{"id":1}"#])
        == ["missing $.id", #"{"id":1}"#])
    #expect(
      try outcomes(Self.id.filtered(by: .nothing(at: "$")), ["null", "7", #"{"id":1}"#])
        == ["null $"])
    #expect(
      try outcomes(
        OutputMapping.nullable(Self.id).filtered(by: .nothing(at: "$")), ["null", #"{"id":1}"#])
        == ["null"])
  }

  @Test func `a condition on an element of an array sees it although the mapping takes objects`()
    throws
  {
    let documents = ["[1,2]", "[3]", "[]", #"{"id":1}"#, "null"]
    #expect(
      try outcomes(Self.id.filtered(by: .value(at: "[0]", .equalTo(1))), documents)
        == ["wrongType $"])
    #expect(
      try outcomes(Self.id.filtered(by: .nothing(at: "[0]")), documents)
        == ["wrongType $", #"{"id":1}"#, "null $"])
  }

  @Test func `an undecided condition is the only error of a value that is not an object`() throws {
    let mapping = Self.id.filtered(by: .calculated("a > 1"))
    #expect(
      try outcomes(mapping, ["null", "7", "[1]", #"{"id":"x"}"#])
        == ["missing $.a", "missing $.a", "missing $.a", "severalErrors $"])
    let lenient = Self.id.default(.string("stand-in"), when: .failing)
      .filtered(by: .calculated("a > 1"))
    #expect(
      try outcomes(lenient, ["null", "7", "[1]"]) == Array(repeating: #""stand-in""#, count: 3))
  }

  @Test func `elements, members and alternatives that are left out are no errors`() throws {
    let kept = Self.id.filtered(by: .value(at: "a"))
    let nullable = OutputMapping.nullable(Self.id).filtered(by: .value(at: "a"))
    let documents = [#"[null,7,"x",[1],{"a":1,"id":5},{"id":6},true]"#]
    #expect(try outcomes(.array(of: kept), documents) == [#"[{"id":5}]"#])
    #expect(try outcomes(.array(of: nullable), documents) == [#"[{"id":5}]"#])
    #expect(
      try outcomes(.array(of: .nullable(kept)), documents) == [#"[{"id":5}]"#])
    #expect(
      try outcomes(.array(of: .firstOf([kept, .any], reportsEarlier: false)), ["[7,null]"])
        == ["null $[1]"])
    #expect(
      try outcomes(.object([OutputField("m", from: "m", .nullable(kept))]), [#"{"m":7}"#, "{}"])
        == [#"{"m":null}"#, #"{"m":null}"#])
  }

  @Test func `conditions choose among cases for values of all kinds`() throws {
    let field = OutputField(
      "v",
      cases: [
        (.value(at: "a"), OutputField("v", from: "a", .int64)),
        (.value(at: "$", .equalTo(7)), OutputField("v", constant: .string("seven"))),
        (.value(at: "[0]"), OutputField("v", from: "b", .any)),
      ], otherwise: OutputField("v", constant: .string("other")))
    let documents = [#"{"a":1}"#, #"{"b":1}"#, "7", #""x""#, "null", "[]", "[1]", "true"]
    let value = OutputMapping.value(of: field, duplicateKeys: .last)
    #expect(
      try outcomes(value, documents) == [
        "1", #""other""#, #""seven""#, #""other""#, #""other""#, #""other""#, "wrongType $",
        #""other""#,
      ])
    let byKeys = OutputField(
      "v", cases: [(.value(at: "a"), OutputField("v", from: "a", .int64))],
      otherwise: OutputField("v", constant: .string("other")))
    #expect(
      try outcomes(.value(of: byKeys, duplicateKeys: .last), documents)
        == ["1"] + Array(repeating: #""other""#, count: 7))
  }

  @Test func `what is left out counts as dropped with several jobs`() throws {
    let mapper = try Mapper(output: Self.id.filtered(by: .value(at: "a")))
    let lines = (0..<3000).map { number in
      number % 3 == 0
        ? #"{"a":1,"id":\#(number)}"# : number % 3 == 1 ? "null" : Self.odd[number % Self.odd.count]
    }
    let feed = lines.joined(separator: "\n").utf8
    for jobs in [1, 3] {
      let records = Array(try mapper.records(in: Feed(feed, format: .ndjson), jobs: jobs))
      #expect(records.count == 1000 && records.allSatisfy { $0.error == nil })
    }
  }
}
