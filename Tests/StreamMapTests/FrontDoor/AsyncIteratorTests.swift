import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Where an asynchronous feed stands, what of it is missing, and its text: as of one that is not.
@Suite struct AsyncIteratorTests {
  private typealias Outcome = (
    records: [Record<PositionTests.Item>], positions: [FeedPosition?], unseen: [PathPattern]
  )

  private static func buffers(_ bytes: [UInt8], from offset: Int = 0, size: Int) -> AsyncStream<
    [UInt8]
  > {
    AsyncStream { continuation in
      for start in stride(from: offset, to: bytes.count, by: size) {
        continuation.yield(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      continuation.finish()
    }
  }

  private func records(
    _ mapper: Mapper<PositionTests.Item>, _ bytes: [UInt8], _ format: FeedFormat,
    _ paths: [String], from position: FeedPosition? = nil, size: Int, jobs: Int
  ) async throws -> Outcome {
    let buffers = Self.buffers(bytes, from: position?.offset ?? 0, size: size)
    let iterator = try mapper.records(
      in: Feed(buffers, at: RecordPaths(paths), format: format, from: position), jobs: jobs)
    #expect(iterator.offset == position?.offset ?? 0)
    #expect(iterator.position == position)
    var all: [Record<PositionTests.Item>] = []
    var positions: [FeedPosition?] = []
    while let record = try await iterator.next() {
      all.append(record)
      positions.append(iterator.position)
    }
    #expect(iterator.position == nil)
    if !(all.last?.endsFeed ?? false) { #expect(iterator.offset == bytes.count) }
    return (all, positions, iterator.unseenPaths)
  }

  @Test(arguments: PositionTests.cases.indices)
  func `an asynchronous feed resumes after any record`(number: Int) async throws {
    let (feed, format, paths) = PositionTests.cases[number]
    let mapper = try Mapper(PositionTests.mapping)
    let bytes = Array(feed.utf8)
    let whole = try await records(mapper, bytes, format, paths, size: bytes.count, jobs: 1)
    #expect(whole.positions.compactMap(\.self).count >= 2)
    for (jobs, size) in [(1, 1), (1, 5), (1, bytes.count), (3, 1), (3, 5), (3, bytes.count)] {
      let pieces = try await records(mapper, bytes, format, paths, size: size, jobs: jobs)
      #expect(
        Routes.describe(pieces.records) { "\($0)" } == Routes.describe(whole.records) { "\($0)" })
      #expect(pieces.unseen == whole.unseen)
      for (index, position) in pieces.positions.enumerated() {
        guard let position else { continue }
        for jobs in [1, 2] {
          let rest = try await records(
            mapper, bytes, format, paths, from: position, size: 3, jobs: jobs)
          #expect(
            Routes.describe(rest.records) { "\($0)" }
              == Routes.describe(Array(whole.records[(index + 1)...])) { "\($0)" },
            "after record \(index + 1), buffers of \(size), \(jobs) jobs")
          #expect(rest.unseen == whole.unseen)
        }
      }
    }
  }

  @Test(
    .long,
    arguments: [1, 3])
  func `a long document has positions however small its buffers are`(jobs: Int) async throws {
    let items = (1...30_000).map {
      "{\"id\":\($0 % 100 == 7 ? "null" : "\($0)"),\"tags\":[\"\($0)\"]}"
    }
    let bytes = Array("{\"list\":[\(items.joined(separator: ",\n"))]}".utf8)
    let mapper = try Mapper(PositionTests.mapping)
    for size in [1000, 4096, 1 << 20] {
      let whole = try await records(mapper, bytes, .json, ["$.list[*]"], size: size, jobs: jobs)
      #expect(whole.records.count == 30_000)
      let places = whole.positions.indices.filter { whole.positions[$0] != nil }
      #expect(places.count >= 8, "buffers of \(size)")
      for place in [places[0], places[places.count / 2], places[places.count - 1]] {
        let rest = try await records(
          mapper, bytes, .json, ["$.list[*]"], from: whole.positions[place], size: 50_000,
          jobs: jobs)
        #expect(rest.records.count == 30_000 - place - 1)
        #expect(
          Routes.describe(rest.records) { "\($0)" }
            == Routes.describe(Array(whole.records[(place + 1)...])) { "\($0)" })
      }
    }
  }

