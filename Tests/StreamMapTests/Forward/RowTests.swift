import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Records that are mapped in one step, from a row, are those that their tokens give: values, issues, errors, addresses, numbers.
@Suite struct RowTests {
  private enum Level: String, Mappable, CaseIterable { case info, warn, error }

  private struct Span: Equatable {
    let name: String
    let codes: [Int16]
  }

  private struct Event: Equatable {
    let id: Int64
    let level: Level
    let method: String?
    let time: Double
    let tags: [String]
    let spans: [Span]
    let size: Int
    let note: String?
  }

  private static let span = Mapping.object(Span.self) { field in
    field.make(
      Span.init, field("name", \.name), field("codes", \.codes, .array(of: .int16).default([])))
  }
  private static let event = Mapping.object(Event.self) { field in
    field.make(
      Event.init, field("id", \.id), field("level", \.level),
      field("http.method", \.method), field("http.timing.ms", \.time),
      field("tags", \.tags, .array(of: .string).default([])),
      field("spans", \.spans, .array(of: span).default([])),
      field("size", \.size, .int.default(3).validated(.in(0...9))),
      field("note", \.note))
  }

  private static let output = OutputMapping.object([
    OutputField("number", from: "id", .int64),
    OutputField("same", from: "id", .number),
    OutputField(
      "level", from: "level", .string.validated([Rule<JSONValue>.oneOf(["info", "warn", "error"])])),
    OutputField("method", from: "http.method", .string.default(.null, when: .missingOrInvalid)),
    OutputField("ms", from: "http.timing.ms", .double),
    OutputField("tags", from: "tags", .array(of: .string).default(.array([]))),
    OutputField(
      "spans", from: "spans",
      .array(
        of: .object([
          OutputField("codes", from: "codes", .array(of: .any).default(.array([]))),
          OutputField("name", from: "name", .string),
        ])
      ).default(.array([]))),
    OutputField("note", from: "note", .any.default(.null, when: .missingOrInvalid)),
  ])

