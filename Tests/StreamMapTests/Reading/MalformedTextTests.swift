import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// A malformed line or entry is reported whole, so that it can be corrected; its fault where it is.
@Suite struct MalformedTextTests {
  /// A feed whose second text is malformed: that text, and where in it the fault is.
  struct Case: Sendable {
    let format: FeedFormat
    let text: String
    let fault: Int
    var isLast = false

    /// A good text, the malformed one, and another good one.
    var feed: String {
      switch format {
      case .sequence: "\u{1E}[1]\n\u{1E}\(text)" + (isLast ? "" : "\u{1E}[3]\n")
      default: "[1]\n\(text)" + (isLast ? "" : "\n[3]\n")
      }
    }
  }

  static let cases = [
    Case(format: .ndjson, text: "GARBAGE here", fault: 0),
    Case(format: .ndjson, text: "{\"a\":1,\"b\" 5,\"c\":[{]}", fault: 11),
    Case(format: .ndjson, text: "[1,2", fault: 4),
    Case(format: .ndjson, text: "[1]]", fault: 3),
    Case(format: .ndjson, text: "[\"a\u{1}b\", \"c\"]  \r", fault: 3),
    Case(format: .ndjson, text: "[\"a\\x\", 7]", fault: 3),
    Case(format: .ndjson, text: "[\"é\\ud800\", 7]", fault: 4),
    Case(format: .ndjson, text: "[truth, 7]", fault: 4),
    Case(format: .ndjson, text: "[12x, 7]", fault: 3),
    Case(format: .ndjson, text: "[\"open, 7]", fault: 10),
    Case(format: .ndjson, text: "GARBAGE here", fault: 0, isLast: true),
    Case(format: .ndjson, text: "{\"a\":", fault: 5, isLast: true),
    Case(format: .auto, text: "GARBAGE here", fault: 0),
    Case(format: .sequence, text: "{\"a\" 5,\n \"b\":[\n]}\n", fault: 5),
    Case(format: .sequence, text: "GARBAGE\nhere\n", fault: 0),
    Case(format: .sequence, text: "[1,\n", fault: 4),
    Case(format: .sequence, text: "[1,}\n", fault: 3, isLast: true),
  ]

  private func check(_ record: Record<JSONValue>, _ test: Case, _ route: String) {
    let start = test.format == .sequence ? 6 : 4
    let bytes = start..<start + test.text.utf8.count
    let what = Comment(rawValue: "\(test.format) \(test.text), \(route)")
    #expect(record.value == nil, what)
    #expect(record.position?.bytes == bytes, what)
    #expect(record.error?.position?.bytes.lowerBound == start + test.fault, what)
  }

