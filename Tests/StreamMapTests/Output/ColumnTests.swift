import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Columns of output records: held against the records' text.
@Suite struct ColumnTests {
  /// The rows of a feed, and the numbers of its rejected records.
  struct Outcome: Equatable {
    var rows: [String] = []
    var rejects: [Int] = []
    /// How many rows each batch has.
    var batches: [Int] = []
  }

  static func columns(
    _ plan: OutputPlan, _ bytes: [UInt8], as layout: ColumnPlan? = nil,
    format: FeedFormat = .ndjson, rows: Int = 65_536, bytes most: Int = .max, jobs: Int = 1,
    parser: RecordParser = .auto, inColumn: Int = .max
  ) throws -> Outcome {
    let layout = layout ?? ColumnPlan(plan.record)
    var size = ColumnBatchSize()
    size.rows = rows
    size.bytes = most
    let converter = try ColumnConverter(
      plan.fitting(layout), layout, size: size, jobs: jobs, parser: parser, most: inColumn)
    let feed = try PieceFeed(converter, MemoryInput(bytes), format: format, named: nil)
    var outcome = Outcome()
    while try feed.next({ record in
      if record.error != nil { outcome.rejects.append(record.number) }
    }) {
      var array = ArrowMemory()
      try converter.columns.take(into: &array)
      outcome.rows += try ArrowRows(layout: layout.record).texts(array)
      outcome.batches.append(Int(array.length))
      array.release?(&array)
      #expect(array.release == nil)
    }
    if !plan.hasRows { #expect(converter.mapped == outcome.rows.count) }
    return outcome
  }

  /// The same, worked out from the records' text.
  static func expected(
    _ plan: OutputPlan, _ bytes: [UInt8], format: FeedFormat = .ndjson
  ) throws -> Outcome {
    let layout = ColumnPlan(plan.record)
    let parser = try Mapper(Mapping<JSONValue>.json)
    let mapper = try Mapper(plan, format: format)
    var outcome = Outcome()
    for record in try mapper.records(in: Feed(bytes, format: format)) {
      switch record.result {
      case .failure: outcome.rejects.append(record.number)
      case .success(let text):
        var value = try parser.decode(text.bytes).get()
        if layout.isValue { value = .object([.init(OutputColumns.valueName, value)]) }
        if let row = ExpectedColumns.text(value, layout.record) {
          outcome.rows.append(row)
        } else {
          outcome.rejects.append(record.number)
        }
      }
    }
    return outcome
  }

  private func check(_ mapping: OutputMapping, _ feed: String, omitsNulls: Bool = false) throws
    -> [String]
  {
    let plan = try OutputPlan(mapping, omitsNulls: omitsNulls)
    let bytes = Array(feed.utf8)
    let expected = try Self.expected(plan, bytes)
    for parser in [RecordParser.auto, .index, .yajl] {
      for (rows, jobs) in [(65_536, 1), (1, 1), (3, 1), (2, 3)] {
        let outcome = try Self.columns(plan, bytes, rows: rows, jobs: jobs, parser: parser)
        #expect(outcome.rows == expected.rows, "\(parser), \(rows) rows, \(jobs) jobs")
        #expect(outcome.rejects == expected.rejects, "\(parser), \(rows) rows, \(jobs) jobs")
        #expect(outcome.batches.count == (expected.rows.count + rows - 1) / rows)
      }
    }
    return expected.rows
  }

  @Test func `each type has its column`() throws {
    let mapping = OutputMapping.object([
      OutputField("i8", from: "a", .nullable(.int8)),
      OutputField("i64", from: "b", .int64),
      OutputField("u64", from: "c", .nullable(.uint64)),
      OutputField("d", from: "d", .nullable(.double)),
      OutputField("f", from: "d", .nullable(.float)),
      OutputField("money", from: "e", .nullable(.decimal)),
      OutputField("s", from: "s", .nullable(.string)),
      OutputField("yes", from: "y", .nullable(.bool)),
      OutputField("at", from: "t", .nullable(.date)),
      OutputField("any", from: "x", .nullable(.any)),
      OutputField("list", from: "l", .nullable(.array(of: .nullable(.int32)))),
      OutputField(
        "inner", from: "o",
        .nullable(
          .object([
            OutputField("n", from: "n", .int64),
            OutputField("tags", from: "tags", .nullable(.array(of: .string))),
          ]))),
    ])
    let rows = try check(
      mapping,
      """
      {"a":-128,"b":9223372036854775807,"c":18446744073709551615,"d":0.1,"e":9.90,"s":"a\\u00e9\\n\\ud83d\\ude00","y":true,"t":"2026-11-22T17:45:07.123456Z","x":1.50,"l":[1,null,-3],"o":{"n":1,"tags":["x","\\/y"]}}
      {"a":null,"b":-9223372036854775808,"d":-1e30,"e":1e27,"s":"","y":false,"t":"1600-01-01T00:00:00Z","x":"é","l":[],"o":{"n":2}}
      {"b":0,"d":-0,"e":-0.0000000001,"t":"9999-12-31T23:59:59.999999Z","x":true}
      {"b":1,"e":0.00000000001}
      {"b":"no"}
      {"b":7,"d":123456789012345678901234567890,"e":1.500000000000000000000,"l":null,"o":null}
      {"b":2,"s":"\\u0000","l":[1,2
      {"b":3,"o":{"tags":["lost"]}}
      {"b":4,"t":"2024-02-29T12:00:00+02:00","e":12345678901234567890123456789}
      """)
    #expect(rows.count == 4)
  }

  @Test(.long) func `rows go to columns without text, and agree with it`() throws {
    let mapping = OutputMapping.object([
      OutputField("id", from: "id", .int64), OutputField("name", from: "name", .string),
      OutputField("size", from: "box.size", .nullable(.double)),
      OutputField("kind", constant: .string("k")),
      OutputField("tags", from: "tags", OutputMapping.array(of: .string).default(.array([]))),
    ])
    let feed = (0..<3000).map {
      #"{"name":"n\#($0)","id":\#($0),"box":{"size":\#($0).25},"tags":["a","\#($0)"],"other":[1]}"#
    }
    let rows = try check(mapping, feed.joined(separator: "\n"))
    #expect(rows.count == 3000)
  }

  @Test func `the rows of a record come into columns together or not at all`() throws {
    func mapping(_ list: OutputMapping) -> OutputMapping {
      .object([
        OutputField("id", from: "id", .int64), OutputField("l", from: "l", list),
        OutputField("names", from: "names", .nullable(.array(of: .string))),
      ])
    }
    var exploded = try OutputPlan(mapping(.array(of: .nullable(.decimal))))
    var arrays = RowArrays()
    arrays.exploded = .named("l")
    try exploded.makeRows(arrays)
    let flat = try OutputPlan(mapping(.nullable(.decimal)))
    var feed: [String] = []
    var rows: [String] = []
    var rejects: [Int] = []
    for id in 0..<200 {
      let names = "\"names\":[\"é\",\"\(id)\"]"
      // A column has ten digits after the point.
      let isTooFine = id % 50 == 7
      let elements = (0..<id % 4).map { $0 == 2 ? "null" : "\(id).\($0)" }
      let last = isTooFine ? ["0.00000000001"] : []
      feed.append("{\"id\":\(id),\"l\":[\((elements + last).joined(separator: ","))],\(names)}")
      if isTooFine {
        rejects.append(id + 1)
      } else {
        rows += (elements.isEmpty ? ["null"] : elements).map {
          "{\"id\":\(id),\"l\":\($0),\(names)}"
        }
      }
    }
    let expected = try Self.columns(flat, Array(rows.joined(separator: "\n").utf8))
    #expect(expected.rows.count == rows.count)
    for (size, jobs) in [(65_536, 1), (1, 1), (3, 1), (2, 3)] {
      let outcome = try Self.columns(
        exploded, Array(feed.joined(separator: "\n").utf8), rows: size, jobs: jobs)
      #expect(outcome.rows == expected.rows)
      #expect(outcome.rejects == rejects)
    }
  }

  /// Records of all kinds of columns, with nulls, escapes, unknown members, and now and then one that is rejected.
  private static func variedFeed(_ count: Int) -> [UInt8] {
    var random = SeededGenerator(seed: 77)
    func text() -> String {
      let pieces = ["a", "é", "\\n", "\\u0041", "long enough for another way", ""]
      return "\""
        + (0..<Int.random(in: 0..<6, using: &random)).map { _ in
          pieces.randomElement(using: &random) ?? ""
        }.joined() + "\""
    }
    func maybe(_ value: () -> String) -> String {
      Int.random(in: 0..<4, using: &random) == 0 ? "null" : value()
    }
    func list(_ most: Int, _ value: () -> String) -> String {
      "["
        + (0..<Int.random(in: 0..<most, using: &random)).map { _ in value() }.joined(separator: ",")
        + "]"
    }
    let lines = (0..<count).map { number in
      let flag = maybe { Bool.random(using: &random) ? "true" : "false" }
      let boxes = list(4) { "{\"n\":\(maybe { "\(number)" }),\"tags\":\(list(3, text))}" }
      let id = number % 97 == 11 ? "\"no\"" : "\(number)"
      return
        "{\"id\":\(id),\"s\":\(maybe(text)),\"f\":\(flag),\"m\":{\"k\":\(maybe { "\(number)" })},"
        + "\"l\":\(boxes),\"d\":\(number).25,\"x\":\(text())}"
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static let varied = OutputMapping.object(
    [
      OutputField("id", from: "id", .int64), OutputField("s", from: "s", .nullable(.string)),
      OutputField("f", from: "f", .nullable(.bool)),
      OutputField("m", from: "m", .dictionary(of: .nullable(.int32))),
      OutputField(
        "l", from: "l",
        .array(
          of: .object([
            OutputField("n", from: "n", .nullable(.decimal)),
            OutputField("tags", from: "tags", .array(of: .string)),
          ]))),
      OutputField("d", from: "d", .double),
    ], rest: .kept)

  @Test func `batches end at the same records for any number of jobs and by both parsers`() throws {
    // Several threads take it in parts of 64 KiB.
    let feed = Self.variedFeed(1500)
    let withRest = try OutputPlan(Self.varied)
    let flat = try OutputPlan(
      .object([
        OutputField("id", from: "id", .int64), OutputField("s", from: "s", .nullable(.string)),
        OutputField("f", from: "f", .nullable(.bool)), OutputField("d", from: "d", .double),
      ]))
    var exploded = withRest
    var arrays = RowArrays()
    arrays.exploded = .named("l")
    try exploded.makeRows(arrays)
    for plan in [withRest, flat, exploded] {
      for (rows, bytes) in [(65_536, Int.max), (500, .max), (700, 30_000)] {
        let one = try Self.columns(plan, feed, rows: rows, bytes: bytes)
        #expect(one.rejects.count == 16)
        #expect(one.batches.reduce(0, +) == one.rows.count)
        for (jobs, parser) in [(2, RecordParser.auto), (3, .index), (1, .yajl), (2, .yajl)] {
          let other = try Self.columns(
            plan, feed, rows: rows, bytes: bytes, jobs: jobs, parser: parser)
          #expect(other == one, "\(rows) rows, \(bytes) bytes, \(jobs) jobs, \(parser)")
        }
      }
    }
  }

  @Test func `a record that a batch has no place for begins the next one`() throws {
    let feed = Self.variedFeed(2000)
    var exploded = try OutputPlan(Self.varied)
    var arrays = RowArrays()
    arrays.exploded = .named("l")
    try exploded.makeRows(arrays)
    for plan in [try OutputPlan(Self.varied), exploded] {
      let all = try Self.columns(plan, feed)
      #expect(all.batches.count == 1)
      for jobs in 1...3 {
        // As little as this is less than a thread takes at a time.
        let cut = try Self.columns(plan, feed, jobs: jobs, inColumn: 2000)
        #expect(cut.rows == all.rows && cut.rejects == all.rejects, "\(jobs) jobs")
        #expect(cut.batches.count > 10)
        // What is in no batch at all is an error of its record.
        let small = try Self.columns(plan, feed, jobs: jobs, inColumn: 100)
        #expect(small.rejects == (try Self.columns(plan, feed, inColumn: 100)).rejects)
        #expect(small.rejects.count > 31 && small.rows.count > 100)
      }
    }
  }

  @Test func `records that are not objects are one column`() throws {
    #expect(
      try check(.array(of: .int64), "[1,2]\n[]\n[\"x\"]\n[3]") == [
        "{value=[1 2]}", "{value=[]}", "{value=[3]}",
      ])
    #expect(try check(.nullable(.any), "1\n\"a\"\nnull").count == 3)
  }

  @Test func `dictionaries are maps, and what no field takes is JSON`() throws {
    let mapping = OutputMapping.object(
      [OutputField("m", from: "m", .nullable(.dictionary(of: .nullable(.int64))))], rest: .kept)
    let rows = try check(
      mapping,
      """
      {"m":{"a":1,"b":null},"x":[1,{"y":2}],"z":"t"}
      {"m":{},"m2":1}
      {"m":null}
      """)
    #expect(rows.first == #"{m=<"a"=1 "b"=null> rest=json {"x":[1,{"y":2}],"z":"t"}}"#)
  }

  @Test func `members that are left out are null`() throws {
    let mapping = OutputMapping.object([
      OutputField("a", from: "a", .nullable(.int64)), OutputField("b", from: "b", .nullable(.any)),
    ])
    #expect(try check(mapping, "{\"b\":1}\n{\"a\":1}\n{}", omitsNulls: true).count == 3)
  }

  @Test func `base64 becomes bytes, and what is none is an error of its record`() throws {
    let plan = try OutputPlan(.object([OutputField("p", from: "p", .nullable(.string))]))
    let layout = ColumnPlan(plan.record, binary: ["p"])
    let feed = Array("{\"p\":\"AAECAw==\"}\n{\"p\":\"A\"}\n{\"p\":\"_-8\"}\n{\"p\":null}".utf8)
    let outcome = try Self.columns(plan, feed, as: layout)
    #expect(outcome.rows == ["{p=0,1,2,3}", "{p=ff,ef}", "{p=null}"])
    #expect(outcome.rejects == [2])
  }

  /// The errors of a feed's records, and the rows.
  private func errors(
    _ mapping: OutputMapping, _ feed: String, binary: Set<ExactText> = [],
    timeScale: Int = ColumnPlan.timeScale, jobs: Int, parser: RecordParser
  ) throws -> (errors: [String], rows: [String]) {
    let plan = try OutputPlan(mapping)
    let layout = ColumnPlan(plan.record, timeScale: timeScale, binary: binary)
    let converter = try ColumnConverter(plan.fitting(layout), layout, jobs: jobs, parser: parser)
    let pieces = try PieceFeed(
      converter, MemoryInput(Array(feed.utf8)), format: .ndjson, named: nil)
    var errors: [String] = []
    var rows: [String] = []
    while try pieces.next({ record in
      let all = [record.error].compactMap(\.self) + record.issues
      errors += all.map {
        "\($0.code) \($0.path) → \($0.target.map(\.relativeDescription) ?? "-"), line "
          + "\($0.position?.line ?? 0), bytes \($0.position?.bytes ?? 0..<0)"
      }
    }) {
      var array = ArrowMemory()
      try converter.columns.take(into: &array)
      rows += try ArrowRows(layout: layout.record).texts(array)
      array.release?(&array)
    }
    return (errors, rows)
  }

  @Test(arguments: [RecordParser.auto, .yajl], [1, 2])
  func `a value that its column does not hold is told at its own place`(
    _ parser: RecordParser, _ jobs: Int
  ) throws {
    let box: OutputMapping = .object([
      OutputField("p", from: "price", .decimal), OutputField("b", from: "b", .nullable(.string)),
    ])
    let feed = """
      {"box":{"price":1}}
      {"box":{"price":0.12345678901}}
      {"box":{"price":1e28}}
      {"box":{"price":2,"b":"AAE"}}
      {"box":{"price":2,"b":"A"}}
      """
    let found = try errors(
      .object([OutputField("x", from: "box", box)]), feed, binary: ["x.b"], jobs: jobs,
      parser: parser)
    #expect(
      found.errors == [
        "numberOutOfRange $.box.price → x.p, line 2, bytes 36..<49",
        "numberOutOfRange $.box.price → x.p, line 3, bytes 68..<72",
        "invalidValue $.box.b → x.b, line 5, bytes 127..<130",
      ])
    #expect(found.rows == ["{x={p=10000000000 b=null}}", "{x={p=20000000000 b=0,1}}"])
  }

  @Test(arguments: [RecordParser.auto, .yajl], [1, 2])
  func `what a mapping says of values that do not fit holds for columns, too`(
    _ parser: RecordParser, _ jobs: Int
  ) throws {
    let mapping: OutputMapping = .object([
      OutputField("o", from: "o", .nullable(.decimal, when: .missingOrInvalid)),
      OutputField("l", from: "l", .array(of: .decimal, omitsInvalid: true)),
    ])
    let feed = #"{"o":1e-11,"l":[1,1e-11,12345678901.1234567890,99999999999999999999999999999]}"#
    let found = try errors(mapping, feed, jobs: jobs, parser: parser)
    #expect(
      found.errors == [
        "numberOutOfRange $.o → o, line 1, bytes 5..<10",
        "numberOutOfRange $.l[1] → l[1], line 1, bytes 18..<23",
        "numberOutOfRange $.l[3] → l[3], line 1, bytes 47..<76",
      ])
    #expect(found.rows == ["{o=null l=[10000000000 123456789011234567890]}"])
  }

