import Testing

@testable import StreamMap

/// Whatever a mapping asks of a record that is in order, the record is made from a row: nothing takes the whole mapping to a slower way.
@Suite struct RowWayTests {
  private static let record = #"""
    {"id":7,"name":"Ann","tags":["a","b"],"http":{"method":"GET","path":"/x","ms":1.5},"text":"{\"a\":{\"b\":1}}",
    "at":"2026-11-21T09:30:00Z","list":[{"k":"x","v":1}],"next":{"id":8,"next":{"id":9}},"null":null,
    "points":[[1,2],[3,4]],"k\u0065y":"esc\u0061ped","other":{"deep":[1, {"a" : 2}]},"last":true}
    """#

  private struct Found: Equatable {
    var made = 0
    var refused = 0
    var other = 0
  }

  /// What became of three records with white space and other numbers in them.
  private func way<Value>(
    of assembly: RecordAssembly<Value>, _ plan: Plan, context: ContextValues? = nil,
    release: (UnsafeMutableRawPointer) -> Void
  ) throws -> Found {
    let line = Self.record.replacing("\n", with: "")
    let feed = Array("\(line)\n\(line.replacing("\":", with: "\": "))\n\(line)\n".utf8)
    let maker = assembly.maker(plan, Limits())
    let reader = try FeedReader.make(
      FeedSelection(plan.tables.selection, at: []), format: .ndjson, limits: Limits(),
      form: .index)
    reader.takeRows()
    var found = Found()
    feed.withUnsafeBufferPointer { bytes in
      reader.input(bytes, isFinal: true)
      while true {
        switch reader.next() {
        case .row:
          let number = found.made + found.refused + 1
          guard let row = reader.row,
            let record = maker.take(row, number: number, at: reader, context: context)
          else {
            found.refused += 1
            reader.redo()
            continue
          }
          if record.notes == nil { release(maker.destination) }
          found.made += 1
        case .record, .chunk, .innerRows, .fault: found.other += 1
        case .input, .end: return
        }
      }
    }
    return found
  }

  private func way(
    of mapping: OutputMapping, omitsNulls: Bool = false, context: ContextValues? = nil
  ) throws -> Found {
    let plan = try Mapper(output: mapping).plan
    return try way(of: .text(plan, omitsNulls: omitsNulls) { _ in }, plan, context: context) { _ in
    }
  }

  private func way<Value>(of mapping: Mapping<Value>) throws -> Found {
    let plan = try Mapper(mapping).plan
    return try way(of: RecordAssembly<Value>.values(plan), plan) {
      $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }
  }

  private static let outputs: [(name: String, mapping: OutputMapping)] = {
    func field(_ name: String, _ source: FieldSource, _ mapping: OutputMapping) -> (
      String, OutputMapping
    ) {
      (
        name,
        .object([
          OutputField("id", from: "id", .int64), OutputField("x", from: source, mapping),
          OutputField("tags", from: "tags", .array(of: .string)),
        ])
      )
    }
    let entry = OutputMapping.object([OutputField("key", from: "k", .string)])
    return [
      field("JSON", "http", .raw), field("the whole record", "$", .raw),
      field("raw text", "other", .raw),
      field("a dictionary", "http", .dictionary(of: .any)),
      field("a dictionary of lists", "other", .dictionary(of: .array(of: .raw))),
      field("first of", "id", .firstOf(.string, .int64, reportsEarlier: false)),
      field(
        "first of objects", "http",
        .firstOf(
          .object([OutputField("a", from: "nothing", .string)]),
          .object([OutputField("b", from: "path", .string)]), reportsEarlier: false)),
      field(
        "first of an array and an object", "list",
        .firstOf(
          .object([OutputField("a", from: "k", .string)]), .array(of: entry), reportsEarlier: false)
      ),
      field(
        "dispatch by kind", "tags",
        .dispatch(byKind: [(.array, .array(of: .any)), (.object, .raw)])),
      field(
        "dispatch by a member", "http",
        .dispatch(
          on: "method",
          [
            "GET": .object([OutputField("p", from: "path", .string)]),
            "PUT": .object([OutputField("m", from: "ms", .double)]),
          ])),
      field(
        "dispatch by a member further inside", "$",
        .dispatch(
          on: "http.method",
          [
            "GET": .object([OutputField("n", from: "name", .string)])
          ])),
      field("an index", "tags[1]", .string), field("an index and a key", "list[0].k", .string),
      field("an index in an index", "points[1][0]", .int64),
      field("an index that is not there", "tags[7]", .nullable(.string)),
      field(
        "an object and paths through it", "http",
        .object([OutputField("m", from: "method", .string)])),
      field("count", "tags", .count), field("count of members", "http", .count),
      field("joined", "tags", .array(of: .string).joined(by: ",")),
      field("entries", "http", .entries(key: "k", value: "v", into: .array(of: .raw))),
      field(
        "JSON in a string", "text", .parsingJSON(.object([OutputField("b", from: "a.b", .int64)]))),
      field("split", "name", .splitting(by: "n")),
      field("a function", "http", .converted(from: .raw, expected: "anything") { $0 }),
      field("a key with escapes", "key", .string), field("a null", "null", .raw),
    ]
  }()

  @Test(arguments: outputs.map(\.name))
  func `an output record is made from a row`(_ name: String) throws {
    let mapping = try #require(Self.outputs.first { $0.name == name }).mapping
    #expect(try way(of: mapping) == Found(made: 3))
    #expect(try way(of: mapping, omitsNulls: true) == Found(made: 3))
  }

  @Test func `facts of the record and values from outside it are made from a row`() throws {
    let currency = ContextValues([
      ("currency", try PathPattern(parsing: "$.currency"), .string("EUR"))
    ])
    let line = OutsideSource.fact(.line)
    let given = OutsideSource.context(0, "currency")
    let record = OutputMapping.object([
      OutputField("id", from: "id", .int64), OutputField("line", .line),
      OutputField("number", .number, .int64), OutputField("key", .key, .nullable(.string)),
      OutputField("currency", contextValue: 0, named: "currency"),
      OutputField("given", contextValue: 0, named: "currency", .string),
    ])
    let euro = Condition.outside(given, exists: true, [.oneOf([.string("EUR")])])
    let others = Condition.outside(given, exists: false, [])
    let early = Condition.outside(
      line, exists: true, [.oneOf([.number("1"), .number("2"), .number("3")])])
    for mapping in [record, record.filtered(by: euro), record.filtered(by: early)] {
      #expect(try way(of: mapping, context: currency) == Found(made: 3))
    }
    #expect(try way(of: record.filtered(by: others), context: currency) == Found(made: 3))
  }

  @Test func `an output record with all other members is made from a row`() throws {
    let fields = [OutputField("number", from: "id", .int64)]
    for rest in [OutputRest.kept, .kept(except: ["other"]), .kept(except: ["other.deep[0]"])] {
      #expect(try way(of: .object(fields, rest: rest)) == Found(made: 3))
    }
  }

  private struct Pair: Equatable {
    let id: Int
    let x: String
  }

  private final class Chain {
    let id: Int
    let next: Chain?
    init(_ id: Int, _ next: Chain?) { (self.id, self.next) = (id, next) }
  }

  private func field(_ source: FieldSource, _ mapping: Mapping<String>) -> Mapping<Pair> {
    .object { $0.make(Pair.init, $0("id", \.id, .int), $0(source, \.x, mapping)) }
  }

  private func text<Source>(of source: Mapping<Source>) -> Mapping<String> {
    .oneWay(from: source) { "\($0)" }
  }

  @Test func `a typed value is made from a row`() throws {
    let all = Found(made: 3)
    #expect(try way(of: field("http", text(of: Mapping<JSONValue>.json))) == all)
    #expect(try way(of: field("$", text(of: Mapping<JSONValue>.json))) == all)
    #expect(
      try way(of: field("http", text(of: Mapping<[String: JSONValue]>.dictionary(of: .json))))
        == all)
    #expect(
      try way(of: field("id", .firstOf(.string, text(of: Mapping<Int>.int), reportsEarlier: false)))
        == all)
    #expect(
      try way(of: field("http", .dispatch(on: "method", ["GET": .at("path", .string)]))) == all)
    #expect(
      try way(
        of: field("tags", .dispatch(byKind: [.array: .at("[0]", .string), .string: .string])))
        == all)
    #expect(try way(of: field(.first("nothing", "name"), .string)) == all)
    #expect(try way(of: field("name", Mapping.string.postProcessed { _, value in value })) == all)
    #expect(
      try way(of: field("name", Mapping.string.postProcessed { _, value, _ in value })) == all)
    #expect(
      try way(of: field("http", .preTransformed(.at("path", .string)) { $0 })) == all)
    #expect(try way(of: field("key", .string)) == all)
    #expect(try way(of: field("points[1][0]", text(of: Mapping<Int>.int))) == all)
  }

  @Test func `a value that contains itself is made from a row`() throws {
    let mapping: Mapping<Chain> = .recursive { chain in
      .object { field in
        field.make(Chain.init, field("id", \.id), field("next", \.next, .nullable(chain)))
      }
    }
    #expect(try way(of: mapping) == Found(made: 3))
  }

  @Test func `collected members are made from a row`() throws {
    struct Rest {
      let id: Int
      let others: [String: JSONValue]
    }
    let mapping: Mapping<Rest> = .object { field in
      field.make(Rest.init, field("id", \.id), field(collecting: \.others))
    }
    #expect(try way(of: mapping) == Found(made: 3))
  }

  @Test func `a dictionary is made from a row`() throws {
    #expect(try way(of: Mapping<[String: JSONValue]>.dictionary(of: .json)) == Found(made: 3))
  }
}
