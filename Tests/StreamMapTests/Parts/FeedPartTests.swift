import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Parts of feeds, which together are exactly the whole.
@Suite struct FeedPartTests {
  /// A file that is removed with this object.
  final class File {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    init(_ bytes: [UInt8]) throws { try write(bytes) }

    convenience init(_ text: String) throws { try self.init(Array(text.utf8)) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }
  }

  /// What a sequence gives, record by record, and how it ends.
  static func outcome(_ records: RecordSequence<RawJSON>) -> (lines: [String], verdict: FeedVerdict)
  {
    var lines: [String] = []
    for record in records {
      lines.append(Routes.describe([record]) { $0.description })
    }
    return (lines, records.verdict)
  }

  /// The value as another process gets it.
  static func sent<Value: Codable & Equatable>(_ value: Value) throws -> Value {
    let copy = try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
    #expect(copy == value)
    return copy
  }

  @Test(.long, arguments: RandomFeed.Kind.allCases)
  func `the parts of a random feed are the whole`(kind: RandomFeed.Kind) throws {
    var partsWithRecords = 0
    for seed in 0..<UInt64(TestExtent.isLong ? 20 : 8) {
      var feed = RandomFeed(kind, seed: seed)
      let file = try File(feed.bytes)
      let source = FeedSource.file(file.path)
      let mapper = try feed.mapper()
      let paths = RecordPaths(feed.paths)
      let whole = Self.outcome(try mapper.records(in: Feed(source, at: paths, format: feed.format)))
      let all = try mapper.records(in: Feed(source, at: paths, format: feed.format))
      for _ in all {}
      let every = [1, 5, 40, 300, 5000][feed.number(5)]
      let index = try Self.sent(
        FeedIndex(of: source, for: mapper, at: paths, format: feed.format, every: every))
      #expect(index.byteCount == feed.bytes.count)
      for count in [1, 2, 1 + feed.number(9), 40] {
        let parts = try mapper.parts(
          of: source, at: paths, format: feed.format, count: count, index: index)
        #expect(parts.count == count && parts.first?.bytes.lowerBound == 0)
        #expect(parts.last?.bytes.upperBound == feed.bytes.count)
        let jobs = feed.number(4) == 0 ? 3 : 1
        var joined: [String] = []
        for (number, part) in parts.enumerated() {
          #expect(part.number == number + 1 && part.tellsNumbers)
          if number > 0 { #expect(part.bytes.lowerBound == parts[number - 1].bytes.upperBound) }
          let records = try mapper.records(in: source, part: try Self.sent(part), jobs: jobs)
          let (lines, verdict) = Self.outcome(records)
          joined += lines
          if !lines.isEmpty { partsWithRecords += 1 }
          // A line that is cut off is the last one.
          let isLast = part.bytes.upperBound == feed.bytes.count && !part.isEmpty
          #expect(verdict == (isLast ? whole.verdict : .complete))
          #expect(records.unseenPaths == all.unseenPaths)
          if part.isEmpty { #expect(lines.isEmpty && (number > 0 || feed.bytes.isEmpty)) }
        }
        try #require(
          joined == whole.lines,
          "\(kind) \(seed), every \(every), \(count) parts, \(jobs) jobs: \(String(decoding: feed.bytes, as: UTF8.self))"
        )
      }
    }
    #expect(partsWithRecords > (TestExtent.isLong ? 60 : 24))
  }

  @Test(arguments: [RandomFeed.Kind.lines, .linesWithRecords])
  func `the parts of random lines are the whole without an index`(kind: RandomFeed.Kind) throws {
    for seed in 0..<UInt64(20) {
      var feed = RandomFeed(kind, seed: seed)
      let file = try File(feed.bytes)
      let source = FeedSource.file(file.path)
      let mapper = try feed.mapper(tellsNumbers: false)
      let paths = RecordPaths(feed.paths)
      /// The records without what only an index knows.
      func outcome(_ records: RecordSequence<RawJSON>) -> [String] {
        records.map { record in
          let value =
            record.value?.description ?? record.error.map { "\($0.code) \($0.path)" } ?? ""
          let place = record.position.map { "\($0.bytes) \($0.column)" } ?? ""
          let fault = record.error?.position.map { "\($0.bytes) \($0.column)" } ?? ""
          return "\(value) \(place) \(fault)"
        }
      }
      let whole = outcome(try mapper.records(in: Feed(source, at: paths, format: feed.format)))
      for count in [1, 2, 1 + feed.number(9), 40] {
        let parts = try mapper.parts(of: source, at: paths, format: feed.format, count: count)
        var joined: [String] = []
        for part in parts {
          #expect(part.tellsNumbers == (count == 1))
          let records = try mapper.records(
            in: source, part: try Self.sent(part), jobs: feed.number(4) == 0 ? 3 : 1)
          joined += outcome(records)
        }
        try #require(
          joined == whole,
          "\(kind) \(seed), \(count) parts: \(String(decoding: feed.bytes, as: UTF8.self))")
      }
    }
  }

