import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// A record that is a scalar is a row of one cell, and becomes what the machine makes of it.
@Suite struct ScalarRecordTests {
  private static let scalars = [
    "1", "-20", "3.50", "1e3", "99999999999999999999", "0", "true", "false", "null", "\"\"",
    "\"text\"",
    #""esc\u0061ped \"\n""#, "\"é €\"", "\"2026-11-21\"", "{\"a\":1}", "[1,\"x\"]", "{}", "[]",
    "\"7\"",
  ]

  private static let short = Rule<JSONValue>("short", expecting: "a short text") {
    $0.description.count < 5
  }

  private static let mappings: [(name: String, mapping: OutputMapping)] = [
    ("int64", .int64), ("any", .any), ("string", .string), ("bool", .bool), ("double", .double),
    ("nullable", .nullable(.string)), ("default", .int8.default(5, when: .missingOrInvalid)),
    ("rule", .any.validated(short)),
    (
      "text",
      .text(.string, TextChange(steps: [.upper, .suffix("!")]), .text, expected: "a string")
    ),
    ("alternatives", .firstOf(.int8, .string, .object([OutputField("a", from: "a", .int8)]))),
    (
      "quiet alternatives",
      .firstOf([.bool, .double, .array(of: .raw), .raw], reportsEarlier: false)
    ),
    (
      "by kind",
      .dispatch(byKind: [.number: .double, .string: .string, .object: .raw], otherwise: .raw)
    ),
    ("object", .object([OutputField("a", from: "a", .int8)])),
    ("list", .array(of: .firstOf(.int8, .string))), ("json", .raw), ("date", .date),
  ]

  private static func feed(_ format: FeedFormat) -> [UInt8] {
    var values: [String] = []
    for round in 0..<40 {
      for number in scalars.indices {
        values.append(scalars[(number * (round + 1)) % scalars.count])
      }
    }
    let text =
      switch format {
      case .json: "[" + values.joined(separator: " ,\n ") + "]"
      case .sequence: values.map { "\u{1E}\($0)\n" }.joined()
      case .concatenated: values.joined(separator: " ")
      case .ndjson, .auto: values.joined(separator: "\n")
      }
    return Array(text.utf8)
  }

  @Test(
    arguments: mappings.map(\.name), [FeedFormat.ndjson, .json, .sequence, .concatenated, .auto])
  func `a scalar record becomes the same by rows and by the machine`(
    _ name: String, _ format: FeedFormat
  ) throws {
    let mapping = try #require(Self.mappings.first { $0.name == name }).mapping
    let feed = Self.feed(format)
    var mapper = try Mapper(output: mapping)
    var texts: [String] = []
    for (parser, jobs) in [(RecordParser.auto, 1), (.index, 1), (.auto, 2)] {
      mapper.parser = parser
      let path: RecordPaths = format == .json ? ["$[*]"] : []
      let records = Array(
        try mapper.records(in: Feed(feed, at: path, format: format), jobs: jobs))
      #expect(records.count == 40 * Self.scalars.count)
      texts.append(Routes.describe(records) { $0.description })
    }
    #expect(texts[0] == texts[1])
    #expect(texts[0] == texts[2])
  }

  @Test func `a typed scalar record is made from a row, and its code runs once`() throws {
    let calls = Locked(0)
    let mapping: Mapping<Int> = .oneWay(from: .int) { (number: Int) in
      calls.withLock { $0 += 1 }
      return number * 2
    }
    let plan = try Mapper(mapping).plan
    let maker = RecordAssembly<Int>.values(plan).maker(plan, Limits())
    let reader = try FeedReader.make(
      FeedSelection(plan.tables.selection, at: []), format: .ndjson, limits: Limits(), form: .index)
    reader.takeRows()
    var values: [Int] = []
    var failures = 0
    let feed = Array("1\n 22 \n\"x\"\n-3\nnull\n4\n".utf8)
    feed.withUnsafeBufferPointer { bytes in
      reader.input(bytes, isFinal: true)
      while case .row = reader.next() {
        guard let row = reader.row,
          let record = maker.take(row, number: values.count + 1, at: reader, context: nil)
        else { return }
        if record.notes?.error != nil {
          failures += 1
        } else {
          values.append(maker.destination.load(as: Int.self))
        }
      }
    }
    #expect(values == [2, 44, -6, 8])
    #expect(failures == 2)
    #expect(calls.withLock { $0 } == 4)
  }

  @Test func `lines of scalars are written at once`() throws {
    let feed = Array((0..<500).map { "\($0)\n" }.joined().utf8)
    let made = try RowProgramTests.convert(
      .int64, feed, .lines, pieceSize: feed.count, enough: 1 << 20)
    #expect(made.output == feed)
    #expect(made.atOnce > 490)
  }
}
