import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Records that are written in one step, by a program, are those that the machine writes from tokens.
@Suite struct RowProgramTests {
  private static let item = OutputMapping.object([
    OutputField("n", from: "name", .string),
    OutputField("codes", from: "codes", .array(of: .int16).default(.array([.number("0")]))),
  ])

  /// A field of each type, a constant, a path, the same source twice, containers in each other.
  private static let output: OutputMapping = {
    var fields = [OutputField("constant", constant: .string("c\""))]
    for type in types {
      fields.append(
        OutputField(type.name, from: .key(type.name), type.mapping.default(.null, when: .missing)))
      fields.append(
        OutputField("again \(type.name)", from: .key(type.name), .any.default(.string("-"))))
    }
    let object = OutputMapping.object([
      OutputField("item", from: "item", item.default(.null)),
      OutputField("items", from: "items", .array(of: item).default(.array([]))),
    ])
    let lists = OutputMapping.array(of: .array(of: .any))
    fields.append(OutputField("deep", from: "http.timing.ms", .double.default(.number("0"))))
    fields.append(OutputField("object", from: "object", object.default(.string("none"))))
    fields.append(OutputField("lists", from: "lists", lists.default(.null)))
    return .object(fields)
  }()

  private static let types: [(name: String, mapping: OutputMapping)] = [
    ("any", .any), ("string", .string), ("bool", .bool), ("number", .number), ("int8", .int8),
    ("int16", .int16), ("int32", .int32), ("int64", .int64), ("uint8", .uint8), ("uint16", .uint16),
    ("uint32", .uint32), ("uint64", .uint64),
    ("float", .float), ("double", .double), ("decimal", .decimal),
  ]

  private static let scalars = [
    "0", "7", "-1", "12", "-12", "99", "127", "128", "255", "256", "999", "9999", "32768", "-0",
    "65535",
    "99999999", "999999999", "2147483648", "123456789012345678", "-123456789012345678",
    "1234567890123456789", "18446744073709551615", "18446744073709551616", "1.0", "1.5", "-0.25",
    "0.1",
    "123456.7", "1e2", "1E+2", "12e-1", "1e400", "1e39", "340282350000000000000000000000000000000",
    "999999999999999999999999999999999999999.9", "0.00000000000000000000000000000000000000001",
    #""""#, #""a""#, #""sixteen bytes, a""#, #""a text of more than thirty-two bytes, é €""#,
    #""\"\\\b\f\n\r\t""#, #""\/""#, #""\u0041""#, #""\u001f""#, #""a\\""#, "true", "false", "null",
  ]

  private static func random(_ generator: inout some RandomNumberGenerator) -> String {
    scalars.randomElement(using: &generator) ?? "0"
  }

  /// A record whose members are mostly of their types and in one order.
  private static func record(
    _ number: Int, _ generator: inout some RandomNumberGenerator
  ) -> String {
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    let (comma, colon) = chance(90) ? (",", ":") : chance(50) ? (", ", ": ") : (" ,", " :")
    var members = types.map { type -> (String, String) in
      let isText = type.name == "string" || type.name == "any"
      let usual = type.name == "bool" ? "true" : isText ? "\"text \(number)\"" : "\(number % 90)"
      return (type.name, chance(99) ? usual : random(&generator))
    }
    let ms = chance(90) ? "1.25" : random(&generator)
    members.append(("http", chance(95) ? "{\"timing\"\(colon){\"ms\"\(colon)\(ms)}}" : "null"))
    let item = chance(95) ? #"{"name":"x","codes":[1,-2]}"# : #"{"codes":[],"name":null}"#
    let object = #"{"item":\#(chance(90) ? item : "null"),"items":[\#(item),{"name":"y"}]}"#
    members.append(("object", chance(90) ? object : "null"))
    members.append(("lists", chance(90) ? "[[],[1,true],[\(random(&generator))]]" : "[]"))
    members.append(("not mapped \(chance(95) ? 1 : number)", chance(50) ? "{\"a\":[1]}" : "\"b\""))
    if chance(20) { members.remove(at: Int.random(in: 0..<members.count, using: &generator)) }
    if chance(10) { members.shuffle(using: &generator) }
    if chance(3), let first = members.first { members.append(first) }
    return "{"
      + members.map { "\"\(chance(1) ? "\\u0061" : "")\($0.0)\"\(colon)\($0.1)" }
      .joined(separator: comma) + "}"
  }

