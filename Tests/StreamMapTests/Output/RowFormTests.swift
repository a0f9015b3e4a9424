import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Output records as rows: read back by readers that share nothing with the writer, the cells are the values of the JSON.
@Suite struct RowFormTests {
  private static let record = OutputMapping.object([
    OutputField("n", from: "n", .nullable(.int64)),
    OutputField("t", from: "t", .nullable(.string)),
    OutputField("a,\"b", from: "any", .nullable(.any)),
    OutputField(
      "o", from: "o",
      .nullable(
        .object([
          OutputField("x", from: "x", .nullable(.string)),
          OutputField(
            "y", from: "y", .nullable(.object([OutputField("z", from: "z", .nullable(.double))]))),
        ]))),
    OutputField("l", from: "l", .array(of: .nullable(.string)).default(.array([]))),
    OutputField("d", from: "d", .nullable(.dictionary(of: .raw))),
    OutputField("j", from: "j", .nullable(.raw)),
    OutputField("last", from: "t", .nullable(.string)),
  ])

  private static let paths = [
    ["n"], ["t"], ["a,\"b"], ["o", "x"], ["o", "y", "z"], ["l"], ["d"], ["j"], ["last"],
  ]

  private static let texts = [
    "", "a", ",", "\"", "\"\"", "\n", "\r\n", "a,b", "=1+1", "\t", "\\", "\\N", "\\.", "é😀",
    "\u{1}",
    "\u{7F}", "sixteen bytes,,a", "eightbyt", "a text, of more than \"thirty-two\" bytes\n, é €",
    "nine,byte", "null", " ", "'", String(repeating: "x,\"", count: 300),
  ]

  private static func text(_ generator: inout SeededGenerator, zero: Bool) -> String {
    if zero, Int.random(in: 0..<40, using: &generator) == 0 { return "a\u{0}b" }
    return texts.randomElement(using: &generator) ?? ""
  }

  private static func string(_ generator: inout SeededGenerator, zero: Bool) -> String {
    let value = text(&generator, zero: zero)
    guard Bool.random(using: &generator) else { return JSONValue.string(value).description }
    // All in escapes.
    return "\"" + value.utf16.map { String(format: "\\u%04x", Int($0)) }.joined() + "\""
  }

