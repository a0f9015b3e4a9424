import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct PositionTests {
  struct Item: Equatable {
    let id: Int
    let tags: [String]?
  }

  static let mapping = Mapping.object(Item.self) { field in
    field.make(
      Item.init, field("id", \.id), field("tags", \.tags, .array(of: .string)))
  }

  static let cases: [(feed: String, format: FeedFormat, paths: [String])] = [
    ("{\"id\":1}\n\n{\"id\":\"x\"}\n{\"id\":3,\"tags\":[\"é\"]}\n{]\n{\"id\":5}", .ndjson, []),
    ("{\"id\":1}\n\n{\"id\":2}\n{\"id\":\"x\"}\n{\"id\":3}\n", .auto, []),
    ("{\"id\":1} {\"id\":2}{\"id\":\n3}\n7 {\"id\":4}", .concatenated, []),
    ("{\"id\":1} {\"id\":2}{\"id\":\n3} 7", .auto, []),
    ("\u{1E}{\"id\":1}\n\u{1E}{\"id\":\u{1E}{\"id\":3}\n\u{1E}{\"id\":4}", .sequence, []),
    (
      "\u{FEFF}{\"meta\":[1,{\"x\":2}],\"list\":[\n{\"id\":1},{\"id\":\"x\"},7,\n {\"id\":4}],\"z\":[3]}",
      .json, ["$.list[*]"]
    ),
    (
      "[{\"a b\":{\"items\":[{\"id\":1},{\"id\":2}]}},{\"a\\u0020b\":{\"items\":[{\"id\":3},{\"id\":4}]}}]",
      .json, ["$[*]['a b'].items[*]"]
    ),
    ("[{\"id\":1},{\"id\":2},{\"id\":3}", .auto, ["$[*]"]),
    (
      "{\"a\":{\"id\":1},\"b\":[[{\"id\":2}],[{\"id\":3},{\"id\":4}]]}\n{\"a\":{\"id\":5}}", .auto,
      ["$.a", "$.b[1][*]", "$.none"]
    ),
  ]

  private func selection(_ mapper: Mapper<Item>, _ paths: [String]) throws -> FeedSelection {
    try mapper.selection(at: RecordPaths(paths))
  }

  /// The records of bytes, and where one can continue after each of them.
  private func records(
    _ mapper: Mapper<Item>, _ bytes: [UInt8], _ format: FeedFormat, _ paths: [String],
    from position: FeedPosition? = nil, pieceSize: Int
  ) throws -> (records: [Record<Item>], positions: [FeedPosition?], unseen: [PathPattern]) {
    let (engine, taker) = try mapper.makeEngine(
      FeedRequest(
        try mapper.selection(at: RecordPaths(paths)), format: format, from: position))
    let stream = RecordStream(engine, taker)
    var all: [Record<Item>] = []
    var positions: [FeedPosition?] = []
    for start in stride(from: position?.offset ?? 0, to: bytes.count, by: pieceSize) {
      stream.feed(bytes[start..<min(start + pieceSize, bytes.count)]) { record in
        all.append(record)
        positions.append(stream.position)
      }
    }
    stream.finish { record in
      all.append(record)
      positions.append(stream.position)
    }
    return (all, positions, stream.unseenPaths)
  }

  @Test(arguments: cases.indices)
  func `a stream resumes after any record`(number: Int) throws {
    let (feed, format, paths) = Self.cases[number]
    let mapper = try Mapper(Self.mapping)
    let bytes = Array(feed.utf8)
    let whole = try records(mapper, bytes, format, paths, pieceSize: bytes.count)
    #expect(whole.positions.compactMap(\.self).count >= 2)
    for pieceSize in [1, 2, 5, bytes.count] {
      let pieces = try records(mapper, bytes, format, paths, pieceSize: pieceSize)
      for (index, position) in pieces.positions.enumerated() {
        guard let position else { continue }
        let stored = try JSONDecoder().decode(
          FeedPosition.self, from: try JSONEncoder().encode(position))
        #expect(stored == position)
        let rest = try records(mapper, bytes, format, paths, from: stored, pieceSize: 3)
        #expect(
          Routes.describe(rest.records) { "\($0)" }
            == Routes.describe(Array(whole.records[(index + 1)...])) { "\($0)" },
          "after record \(index + 1), pieces of \(pieceSize)")
        #expect(rest.unseen == whole.unseen)
      }
    }
  }

  @Test(arguments: cases.indices)
  func `a stream resumes from any byte, in a record before it`(number: Int) throws {
    let (feed, format, paths) = Self.cases[number]
    let mapper = try Mapper(Self.mapping)
    let bytes = Array(feed.utf8)
    let whole = try records(mapper, bytes, format, paths, pieceSize: bytes.count)
    let stream = try mapper.stream(at: RecordPaths(paths), format: format)
    var count = 0
    for (index, byte) in bytes.enumerated() {
      stream.feed([byte]) { _ in count += 1 }
      guard let position = stream.position else {
        #expect(index < 3)
        continue
      }
      #expect(position.recordCount <= count)
      let stored = try JSONDecoder().decode(
        FeedPosition.self, from: try JSONEncoder().encode(position))
      for pieceSize in [1, bytes.count] {
        let rest = try records(mapper, bytes, format, paths, from: stored, pieceSize: pieceSize)
        #expect(
          Routes.describe(rest.records) { "\($0)" }
            == Routes.describe(Array(whole.records[count...])) { "\($0)" },
          "after byte \(index + 1) of \(feed)")
        #expect(rest.unseen == whole.unseen)
      }
    }
  }

  @Test func `inside a record, the position is that before it`() throws {
    let stream = try Mapper(Self.mapping).stream(format: .ndjson)
    var offsets: [Int?] = []
    for piece in ["{\"id\":1}\n", "{\"id\"", ":2}\n", "\n"] {
      stream.feed(piece.utf8) { _ in }
      offsets.append(stream.position?.offset)
    }
    #expect(offsets == [9, 9, 18, 19])
    stream.finish { _ in }
    #expect(stream.position == nil)
  }

  @Test(.long, arguments: [1, 3])
  func `a file resumes from any position with any jobs`(jobs: Int) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let items = (1...30_000).map {
      "{\"id\":\($0 % 100 == 7 ? "null" : "\($0)"),\"tags\":[\"\($0)\"]}"
    }
    try Data("{\"list\":[\(items.joined(separator: ",\n"))]}".utf8).write(to: URL(filePath: path))
    let mapper = try Mapper(Self.mapping)
    let whole = try mapper.records(in: Feed(.file(path), at: "$.list[*]")).map { "\($0)" }
    let iterator = try mapper.records(in: Feed(.file(path), at: "$.list[*]"), jobs: jobs)
    var positions: [(Int, FeedPosition)] = []
    var count = 0
    while iterator.next() != nil {
      count += 1
      if let position = iterator.position { positions.append((count, position)) }
    }
    #expect(count == 30_000)
    #expect(positions.count > 10)
    for (count, position) in [
      positions[0], positions[positions.count / 2], positions[positions.count - 1],
    ] {
      #expect(position.recordCount == count)
      for other in [1, 3] {
        let rest = try mapper.records(
          in: Feed(.file(path), at: "$.list[*]", from: position), jobs: other)
        let isSame = rest.map { "\($0)" } == Array(whole[count...])
        #expect(isSame, "from record \(count), \(jobs) jobs, then \(other)")
      }
    }
  }

  @Test func `a position of another feed is refused`() throws {
    let mapper = try Mapper(Self.mapping)
    let stream = try mapper.stream(at: "$.list[*]", format: .json)
    var position: FeedPosition?
    stream.feed("{\"list\":[{\"id\":1}".utf8) { _ in position = stream.position }
    let taken = try #require(position)
    #expect(throws: Never.self) { try mapper.stream(at: "$.list[*]", from: taken) }
    let error = #expect(throws: MappingError.self) { try mapper.stream(from: taken) }
    #expect(error?.code == .invalidDefinition)
    #expect(throws: MappingError.self) { try mapper.stream(at: "$.list", from: taken) }
    var limits = Limits()
    limits.depth = 1
    #expect(throws: MappingError.self) {
      try Mapper(Self.mapping, limits: limits).stream(at: "$.list[*]", from: taken)
    }
    let text = String(decoding: try JSONEncoder().encode(taken), as: UTF8.self)
    for (part, other) in [
      ("\"start\":8", "\"start\":99"), ("\"offset\":", "\"offset\":-"),
      ("\"line\":1", "\"line\":0"),
      ("\"lineStart\":0", "\"lineStart\":99"), ("\"step\":0", "\"step\":-1"),
      ("\"recordCount\":1", "\"recordCount\":-1"),
    ] {
      let changed = text.replacingOccurrences(of: part, with: other)
      #expect(changed != text, "\(part) in \(text)")
      let position = try JSONDecoder().decode(FeedPosition.self, from: Data(changed.utf8))
      #expect(throws: MappingError.self, "\(other)") {
        try mapper.stream(at: "$.list[*]", from: position)
      }
    }
  }
}