  static func feed(_ seed: UInt64, records: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return Array(
      (0..<records).map { record($0, &generator) + "\n" }.joined().utf8)
  }

  @Test func `a plain mapping has a program`() throws {
    let plan = try Mapper(output: Self.output).plan
    for omitsNulls in [false, true] {
      let builder = TextBuilder(plan: plan, omitsNulls: omitsNulls, file: nil)
      let maker = builder.rowMaker(limits: Limits()) as? TextRowMaker
      #expect(maker?.program != nil)
    }
  }

  @Test(arguments: 1...6)
  func `a program writes what the machine writes`(_ seed: Int) throws {
    let feed = Self.feed(UInt64(seed), records: 600)
    var limits = Limits()
    if seed == 2 { limits.elements = 2 }
    if seed == 3 { limits.record = 400 }
    if seed == 4 { limits.string = 12 }
    var mapper = try Mapper(output: Self.output, limits: limits)
    var texts: [[Substring]] = []
    for parser in [RecordParser.auto, .index] {
      mapper.parser = parser
      let records = Array(try mapper.records(in: Feed(feed, format: .ndjson), jobs: 1))
      #expect(records.count == 600)
      texts.append(Routes.describe(records) { $0.description }.split(separator: "\n"))
    }
    let odd = zip(texts[0], texts[1]).first { $0.0 != $0.1 }
    #expect(texts[0].count == texts[1].count)
    if let odd { Issue.record("\(odd.0) for \(odd.1)") }
  }

