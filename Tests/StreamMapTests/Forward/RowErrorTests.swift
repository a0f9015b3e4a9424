import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// A record in which something is wrong is made from a row, too, once, and has the errors that it has from tokens.
@Suite struct RowErrorTests {
  /// Each has one kind of fault, or some; the last three are in order.
  private static let lines = [
    #"{"id":"x","name":"Ann","tags":["a"],"list":[{"k":"x","v":1}],"http":{"ms":1}}"#,
    #"{"id":1,"name":7,"tags":["a",1,null,{"b":[1,2]}],"list":[{"k":"x"},{"v":"w"},[1],{"k":"y","v":2}]}"#,
    #"  {"tags":{"a":1}, "list":"none", "http":{"x":[1]}, "name":null,"id":null}  "#,
    #"{"list":[{"k":"x","v":1},{"k":null,"v":null}],"http":{"ms":"slow","deep":{"n":{"wrong":[1]}}},"id":2}"#,
    #"{"n\u0061me":"é\u00e9\"","id":99999999999999999999,"tags":[],"list":[],"http":{"deep":{}}}"#,
    #"{"id":3,"name":"much too long a name","tags":["a","b","c"],"list":[{"k":"k","v":-1}],"http":{"ms":2,"deep":{"n":5}}}"#,
    #"{"http":{"ms":false,"deep":{"n":1.5}},"list":[{"k":{},"v":[]}],"tags":[[]],"name":[],"id":{}}"#,
    #"{"id":7,"name":"Bob","tags":["a"],"list":[{"k":"x","v":1}],"http":{"ms":1.5,"deep":{"n":1}}}"#,
    #"{"id":8,"name":"Cid","tags":["a"],"list":[{"k":"x","v":1}],"http":{"ms":1.5,"deep":{"n":2}}}"#,
    #"{"id":9,"name":"Dan","tags":["a"],"list":[{"k":"x","v":1}],"http":{"ms":1.5,"deep":{"n":3}}}"#,
  ]

  /// The texts of records and their errors, and the numbers of those that were not made from rows.
  private func outcomes<Value>(
    of assembly: RecordAssembly<Value>, _ plan: Plan, rows: Bool,
    _ text: (UnsafeMutableRawPointer) -> String
  ) throws -> (texts: [String], others: [Int]) {
    let feed = Array((Self.lines.joined(separator: "\n") + "\n").utf8)
    let maker = assembly.maker(plan, Limits())
    let reader = try FeedReader.make(
      FeedSelection(plan.tables.selection, at: []), format: .ndjson, limits: Limits(), form: .index)
    if rows { reader.takeRows() }
    var texts: [String] = []
    var others: [Int] = []
    func take(_ record: RecordOutcome) {
      let notes = record.notes
      var lines = notes?.error.map { [$0.fullDescription] } ?? [text(maker.destination)]
      lines += (notes?.issues ?? []).map(\.fullDescription)
      texts.append(lines.joined(separator: "\n"))
    }
    feed.withUnsafeBufferPointer { bytes in
      reader.input(bytes, isFinal: true)
      while true {
        switch reader.next() {
        case .row:
          if let row = reader.row,
            let record = maker.take(row, number: texts.count + 1, at: reader, context: nil)
          {
            take(record)
          } else {
            reader.redo()
          }
        case .record:
          if let record = maker.take(
            reader.chunk, isWhole: true, number: texts.count + 1, at: reader, triesRow: false)
          {
            others.append(texts.count + 1)
            take(record)
          }
        case .chunk, .innerRows, .fault: return
        case .input, .end: return
        }
      }
    }
    return (texts, others)
  }