  @Test(arguments: cases)
  func `a malformed line or entry is reported whole by every route`(test: Case) async throws {
    let bytes = Array(test.feed.utf8)
    let mapper = try Mapper(.json)
    let pieces = try Routes.run(mapper, bytes, at: [], format: test.format) { "\($0)" }
    try #require(pieces.count == (test.isLast ? 2 : 3))
    check(pieces[1], test, "pieces")
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try Data(bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    for jobs in [1, 3] {
      let sequences = [
        try mapper.records(in: Feed(bytes, format: test.format), jobs: jobs),
        try mapper.records(in: Feed(.file(path), format: test.format), jobs: jobs),
      ]
      for sequence in sequences {
        let records = Array(sequence)
        check(records[1], test, "\(jobs) jobs")
        let position = try #require(records[1].position)
        #expect(sequence.text(at: position) == Array(test.text.utf8))
      }
      for size in [1, 3, bytes.count] {
        let buffers = AsyncStream<ArraySlice<UInt8>> { continuation in
          for start in stride(from: 0, to: bytes.count, by: size) {
            continuation.yield(bytes[start..<min(start + size, bytes.count)])
          }
          continuation.finish()
        }
        let records = try mapper.records(in: Feed(buffers, format: test.format), jobs: jobs)
        _ = try await records.next()
        let record = try #require(try await records.next())
        check(record, test, "buffers of \(size), \(jobs) jobs")
        #expect(records.text(at: try #require(record.position)) == Array(test.text.utf8))
      }
    }
  }

  @Test
  func `a malformed first line settles that there are lines`() throws {
    let records = try Routes.run(.json, "GARBAGE here\n[2]\n", format: .auto)
    #expect(records.map { $0.position?.bytes } == [0..<12, 13..<16])
    #expect(records[0].error?.position?.bytes == 0..<1)
    #expect(records[1].value?.description == "[2]")
  }

  @Test
  func `the path to a fault is told across pieces`() throws {
    let records = try Routes.run(
      .json, "{\"key\":[1,{\"other\":[true,false,nul]}],\"after\":[1,2,3]}\n[2]\n", format: .ndjson)
    #expect(records[0].error?.path.description == "$.key[1].other[2]")
    #expect(records[0].position?.bytes == 0..<54)
  }

  @Test
  func `a fault is reported with the piece that ends its line`() throws {
    let stream = try Mapper(.int).stream(format: .ndjson)
    var counts: [Int] = []
    var hasPosition: [Bool] = []
    for piece in ["1\nGARB", "AGE", " here", "\n2\n"] {
      var count = 0
      stream.feed(piece.utf8) { _ in count += 1 }
      counts.append(count)
      hasPosition.append(stream.position != nil)
    }
    #expect(counts == [1, 0, 0, 2])
    // In the malformed line, the place is that before it.
    #expect(hasPosition == [true, true, true, true])
  }

  @Test
  func `an endless malformed line is reported after 64 KiB`() throws {
    let most = FeedReader.largestText
    let mapper = try Mapper(.int)
    let stream = try mapper.stream(format: .ndjson)
    var read = 0
    var records: [Record<Int>] = []
    while records.isEmpty, read < 4 * most {
      stream.feed(repeatElement(UInt8(ascii: "x"), count: 1000)) { records.append($0) }
      read += 1000
    }
    #expect(records.map { $0.position?.bytes } == [0..<most])
    #expect(read < most + 1000)
    let position = try #require(stream.position)
    stream.feed("xx\n7\n".utf8) { records.append($0) }
    #expect(records.last?.value == 7)
    // Who continues there finds the end of the line, too.
    let other = try mapper.stream(format: .ndjson, from: position)
    let rest = Array(repeatElement(UInt8(ascii: "x"), count: read - position.offset))
    other.feed(rest + Array("xx\n7\n".utf8)) { records.append($0) }
    #expect(records.last?.value == 7)
    #expect(records.map(\.number) == [1, 2, 2])

    let long = String(repeating: "x", count: most)
    for (line, end) in [
      (String(long.dropLast()), most - 1), (long, most), (long + "x", most),
      ("[\"\(long)\" 7, 8]", most + 5),
    ] {
      let feed = Array("\(line)\n7\n".utf8)
      let records = try Routes.run(
        mapper, feed, at: [], format: .ndjson, pieceSizes: [100, 65_536, 65_537]
      ) { "\($0)" }
      #expect(records.map { $0.position?.bytes.upperBound } == [end, feed.count - 1])
      for jobs in [2, 3] {
        let others = Array(try mapper.records(in: Feed(feed, format: .ndjson), jobs: jobs))
        #expect(others.map { $0.position?.bytes.upperBound } == [end, feed.count - 1])
      }
    }
  }

  @Test
  func `a malformed document is reported up to its fault`() throws {
    for (format, feed, start) in [
      (FeedFormat.json, "[1,x, 2]", 0), (.concatenated, "[1] [2,x] [3]", 4),
    ] {
      let last = try #require(try Routes.run(.json, feed, format: format).last)
      let fault = try #require(last.error?.position)
      #expect(last.position?.bytes == start..<fault.bytes.upperBound)
      #expect(last.endsFeed)
    }
  }
}