  @Test func `a part without an index tells offsets and columns, and no numbers`() throws {
    let file = try File("{\"id\":1}\n{\"id\":2}\n{\"id\":\"x\"}\n{]\n")
    let mapper = try Mapper(output: .object([OutputField("id", from: "id", .int64)]))
    let source = FeedSource.file(file.path)
    let parts = try mapper.parts(of: source, format: .ndjson, count: 2)
    #expect(parts.map(\.bytes) == [0..<18, 18..<32])
    let records = Array(try mapper.records(in: source, part: parts[1]))
    #expect(records.map(\.number) == [0, 0])
    #expect(records[0].position == SourcePosition(bytes: 18..<28, line: 0, column: 1))
    #expect(
      records.map { "\($0.error?.description ?? "")" } == [
        "fatal wrongType at $.id → id (column 7, bytes 24..<27): expected an integer (Int64), found a string",
        "fatal syntax at $ (column 2, bytes 30..<31): expected a key or }, found ']'",
      ])
    #expect(records[1].error?.record == nil)
    let first = Array(try mapper.records(in: source, part: parts[0]))
    #expect(first.map(\.number) == [0, 0])
  }

  @Test(arguments: [1, 3])
  func `a part continues at a position, with or without an index`(jobs: Int) throws {
    let items = (1...20_000).map { "{\"id\":\($0 % 100 == 7 ? "null" : "\($0)")}" }
    let lines = try File(items.joined(separator: "\n"))
    let document = try File("{\"list\":[\(items.joined(separator: ",\n"))]}")
    let mapper = try Mapper(output: .object([OutputField("id", from: "id", .int64)]))
    let index = try FeedIndex(
      of: .file(document.path), for: mapper, at: "$.list[*]", every: 50_000)
    for (source, part) in [
      (
        FeedSource.file(document.path),
        try mapper.part(
          2, of: 3, in: .file(document.path), at: "$.list[*]", index: index)
      ),
      (
        .file(lines.path), try mapper.part(2, of: 3, in: .file(lines.path), format: .ndjson)
      ),
    ] {
      let whole = Self.outcome(try mapper.records(in: source, part: part)).lines
      let records = try mapper.records(in: source, part: part, jobs: jobs)
      var count = 0
      var saved: [(count: Int, position: FeedPosition)] = []
      while records.next() != nil {
        count += 1
        if let position = records.position { saved.append((count, position)) }
      }
      #expect(count == whole.count && count > 1000 && saved.count > 1)
      for (count, position) in [saved[0], saved[saved.count / 2]] {
        let rest = try mapper.records(
          in: source, part: part, jobs: 4 - jobs, from: try Self.sent(position))
        let isSame = Self.outcome(rest).lines == Array(whole[count...])
        #expect(isSame, "from record \(count)")
        #expect(rest.verdict == .complete)
        #expect(position.recordCount == 0 || part.tellsNumbers)
      }
      let other = try mapper.part(
        3, of: 3, in: source, at: RecordPaths(part.paths), format: part.terms.format,
        index: part.pathsSeen == nil ? nil : index)
      #expect(throws: MappingError.self) {
        try mapper.records(in: source, part: other, from: saved[0].position)
      }
    }
  }

  @Test func `parts have about the same number of bytes, and depend on nothing but these`() throws {
    let file = try File(String(repeating: "{\"id\":1}\n", count: 1000))
    let mapper = try Mapper(output: .raw)
    let parts = try mapper.parts(of: .file(file.path), format: .ndjson, count: 7)
    for part in parts { #expect((1270...1300).contains(part.bytes.count)) }
    let copy = try File(String(repeating: "{\"id\":1}\n", count: 1000))
    #expect(try mapper.parts(of: .file(copy.path), format: .ndjson, count: 7) == parts)
    #expect(try mapper.part(3, of: 7, in: .file(file.path), format: .ndjson) == parts[2])
  }

  @Test func `a feed that is not UTF-8 is said to be so by its first part, once`() throws {
    let file = try File(Array("{\"id\":1}\n{\"id\":2}\n".utf8.flatMap { [$0, 0] }))
    let mapper = try Mapper(output: .raw)
    let source = FeedSource.file(file.path)
    let parts = try mapper.parts(of: source, format: .ndjson, count: 3)
    let codes = try parts.map { try mapper.records(in: source, part: $0).map { $0.error?.code } }
    #expect(codes == [[.invalidUTF8], [], []])
    let error = #expect(throws: MappingError.self) { try FeedIndex(of: source, for: mapper) }
    #expect(error?.code == .invalidUTF8)
  }

  @Test(arguments: [
    ("gzip", [0x1F, 0x8B, 8, 0] as [UInt8]), ("zstandard", [0x28, 0xB5, 0x2F, 0xFD, 4, 0]),
    ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]), ("bzip2", [0x42, 0x5A, 0x68, 0x39]),
  ])
  func `a compressed feed is said to be so, and what to do`(name: String, start: [UInt8]) throws {
    let file = try File(start + Array(repeating: 7, count: 100))
    let source = FeedSource.file(file.path)
    let mapper = try Mapper(output: .raw)
    let asked: [() throws -> Void] = [
      { _ = try mapper.parts(of: source, format: .ndjson, count: 3) },
      { _ = try mapper.part(1, of: 1, in: source) },
      { _ = try FeedIndex(of: source, for: mapper) },
    ]
    for ask in asked {
      let error = #expect(throws: MappingError.self) { try ask() }
      #expect(error?.code == .io)
      #expect(
        error?.message
          == "expected a feed that is not compressed, since its parts begin in its middle, found \(file.path), which is compressed (\(name)): decompress it first"
      )
    }
  }

  @Test func `an empty feed has parts, too`() throws {
    let file = try File("")
    let mapper = try Mapper(output: .raw)
    let source = FeedSource.file(file.path)
    for index in [nil, try FeedIndex(of: source, for: mapper, format: .ndjson)] {
      let parts = try mapper.parts(of: source, format: .ndjson, count: 3, index: index)
      for part in parts {
        let (lines, verdict) = Self.outcome(try mapper.records(in: source, part: part))
        #expect(lines.isEmpty && verdict == .complete && part.isEmpty)
      }
    }
    // No document at all is an error, of one part.
    let parts = try mapper.parts(of: source, format: .json, count: 1)
    #expect(try mapper.records(in: source, part: parts[0]).map { $0.error?.code } == [.truncated])
  }

  @Test func `an input reads no more than its part`() throws {
    let file = try File(String(repeating: "{\"id\":1}\n", count: 100_000))
    let mapper = try Mapper(output: .raw)
    let part = try mapper.part(3, of: 9, in: .file(file.path), format: .ndjson)
    let records = try mapper.records(in: .file(file.path), part: part)
    for _ in records {}
    #expect(records.offset == part.bytes.upperBound)
    let input = StretchInput(MemoryInput(Array("abcdef".utf8), from: 2), from: 2, to: 5)
    var room = [UInt8](repeating: 0, count: 9)
    #expect(try room.withUnsafeMutableBytes { try input.read(into: $0) } == 3)
    #expect(room.prefix(4) == [99, 100, 101, 0])
    #expect(try room.withUnsafeMutableBytes { try input.read(into: $0) } == 0)
    let short = StretchInput(MemoryInput(Array("ab".utf8)), from: 0, to: 5)
    #expect(try room.withUnsafeMutableBytes { try short.read(into: $0) } == 2)
    #expect(throws: MappingError.self) {
      try room.withUnsafeMutableBytes { try short.read(into: $0) }
    }
  }
}