  private static func record(_ generator: inout SeededGenerator, zero: Bool) -> String {
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    var members: [String] = []
    func add(_ key: String, _ value: String) {
      if chance(80) { members.append("\"\(key)\":\(chance(15) ? "null" : value)") }
    }
    add("n", "\(Int.random(in: -99...9_999_999, using: &generator))")
    add("t", string(&generator, zero: zero))
    add("any", chance(50) ? string(&generator, zero: zero) : chance(50) ? "1.50" : "true")
    let inner = chance(50) ? "{\"z\":-1e3}" : chance(50) ? "null" : "{}"
    add("o", "{\"x\":\(string(&generator, zero: zero)),\"y\":\(inner)}")
    if chance(70) {
      let elements = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
        chance(20) ? "null" : string(&generator, zero: zero)
      }
      members.append("\"l\":[\(elements.joined(separator: " , "))]")
    }
    add("d", "{ \(string(&generator, zero: false)) : [1, {\"q\": \"]}\"}] }")
    add("j", chance(50) ? string(&generator, zero: zero) : "[[{}], {\"k\": [\"\\\\\", 2]} ]")
    if chance(30) { members.shuffle(using: &generator) }
    return "{\(members.joined(separator: ","))}"
  }

  private static func feed(_ seed: UInt64, records: Int, zero: Bool = true) -> String {
    var generator = SeededGenerator(seed: seed)
    return (0..<records).map { _ in record(&generator, zero: zero) + "\n" }.joined()
  }

  /// What a feed becomes, and the errors of its records.
  private func convert(
    _ feed: String, _ mapping: OutputMapping = record, jobs: Int = 1, atOnce: Bool = true,
    arrays: RowArrays = RowArrays(), limits: Limits = Limits(),
    _ layout: (OutputValue) throws -> OutputLayout
  ) throws -> (output: [UInt8], errors: [String]) {
    var plan = try OutputPlan(mapping)
    plan.limits = limits
    try plan.makeRows(arrays)
    let converter = OutputConverter(plan, layout: try layout(plan.record))
    converter.jobs = jobs
    try converter.begin(format: .ndjson, file: nil)
    var output: [UInt8] = []
    var errors: [String] = []
    let bytes = Array(feed.utf8)
    var given = 0
    bytes.withUnsafeBufferPointer { bytes in
      while true {
        converter.takeOutput { output += $0 }
        if atOnce, converter.writeRecords(enough: 5000) != (0, 0) { continue }
        switch converter.next() {
        case .input:
          let most = min(converter.room?.count ?? 70_000, 70_000)
          let piece = UnsafeBufferPointer(rebasing: bytes[given..<min(given + most, bytes.count)])
          converter.room?.copyBytes(from: piece)
          given += piece.count
          converter.input(piece, isFinal: piece.isEmpty)
        case .record(let record):
          if let error = record.error { errors.append("\(record.number) \(error)") }
        case .dropped, .records: break
        case .end: return
        }
      }
    }
    converter.finish()
    converter.takeOutput { output += $0 }
    return (output, errors)
  }

  /// The texts of the cells, nil for none, from what the same records are as lines of JSON.
  private func expected(_ feed: String, json: Bool) throws -> [[String?]] {
    let lines = try convert(feed) { _ in .lines }
    return try String(decoding: lines.output, as: UTF8.self).split(separator: "\n").map { line in
      let value = try Mapper(JSONValue.self).decode(line.utf8).get()
      return Self.paths.map { path in
        let cell = path.reduce(JSONValue?.some(value)) { $0?[$1] }
        switch cell {
        case nil, .null: return nil
        case .string(let text): return json && path == ["j"] ? cell?.description : text
        default: return cell?.description
        }
      }
    }
  }

  // MARK: Readers

  /// Reads CSV by RFC 4180: an empty cell without quotes is nil.
  private func rows(csv text: String) -> [[String?]] {
    var rows: [[String?]] = []
    var row: [String?] = []
    var cell = ""
    var wasQuoted = false
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      if isQuoted {
        if scalar != "\"" {
          cell.unicodeScalars.append(scalar)
        } else if scalars.first == "\"" {
          scalars.removeFirst()
          cell += "\""
        } else {
          isQuoted = false
        }
      } else if scalar == "\"" {
        #expect(cell.isEmpty && !wasQuoted)
        (isQuoted, wasQuoted) = (true, true)
      } else if scalar == "," || scalar == "\n" {
        row.append(cell.isEmpty && !wasQuoted ? nil : cell)
        (cell, wasQuoted) = ("", false)
        if scalar == "\n" {
          rows.append(row)
          row = []
        }
      } else {
        #expect(scalar != "\r" && !wasQuoted)
        cell.unicodeScalars.append(scalar)
      }
    }
    #expect(row.isEmpty && cell.isEmpty && !isQuoted)
    return rows
  }

  /// Reads rows with tabs and escapes; a cell that is `null` is nil.
  private func rows(tabbed text: String, null: String) -> [[String?]] {
    var lines = parts(of: text, between: "\n")
    #expect(lines.popLast() == "")
    return lines.map { line in
      parts(of: line, between: "\t").map { cell in
        cell == null ? nil : unescaped(cell)
      }
    }
  }

  private func parts(of text: String, between separator: Unicode.Scalar) -> [String] {
    text.unicodeScalars.split(separator: separator, omittingEmptySubsequences: false)
      .map { String($0) }
  }

  private func unescaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      guard scalar == "\\", let next = scalars.popFirst() else {
        #expect(scalar != "\\" && scalar != "\r")
        result.append(scalar)
        continue
      }
      let escapes: [Unicode.Scalar: Unicode.Scalar] = ["t": "\t", "n": "\n", "r": "\r", "\\": "\\"]
      result.append(escapes[next] ?? "?")
    }
    return String(result)
  }

  // MARK: Tests

  @Test(.long, arguments: TestExtent.sample(1...4, every: 2), [1, 3])
  func `rows read back are the values of the records`(_ seed: UInt64, jobs: Int) throws {
    let feed = Self.feed(seed, records: 700)
    let header = Self.paths.map { $0.joined(separator: ".") as String? }
    let cells = try expected(feed, json: false)
    let csv = try convert(feed, jobs: jobs) { try .rows(of: $0, RowOptions(.csv)) }
    #expect(rows(csv: String(decoding: csv.output, as: UTF8.self)) == [header] + cells)
    let tsv = try convert(feed, jobs: jobs) { try .rows(of: $0, RowOptions(.tsv)) }
    // There, an empty text is an empty cell, too.
    #expect(
      rows(tabbed: String(decoding: tsv.output, as: UTF8.self), null: "")
        == [header] + cells.map { $0.map { $0 == "" ? nil : $0 } })
    #expect(csv.errors.isEmpty && tsv.errors.isEmpty)
  }

  @Test(arguments: [1, 3])
  func `rows for PostgreSQL keep null, empty text and JSON apart`(jobs: Int) throws {
    let feed = Self.feed(5, records: 700, zero: false)
    let copy = try convert(feed, jobs: jobs) { try .rows(of: $0, RowOptions(.postgres)) }
    #expect(
      try rows(tabbed: String(decoding: copy.output, as: UTF8.self), null: "\\N")
        == expected(feed, json: true))
    #expect(copy.errors.isEmpty)
  }

  @Test(arguments: [1, 3])
  func `a record with U+0000 has no row for PostgreSQL, and is an error`(jobs: Int) throws {
    let feed = """
      {"t":"a"}
      {"t":"\\u0000"}
      {"j":["\\\\u0000"]}
      {"j":["\\\\\\u0000"]}
      {"d":{"\\u0000":1}}
      {"t":"b"}

      """
    let copy = try convert(feed, jobs: jobs) { try .rows(of: $0, RowOptions(.postgres)) }
    #expect(
      String(decoding: copy.output, as: UTF8.self).split(separator: "\n").map {
        $0.replacing("\\N\t", with: "")
      } == ["a\t[]\ta", "[]\t[\"\\\\\\\\u0000\"]\t\\N", "b\t[]\tb"])
    #expect(copy.errors.map { $0.prefix(1) } == ["2", "4", "5"])
    #expect(
      copy.errors.first?.hasSuffix(
        "expected texts without U+0000, which PostgreSQL cannot hold, found one in the column 't'")
        == true)
  }

  private func csv(
    _ feed: String, _ mapping: OutputMapping = record, jobs: Int = 1,
    arrays: RowArrays = RowArrays(),
    limits: Limits = Limits(), _ change: (inout RowOptions) -> Void = { _ in }
  ) throws -> String {
    let made = try convert(feed, mapping, jobs: jobs, arrays: arrays, limits: limits) { value in
      var options = RowOptions(.csv)
      change(&options)
      return try .rows(of: value, options)
    }
    return String(decoding: made.output, as: UTF8.self) + made.errors.joined(separator: "\n")
  }

  private static let order = OutputMapping.object([
    OutputField("id", from: "id", .int64),
    OutputField(
      "lines", from: "lines",
      .nullable(
        .array(
          of: .nullable(
            .object([
              OutputField("sku", from: "sku", .nullable(.string)),
              OutputField("tags", from: "tags", .nullable(.array(of: .nullable(.any)))),
            ]))))),
    OutputField("note", from: "note", .nullable(.string)),
  ])

  private static var exploded: RowArrays {
    var arrays = RowArrays()
    arrays.exploded = .only
    return arrays
  }

  private static func joined(_ text: String) -> RowArrays {
    var arrays = RowArrays()
    arrays.joint = text
    return arrays
  }

  private let orders = """
    {"id":1,"lines":[{"sku":"a","tags":["x, y",2]},null,{"sku":"b"}],"note":"n"}
    {"id":2,"lines":[],"note":"m"}
    {"id":3}

    """

  @Test(arguments: [1, 3])
  func `each element of an array has a row, and a record without elements has one`(jobs: Int)
    throws
  {
    #expect(
      try csv(orders, Self.order, jobs: jobs, arrays: Self.exploded) == """
        id,lines.sku,lines.tags,note
        1,a,"[""x, y"",2]",n
        1,,,n
        1,b,,n
        2,,,m
        3,,,

        """)
    let numbers = OutputMapping.object([OutputField("n", from: "n", .array(of: .int64))])
    #expect(try csv("{\"n\":[1,2]}\n", numbers, arrays: Self.exploded) == "n\n1\n2\n")
    // A row of one cell is no empty line.
    #expect(try csv("{\"n\":[]}\n", numbers, arrays: Self.exploded) == "n\n\"\"\n")
  }

  @Test(arguments: [1, 3])
  func `rows of one record that are too many are an error`(jobs: Int) throws {
    var limits = Limits()
    limits.record = 250
    let many =
      "{\"id\":4,\"lines\":[null\(String(repeating: ",null", count: 19))],\"note\":\"long\"}"
    let all = try csv(
      orders + many + "\n{\"id\":5}\n", Self.order, jobs: jobs, arrays: Self.exploded,
      limits: limits)
    #expect(all.contains("\n3,,,\n5,,,\n"))
    #expect(all.contains("4 fatal limitExceeded") && all.contains("Limits.record"))
  }

  @Test func `arrays and objects inside become texts`() throws {
    #expect(
      try csv(orders, Self.order) { $0.separator = nil } == """
        id,lines,note
        1,"[{""sku"":""a"",""tags"":[""x, y"",2]},null,{""sku"":""b"",""tags"":null}]",n
        2,[],m
        3,,

        """)
    let joined = try csv(
      "{\"l\":[\"a\",null,\"\\u0022\"]}\n{\"l\":[]}\n", arrays: Self.joined("; ")
    ) { $0.hasHeader = false }
    #expect(joined == ",,,,,\"a; ; \"\"\",,,\n,,,,,\"\",,,\n")
    #expect(
      try csv("{\"o\":{\"x\":\"p\"}}\n") { $0.separator = "__" }.hasPrefix(
        "n,t,\"a,\"\"b\",o__x,o__y__z,"))
  }

  @Test func `texts that look like formulas begin with an apostrophe, numbers do not`() throws {
    let one = OutputMapping.object([
      OutputField("a", from: "a", .any), OutputField("l", from: "l", .array(of: .any)),
    ])
    let feed = ["=1", "+1", "-1", "@a", "\\t", "\\r", "a=", " =", ""].map {
      "{\"a\":\"\($0)\",\"l\":[]}"
    }
    let text = try csv(
      (feed + ["{\"a\":-1,\"l\":[\"=x\",2]}"]).joined(separator: "\n"), one,
      arrays: Self.joined("+")
    ) {
      $0.isSafe = true
      $0.hasHeader = false
    }
    #expect(
      text == """
        '=1,""
        '+1,""
        '-1,""
        '@a,""
        '\t,""
        "'\r",""
        a=,""
        ' =,""
        "",""
        -1,'=x+2

        """)
  }

  @Test func `without records there is only the header`() throws {
    #expect(try csv("", Self.order) { _ in } == "id,lines,note\n")
    #expect(try csv("", Self.order) { $0.hasHeader = false } == "")
  }

  @Test func `records that are not objects are rows of one cell`() throws {
    #expect(try csv("1\n2\n", .int64) { _ in } == "value\n1\n2\n")
    let text = try convert("\"a\\nb\"\nnull\n{}\n", .nullable(.any), atOnce: false) {
      try .rows(of: $0, RowOptions(.text))
    }
    #expect(String(decoding: text.output, as: UTF8.self) == "a\nb\n\n")
    #expect(text.errors.count == 1)
  }

  private func mistake(_ mapping: OutputMapping, _ change: (inout RowOptions) -> Void) throws
    -> String
  {
    var options = RowOptions(.csv)
    change(&options)
    let record = try OutputPlan(mapping).record
    do throws(DefinitionError) {
      _ = try OutputLayout.rows(of: record, options)
      return "none"
    } catch {
      return error.mistakes.map(\.reason).joined()
    }
  }

  @Test func `what has no rows is refused`() throws {
    #expect(try mistake(Self.record) { _ in } == "none")
    #expect(
      try mistake(.object([OutputField("a", from: "a", .any)], rest: .kept(except: []))) { _ in }
        .hasPrefix("'rest: keep' has members that only the feed knows"))
    #expect(
      try mistake(Self.order) { $0.kind = .text }
        .hasPrefix("the output 'text' is the text of one field, and the record has 3;"))
    let same = OutputMapping.object([
      OutputField("a.b", from: "x", .any),
      OutputField("a", from: "a", .object([OutputField("b", from: "b", .any)])),
    ])
    #expect(try mistake(same) { _ in }.hasPrefix("two columns are called 'a.b'"))
    #expect(try mistake(same) { $0.separator = "_" } == "none")
  }

  @Test(arguments: [1, 3])
  func `indented records are those on lines, written with indentation`(jobs: Int) throws {
    let feed = Self.feed(9, records: 300)
    let lines = try convert(feed) { _ in .lines }
    let indented = try convert(feed, jobs: jobs) { _ in .indented }
    let expected = try String(decoding: lines.output, as: UTF8.self).split(separator: "\n").map {
      let buffer = OutputBuffer()
      let writer = IndentedJSONWriter(output: buffer, spaces: 2)
      try Mapper(JSONValue.self).decode($0.utf8).get().emit(to: writer)
      return String(decoding: buffer.bytes, as: UTF8.self) + "\n"
    }
    #expect(String(decoding: indented.output, as: UTF8.self) == expected.joined())
  }

  @Test(.long, arguments: [OutputLayout.lines, .array, .indented], [1, 3])
  func `records written at once are those that come one by one`(layout: OutputLayout, jobs: Int)
    throws
  {
    let feed = Self.feed(10, records: 600)
    let each = try convert(feed, atOnce: false) { _ in layout }
    #expect(try convert(feed, jobs: jobs) { _ in layout }.output == each.output)
    let rows = try convert(feed, atOnce: false) { try .rows(of: $0, RowOptions(.csv)) }
    #expect(
      try convert(feed, jobs: jobs) { try .rows(of: $0, RowOptions(.csv)) }.output == rows.output)
  }
}
