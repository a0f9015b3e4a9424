import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Feeds of lines, which several jobs read line by line: the same comes of them as with one.
@Suite(.long) struct ParallelLinesTests {
  struct Item: Equatable, Sendable {
    let n: Int
    let text: String?
  }

  private static let item = Mapping.object(Item.self) { field in
    field.make(
      Item.init, field("n", \.n), field("text", \.text, .nullable(.string, when: .missingOrInvalid))
    )
  }

  private static let jobCounts = [2, 3]

  private func describe(_ records: some Sequence<Record<Item>>) -> String {
    Routes.describe(Array(records)) { "\($0.n) \($0.text?.utf8.count ?? -1)" }
  }

  /// What one makes of a feed, and what it is then.
  private struct Run {
    var records: [Record<Item>] = []
    /// With the number of records before it.
    var positions: [(count: Int, position: FeedPosition)] = []
    var offset = 0
    var unseenPaths: [PathPattern] = []
  }

  private func runOne(
    _ mapper: Mapper<Item>, _ bytes: [UInt8], _ format: FeedFormat, _ paths: [PathPattern] = []
  ) throws -> Run {
    let selection = try FeedSelection(mapper.plan.tables.selection, at: paths)
    let route = try mapper.makeRoute(FeedRequest(selection, format: format))
    return Run(
      records: Routes.collect(route, bytes, pieceSize: 1 << 18), offset: route.offset,
      unseenPaths: route.unseenPaths)
  }

  /// Pieces of random sizes; before some of them all that is whole has to come out.
  private func runSeveral(
    _ mapper: Mapper<Item>, _ bytes: [UInt8], _ format: FeedFormat, jobs: Int, most: Int,
    _ paths: [PathPattern] = [], from position: FeedPosition? = nil,
    _ random: inout SeededGenerator
  ) throws -> Run {
    let selection = try FeedSelection(mapper.plan.tables.selection, at: paths)
    let engine = try mapper.makeParallelEngine(
      FeedRequest(selection, format: format, from: position), jobs: jobs, pool: nil)
    var run = Run()
    var start = position?.offset ?? 0
    loop: while true {
      switch engine.next() {
      case .record(let record):
        run.records.append(record)
        if let position = engine.position { run.positions.append((run.records.count, position)) }
      case .dropped: continue
      case .end: break loop
      case .input:
        if random.next() % 4 == 0, engine.drain() { continue }
        let size = Int.random(in: 1...most, using: &random)
        start += engine.input(bytes[start...].prefix(size))
      }
    }
    run.offset = engine.offset
    run.unseenPaths = engine.unseenPaths
    return run
  }

  private func check(
    _ bytes: [UInt8], formats: [FeedFormat] = [.ndjson, .auto], limits: Limits = Limits(),
    at path: String? = nil, _ random: inout SeededGenerator,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let mapper = try Mapper(Self.item, limits: limits)
    let paths = try path.map { [try PathPattern(parsing: $0)] } ?? []
    for format in formats {
      let expected = try runOne(mapper, bytes, format, paths)
      let text = describe(expected.records)
      for jobs in Self.jobCounts {
        // Few bytes at a time only of small feeds.
        let sizes = bytes.count > 20_000 ? [3000, 40_000, 300_000] : [1, 7, 60, 1000]
        let most = sizes[Int.random(in: sizes.indices, using: &random)]
        let found = try runSeveral(mapper, bytes, format, jobs: jobs, most: most, paths, &random)
        let isSame = describe(found.records) == text
        #expect(isSame, "\(jobs) jobs, \(format), up to \(most)", sourceLocation: sourceLocation)
        // How far a reader is beyond a fault that ends the feed depends on how this was cut.
        if expected.records.last?.endsFeed != true {
          #expect(found.offset == expected.offset, sourceLocation: sourceLocation)
        }
        #expect(found.unseenPaths == expected.unseenPaths, sourceLocation: sourceLocation)
        for (count, position) in found.positions.shuffled(using: &random).prefix(3) {
          let rest = try runSeveral(
            mapper, bytes, format, jobs: 2, most: 1 << 18, paths, from: position, &random)
          let behind = expected.records[count...]
          let isSame = describe(rest.records) == describe(behind)
          #expect(isSame, "from \(position)", sourceLocation: sourceLocation)
          let route = try mapper.makeRoute(
            FeedRequest(
              FeedSelection(mapper.plan.tables.selection, at: paths), format: format,
              from: position))
          let other = Routes.collect(
            route, Array(bytes[position.offset...]), pieceSize: 1 << 16)
          let isSameAgain = describe(other) == describe(behind)
          #expect(isSameAgain, "by one from \(position)", sourceLocation: sourceLocation)
          #expect(rest.unseenPaths == expected.unseenPaths, sourceLocation: sourceLocation)
        }
      }
    }
  }

