import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What records tell of where they are in what is around them.
@Suite struct RecordKeyTests {
  private let feed = #"{"u":{"ann":{"n":1},"b\u002Eo":{"n":"x"},"":{"n":3}},"l":[{"n":4},{"n":5}]}"#
  private let paths: RecordPaths = ["$.u.*", "$.l[*]"]
  private let mapping = OutputMapping.object([
    OutputField("k", .key, .nullable(.string)), OutputField("i", .index, .nullable(.int8)),
    OutputField("n", from: "n", .int64),
  ])

  @Test(arguments: [1, 3]) func `fields have the key or the index`(jobs: Int) throws {
    let mapper = try Mapper(output: mapping)
    let expected = [
      #"{"k":"ann","i":null,"n":1}"#, nil, #"{"k":"","i":null,"n":3}"#,
      #"{"k":null,"i":0,"n":4}"#, #"{"k":null,"i":1,"n":5}"#,
    ]
    for parser in [RecordParser.auto, .index, .yajl] {
      var mapper = mapper
      mapper.parser = parser
      let records = try mapper.records(
        in: Feed(Array(feed.utf8), at: paths, format: .json), jobs: jobs)
      #expect(records.map { $0.value?.description } == expected)
    }
    try Routes.run(output: mapping, feed, at: paths.texts)
  }

  @Test func `a record without a key or an index lacks it`() throws {
    for fact in [RecordFact.key, .index] {
      let mapper = try Mapper(output: .object([OutputField("x", fact)]))
      #expect(mapper.decode("{}".utf8).error?.code == .missing)
    }
    let mapper = try Mapper(output: .object([OutputField("x", .key, .string.default("none"))]))
    #expect(try mapper.decode("{}".utf8).get().description == #"{"x":"none"}"#)
  }

  @Test func `a key that does not fit is an error of its record`() throws {
    let number: OutputMapping = .converted(from: .string, expected: "a number") { value in
      guard case .string(let text) = value, let number = Int(text) else {
        throw ConversionFailure(expected: "a number")
      }
      return .number("\(number)")
    }
    let mapping = OutputMapping.object([OutputField("id", .key, number)])
    let records = try Routes.run(output: mapping, #"{"7":{},"x":{},"08":{}}"#, at: ["$.*"])
    #expect(records.map { $0.value?.description } == [#"{"id":7}"#, nil, #"{"id":8}"#])
    #expect(records[1].error?.path.description == "$.x")
    #expect(records[1].error?.target?.description == "$.id")
  }

  @Test func `an object inside the record tells of the record`() throws {
    let inner = OutputMapping.object([OutputField("k", .key)])
    let mapping = OutputMapping.object([
      OutputField("l", from: "l", .array(of: inner)),
      OutputField("line", .line, .string.default("")),
    ])
    let failing = try Routes.run(output: mapping, #"{"a":{"l":[{},{}]}}"#, at: ["$.*"])
    #expect(failing[0].error?.code == .wrongType)
    let fitting = OutputMapping.object([
      OutputField("l", from: "l", .array(of: inner)), OutputField("line", .line, .number),
    ])
    let records = try Routes.run(output: fitting, #"{"a":{"l":[{},{}]}}"#, at: ["$.*"])
    #expect(try records[0].get().description == #"{"l":[{"k":"a"},{"k":"a"}],"line":1}"#)
  }

  struct Item: Equatable {
    let n: Int
  }

  @Test(arguments: [1, 3]) func `a mapper's records tell it where that is asked for`(jobs: Int)
    throws
  {
    var mapper = try Mapper(
      Mapping.object(Item.self) { field in field.make(Item.init, field("n", \.n)) })
    let bytes = Array(feed.utf8)
    let silent = try mapper.records(in: Feed(bytes, at: paths, format: .json), jobs: jobs)
    #expect(silent.allSatisfy { $0.key == nil && $0.index == nil })
    mapper.reportsKeys = true
    for parser in [RecordParser.auto, .index, .yajl] {
      mapper.parser = parser
      let records = Array(try mapper.records(in: Feed(bytes, at: paths, format: .json), jobs: jobs))
      #expect(records.map(\.key) == ["ann", "b.o", "", nil, nil])
      #expect(records.map(\.index) == [nil, nil, nil, 0, 1])
      #expect(records.map { $0.value?.n } == [1, nil, 3, 4, 5])
      #expect(records.map { $0.issues.isEmpty }.allSatisfy { $0 })
    }
    #expect(mapper.decode(#"{"n":1}"#.utf8).key == nil)
  }

  @Test func `the explanation says where the value is from`() throws {
    #expect(
      "\(try Mapper(output: mapping).plan)".contains(
        "the key of the record → k: string, absent or null: null"))
  }
}
