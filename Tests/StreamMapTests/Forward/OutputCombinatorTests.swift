import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private func outcome(_ mapping: OutputMapping, _ document: String) throws -> String {
  let record = try #require(try Routes.run(output: mapping, document).first)
  var lines: [String] = []
  switch record.result {
  case .success(let value): lines.append("\(value)")
  case .failure(let error): lines.append(error.fullDescription)
  }
  return (lines + record.issues.map { "issue " + $0.fullDescription }).joined(separator: "\n")
}

private let number: OutputMapping = .firstOf(
  [
    .int64,
    .converted(from: .string, expected: "a number in a string") { value in
      guard case .string(let text) = value, Int(text) != nil else {
        throw ConversionFailure(expected: "a number in a string")
      }
      return .number(text)
    },
  ], reportsEarlier: false)

private let positive = Rule<JSONValue>("positive", expecting: "a number above 0") { value in
  if case .number(let text) = value { !text.hasPrefix("-") } else { false }
}

@Suite struct OutputCombinatorTests {
  @Test func `output fields take functions and alternatives`() throws {
    let record: OutputMapping = .object([
      OutputField("n", from: "a.n", number), OutputField("all", from: "all", .array(of: number)),
    ])
    #expect(
      try outcome(record, #"{"all":[1,"2",3,"4"],"a":{"n":"7"}}"#) == #"{"n":7,"all":[1,2,3,4]}"#)
    #expect(
      try outcome(record, #"{"all":[1,"x"],"a":{"n":"7"}}"#).hasPrefix(
        "fatal noAlternative at $.all[1]"))
    #expect(
      try outcome(.array(of: number, omitsInvalid: true), #"["x",1,{"a":[1]},"2"]"#)
        .hasPrefix("[1,2]\nissue"))
  }

  @Test func `output values are checked by their rules`() throws {
    let rule = OutputMapping.int64.validated([positive])
    #expect(try outcome(rule, "7") == "7")
    #expect(
      try outcome(rule, "-7")
        == "fatal validationFailed at $ (record 1, line 1, column 1, bytes 0..<2): expected a number above 0"
    )
    let list = OutputMapping.array(of: rule.default(0, when: .missingOrInvalid))
    #expect(try outcome(list, "[1,-22222,3]").hasPrefix("[1,0,3]\nissue"))
  }

  @Test func `a member chooses the mapping of an output record`() throws {
    let shape: OutputMapping = .dispatch(
      on: "type",
      [
        "circle": .object([OutputField("r", from: "radius", .number)]),
        "square": .object([OutputField("s", from: "side", .number)]),
      ], otherwise: .raw)
    #expect(
      try outcome(
        .array(of: shape),
        #"[{"radius":1,"type":"circle"},{"type":"square","side":2},{"type":"x","a":[ 1 ]}]"#)
        == #"[{"r":1},{"s":2},{"type":"x","a":[1]}]"#)
  }

  @Test func `output records have number, offset, line and unknown keys`() throws {
    let record: OutputMapping = .object(
      [
        OutputField("row", .number), OutputField("at", .offset), OutputField("line", .line),
        OutputField("id", from: "id", .any), OutputField(collecting: "rest"),
      ])
    let mapper = try Mapper(output: record)
    let feed = "{\"id\":1}\n{\"x\":[1,{}],\"id\":2,\"y\":null}\n"
    let texts = try Routes.run(
      mapper, Array(feed.utf8), at: [], format: .ndjson
    ) { "\($0)" }.map { "\(try $0.result.get())" }
    #expect(
      texts == [
        #"{"row":1,"at":0,"line":1,"id":1,"rest":{}}"#,
        #"{"row":2,"at":9,"line":2,"id":2,"rest":{"x":[1,{}],"y":null}}"#,
      ])
  }
}
