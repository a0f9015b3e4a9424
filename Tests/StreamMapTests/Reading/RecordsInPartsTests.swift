import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Records that reading cannot take as rows at once are rows all the same: those that are cut in pieces, that paths with filters find, that
/// are lists.
@Suite struct RecordsInPartsTests {
  /// Counts how often code of the mapping's author runs.
  private final class Calls: @unchecked Sendable {
    private(set) var count = 0
    func add() { count += 1 }
  }

  private struct Item: Equatable, Sendable {
    let id: Int
    let name: String
  }

  private static func mapping(_ calls: Calls) -> Mapping<Item> {
    let id: Mapping<Int> = .oneWay(from: .int) { number in
      calls.add()
      guard number != 13 else { throw ConversionFailure(expected: "a lucky number") }
      return number
    }
    return .object(Item.self) { field in
      field.make(Item.init, field("id", \.id, id), field("a.name", \.name, .string))
    }
  }

  /// Some records on one line, and some on several; two are wrong.
  private static let feed = (0..<30).map { number in
    let name = number == 20 ? "null" : "\"n\(number)\""
    let space = number % 3 == 0 ? "\n " : ""
    return #"{"id":\#(space)\#(number),\#(space)"x":[1,{"id":2}],\#(space)"a":{"name":\#(name)}}"#
  }.joined(separator: ",\n")

  private static func lines(_ records: [Record<Item>]) -> [String] {
    records.map { record in
      let errors = record.error?.leaves.map { "\($0)" } ?? []
      return "\(record.number) \(record.value.map { "\($0.id) \($0.name)" } ?? "-") \(errors)"
    }
  }

  @Test(arguments: ["$[*]", "$[?@.id >= 0]", "$..[?@.a]", "$..[?@.a.name || @.id == 20]"])
  func `code of the mapping's author runs once for a record, however it comes`(path: String) throws
  {
    let feed = Array("[\(Self.feed)]".utf8)
    var expected: [String]?
    for size in [feed.count, 400, 64, 17, 5, 1] {
      let calls = Calls()
      let stream = try Mapper(Self.mapping(calls)).stream(at: [path], format: .json)
      var records: [Record<Item>] = []
      for start in stride(from: 0, to: feed.count, by: size) {
        stream.feed(feed[start..<min(start + size, feed.count)]) { records.append($0) }
      }
      stream.finish { records.append($0) }
      #expect(records.count == 30)
      #expect(records.count { $0.error != nil } == 2)
      #expect(calls.count == 30, "\(path) in pieces of \(size)")
      let lines = Self.lines(records)
      #expect(lines == expected ?? lines, "\(path) in pieces of \(size)")
      expected = lines
    }
  }