  private static let outputs: [(name: String, mapping: OutputMapping)] = [
    (
      "errors",
      .object([
        OutputField("id", from: "id", .int32), OutputField("name", from: "name", .string),
        OutputField("tags", from: "tags", .array(of: .string)),
        OutputField("list", from: "list", .array(of: entry)),
        OutputField("ms", from: "http.ms", .double), OutputField("n", from: "http.deep.n", .int8),
      ])
    ),
    (
      "issues",
      .object([
        OutputField("id", from: "id", .int32.default(0, when: .missingOrInvalid)),
        OutputField("name", from: "name", .nullable(.string, when: .missingOrInvalid)),
        OutputField(
          "tags", from: "tags",
          .array(of: .string, omitsInvalid: true).default([], when: .missingOrInvalid)),
        OutputField(
          "list", from: "list",
          .array(of: entry, omitsInvalid: true).default([], when: .missingOrInvalid)),
        OutputField("http", from: "http", http.default(.null, when: .failing)),
      ])
    ),
    (
      "rules",
      .object([
        OutputField("id", from: "id", .int32.default(0, when: .missingOrInvalid)),
        OutputField(
          "name", from: "name",
          .string.validated(short).default("-", when: .failing)),
        OutputField(
          "tags", from: "tags",
          .nullable(.array(of: .string).validated(short))),
        OutputField("list", from: "list", .nullable(.dictionary(of: .int32), when: .failing)),
        OutputField("http", from: "http", .nullable(.dictionary(of: .raw), when: .failing)),
      ])
    ),
    (
      "parts that several fields take",
      .object([
        OutputField("all", from: "$", .nullable(.array(of: .raw), when: .missingOrInvalid)),
        OutputField(
          "part", from: "$",
          .object([
            OutputField("id", from: "id", .int8),
            OutputField("list", from: "list", .array(of: entry)),
          ]).default(.null, when: .missingOrInvalid)),
        OutputField("n", from: "http.deep.n", .string.default("-", when: .missingOrInvalid)),
        OutputField("http", from: "http", http.default(.null, when: .missingOrInvalid)),
        OutputField("tags", from: "tags", .array(of: .string, omitsInvalid: true)),
        OutputField("first", from: "tags[0]", .bool.default(.bool(true), when: .failing)),
        OutputField(
          "ms", from: "http.ms", .int8.default(0, when: .missingOrInvalid)),
        OutputField("list", from: "list", .array(of: entry, omitsInvalid: true)),
        OutputField("name", from: "name", .nullable(.int8, when: .missingOrInvalid)),
        OutputField("id", from: "id", .uint8),
      ])
    ),
    ("whole records", .raw.validated(short)), ("the wrong kind of record", .array(of: .raw)),
    ("alternatives", alternatives(areTold: true)),
    ("alternatives whose errors are not told", alternatives(areTold: false)),
    (
      "records of several shapes",
      .firstOf(
        .object([
          OutputField("name", from: "name", .string.validated(short)),
          OutputField("n", from: "http.deep.n", .firstOf(.bool, .int8)),
          OutputField("tags", from: "tags", .array(of: .string, omitsInvalid: true)),
        ]),
        .object([
          OutputField("id", from: "id", .int8), OutputField("ms", from: "http.ms", .double),
          OutputField("list", from: "list", .array(of: entry, omitsInvalid: true)),
        ]),
        .object([OutputField("http", from: "http", alternatives(areTold: true))])
          .default(.string("none"), when: .missingOrInvalid),
        .object([OutputField("name", from: "name", .string)]))
    ),
  ]

  private static func alternatives(areTold: Bool) -> OutputMapping {
    func first(_ all: OutputMapping...) -> OutputMapping {
      .firstOf(all, reportsEarlier: areTold)
    }
    return .object([
      OutputField("id", from: "id", first(.bool, .int32).default(0, when: .missingOrInvalid)),
      OutputField("name", from: "name", first(.uint8, first(.bool, .string.validated(short)))),
      OutputField(
        "tags", from: "tags",
        first(.array(of: first(.bool, .string, .array(of: .int8)), omitsInvalid: true), .uint8)
          .default([], when: .missing)),
      OutputField(
        "list", from: "list",
        .array(of: first(entry, .object([OutputField("k", from: "k", .raw)]), .array(of: .string)))
          .default([], when: .missingOrInvalid)),
      OutputField(
        "http", from: "http",
        first(.object([OutputField("x", from: "x", .array(of: .string))]), http, .uint8)
          .default("no", when: .missing)),
      OutputField(
        "absent", from: "absent",
        first(.nullable(.string), .int8.default(1)).default(.null, when: .missing)),
      OutputField(
        "missing", from: "gone",
        first(.string, .object([OutputField("a", from: "a", .raw)])).default(7)),
    ])
  }

  private static let short = Rule<JSONValue>("short", expecting: "8 bytes") {
    $0.description.utf8.count < 9
  }
  private static let entry = OutputMapping.object([
    OutputField("k", from: "k", .string), OutputField("v", from: "v", .int64),
  ])
  private static let http = OutputMapping.object([
    OutputField("ms", from: "ms", .double.default(0, when: .missingOrInvalid)),
    OutputField("deep", from: "deep", .object([OutputField("n", from: "n", .int8)])),
  ])

