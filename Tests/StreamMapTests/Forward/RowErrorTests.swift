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
    of assembly: RecordAssembly<Value>, _ plan: Plan, rows: Bool, lines: [String] = lines,
    _ text: (UnsafeMutableRawPointer) -> String
  ) throws -> (texts: [String], others: [Int]) {
    let feed = Array((lines.joined(separator: "\n") + "\n").utf8)
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

  private static func texts(of plan: Plan) -> RecordAssembly<String> {
    .text(plan, omitsNulls: false) { String(decoding: $0, as: UTF8.self) }
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
    ("unknown keys that are reported", strict(.report)), ("unknown keys", strict(.fail)),
    (
      "unknown keys of what a condition leaves out",
      strict(.report).filtered(by: .calculated("(id ?? 0) > 2"))
    ),
    ("unknown keys on the way of paths", strictPaths(.report)),
    ("unknown keys on the way of paths that are errors", strictPaths(.fail)),
    (
      "elements that a condition does not suit",
      .object([
        OutputField("list", from: "list", .array(of: entry.filtered(by: .value(at: "v")))),
        OutputField(
          "tags", from: "tags",
          .array(of: entry.filtered(by: .calculated("$ == null or v > 1")), omitsInvalid: true)),
        OutputField("name", from: "name", entry.filtered(by: .value(at: "k")).default("left out")),
        OutputField("id", from: "id", entry.filtered(by: .calculated("k > 1")).default(0)),
      ])
    ),
    (
      "cases that do not suit",
      .object([
        OutputField(
          "id", from: "id", .dispatch(byKind: [.number: .int8, .null: .nullable(.string)])),
        OutputField(
          "name", from: "name", .dispatch(byKind: [.string: .string]).default("", when: .failing)),
        OutputField(
          "http", from: "http",
          .dispatch(on: "ms", ["1": .raw, "1.5": http]).default(7, when: .failing)),
        OutputField(
          "deep", from: "http.deep", .dispatch(on: "n", ["1": .raw, "2": .raw])),
        OutputField(
          "far", from: "http",
          .nullable(.dispatch(on: "deep.n", ["1": .raw, "5": .raw]), when: .missingOrInvalid)),
        OutputField(
          "tags", from: "tags", .array(of: .dispatch(byKind: [.string: .string, .array: .raw]))),
      ])
    ),
    ("several sources", severalSources),
    ("formulas", formulas), ("formulas inside", .object([OutputField("o", from: "$", formulas)])),
    ("conditions that cannot be decided", formulas.filtered(by: .calculated("id + 1 > 0"))),
    (
      "conditions on fields",
      formulas.filtered(by: .all(.field("ms"), .calculated("(id ?? 1) != 8")))
    ),
    (
      "issues of what a condition leaves out",
      .object([
        OutputField("name", from: "name", .nullable(.string, when: .missingOrInvalid)),
        OutputField("http", from: "http", http.default(.null, when: .failing)),
        OutputField("id", from: "id", .int32.default(.null, when: .missingOrInvalid)),
      ]).filtered(by: .field("id"))
    ),
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

  private static func strict(_ policy: UnknownKeyPolicy) -> OutputMapping {
    .object([
      OutputField("id", from: "id", .int32.default(0, when: .missingOrInvalid)),
      OutputField("name", from: "name", .string),
      OutputField(
        "list", from: "list",
        .array(of: .object([OutputField("k", from: "k", .string)]).unknownKeys(policy))),
      OutputField("http", from: "http", http.unknownKeys(policy).default(.null, when: .failing)),
    ]).unknownKeys(policy)
  }

  private static func strictPaths(_ policy: UnknownKeyPolicy) -> OutputMapping {
    .object([
      OutputField("id", from: "id", .int32.default(0, when: .missingOrInvalid)),
      OutputField("n", from: "http.deep.n", .nullable(.int8, when: .missingOrInvalid)),
      OutputField("b", from: "http.deep.more.b", .nullable(.raw, when: .missingOrInvalid)),
      OutputField("list", from: "list", .nullable(.array(of: .raw), when: .missingOrInvalid)),
    ]).unknownKeys(policy)
  }

  /// Fields with more than one source, some of them in the same part.
  private static let severalSources = OutputMapping.object([
    OutputField("a", from: .first("http.x", "http.deep.n", "name"), .string),
    OutputField("b", from: .first("tags[0]", "tags.a", "id"), .int8.default(0, when: .failing)),
    OutputField("c", from: .first("gone", "list", "http.deep"), .nullable(.array(of: entry))),
    OutputField("d", from: .first("name", "id"), .nullable(.string, when: .missingOrInvalid)),
  ])

  /// Values that are calculated or chosen, and are often missing or wrong.
  private static let formulas = OutputMapping.object([
    OutputField("id", from: "id", .int32.default(0, when: .missingOrInvalid)),
    OutputField("sum", calculated: "id + http.ms", .double),
    OutputField("half", calculated: "id / (id - 7)", .decimal.default(0, when: .failing)),
    OutputField("more", calculated: "http.deep.n * 2", .nullable(.int8, when: .missing)),
    OutputField("text", calculated: "name ?? tags", .string),
    OutputField("any", calculated: "http.deep", .nullable(.any, when: .missingOrInvalid)),
    OutputField(
      "size", calculated: "id * 10", .int8.validated(small).default(-1, when: .missingOrInvalid)),
    OutputField("ms", from: "http.ms", .double.default(.null)),
    OutputField(
      "case",
      cases: [
        (.calculated("id > 7"), OutputField("x", from: "name", .int8)),
        (.value(at: "http.deep"), OutputField("y", calculated: "http.deep.n + 1", .int16)),
        (.nothing(at: "list"), OutputField("z", constant: "none")),
      ], otherwise: OutputField("w", from: "tags", .array(of: .string))),
    OutputField("kind", cases: [(.value(at: "http.x"), OutputField("k", from: "http.x", .int8))]),
    OutputField("name", from: "name", .string),
  ])

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
  private static let small = Rule<JSONValue>("small", expecting: "less than 3 bytes") {
    $0.description.utf8.count < 3
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
      let assembly = Self.texts(of: plan)
      return try self.outcomes(of: assembly, plan, rows: rows) { assembly.take?($0) ?? "" }
    }
    let (slow, fast) = (try outcomes(rows: false), try outcomes(rows: true))
    #expect(slow.others.count == Self.lines.count)
    // A condition may look into an array where an object should be.
    #expect(fast.others == (name == "elements that a condition does not suit" ? [2, 7] : []))
    #expect(slow.texts.count == Self.lines.count)
    for (one, other) in zip(fast.texts, slow.texts) { #expect(one == other) }
  }

  /// Records are written once, whatever is unusual in them: so the code of the mapping's author runs once for each.
  @Test func `a record with an error is not written again`() throws {
    try expectOneCall([OutputField("id", from: "id", .int8)], errors: 4, issues: 0)
    try expectOneCall(
      [OutputField("name", from: "name", .string), OutputField("ms", from: "http.ms", .double)],
      errors: 5, issues: 0)
  }

  @Test func `a record with an issue is not written again`() throws {
    try expectOneCall(
      [OutputField("id", from: "id", .int8.default(0, when: .missingOrInvalid))], errors: 0,
      issues: 4)
  }

  @Test func `a record with a null on the way of a path is not written again`() throws {
    let fields = [
      OutputField("a", from: "a.b", .nullable(.string)),
      OutputField("c", from: "c[0].d", .int8.default(0)),
    ]
    let lines = [
      #"{"list":1,"a":null,"c":null}"#, #"{"list":2,"a":{"b":null},"c":[null]}"#,
      #"{"list":3,"a":{"b":"x"},"c":[{"d":1}]}"#, #"{"list":4}"#,
    ]
    let texts = try expectOneCall(fields, errors: 0, issues: 0, lines: lines)
    #expect(
      texts == [
        #"{"list":1,"a":null,"c":0}"#, #"{"list":2,"a":null,"c":0}"#,
        #"{"list":3,"a":"x","c":1}"#, #"{"list":4,"a":null,"c":0}"#,
      ])
  }

  @discardableResult
  private func expectOneCall(
    _ fields: [OutputField], errors: Int, issues: Int, lines: [String] = lines
  ) throws -> [String] {
    let calls = Locked(0)
    let counted = OutputMapping.converted(from: .raw, expected: "anything") { value in
      calls.withLock { $0 += 1 }
      return value
    }
    let mapping = OutputMapping.object([OutputField("list", from: "list", counted)] + fields)
    let plan = try Mapper(output: mapping).plan
    let assembly = Self.texts(of: plan)
    let made = try outcomes(of: assembly, plan, rows: true, lines: lines) {
      assembly.take?($0) ?? ""
    }
    #expect(made.others == [])
    #expect(made.texts.count { $0.contains("fatal") } == errors)
    #expect(made.texts.count { $0.contains("issue") } == issues)
    #expect(calls.withLock { $0 } == lines.count)
    return made.texts
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