  @Test func `a record that is longer than what is joined is mapped all the same`() throws {
    let long = String(repeating: "x", count: 2 * RecordJoiner.longest)
    let feed = Array(#"{"id":1,"a":{"name":"\#(long)"}}"#.utf8)
    for size in [feed.count, 50_000, 3000] {
      let calls = Calls()
      let stream = try Mapper(Self.mapping(calls)).stream(format: .json)
      var names: [String?] = []
      for start in stride(from: 0, to: feed.count, by: size) {
        stream.feed(feed[start..<min(start + size, feed.count)]) { names.append($0.value?.name) }
      }
      stream.finish { names.append($0.value?.name) }
      #expect(names == [long] && calls.count == 1)
    }
  }

  @Test func `the line of an error is right where a record is cut between its lines`() throws {
    let feed = Array("{\"skip\":[1,\n2],\n\n\"id\"\n:\n1,\n\"a\"\n:{\n\"name\"\n:\n7}}".utf8)
    for size in 1...feed.count {
      let stream = try Mapper(Self.mapping(Calls())).stream(format: .json)
      var places: [String] = []
      for start in stride(from: 0, to: feed.count, by: size) {
        stream.feed(feed[start..<min(start + size, feed.count)]) {
          places.append(Self.place(of: $0))
        }
      }
      stream.finish { places.append(Self.place(of: $0)) }
      #expect(places == ["11:1"], "in pieces of \(size)")
    }
  }

  private static func place(of record: Record<Item>) -> String {
    record.error?.position.map { "\($0.line):\($0.column)" } ?? "none"
  }

  // MARK: Lists

  private static let list = OutputMapping.object([
    OutputField("id", from: "[0]", .int64),
    OutputField("name", from: "[2].name", .nullable(.string)),
    OutputField("tags", from: "[3]", .nullable(.array(of: .string))),
  ])

  @Test func `records that are lists are rows`() throws {
    let feed = (0..<40).map { number in
      #"[\#(number),"skipped",{"x":1,"name":"n\#(number)"},["a","b"],\#(number)]"#
    }.joined(separator: "\n")
    let mapper = try Mapper(output: Self.list)
    let reader = try FeedReader.make(
      FeedSelection(mapper.plan.tables.selection, at: []), format: .ndjson, limits: Limits(),
      form: .index)
    reader.takeRows()
    var rows = 0
    Array(feed.utf8).withUnsafeBufferPointer { bytes in
      reader.input(bytes, isFinal: true)
      while case .row = reader.next() { rows += 1 }
    }
    #expect(rows >= 39)
    let records = try Routes.run(output: Self.list, feed, format: .ndjson)
    #expect(records.count == 40)
    #expect(
      records.last?.value.map { String(decoding: $0.bytes, as: UTF8.self) }
        == #"{"id":39,"name":"n39","tags":["a","b"]}"#)
  }

  @Test func `records that are lists are equal by all routes, right or wrong`() throws {
    let feed = #"""
      [1,2,{"name":"a"},["t"]]
      [1]
      []
      ["x",2,{"name":3},[4]]
      {"id":1}
      [[1],{},[],{}]
      [ 1 , 2 , { "name" : null } , [ ] , { "deep" : [ { } ] } ]
      [1,{"a":[1,{"b":2}]},{"name":"\u00e9"},["\n"]]
      """#
    let records = try Routes.run(output: Self.list, feed, format: .ndjson)
    #expect(records.count == 8)
    #expect(
      records.map { $0.error == nil } == [true, true, false, false, false, false, true, true])
    try Routes.run(Mapping<[[Int]]>.array(of: .array(of: .int)), "[[1],[],[2,3]]")
    try Routes.run(Mapping<[[Int]]>.array(of: .array(of: .int)), #"[[1],7,[2,"x"]]"#)
    try Routes.run(Mapping<[Int]>.array(of: .int), "[[1],[2],[],[3,4]]", at: ["$[*]"])
  }

  // MARK: Paths

  @Test func `what paths find in what they have found comes after it`() throws {
    let feed = #"""
      {"items":[{"id":1,"items":[{"id":2},{"id":3,"items":[{"id":4}]}]},
      {"id":5,"text":"a \"items\":\n"},{"id":6,"it\u0065ms":[{"id":7}]}]}
      """#
    let ids = OutputMapping.object([OutputField("id", from: "id", .int64)])
    for (path, expected) in [
      ("$..items[*]", [1, 2, 3, 4, 5, 6, 7]), ("$..items[?@.id > 2]", [3, 4, 5, 6, 7]),
      ("$..items[?@.items]", [1, 3, 6]), ("$.items[?@.id != 5]", [1, 6]),
      ("$..['items','none'][0]", [1, 2, 4, 7]), ("$.items[0:3:2]", [1, 6]),
    ] {
      let records = try Routes.run(output: ids, feed, at: [path])
      let found = records.compactMap { $0.value.map { String(decoding: $0.bytes, as: UTF8.self) } }
      #expect(found == expected.map { #"{"id":\#($0)}"# }, "\(path)")
    }
  }

  @Test func `a path that finds nothing is told, and one that finds something is not`() throws {
    let mapper = try Mapper(output: .object([OutputField("id", from: "id", .int64)]))
    for (path, isSeen) in [
      ("$.a[?@.id == 1]", true), ("$.a[?@.id == 9]", true), ("$..none[?@.id]", false),
      ("$..b[*]", true), ("$..none[*]", false),
    ] {
      let feed = Array(#"{"a":[{"id":1},{"id":2,"b":[{"id":3}]}]}"#.utf8)
      let records = try mapper.records(in: Feed(feed, at: [path], format: .json))
      for _ in records {}
      #expect(records.unseenPaths.isEmpty == isSeen, "\(path)")
    }
  }

  @Test func `the record that is one too many has its own address`() throws {
    var options = FeedOptions()
    options.maximumRecords = 2
    let feed = Array("{\"a\":[{\"id\":1},\n{\"id\":2},\n{\"id\":3}]}".utf8)
    let mapper = try Mapper(output: .object([OutputField("id", from: "id", .int64)]))
    for path in ["$.a[*]", "$.a[?@.id]", "$..a[*]"] {
      for jobs in [1, 2] {
        let records = try mapper.records(
          in: Feed(feed, at: [path], format: .json, options: options), jobs: jobs)
        let last = Array(records).last
        #expect(last?.error?.code == .limitExceeded)
        #expect(last?.error?.position?.line == 3, "\(path), \(jobs) jobs")
        #expect(last?.error?.position?.column == 1, "\(path), \(jobs) jobs")
      }
    }
  }
}