  @Test(arguments: outputs.map(\.name))
  func `an output record with faults has the same errors from a row`(_ name: String) throws {
    let mapping = try #require(Self.outputs.first { $0.name == name }).mapping
    let plan = try Mapper(output: mapping).plan
    func outcomes(rows: Bool) throws -> (texts: [String], others: [Int]) {
      var last = ""
      let assembly = RecordAssembly<Void>.text(plan, omitsNulls: false) {
        last = String(decoding: $0, as: UTF8.self)
      }
      return try self.outcomes(of: assembly, plan, rows: rows) { _ in last }
    }
    let (slow, fast) = (try outcomes(rows: false), try outcomes(rows: true))
    #expect(slow.others.count == Self.lines.count)
    #expect(fast.others == [])
    #expect(slow.texts.count == Self.lines.count)
    for (one, other) in zip(fast.texts, slow.texts) { #expect(one == other) }
  }

  private struct Entry: Equatable {
    let k: String
    let v: Int
  }

  private struct Long: Error {}

  private struct Item: Equatable {
    let id: Int32
    let name: String?
    let tags: [String]
    let list: [Entry]
    let ms: Double?
  }

  @Test
  func `a typed record with faults has the same errors, and its code runs once for each value`()
    throws
  {
    let entry: Mapping<Entry> = .object { $0.make(Entry.init, $0("k", \.k), $0("v", \.v)) }
    let names = Locked(0)
    let name: Mapping<String> = .oneWay(from: .string) { (text: String) throws in
      names.withLock { $0 += 1 }
      if text.utf8.count > 8 { throw Long() }
      return text
    }
    let item: Mapping<Item> = .object { field in
      field.make(
        Item.init, field("id", \.id),
        field("name", \.name, .nullable(name, when: .missingOrInvalid)),
        field("tags", \.tags, .array(of: .string).default([], when: .missingOrInvalid)),
        field("list", \.list, .array(of: entry).default([], when: .failing)),
        field("http.ms", \.ms, .nullable(.double, when: .missingOrInvalid)))
    }
    let plan = try Mapper(item).plan
    func outcomes(rows: Bool) throws -> (texts: [String], others: [Int]) {
      try self.outcomes(of: RecordAssembly<Item>.values(plan), plan, rows: rows) {
        let value = $0.assumingMemoryBound(to: Item.self)
        defer { value.deinitialize(count: 1) }
        return "\(value.pointee)"
      }
    }
    let slow = try outcomes(rows: false)
    let calls = names.withLock { count in
      defer { count = 0 }
      return count
    }
    let fast = try outcomes(rows: true)
    #expect(fast.others == [])
    for (one, other) in zip(fast.texts, slow.texts) { #expect(one == other) }
    #expect(names.withLock { $0 } == calls)
  }

  @Test func `the code of alternatives whose errors are told runs once for each value`() throws {
    let calls = Locked(0)
    func counted(_ most: Int) -> Mapping<String> {
      .oneWay(from: .string) { (text: String) throws in
        calls.withLock { $0 += 1 }
        if text.utf8.count > most { throw Long() }
        return text
      }
    }
    let mapping: Mapping<String> = .firstOf(
      .at("name", .firstOf(counted(2), counted(3))), .at("tags[0]", counted(4)),
      .at("http.none", counted(5)), .at("list[0].k", counted(9)))
    let plan = try Mapper(mapping).plan
    func outcomes(rows: Bool) throws -> (texts: [String], calls: Int) {
      calls.withLock { $0 = 0 }
      let made = try self.outcomes(of: RecordAssembly<String>.values(plan), plan, rows: rows) {
        let value = $0.assumingMemoryBound(to: String.self)
        defer { value.deinitialize(count: 1) }
        return value.pointee
      }
      #expect(made.others.count == (rows ? 0 : Self.lines.count))
      return (made.texts, calls.withLock { $0 })
    }
    let (slow, fast) = (try outcomes(rows: false), try outcomes(rows: true))
    for (one, other) in zip(fast.texts, slow.texts) { #expect(one == other) }
    #expect(slow.calls > Self.lines.count && fast.calls == slow.calls)
  }
}