  @Test(arguments: [1, 3])
  func `paths are unseen until they occur`(jobs: Int) async throws {
    let bytes = Array(#"{"a":[1],"b":[],"n":[2]}"#.utf8)
    let mapper = try Mapper(.int)
    let iterator = try mapper.records(
      in: Feed(Self.buffers(bytes, size: 1), at: ["$.a[*]", "$.b[*]", "$.c[*]"]), jobs: jobs)
    #expect(iterator.unseenPaths.map(\.description) == ["$.a[*]", "$.b[*]", "$.c[*]"])
    #expect(try await iterator.next()?.value == 1)
    // Several jobs may be further than the record.
    let unseen = iterator.unseenPaths.map(\.description)
    #expect(unseen == ["$.b[*]", "$.c[*]"] || (jobs > 1 && unseen == ["$.c[*]"]))
    #expect(try await iterator.next() == nil)
    #expect(iterator.unseenPaths.map(\.description) == ["$.c[*]"])
    #expect(iterator.offset == bytes.count)
  }

  @Test(arguments: [1, 3])
  func `a position of another feed is an error of the first record`(jobs: Int) async throws {
    let stream = try Mapper(.int).stream(at: "$.a[*]", format: .json)
    var position: FeedPosition?
    stream.feed(#"{"a":[1,2]}"#.utf8) { record in
      if record.number == 1 { position = stream.position }
    }
    let taken = try #require(position)
    let records = try Mapper(.int).records(
      in: Feed(Self.buffers([], size: 1), format: .ndjson, from: taken), jobs: jobs)
    await #expect {
      try await records.next()
    } throws: {
      ($0 as? MappingError)?.code == .invalidDefinition
    }
  }

  @Test(.long, arguments: [1, 3])
  func `the text of each record is available when it comes`(jobs: Int) async throws {
    let lines = (0..<(TestExtent.isLong ? 3000 : 1500)).map { number in
      switch number % 50 {
      case 7: "GARBAGE \(number)"
      case 9: "{\"id\":\"\(String(repeating: "é", count: 30_000))\"}"
      default: "{\"id\":\(number),\"tags\":[\"\(String(repeating: "t", count: number % 90))\"]}"
      }
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    for size in [7, 4096, 100_000, bytes.count] {
      let iterator = try Mapper(PositionTests.mapping).records(
        in: Feed(Self.buffers(bytes, size: size), format: .ndjson), jobs: jobs)
      var texts: [String] = []
      var first: SourcePosition?
      while let record = try await iterator.next() {
        let position = try #require(record.position)
        first = first ?? position
        texts.append(iterator.text(at: position).map { String(decoding: $0, as: UTF8.self) } ?? "-")
      }
      #expect((texts == lines) == true, "buffers of \(size)")
      let beyond = SourcePosition(bytes: 5..<bytes.count + 1, line: 1, column: 1)
      #expect(iterator.text(at: beyond) == nil)
      // Memory stays flat: what is long gone is gone.
      if size < 100_000 { #expect(iterator.text(at: try #require(first)) == nil) }
    }
  }

  @Test
  func `the kept text is the end of the feed for any buffers`() {
    let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
    for size in [1, 100, 4096, 5000, 30_000] {
      let text = RecentText(from: 10)
      for start in stride(from: 0, to: bytes.count, by: size) {
        text.append(Array(bytes[start..<min(start + size, bytes.count)]))
        text.forget(before: text.end - 10_000)
      }
      #expect(text.end == 50_010)
      #expect(text.bytes(in: 50_000..<50_010) == Array(bytes.suffix(10)))
      #expect(text.bytes(in: 40_010..<50_010) == Array(bytes.suffix(10_000)))
      #expect(text.bytes(in: 40_010..<40_010) == [])
      #expect(text.bytes(in: 50_000..<50_011) == nil)
      #expect(text.bytes(in: 0..<20) == nil)
    }
  }
}