  @Test(arguments: [RecordParser.auto, .yajl], [1, 2])
  func `nanoseconds are exact, and a time beyond them is an error at its own place`(
    _ parser: RecordParser, _ jobs: Int
  ) throws {
    let mapping: OutputMapping = .object([
      OutputField("t", from: "t", .date),
      OutputField("o", from: "o", .nullable(.date, when: .missingOrInvalid)),
    ])
    let feed = """
      {"t":"2026-11-22T17:45:07.123456789Z"}
      {"t":"1969-12-31T23:59:59.999999999Z"}
      {"t":"1970-01-01T00:00:00Z","o":"9999-12-31T00:00:00Z"}
      {"t":"2262-04-11T23:47:16.854775807Z"}
      {"t":"2262-04-11T23:47:16.854775808Z"}
      {"t":"1677-09-21T00:12:43.145224192Z"}
      {"t":"1677-09-21T00:12:43.145224191Z"}
      """
    let found = try errors(mapping, feed, timeScale: 9, jobs: jobs, parser: parser)
    #expect(
      found.rows == [
        "{t=1795369507123456789 o=null}", "{t=-1 o=null}", "{t=0 o=null}",
        "{t=9223372036854775807 o=null}", "{t=-9223372036854775808 o=null}",
      ])
    // The second field is reported where it is missing, too.
    #expect(
      found.errors.filter { !$0.hasPrefix("missing") }.map { $0.prefix(25) } == [
        "invalidValue $.o → o, lin", "invalidValue $.t → t, lin", "invalidValue $.t → t, lin",
      ])
    let microseconds = try errors(mapping, feed, jobs: jobs, parser: parser)
    #expect(microseconds.errors.allSatisfy { $0.hasPrefix("missing $.o") })
    #expect(microseconds.rows.count == 7 && microseconds.rows[2].hasSuffix("o=253402214400000000}"))
    #expect(microseconds.rows[1] == "{t=-1 o=null}")
  }

  @Test func `alternatives of numbers go to one column of decimals, and each of them has to fit`()
    throws
  {
    let mapping: OutputMapping = .object([
      OutputField(
        "n", from: "n", .firstOf([.int64, .decimal], reportsEarlier: false))
    ])
    let plan = try OutputPlan(mapping)
    let layout = ColumnPlan(plan.record, scale: 30)
    let feed = Array("{\"n\":1}\n{\"n\":123456789}\n{\"n\":0.5}\n{\"n\":123456789.5}".utf8)
    for jobs in [1, 2] {
      #expect(try Self.columns(plan, feed, as: layout, jobs: jobs).rejects == [2, 4])
    }
  }

  @Test(.long) func `random mappings give columns that agree with their text`()
    throws
  {
    var compared = 0
    for seed in FuzzCount.seeds(600) {
      var cases = RandomCases(seed: seed &+ 7_000_000)
      let mapping =
        switch cases.below(3) {
        case 0: cases.mapping()
        case 1: cases.formulaMapping()
        default: cases.shapes()
        }
      guard let plan = try? OutputPlan(mapping) else { continue }
      let feed = (0..<6).map { _ in cases.text() }.joined(separator: "\n")
      let bytes = Array(feed.utf8)
      let expected = try Self.expected(plan, bytes, format: .concatenated)
      for (rows, jobs, parser) in [
        (65_536, 1, RecordParser.auto), (2, 1, .auto), (65_536, 1, .yajl), (3, 2, .auto),
      ] {
        let outcome = try Self.columns(
          plan, bytes, format: .concatenated, rows: rows, jobs: jobs, parser: parser)
        let comment = Comment(
          rawValue: "seed \(seed), \(jobs) jobs, \(parser)\n\(feed)\n\(plan.explanation)")
        #expect(outcome.rows == expected.rows, comment)
        #expect(outcome.rejects == expected.rejects, comment)
      }
      compared += expected.rows.count
    }
    #expect(compared > 300)
  }
}