  // MARK: Random feeds

  private func line(_ number: Int, _ random: inout SeededGenerator, large: Int) -> [UInt8] {
    let size = Int.random(in: 0..<60, using: &random)
    let text = String(repeating: "é", count: size)
    switch Int.random(in: 0..<40, using: &random) {
    case 0: return []
    case 1: return Array(" \t ".utf8)
    case 2: return Array("\r".utf8)
    case 3: return Array("{\"n\":\(number)".utf8)
    case 4: return Array("{\"n\":\(number)}]".utf8)
    case 5: return [0x22, 0xC3, 0x22]
    case 6: return Array("\"\\ud800".utf8)
    case 7: return Array("{\"n\":true,\"text\":[\"\(text)\"]}".utf8)
    case 8: return [0x1E]
    case 9: return Array("\(number)".utf8)
    case 10: return Array("\u{FEFF}{\"n\":\(number)}".utf8)
    case 11: return Array("{\"n\":\(number),\"text\":\"\(text)".utf8)
    case 12 where large > 0:
      let text = String(repeating: "y", count: Int.random(in: 0..<large, using: &random))
      return Array("{\"text\":\"\(text)\",\"n\":\(number)\(number % 3 == 0 ? "" : "}")".utf8)
    case 13 where large > 0:
      return Array(repeating: 0x20, count: Int.random(in: 0..<large, using: &random))
    default: return Array(" {\"n\":\(number),\"text\":\"\(text)\",\"x\":[1,{\"n\":7}]} ".utf8)
    }
  }

  private func feed(_ lines: Int, _ random: inout SeededGenerator, large: Int = 0) -> [UInt8] {
    var bytes: [UInt8] = random.next() % 4 == 0 ? [0xEF, 0xBB, 0xBF] : []
    let isCRLF = random.next() % 3 == 0
    for number in 1...lines {
      bytes += line(number, &random, large: large)
      if number < lines || random.next() % 2 == 0 { bytes += isCRLF ? [13, 10] : [10] }
    }
    return bytes
  }

  @Test(arguments: 0..<30)
  func `several jobs read small random feeds as one does`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<10 {
      try check(feed(Int.random(in: 1...40, using: &random), &random), &random)
    }
  }

  @Test(arguments: 0..<4)
  func `several jobs read large random feeds as one does`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try check(feed(3000, &random, large: seed % 2 == 0 ? 0 : 400_000 >> seed), &random)
    try check(feed(40, &random, large: 2_000_000), &random)
  }

  @Test func `limits and paths give the same with several jobs`() throws {
    var random = SeededGenerator(seed: 77)
    var limits = Limits()
    limits.string = 50
    limits.depth = 2
    try check(feed(3000, &random), limits: limits, &random)
    try check(feed(3000, &random), at: "$", &random)
    try check(Array("\n\n  \n".utf8), at: "$", &random)
  }

  // MARK: Kinds of feeds

  /// Only where each line is a record by itself is it read by itself.
  @Test func `several jobs read a feed that only begins like lines alike`() throws {
    var random = SeededGenerator(seed: 5)
    let pretty = "{\n \"n\":\n 1}\n{\"n\":2}\n"
    try check(Array(pretty.utf8), formats: FeedFormat.allCases, &random)
    let document = Array("[\(String(repeating: "{\"n\":1},\n", count: 4000))3]\n".utf8)
    try check(document, formats: [.auto, .json], at: "$[*]", &random)
    try check(Array("{\"n\":1} {\"n\":2}\n{\"n\":3}\n".utf8), formats: FeedFormat.allCases, &random)
    try check(Array("\n\n\u{1E}{\"n\":1}\n\u{1E}{\"n\":2}\n".utf8), formats: [.auto], &random)
    try check(Array("{\"n\":1}\n{\"n\":2} {\"n\":\n3}\n".utf8), &random)
  }

  @Test func `several jobs judge UTF-16 and UTF-32 feeds as one does`() throws {
    var random = SeededGenerator(seed: 6)
    for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32] {
      let data = try #require("\n{\"n\":1}\n{\"n\":2}\n".data(using: encoding))
      try check(Array(data), &random)
    }
  }

  @Test(
    arguments: [
      ("\n", 1_700_000), (" ", 1_700_000), (" \t\r\n", 1_700_000), ("\0", 1_700_000),
      ("{\"n\":\"", 1_700_000), ("[", 1_700_000), ("\\", 1_700_000), ("\u{1E}\n", 10_000),
      ("1\n", 10_000),
    ])
  func `several jobs read a feed of one repeated text alike`(text: String, size: Int) throws {
    var random = SeededGenerator(seed: 7)
    let endless = String(repeating: text, count: size / text.utf8.count)
    try check(Array(endless.utf8), &random)
    try check(Array("{\"n\":1}\n\(endless)".utf8), &random)
  }

  /// What follows on a line that is too large to be kept is split again.
  @Test(arguments: [262_143, 262_144, 262_145, 524_288, 1_048_575, 1_048_576, 1_048_577, 2_500_000])
  func `several jobs read lines at the bounds of batches alike`(size: Int) throws {
    var random = SeededGenerator(seed: UInt64(size))
    let frame = "{\"n\":1,\"text\":\"\"}\n".utf8.count
    let large = "{\"n\":1,\"text\":\"\(String(repeating: "z", count: size - frame))\"}\n"
    #expect(large.utf8.count == size)
    for lines in [
      [large], [large, large, "{\"n\":2}\n", large], ["{\"n\":2}\n", large, "\n", "7"],
    ] {
      try check(Array(("{\"n\":0}\n" + lines.joined()).utf8), formats: [.ndjson], &random)
    }
  }

  /// The beginning of a large line is read before its end is there.
  @Test func `a malformed large line fails before its end`() throws {
    let mapper = try Mapper(Self.item)
    let engine = try mapper.makeParallelEngine(
      FeedRequest(try mapper.selection(at: []), format: .ndjson), jobs: 2, pool: nil)
    var records: [Record<Item>] = []
    let bytes = Array(("{\"n\":1}\n{]" + String(repeating: " ", count: 100_000)).utf8)
    for round in 0..<12 {
      var rest = bytes[(round == 0 ? 0 : 10)...]
      while !rest.isEmpty {
        rest = rest.dropFirst(engine.input(rest))
        loop: while true {
          switch engine.next() {
          case .record(let record): records.append(record)
          case .dropped: continue
          case .end: break loop
          case .input: if !engine.drain() { break loop }
          }
        }
      }
    }
    #expect(records.map(\.number) == [1, 2])
    #expect(records.last?.error?.code == .syntax)
  }

  // MARK: What is whole comes out

  @Test func `half a line waits for its rest`() throws {
    let pipe = Pipe()
    let mapper = try Mapper(.int)
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let iterator = try mapper.records(in: Feed(.descriptor(descriptor)), jobs: 2)
    pipe.fileHandleForWriting.write(Data("1\n".utf8))
    #expect(iterator.next()?.value == 1)
    for number in 1...20 {
      pipe.fileHandleForWriting.write(Data("5\(number)\n6".utf8))
      #expect(iterator.next()?.value == (number == 1 ? 51 : Int("65\(number)")))
    }
    try pipe.fileHandleForWriting.close()
    #expect(iterator.next()?.value == 6)
    #expect(iterator.next() == nil)
  }

  /// Small records are not mapped far ahead, however many of them the lines of a batch are.
  @Test func `a slow taker gets all lines in order`() async throws {
    let buffers = AsyncStream<[UInt8]> { continuation in
      for start in stride(from: 0, to: 90_000, by: 30) {
        continuation.yield(Array((start..<start + 30).map { "{\"n\":\($0)}\n" }.joined().utf8))
      }
      continuation.finish()
    }
    var count = 0
    for try await record in try Mapper(Self.item).records(in: Feed(buffers), jobs: 2) {
      #expect(record.value?.n == count)
      count += 1
      if count % 20_000 == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }
    #expect(count == 90_000)
  }
}

extension ParallelEngine {
  /// Gives as much of some bytes as there is room for, and tells how much that was; none are the end of the feed.
  fileprivate func input(_ bytes: ArraySlice<UInt8>) -> Int {
    let piece = bytes.prefix(room.count)
    room.copyBytes(from: piece)
    input(piece.count)
    return piece.count
  }
}