  @Test(arguments: [OutputLayout.lines, .array], [1, 3000, 1 << 20])
  func `records that are written at once are those that come one by one`(
    _ layout: OutputLayout, _ enough: Int
  ) throws {
    let feed = Self.feed(7, records: 500)
    for size in [feed.count, 5000, 333] {
      let each = try Self.convert(Self.output, feed, layout, pieceSize: size, enough: 0)
      let atOnce = try Self.convert(Self.output, feed, layout, pieceSize: size, enough: enough)
      #expect(atOnce.output == each.output)
      #expect(atOnce.report == each.report)
      #expect(each.count == 500)
      #expect(atOnce.count == 500)
      if size > 1000 { #expect(atOnce.atOnce > 150) }
    }
  }

  /// How a feed ended, and its counts.
  struct Conversion {
    var output: [UInt8] = []
    /// What is said of the records that were not written at once.
    var report: [String] = []
    /// How many records there were, how many a condition dropped, and how many were written or dropped at once.
    var count = 0
    var dropped = 0
    var atOnce = 0
    var unfound: [String] = []
  }

  static func convert(
    _ mapping: OutputMapping, _ feed: [UInt8], _ layout: OutputLayout, pieceSize: Int,
    enough: Int, parser: RecordParser = .auto, omitsNulls: Bool = false
  ) throws -> Conversion {
    let plan = try OutputPlan(mapping, omitsNulls: omitsNulls)
    let converter = OutputConverter(plan, layout: layout)
    converter.parser = parser
    try converter.begin(format: .ndjson, file: nil)
    var made = Conversion()
    var given = 0
    feed.withUnsafeBufferPointer { bytes in
      while true {
        converter.takeOutput { made.output += $0 }
        let (mapped, dropped) = converter.writeRecords(enough: enough)
        made.count += mapped + dropped
        made.dropped += dropped
        made.atOnce += mapped + dropped
        if mapped + dropped > 0 { continue }
        switch converter.next() {
        case .input:
          let piece = UnsafeBufferPointer(
            rebasing: bytes[given..<min(given + pieceSize, bytes.count)])
          given += piece.count
          converter.input(piece, isFinal: given == bytes.count)
        case .record(let record):
          made.count += 1
          if let error = record.error { made.report.append("\(record.number) \(error)") }
        case .dropped:
          made.count += 1
          made.dropped += 1
        case .records: break
        case .end: return
        }
      }
    }
    converter.finish()
    converter.takeOutput { made.output += $0 }
    made.unfound = converter.unfound.fields.map { "\($0)" }
    return made
  }

  /// The same by several jobs.
  static func convert(
    _ mapping: OutputMapping, _ feed: [UInt8], _ layout: OutputLayout, jobs: Int,
    omitsNulls: Bool = false
  ) throws -> Conversion {
    let plan = try OutputPlan(mapping, omitsNulls: omitsNulls)
    let converter = OutputConverter(plan, layout: layout)
    converter.jobs = jobs
    try converter.begin(format: .ndjson, file: nil)
    var made = Conversion()
    var rest = feed[...]
    steps: while true {
      converter.takeOutput { made.output += $0 }
      switch converter.next() {
      case .input:
        guard let room = converter.room else { break steps }
        let piece = Array(rest.prefix(min(room.count, 40_000)))
        rest = rest.dropFirst(piece.count)
        room.copyBytes(from: piece)
        let bytes = UnsafeBufferPointer(room.bindMemory(to: UInt8.self))
        converter.input(
          UnsafeBufferPointer(rebasing: bytes.prefix(piece.count)), isFinal: piece.isEmpty)
      case .record(let record):
        made.count += 1
        if let error = record.error { made.report.append("\(record.number) \(error)") }
      case .records(let mapped, let dropped, _):
        made.count += mapped + dropped
        made.dropped += dropped
      case .dropped:
        made.count += 1
        made.dropped += 1
      case .end: break steps
      }
    }
    converter.takeOutput { made.output += $0 }
    converter.finish()
    converter.takeOutput { made.output += $0 }
    made.unfound = converter.unfound.fields.map { "\($0)" }
    return made
  }

  @Test func `a program writes numbers however they are spelled`() throws {
    let types: [(name: String, mapping: OutputMapping)] = [
      ("int8", .int8), ("uint8", .uint8), ("int16", .int16), ("uint16", .uint16),
      ("int32", .int32), ("uint32", .uint32), ("int64", .int64), ("uint64", .uint64),
      ("double", .double), ("float", .float), ("decimal", .decimal), ("number", .number),
    ]
    // Each type has its largest and its smallest value, and others; none is out of range.
    let values: [String: [String]] = [
      "int8": ["127", "-128", "100", "-0", "5.0"], "uint8": ["255", "200", "99", "2e2"],
      "int16": ["32767", "-32768", "9999"], "uint16": ["65535", "49152"],
      "int32": ["2147483647", "-2147483648", "1700000000"], "uint32": ["4294967295", "1e9"],
      "int64": ["9223372036854775807", "-9223372036854775808", "1234567890123456789"],
      "uint64": ["18446744073709551615", "9999999999999999999", "0.0"],
      "double": ["1.5e-7", "6.02E+23", "3.1415926535897932384626", "-0.0"],
      "float": ["1e10", "0.1"], "decimal": ["1e3", "12345678901234567890.5", "-0"],
      "number": ["1e400", "-0", "1E5"],
    ]
    let lines = (0..<60).map { number in
      let members = types.compactMap { type in
        values[type.name].map { #""\#(type.name)":\#($0[number % $0.count])"# }
      }
      return "{\(members.joined(separator: ","))}\n"
    }
    let feed = Array((0..<300).map { lines[$0 / 5] }.joined().utf8)
    let mapping = OutputMapping.object(
      types.map { OutputField($0.name, from: .path($0.name), $0.mapping) })
    let made = try Self.convert(mapping, feed, .lines, pieceSize: feed.count, enough: 1 << 20)
    let byMachine = try Self.convert(
      mapping, feed, .lines, pieceSize: feed.count, enough: 0, parser: .index)
    #expect(byMachine.report == [])
    #expect(made.report == [])
    #expect(made.atOnce == 300)
    #expect(made.output == byMachine.output)
    // One more than the largest, and one less than the smallest, are errors.
    for (name, value) in [
      ("int8", "128"), ("int8", "-129"), ("uint8", "256"), ("int16", "32768"), ("uint16", "65536"),
      ("int32", "2147483648"), ("int32", "-2147483649"), ("uint32", "4294967296"),
      ("int64", "9223372036854775808"), ("int64", "-9223372036854775809"),
      ("uint64", "18446744073709551616"),
    ] {
      let type = try #require(types.first { $0.name == name })
      let wrong = OutputMapping.object([OutputField("n", from: "n", type.mapping)])
      let feed = Array("{\"n\":1}\n{\"n\":\(value)}\n".utf8)
      let made = try Self.convert(wrong, feed, .lines, pieceSize: feed.count, enough: 1 << 20)
      #expect(made.report.count == 1, "\(name) \(value)")
    }
  }
}
