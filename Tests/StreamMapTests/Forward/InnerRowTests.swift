import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Values inside records that are too long to be rows come as rows, and make what events make: values, issues, errors, addresses.
@Suite struct InnerRowTests {
  private struct Item: Equatable {
    let id: Int
    let name: String?
    let points: [[Double]]
    let size: Int8
    let kind: [String]?
  }

  private static let item = Mapping.object(Item.self) { field in
    field.make(
      Item.init, field("id", \.id), field("name", \.name),
      field("points", \.points, .array(of: .array(of: .double)).default([])),
      field("size", \.size, .int8.default(3, when: .missingOrInvalid)),
      field("kind", \.kind, .nullable(kind)))
  }

  private static let kind = Mapping<[String]>.firstOf(
    .array(of: .string), .at("list", .array(of: .string)))

  private struct Shelf: Equatable, CustomStringConvertible {
    let items: [Item]
    let byName: [String: Item]
    let one: Item

    // Members of equal dictionaries come in any order.
    var description: String { "\(items); \(byName.sorted { $0.key < $1.key }); \(one)" }
  }

  private static let shelf = Mapping.object(Shelf.self) { field in
    field.make(
      Shelf.init, field("items", \.items, .array(of: item, omitsInvalid: true)),
      field("byName", \.byName, .dictionary(of: item)), field("one", \.one, item))
  }

  private static let output = OutputMapping.object([
    OutputField("one", from: "one.id", .int64),
    OutputField("items", from: "items", .array(of: outputItem)),
    OutputField("named", from: "byName", .dictionary(of: outputItem)),
    OutputField("count", from: "count", .int8.default("3", when: .missingOrInvalid)),
  ])

  private static let outputItem = OutputMapping.object([
    OutputField("id", from: "id", .int64), OutputField("name", from: "name", .nullable(.string)),
    OutputField("points", from: "points", .nullable(.array(of: .array(of: .double)))),
    OutputField("kind", from: "kind", .nullable(.raw)),
    OutputField(
      "list", from: "kind",
      .nullable(.firstOf(.array(of: .string), .at("list", .array(of: .string))))),
  ])

  /// Plain items, and some that are not.
  private static let texts = [
    #"{"id":1,"name":"a\u00e9\n","points":[[1.5,-2],[],[3e2]],"size":7,"kind":null}"#,
    #"{"id":2,"kind":["a","b"],"name":"plain"}"#,
    #"{"id":3,"kind":{"list":["c"]},"more":[{"id":[1]}]}"#,
    #"{"name":null,"id":4}"#, #"{"id":5,"points":[]}"#, #"{"id":6,"size":1000}"#,
  ]
  private static let others = [
    "null", "7", "[]", "{}", #"{"id":"2"}"#, #"{"id":2,"id":3}"#, #"{"\u0069d":2}"#,
    #"{"id":2,"points":[[1,2],[3,null]]}"#, #"{"id":2,"points":[[1,1e999]]}"#,
    #"{"id":2,"kind":{"list":[7]}}"#, #"{"id":2,"points":{}}"#, #"{"id":2,"name":["a"]}"#,
  ]

