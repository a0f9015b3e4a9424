import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What an index is refused for, and what a hostile one can do: nothing, without an error.
@Suite struct FeedIndexTests {
  private typealias File = FeedPartTests.File

  private static let feed =
    "{\"day\":\"d\",\"list\":[\((1...200).map { "{\"id\":\($0)}" }.joined(separator: ",\n"))],\"z\":[1]}"

  private static func mapper(paths: [String] = ["$.list[*]"], context: Bool = false) throws
    -> Mapper<RawJSON>
  {
    let values =
      context
      ? [
        ContextDefinition(
          "day", at: try PathPattern(parsing: "$.day"), .string, standIn: nil)
      ] : []
    let fields =
      [OutputField("n", .number), OutputField("id", from: "id", .int64)]
      + (context ? [OutputField("day", contextValue: 0, named: "day")] : [])
    return try Mapper(
      OutputPlan(
        .object(fields), at: paths.map { try PathPattern(parsing: $0) }, context: values),
      format: .json)
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return (error as? MappingError)?.message ?? "\(error)"
    }
  }

  @Test func `an index knows its feed, and is small`() throws {
    let file = try File(Self.feed)
    let mapper = try Self.mapper(context: true)
    let index = try FeedIndex(of: .file(file.path), for: mapper, every: 500)
    #expect(index.recordCount == 200 && index.byteCount == Self.feed.utf8.count)
    #expect(index.mostParts == 5)
    let places = index.contents.places.map(\.position)
    #expect(places.allSatisfy { $0.context?.texts == ["\"d\""] })
    #expect(places.map(\.recordCount) == places.map(\.recordCount).sorted())
    #expect(try JSONEncoder().encode(index).count < 4 * 1000)
    // One that is read by a larger distance is a part of it.
    #expect(try FeedIndex(of: .file(file.path), for: mapper, every: .max).mostParts == 1)
    #expect(try FeedIndex(of: .file(file.path), for: mapper, every: 1).mostParts == 201)
  }

  @Test(arguments: [
    (FeedFormat.json, "$.list[*]", feed),
    (.json, "$[*]", "[\((1...200).map { "{\"id\":\($0)}" }.joined(separator: ",\n"))]"),
    (.concatenated, "", (1...200).map { "{\"id\":\n\($0)}" }.joined(separator: " ")),
    (.concatenated, "$[*]", (1...60).map { "[{\"id\":\($0)},\n{\"id\":\($0)}]" }.joined()),
    (.ndjson, "", (1...200).map { "{\"id\":\($0)}\n" }.joined()),
    (.sequence, "", (1...200).map { "\u{1E}{\"id\":\($0)}\n" }.joined()),
  ])
  func
    `an index that was left to find the format is for runs that say it, and for those that do not`(
      format: FeedFormat, path: String, feed: String
    ) throws
  {
    let file = try File(feed)
    let source = FeedSource.file(file.path)
    let mapper = try Mapper(
      output: .object([OutputField("id", from: "id", .int64)]))
    let paths = RecordPaths(path.isEmpty ? [] : [path])
    let index = try FeedIndex(of: source, for: mapper, at: paths, every: 100)
    #expect(index.contents.terms.format == format && index.mostParts > 10)
    for asked in [FeedFormat.auto, format] {
      let whole = FeedPartTests.outcome(
        try mapper.records(in: Feed(source, at: paths, format: asked)))
      var joined: [String] = []
      for part in try mapper.parts(of: source, at: paths, format: asked, count: 7, index: index) {
        let (lines, verdict) = FeedPartTests.outcome(
          try mapper.records(in: source, part: try FeedPartTests.sent(part)))
        #expect(verdict == .complete)
        joined += lines
      }
      #expect(joined == whole.lines && joined.count >= 120)
    }
    let other: FeedFormat = format == .json ? .concatenated : .json
    #expect(
      message { _ = try mapper.parts(of: source, at: paths, format: other, count: 2, index: index) }
        .hasPrefix("expected an index for the format \(other.rawValue), found one for the format"))
  }

  @Test func `an index is refused for other paths, another format and other context`() throws {
    let file = try File(Self.feed)
    let source = FeedSource.file(file.path)
    let index = try FeedIndex(of: source, for: try Self.mapper(), every: 500)
    let mapper = try Self.mapper()
    #expect(
      message { _ = try mapper.parts(of: source, at: "$.z[*]", count: 2, index: index) }
        == "expected an index for records at $.z[*], found one for records at $.list[*]: make an index of this feed for this mapping"
    )
    #expect(
      message { _ = try mapper.parts(of: source, format: .concatenated, count: 2, index: index) }
        == "expected an index for the format concatenated, found one for the format json: make an index of this feed for this mapping"
    )
    let other = try Self.mapper(context: true)
    #expect(
      message { _ = try other.parts(of: source, count: 2, index: index) }.hasPrefix(
        "expected an index for others, found one for these context values"))
    // So is a part.
    let part = try mapper.part(1, of: 2, in: source, index: index)
    #expect(throws: MappingError.self) { try other.records(in: source, part: part) }
  }

  @Test func `a feed that has changed is refused`() throws {
    let file = try File(Self.feed)
    let source = FeedSource.file(file.path)
    let mapper = try Self.mapper()
    let index = try FeedIndex(of: source, for: mapper, every: 500)
    let parts = try mapper.parts(of: source, count: 3, index: index)
    try file.write(Array((Self.feed + " ").utf8))
    let size = Self.feed.utf8.count
    let longer =
      "expected the feed of \(size) bytes that was cut, found one of \(size + 1) bytes: cut it, or make its index, again"
    #expect(message { _ = try mapper.parts(of: source, count: 3, index: index) } == longer)
    #expect(message { _ = try mapper.records(in: source, part: parts[0]) } == longer)
    // The same size, but other bytes at an end, and around a place.
    let changed = message { throw FeedIndex.changed }
    try file.write(Array(Self.feed.replacing("\"d\"", with: "\"e\"").utf8))
    #expect(message { _ = try mapper.parts(of: source, count: 3, index: index) } == changed)
    #expect(message { _ = try mapper.records(in: source, part: parts[1]) } == changed)
    #expect(throws: (any Error).self) {
      try FeedIndex(of: .descriptor(0), for: mapper)
    }
    #expect(throws: (any Error).self) {
      try mapper.parts(of: .file("/dev/null"), format: .ndjson, count: 2)
    }
    #expect(throws: (any Error).self) {
      try mapper.parts(of: .file("/nowhere"), format: .ndjson, count: 2)
    }
  }

  /// Bytes that change between the places do not show before they are read.
  @Test func `records that a changed feed would lose or double are an error`() throws {
    let items = (1...3000).map { "{\"id\":\($0 % 10)}" }
    let feed = "{\"list\":[\(items.joined(separator: ","))]}"
    let file = try File(feed)
    let source = FeedSource.file(file.path)
    let mapper = try Self.mapper()
    let index = try FeedIndex(of: source, for: mapper, every: 9000)
    let parts = try mapper.parts(of: source, count: 3, index: index)
    // Two records become one, of the same length, in the middle of the second part.
    let middle = feed.utf8.count / 2
    let around = Array(feed.utf8)
    let start = try #require(around[middle...].firstIndex(of: UInt8(ascii: "{")))
    var bytes = around
    bytes.replaceSubrange(start..<start + 17, with: Array("{\"id\":8        }".utf8) + [0x20])
    #expect(bytes.count == around.count)
    try file.write(bytes)
    for jobs in [1, 3] {
      let records = try mapper.records(in: source, part: parts[1], jobs: jobs)
      let last = Array(records).last
      #expect(last?.error?.message == PartEnd.mismatch.message && last?.endsFeed == true)
      #expect(records.verdict == .malformed)
      #expect(try mapper.records(in: source, part: parts[0], jobs: jobs).map(\.number).count > 900)
    }
  }

  @Test func `a feed that cannot be read has no index`() throws {
    let mapper = try Self.mapper()
    for feed in [
      "{\"list\":[{\"id\":1},", "{\"list\":[{\"id\":1}]}}", "", "{\"list\":[\"\u{1}\"]}",
    ] {
      let file = try File(feed)
      let error = #expect(throws: MappingError.self) {
        try FeedIndex(of: .file(file.path), for: mapper)
      }
      #expect(error?.code.category == .syntax && error?.position != nil)
    }
  }

  @Test func `parts of what only an index can cut, or number, are refused without one`() throws {
    let file = try File("{\"id\":1}\n{\"id\":2}\n")
    let source = FeedSource.file(file.path)
    let plain = try Mapper(output: .raw)
    #expect(
      message { _ = try plain.parts(of: source, count: 2) }
        == "expected an index of the feed, or the format ndjson: only lines can be cut without one, found the format auto"
    )
    for field in [
      OutputField("n", .number), OutputField("l", .line), OutputField("l", .line, .int64),
    ] {
      let numbered = try Mapper(output: .object([field]))
      #expect(
        message { _ = try numbered.parts(of: source, format: .ndjson, count: 2) }
          == "expected an index of the feed, since the mapping writes the numbers or lines of records, found none"
      )
      #expect(try numbered.parts(of: source, format: .ndjson, count: 1).count == 1)
    }
    for (number, count) in [(0, 3), (4, 3), (1, 0), (1, -1), (1, 2_000_000)] {
      #expect(
        message { _ = try plain.part(number, of: count, in: source, format: .ndjson) }
          == "expected a part from 1 of at most 1000000, found part \(number) of \(count)")
    }
  }

  // MARK: Hostile ones

  @Test func `a stored index that was changed, cut or is of another version is refused`() throws {
    let file = try File(Self.feed)
    let index = try FeedIndex(of: .file(file.path), for: try Self.mapper(), every: 500)
    let text = String(decoding: try JSONEncoder().encode(index), as: UTF8.self)
    for (part, other) in [
      ("\"streammap_index\":2", "\"streammap_index\":3"),
      ("\"recordCount\":200", "\"recordCount\":201"),
      ("$.list", "$.lost"), ("\"digest\":\"", "\"digest\":\"0"),
    ] {
      let changed = text.replacingOccurrences(of: part, with: other)
      #expect(changed != text)
      #expect(throws: DecodingError.self, "\(other)") {
        try JSONDecoder().decode(FeedIndex.self, from: Data(changed.utf8))
      }
    }
    for count in stride(from: 0, to: text.utf8.count - 1, by: 37) {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(FeedIndex.self, from: Data(text.utf8.prefix(count)))
      }
    }
  }

  /// A stored value with other numbers in it.
  private func changed(_ value: some Encodable, _ random: inout SeededGenerator) throws -> String {
    var text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let numbers = text.matches(of: /-?[0-9]+/).map(\.range)
      let range = numbers[Int.random(in: 0..<numbers.count, using: &random)]
      let number = Int(text[range]) ?? 0
      let others = [
        number &+ 1, number &- 1, number &+ 7, number == .min ? 0 : -number, 0, 1, .max, .min,
        1 << 41, 1 << 59, number / 2,
      ]
      text.replaceSubrange(
        range, with: "\(others[Int.random(in: 0..<others.count, using: &random)])")
    }
    let others = [
      ("true", "false"), ("false", "true"), ("step", "start"), ("json", "ndjson"),
      ("text", "value"),
      ("next", "firstKey"), ("next", "element"),
    ]
    for (part, other) in others where Int.random(in: 0..<20, using: &random) == 0 {
      text = text.replacingOccurrences(of: "\"\(part)\"", with: "\"\(other)\"")
        .replacingOccurrences(of: ":\(part)", with: ":\(other)")
    }
    return text
  }

  /// An index with other numbers in it, and a digest that fits them.
  private func forged(_ index: FeedIndex, _ random: inout SeededGenerator, _ file: SeekableFile)
    throws -> FeedIndex?
  {
    let text = try changed(index.contents, &random)
    guard var contents = try? JSONDecoder().decode(FeedIndex.Contents.self, from: Data(text.utf8))
    else { return nil }
    // The bytes around the places are those that are there: other checks have to find what is wrong.
    let places = try contents.places.map { place in
      let offset = place.position.offset
      let isInside = (0...file.size).contains(offset)
      return FeedIndex.Place(
        position: place.position,
        bytes: isInside ? try FeedFingerprint.digest(around: offset, in: file) : place.bytes)
    }
    contents = FeedIndex.Contents(
      feed: contents.feed, terms: contents.terms, recordCount: contents.recordCount,
      pathsSeen: contents.pathsSeen, places: places)
    let digest = try FeedIndex.digest(of: contents)
    let whole = String(decoding: try JSONEncoder().encode(contents), as: UTF8.self)
    let stored = "{\"streammap_index\":2,\"digest\":\"\(digest)\",\"contents\":\(whole)}"
    return try? JSONDecoder().decode(FeedIndex.self, from: Data(stored.utf8))
  }

  @Test(.long, arguments: RandomFeed.Kind.allCases)
  func `a hostile index loses and doubles no record without an error`(kind: RandomFeed.Kind) throws
  {
    var random = SeededGenerator(seed: 17)
    var taken = 0
    for seed in 0..<UInt64(TestExtent.isLong ? 15 : 4) {
      let feed = RandomFeed(kind, seed: seed)
      let file = try File(feed.bytes)
      let source = FeedSource.file(file.path)
      let mapper = try feed.mapper()
      let paths = RecordPaths(feed.paths)
      let records = try mapper.records(in: Feed(source, at: paths, format: feed.format))
      let whole = FeedPartTests.outcome(records)
      let index = try FeedIndex(of: source, for: mapper, at: paths, format: feed.format, every: 30)
      for _ in 0..<12 {
        guard let forged = try forged(index, &random, try source.seekable()) else { continue }
        guard
          let parts = try? mapper.parts(
            of: source, at: paths, format: feed.format, count: 4, index: forged)
        else { continue }
        taken += 1
        var joined: [String] = []
        var isGood = true
        for part in parts {
          guard let records = try? mapper.records(in: source, part: part) else {
            isGood = false
            break
          }
          let (lines, verdict) = FeedPartTests.outcome(records)
          joined += lines
          let isLast = part.bytes.upperBound == feed.bytes.count
          if verdict != (isLast ? whole.verdict : .complete) { isGood = false }
        }
        if isGood { try #require(joined == whole.lines, "\(kind) \(seed)") }
      }
    }
    #expect(taken > (TestExtent.isLong ? 20 : 5))
  }

  @Test(.long, arguments: RandomFeed.Kind.allCases)
  func `a hostile part is refused, or read to an end`(kind: RandomFeed.Kind) throws {
    var random = SeededGenerator(seed: 18)
    var (refused, read) = (0, 0)
    for seed in 0..<UInt64(TestExtent.isLong ? 8 : 4) {
      let feed = RandomFeed(kind, seed: seed)
      let file = try File(feed.bytes)
      let source = FeedSource.file(file.path)
      let mapper = try feed.mapper()
      let paths = RecordPaths(feed.paths)
      let index = try FeedIndex(of: source, for: mapper, at: paths, format: feed.format, every: 30)
      let parts = try mapper.parts(
        of: source, at: paths, format: feed.format, count: 4, index: index)
      for part in parts {
        for _ in 0..<12 {
          let text = try changed(part, &random)
          guard let forged = try? JSONDecoder().decode(FeedPart.self, from: Data(text.utf8)),
            let records = try? mapper.records(in: source, part: forged, jobs: read % 5 == 0 ? 2 : 1)
          else {
            refused += 1
            continue
          }
          // More records than bytes would be an endless feed.
          let count = records.prefix(feed.bytes.count + 2).count { _ in true }
          #expect(count <= feed.bytes.count + 1)
          read += 1
        }
      }
    }
    #expect(refused > (TestExtent.isLong ? 100 : 50) && read > (TestExtent.isLong ? 3 : 1))
  }

  @Test func `a feed is cut into as many parts as one likes`() throws {
    let file = try File(String(repeating: "{\"id\":1}\n", count: 100))
    let source = FeedSource.file(file.path)
    let mapper = try Mapper(output: .raw)
    let index = try FeedIndex(of: source, for: mapper, format: .ndjson, every: 1)
    for index in [nil, index] {
      let parts = try mapper.parts(of: source, format: .ndjson, count: 20_000, index: index)
      #expect(parts.count == 20_000)
      let ends = parts.filter { !$0.isEmpty }
      #expect(ends.map(\.bytes) == (0..<100).map { 9 * $0..<9 * $0 + 9 })
      #expect(
        try mapper.part(20_000, of: 20_000, in: source, format: .ndjson, index: index) == parts.last
      )
      #expect(parts == parts.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound })
    }
  }
}
