import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Long lists of documents are split into stretches of elements, which the workers read: nothing of that is to be seen.
@Suite struct ParallelListTests {
  typealias Item = ParallelRecordsTests.Item

  // MARK: Lists

  /// Elements of all kinds: mostly objects that can be mapped, with brackets, quotes and backslashes in their strings.
  private static func element(_ number: Int, _ random: inout SeededGenerator) -> String {
    let marks = ["]", "}", "[{", #"\""#, #"\\"#, #"\\\""#, "é", ",", "z", #"\n"#]
    var text = ""
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      text += marks.randomElement(using: &random) ?? ""
    }
    let space = ["", " ", "\n", "\n\r\n  ", "\t"].randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return "\(number)"
    case 1: return "\"\(text)\""
    case 2: return "[{\"a\":[]},\"\(text)\"]\(space)"
    case 3: return "{\"n\":\"\(text)\",\"text\":\"x\"}"
    case 4: return "{}"
    case 5: return "{\"n\":\(number)\(space),\"skipped\":[[{\"q\":\"\(text)\"}]],\"text\":\"\"}"
    default:
      return "{\(space)\"n\":\(number),\"text\":\"\(text)\",\"skipped\":{\"\(text)\":{}}}\(space)"
    }
  }

  private static func list(_ count: Int, _ random: inout SeededGenerator) -> String {
    let space = ["", "\n", " "].randomElement(using: &random) ?? ""
    return "["
      + (0..<count).map { element($0, &random) }.joined(separator: "\(space),\(space)") + "]"
  }

  // MARK: The same as with one job

  private func describe(_ records: [Record<Item>]) -> String {
    Routes.describe(records) { "\($0.n) \($0.text.utf8.count) \($0.tag ?? "-")" }
  }

  /// The first line that differs, in both.
  private func difference(_ found: String, _ expected: String) -> [Substring?]? {
    if found == expected { return nil }
    let (found, expected) = (found.split(separator: "\n"), expected.split(separator: "\n"))
    let place = zip(found, expected).prefix { $0 == $1 }.count
    return [found.dropFirst(place).first, expected.dropFirst(place).first]
  }

  private func check(
    _ bytes: [UInt8], at paths: RecordPaths, format: FeedFormat = .auto,
    options: FeedOptions = FeedOptions(), _ random: inout SeededGenerator,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var mapper = try Mapper(ParallelRecordsTests.item)
    let one = try mapper.records(in: Feed(bytes, at: paths, format: format, options: options))
    let expected = describe(Array(one))
    for jobs in [2, 3] {
      if jobs == 3 { mapper.parser = .yajl }
      let other = try mapper.records(
        in: Feed(bytes, at: paths, format: format, options: options), jobs: jobs)
      let found = describe(Array(other))
      #expect(difference(found, expected) == nil, "\(jobs) jobs", sourceLocation: sourceLocation)
      // How far a reader has looked when it meets a fault depends on its pieces.
      if one.verdict == .complete {
        #expect(other.offset == one.offset, sourceLocation: sourceLocation)
      }
      #expect(other.unseenPaths == one.unseenPaths, sourceLocation: sourceLocation)
      #expect(other.verdict == one.verdict, sourceLocation: sourceLocation)
      #expect(other.next() == nil, sourceLocation: sourceLocation)
    }
    mapper.parser = .auto
    let size = [1 << 10, 7919, 1 << 17, 1 << 20].randomElement(using: &random) ?? 1
    let stream = AsyncStream<[UInt8]> { continuation in
      for start in stride(from: 0, to: bytes.count, by: size) {
        continuation.yield(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      continuation.finish()
    }
    let records = try mapper.records(
      in: Feed(stream, at: paths, format: format, options: options), jobs: 2)
    var later: [Record<Item>] = []
    for try await record in records { later.append(record) }
    #expect(
      difference(describe(later), expected) == nil, "buffers of \(size)",
      sourceLocation: sourceLocation)
    #expect(records.verdict == one.verdict, sourceLocation: sourceLocation)
    #expect(records.unseenPaths == one.unseenPaths, sourceLocation: sourceLocation)
  }

  @Test(.long, arguments: TestExtent.sample(0..<4, every: 2))
  func `a long list maps the same with any jobs`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let list = Self.list(Int.random(in: 3000..<7000, using: &random), &random)
    try await check(Array(list.utf8), at: "$[*]", format: .json, &random)
    let inside = "{\"x\":[1],\"a\\u0062\":{\"list\":\(list) , \"more\":[{}]},\"list\":[]}"
    try await check(Array(inside.utf8), at: "$.ab.list[*]", &random)
    try await check(
      Array((inside + inside).utf8), at: "$.ab.list[*]", format: .concatenated, &random)
    try await check(Array(inside.utf8), at: ["$.ab.list[*]", "$.list[*]"], &random)
    try await check(Array(inside.utf8), at: "$..list[*]", &random)
  }

  @Test(.long) func `lists of any length inside lists map the same with any jobs`() async throws {
    var random = SeededGenerator(seed: 17)
    for lengths in [
      [5000, 1, 0, 5000, 2], Array(repeating: 12, count: 500), [700, 900, 650, 3000],
    ] {
      let lists = lengths.map { "{\"k\":7,\"b\":\(Self.list($0, &random))}" }
      let text = "{\"a\":[\(lists.joined(separator: ",\n"))]}"
      try await check(Array(text.utf8), at: "$.a[*].b[*]", &random)
      try await check(Array(text.utf8), at: "$.a[1].b[*]", &random)
    }
  }

  @Test(.long) func `elements of any size map the same with any jobs`() async throws {
    var random = SeededGenerator(seed: 3)
    let few = (0..<4000).map { Self.element($0, &random) }
    for size in TestExtent.isLong
      ? [200_000, 262_144, 600_000, 1_048_576, 2_500_000] : [262_144, 1_048_576]
    {
      let large = "{\"n\":1,\"text\":\"\(String(repeating: "]", count: size))\"}"
      let numbers = (0..<(size / 7)).map { "\($0)" }.joined(separator: ",")
      let elements = few + [large] + few + [large, large] + few + [numbers] + few
      try await check(Array("[\(elements.joined(separator: ","))]".utf8), at: "$[*]", &random)
    }
  }

  /// The first fault ends the document, whatever the brackets after it look like.
  @Test(.long, arguments: 0..<8)
  func `a list broken anywhere fails the same with any jobs`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: 100 + seed)
    let text = "{\"list\":\(Self.list(6000, &random)),\"more\":1}"
    var bytes = Array(text.utf8)
    for _ in 0..<(seed < 3 ? 1 : 3) {
      let byte = Array("\"\\{}[],:x\u{1}\n".utf8).randomElement(using: &random) ?? 0
      bytes[Int.random(in: bytes.indices, using: &random)] = byte
    }
    try await check(bytes, at: "$.list[*]", &random)
    bytes = Array(text.utf8.prefix(Int.random(in: 0..<bytes.count, using: &random)))
    try await check(bytes, at: "$.list[*]", format: .json, &random)
  }

  @Test(.long) func `what a feed may demand ends a list at the same place with any jobs`()
    async throws
  {
    var random = SeededGenerator(seed: 5)
    let bytes = Array("{\"list\":\(Self.list(6000, &random))}".utf8)
    for records in [0, 1, 1023, 1024, 3000, 5999, 6000] {
      try await check(
        bytes, at: "$.list[*]", options: FeedOptions(maximumRecords: records), &random)
    }
    for size in [0, 70_000, 200_000, bytes.count - 1, bytes.count] {
      try await check(bytes, at: "$.list[*]", options: FeedOptions(maximumBytes: size), &random)
    }
  }

  // MARK: Positions

  @Test(arguments: [1, 2]) func `a list continues at any position`(jobs: Int) async throws {
    var random = SeededGenerator(seed: 9)
    let bytes = Array("{\"list\":\(Self.list(5000, &random)),\"list2\":[1]}".utf8)
    let mapper = try Mapper(ParallelRecordsTests.item)
    let whole = Array(try mapper.records(in: Feed(bytes, at: "$.list[*]")))
    var positions: [FeedPosition] = []
    let records = try mapper.records(in: Feed(bytes, at: "$.list[*]"), jobs: 2)
    while records.next() != nil {
      if let position = records.position { positions.append(position) }
    }
    #expect(positions.count > 4)
    for position in positions {
      let rest = Array(
        try mapper.records(in: Feed(bytes, at: "$.list[*]", from: position), jobs: jobs))
      #expect(describe(rest) == describe(Array(whole.dropFirst(position.recordCount))))
    }
  }

  /// Before it waits for input, all that is whole comes out.
  @Test func `elements of a long list come out before more input is waited for`() throws {
    let pipe = Pipe()
    let mapper = try Mapper(ParallelRecordsTests.item)
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let writing = pipe.fileHandleForWriting
    let records = try mapper.records(in: Feed(.descriptor(descriptor), at: "$[*]"), jobs: 2)
    writing.write(Data("[{}".utf8))
    #expect(records.next()?.number == 1)
    for number in 2...20_000 {
      writing.write(Data(" ,\n{\"n\":\(number),\"text\":\"]\"}".utf8))
      let record = records.next()
      #expect(record?.value?.n == number && record?.number == number)
      #expect(record?.position?.line == number)
    }
    writing.write(Data("]".utf8))
    try writing.close()
    #expect(records.next() == nil && records.verdict == .complete)
  }

  // MARK: What is split

  /// Fills batches from a feed in memory; returns how many records each stretch has.
  private func stretches(of text: String, at paths: RecordPaths) throws -> [Int] {
    let mapper = try Mapper(ParallelRecordsTests.item)
    let reader = try mapper.makeBatchReader(
      try mapper.selection(at: paths), format: .auto, named: nil, Limits(),
      FeedDemands())
    var (found, rest) = ([Int](), Array(text.utf8)[...])
    reader.input(give(&rest, to: reader))
    while true {
      let batch = RecordBatch()
      let step = reader.fill(batch)
      if !batch.stretch.isEmpty { found.append(batch.stretch.recordCount) }
      if step == .end { return found }
      if step == .input { reader.input(give(&rest, to: reader)) }
    }
  }

  private func give(_ rest: inout ArraySlice<UInt8>, to reader: BatchReader) -> Int {
    let piece = rest.prefix(reader.room.count)
    reader.room.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }

  @Test func `long lists are split, and nothing else`() throws {
    var random = SeededGenerator(seed: 2)
    let long = Self.list(30_000, &random)
    #expect(try stretches(of: long, at: "$[*]").reduce(0, +) > 25_000)
    #expect(try stretches(of: "{\"a\":{\"b\":\(long)}}", at: "$.a.b[*]").reduce(0, +) > 25_000)
    let short = "{\"a\":[\((0..<900).map { _ in Self.list(30, &random) }.joined(separator: ","))]}"
    #expect(try stretches(of: short, at: "$.a[*][*]") == [])
    #expect(try stretches(of: long, at: "$[2:9]") == [])
    #expect(try stretches(of: long, at: ["$[*]", "$.x"]) == [])
    #expect(try stretches(of: "{\"m\":\(long)}\n", at: "$.*") == [])
  }
}