  /// A document of about so many items; `hasLines`: with line feeds where white space may be.
  private static func document(
    _ count: Int, odd: Int, hasLines: Bool, _ random: inout SeededGenerator
  ) -> String {
    func space() -> String {
      switch Int.random(in: 0..<(hasLines ? 6 : 12), using: &random) {
      case 0: hasLines ? "\n" : " "
      case 1: hasLines ? " \n\n  " : "  "
      default: ""
      }
    }
    func item() -> String {
      let text =
        odd > 0 && Int.random(in: 0..<100, using: &random) < odd
        ? others[Int.random(in: 0..<others.count, using: &random)]
        : texts[Int.random(in: 0..<texts.count, using: &random)]
      if !hasLines || Int.random(in: 0..<3, using: &random) > 0 { return text }
      return text.replacing(#","name""#, with: ",\n \"name\"").replacing("}", with: "\n}")
    }
    let items = (0..<count).map { _ in space() + item() + space() }.joined(separator: ",")
    // Some keys that Swift's String takes for each other.
    func key(_ number: Int) -> String {
      odd > 0 && number % 7 < 2
        ? (number % 7 == 0 ? "\u{E9}" : "e\u{301}") + "\(number / 7)" : "k\(number)"
    }
    let members = (0..<count / 8)
      .map { #"\#(space())"\#(key($0))"\#(space()):\#(space())\#(item())"# }.joined(separator: ",")
    return #"{"items":[\#(items)],\#(space())"byName":{\#(members)},"one":\#(texts[1])}"#
  }

  private static func records<Value>(
    _ mapper: Mapper<Value>, _ feed: String, _ format: FeedFormat, _ size: Int
  ) throws -> String {
    let selection = try FeedSelection(mapper.plan.tables.selection, at: [])
    let route = try mapper.makeRoute(FeedRequest(selection, format: format))
    return Routes.describe(Routes.collect(route, Array(feed.utf8), pieceSize: size)) { "\($0)" }
  }

  private func compare<Value>(
    _ mapper: Mapper<Value>, _ feed: String, _ format: FeedFormat, _ reason: String
  ) throws {
    var byYajl = mapper
    byYajl.parser = .yajl
    let expected = try Self.records(byYajl, feed, format, .max)
    for size in [Int.max, 70_001, 4096] {
      let found = try Self.records(mapper, feed, format, size)
      if found != expected {
        let first = zip(found, expected).prefix { $0 == $1 }.count
        Issue.record(
          "\(reason), pieces of \(size): \(found.dropFirst(max(first - 50, 0)).prefix(300))\nfor\n\(expected.dropFirst(max(first - 50, 0)).prefix(300))"
        )
      }
    }
  }

  @Test(.long) func `long records of random items are those that yajl's events make`() throws {
    var limits = Limits()
    limits.errorsPerRecord = 100_000
    let typed = try Mapper(Self.shelf, limits: limits)
    let output = try Mapper(output: Self.output, limits: limits)
    for seed in FuzzCount.seeds(8) {
      var random = SeededGenerator(seed: seed)
      let odd = [0, 0, 1, 10, 60][Int.random(in: 0..<5, using: &random)]
      let format: FeedFormat = [.json, .ndjson, .sequence, .concatenated][
        Int.random(in: 0..<4, using: &random)]
      let count = 1200 + Int.random(in: 0..<2000, using: &random)
      let hasLines = format != .ndjson && Int.random(in: 0..<2, using: &random) == 0
      let texts = (0..<(format == .json ? 1 : 3)).map { _ in
        Self.document(count, odd: odd, hasLines: hasLines, &random)
      }
      let feed = texts.map { format == .sequence ? "\u{1e}\($0)\n" : "\($0)\n" }.joined()
      try compare(typed, feed, format, "seed \(seed), typed")
      try compare(output, feed, format, "seed \(seed), output")
    }
  }

  @Test func `a fault after values that were rows has its address, and takes the record`() throws {
    var random = SeededGenerator(seed: 7)
    let text = Self.document(3000, odd: 0, hasLines: true, &random)
    for cut in [70_000, 100_000, 150_000] {
      let feed = String(text.prefix(cut)) + "!" + text.dropFirst(cut)
      try compare(Mapper(Self.shelf), feed, .json, "cut at \(cut)")
      try compare(Mapper(output: Self.output), feed, .json, "cut at \(cut)")
    }
  }

  @Test func `limits are met in values that come as rows`() throws {
    var random = SeededGenerator(seed: 8)
    let feed = Self.document(1500, odd: 0, hasLines: false, &random)
    for change: (inout Limits) -> Void in [
      { $0.elements = 1400 }, { $0.elements = 1500 }, { $0.members = 100 }, { $0.depth = 4 },
      { $0.string = 4 }, { $0.number = 2 }, { $0.record = 80_000 }, { $0.key = 4 },
      { $0.record = feed.utf8.count }, { $0.record = feed.utf8.count - 1 },
    ] {
      var limits = Limits()
      change(&limits)
      try compare(Mapper(Self.shelf, limits: limits), feed, .json, "\(limits)")
      try compare(Mapper(output: Self.output, limits: limits), feed, .json, "\(limits)")
    }
  }

  /// How many values of a feed come as rows, and how many texts of it do not.
  private func counts(_ mapping: OutputMapping, _ feed: String) throws -> (rows: Int, tokens: Int) {
    let mapper = try Mapper(output: mapping)
    let selection = try FeedSelection(mapper.plan.tables.selection, at: [])
    let reader = try FeedReader.make(selection, format: .json, limits: Limits(), form: .index)
    reader.takeRows()
    reader.takeInnerRows()
    var (rows, tokens) = (0, 0)
    return Array(feed.utf8).withUnsafeBufferPointer { bytes in
      reader.input(bytes, isFinal: true)
      while true {
        switch reader.next() {
        case .innerRows:
          tokens += reader.chunk.tokens.count
          rows += reader.innerRows.count
        case .chunk, .record: tokens += reader.chunk.tokens.count
        case .row, .fault: Issue.record("a row, or a fault")
        case .input, .end: return (rows, tokens)
        }
      }
    }
  }

  @Test func `nearly all elements of a long array come as rows`() throws {
    var random = SeededGenerator(seed: 9)
    let feed = Self.document(4000, odd: 0, hasLines: false, &random)
    let (rows, tokens) = try counts(Self.output, feed)
    // Those that the end of a batch cuts off do not; the dictionary is one row.
    #expect(rows > 3900 && rows <= 4002, "\(rows)")
    #expect(tokens < 3000, "\(tokens)")
  }
}