  @Test(arguments: [#"{"a":null,"n":1}"#, #"{"n":1,"a":null}"#])
  func `JSON inside a null is null`(document: String) throws {
    let output = OutputMapping.object([
      OutputField("k", from: "a.b", .raw), OutputField("deep", from: "a.c.d", .raw),
      OutputField("n", from: "n", .any),
    ])
    let written = try #require(try Routes.run(output: output, document).first)
    try Routes.compare(written, output.definition, document)
    #expect(written.value?.description == #"{"k":null,"deep":null,"n":1}"#)
    let raw: Mapping<RawJSON> = .at("a.b", .raw)
    let value: Mapping<JSONValue> = .at("a.b", .json)
    #expect(try Routes.run(raw, document).first?.value?.description == "null")
    #expect(try Routes.run(value, document).first?.value == .null)
  }

  private static let plain = [
    #"{"id":1,"level":"info","http":{"method":"GET","timing":{"ms":1.5}},"tags":["a","b"],"size":1}"#,
    #"{"id":-7,"level":"warn","http":{"timing":{"ms":0}},"other":{"id":[1,{"x":null}]},"spans":[{"name":"x"},{"codes":[1,-2],"name":""}],"note":null}"#,
    #"{"http":{"timing":{"ms":2e3},"method":null},"id":2,"level":"error","tags":[],"spans":[],"note":"n"}"#,
  ]
  private static let others = [
    // What a row does not take, or what is wrong in it.
    #"{"id":1,"id":2,"level":"info","http":{"timing":{"ms":1}}}"#,
    #"{"\u0069d":1,"level":"info","http":{"timing":{"ms":1}}}"#,
    #"{"id":1,"level":"in\u0066o","http":{"method":"\"\n","timing":{"ms":1}},"tags":["\u00e9",""]}"#,
    #"{ "id" : 1 , "level" : "info" , "http" : { "timing" : { "ms" : 1.0 } } , "size" : 2 }"#,
    #"{"level":"info","http":{"timing":{"ms":1}}}"#,
    #"{"id":1.5,"level":"info","http":{"timing":{"ms":1}}}"#,
    #"{"id":1,"level":"none","http":{"timing":{"ms":1}},"spans":[{"name":1}]}"#,
    #"{"id":1,"level":"info","http":null}"#,
    #"{"id":1,"level":"info","http":7}"#,
    #"{"id":1,"level":"info","http":{"timing":null}}"#,
    #"{"id":1,"level":"info","http":{"timing":{"ms":1e999}}}"#,
    #"{"id":1,"level":"info","http":{"timing":{"ms":1}},"tags":["a",null]}"#,
    #"{"id":1,"level":"info","http":{"timing":{"ms":1}},"size":70}"#,
    #"{"id":1,"level":"info","http":{"timing":{"ms":1}},"spans":[{"name":"a"},{"codes":[]}]}"#,
    #"{"id":{},"level":[],"http":{"timing":{"ms":"1"}},"tags":{}}"#,
    "[1]", "7", "{}",
  ]
  private static let malformed = [
    #"{"id":1,"level":"info","http":{"timing":{"ms":1}},"note":tru}"#,
    #"{"id":1,"level":"info""#, "",
  ]

  /// A feed in which every record comes after different ones, often enough that records are rows between all that are not.
  ///
  /// Only in lines may something be malformed: other feeds end there.
  private static func feed(_ separator: String = "\n", isLines: Bool = true) -> [UInt8] {
    let others = isLines ? others + malformed : others
    var records: [String] = []
    for round in 0..<400 {
      for number in 0...round % 5 { records.append(plain[(round + number) % plain.count]) }
      if round % 3 != 0 { records.append(others[round % others.count]) }
    }
    return Array(records.joined(separator: separator).utf8)
  }

  /// How many records of a feed the reader hands over as rows, and how many as chunks.
  private static func counts(_ plan: Plan, _ feed: [UInt8], format: FeedFormat) throws
    -> (rows: Int, others: Int)
  {
    let reader = try FeedReader.make(
      FeedSelection(plan.tables.selection, at: []), format: format, limits: Limits(), form: .index)
    reader.takeRows()
    var counts = (rows: 0, others: 0)
    feed.withUnsafeBufferPointer { bytes in
      reader.input(bytes, isFinal: true)
      while true {
        switch reader.next() {
        case .row: counts.rows += 1
        case .record: counts.others += 1
        case .chunk, .innerRows, .fault: break
        case .input, .end: return
        }
      }
    }
    return counts
  }

  @Test(arguments: [FeedFormat.ndjson, .concatenated, .auto])
  func `a record without anything unusual comes as a row`(_ format: FeedFormat) throws {
    let feed = Array((0..<300).map { Self.plain[$0 % 3] }.joined(separator: "\n").utf8)
    let plan = try Mapper(Self.event).plan
    let (rows, others) = try Self.counts(plan, feed, format: format)
    #expect(rows + others == 300)
    // The end of a batch cuts a few off; as the first text of a feed decides its format, it is not one of those.
    #expect(rows >= 298)
    let document = Array(Self.plain[1].utf8)
    #expect(try Self.counts(plan, document, format: .json) == (1, 0))
  }

  @Test(.long, arguments: [FeedFormat.ndjson, .concatenated, .auto, .json])
  func `rows and tokens give the same records`(_ format: FeedFormat) throws {
    let feed =
      switch format {
      case .json: Array("[".utf8) + Self.feed(",", isLines: false) + Array("]".utf8)
      case .concatenated: Self.feed(isLines: false)
      default: Self.feed()
      }
    let paths = format == .json ? ["$[*]"] : []
    try compare(try Mapper(Self.event), feed, paths, format) { "\($0)" }
    try compare(try Mapper(output: Self.output), feed, paths, format) { $0.description }
  }

  @Test(arguments: [false, true])
  func `a condition keeps the same records of rows and of tokens`(_ omitsNulls: Bool) throws {
    let hasTags = Rule<JSONValue>("hasTags", expecting: "tags") { $0 != .array([]) }
    let condition: Condition = .all(
      .field("number", .oneOf([1, 2])), .any(.field("note"), .field("tags", hasTags)))
    let plan = try OutputPlan(Self.output, where: condition, omitsNulls: omitsNulls)
    try compare(try Mapper(plan, format: .ndjson), Self.feed(), [], .ndjson) { $0.description }
  }

  @Test func `several jobs give the same records from rows`() throws {
    let feed = Self.feed()
    var mapper = try Mapper(output: Self.output)
    let rows = Routes.describe(
      Array(try mapper.records(in: Feed(feed, format: .ndjson), jobs: 3))
    ) { $0.description }
    mapper.parser = .yajl
    let others = Routes.describe(
      Array(try mapper.records(in: Feed(feed, format: .ndjson), jobs: 1))
    ) { $0.description }
    expectSame(rows, others)
  }

  @Test(.long) func `limits are those of tokens`() throws {
    let feed = Self.feed()
    let all: [WritableKeyPath<Limits, Int>] = [
      \.string, \.key, \.number, \.depth, \.elements, \.record,
    ]
    for limit in all {
      for value in [1, 2, 4, 5, 80] {
        var limits = Limits()
        limits[keyPath: limit] = value
        try compare(try Mapper(Self.event, limits: limits), feed, [], .ndjson) { "\($0)" }
      }
    }
  }

  private func compare<Value>(
    _ mapper: Mapper<Value>, _ feed: [UInt8], _ paths: [String], _ format: FeedFormat,
    _ text: (Value) -> String
  ) throws {
    var byIndex = mapper
    byIndex.parser = .index
    let selection = try mapper.selection(at: RecordPaths(paths))
    for size in [feed.count, 1000] {
      var outcomes: [String] = []
      for mapper in [mapper, byIndex] {
        let route = try mapper.makeRoute(FeedRequest(selection, format: format))
        let records = Routes.collect(route, feed, pieceSize: size)
        #expect(records.count > 100)
        outcomes.append(
          Routes.describe(records, text) + "\n\(route.offset) \(route.unseenPaths)")
      }
      expectSame(outcomes[0], outcomes[1])
    }
  }

  /// Tells only the first lines that differ: the texts are long.
  private func expectSame(
    _ rows: String, _ others: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    if rows == others { return }
    let (lines, expected) = (rows.split(separator: "\n"), others.split(separator: "\n"))
    let first = zip(lines, expected).first { $0 != $1 }
    Issue.record(
      "\(first?.0 ?? "") for \(first?.1 ?? ""), \(lines.count) lines for \(expected.count)",
      sourceLocation: sourceLocation)
  }
}
