import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// How a feed ended, by every route.
@Suite struct FeedVerdictTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let text: String
    let format: FeedFormat
    var paths: RecordPaths = []
    let verdict: FeedVerdict
    var testDescription: String { "\(format) \(text.prefix(40)) is \(verdict)" }
  }

  private static let deep = String(repeating: "[", count: 9) + String(repeating: "]", count: 9)
  /// Some more than a batch.
  private static let many = (1...5000).map { "{\"n\":\($0)}" }

  static let feeds = [
    Sample(text: "1\n2\n", format: .ndjson, verdict: .complete),
    Sample(text: "1\n2", format: .ndjson, verdict: .complete),
    Sample(text: "", format: .ndjson, verdict: .complete),
    Sample(text: "1\n]\n{\"a\"\n3\n", format: .ndjson, verdict: .complete),
    Sample(text: "[\n1", format: .ndjson, verdict: .complete),
    Sample(text: "1\n2\n]", format: .ndjson, verdict: .complete),
    Sample(text: "1\n\(deep)\n3\n", format: .ndjson, verdict: .complete),
    Sample(text: "1\n2\n{\"a\":", format: .ndjson, verdict: .truncated),
    Sample(text: many.joined(separator: "\n") + "\n", format: .ndjson, verdict: .complete),
    Sample(text: many.joined(separator: "\n") + "\n{", format: .ndjson, verdict: .truncated),
    Sample(text: many.joined(separator: "\n") + "\n{", format: .auto, verdict: .truncated),
    Sample(text: "[1,2,3]", format: .json, verdict: .complete),
    Sample(text: "[1,2,3]", format: .json, paths: "$[*]", verdict: .complete),
    Sample(text: "", format: .json, verdict: .truncated),
    Sample(text: "[1,2,", format: .json, paths: "$[*]", verdict: .truncated),
    Sample(text: "[1,2,", format: .auto, paths: "$[*]", verdict: .truncated),
    Sample(text: "[1,2;3]", format: .json, paths: "$[*]", verdict: .malformed),
    Sample(text: "[1,2]]", format: .json, paths: "$[*]", verdict: .malformed),
    Sample(text: "[1,2,\(deep)]", format: .json, paths: "$[*]", verdict: .limit),
    Sample(text: "[1,\"x\"]", format: .json, paths: "$[*]", verdict: .complete),
    Sample(
      text: "[\(many.joined(separator: ","))]", format: .json, paths: "$[*]", verdict: .complete),
    Sample(
      text: "[\(many.joined(separator: ","))", format: .json, paths: "$[*]", verdict: .truncated),
    Sample(
      text: "[\(many.joined(separator: ",")) 1]", format: .json, paths: "$[*]",
      verdict: .malformed),
    Sample(text: "1 2 [3", format: .concatenated, verdict: .truncated),
    Sample(text: "1 2 ] 3", format: .concatenated, verdict: .malformed),
    Sample(text: "\u{1E}1\n\u{1E}[2\n\u{1E}3\n", format: .sequence, verdict: .complete),
    Sample(text: "\u{1E}1\n\u{1E}[2", format: .sequence, verdict: .truncated),
    Sample(text: "\u{FEFF}1\n2\n", format: .auto, verdict: .complete),
    Sample(text: "\0{\0}", format: .auto, verdict: .malformed),
  ]

  private func mapper() throws -> Mapper<JSONValue> {
    var limits = Limits()
    limits.depth = 8
    return try Mapper(.json, limits: limits)
  }

  @Test(.long, arguments: feeds, [1, 3])
  func `the verdict of a sequence is known when its last record is taken`(_ feed: Sample, jobs: Int)
    throws
  {
    let mapper = try mapper()
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try Data(feed.text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    for records in [
      try mapper.records(in: Feed(feed.text.utf8, at: feed.paths, format: feed.format), jobs: jobs),
      try mapper.records(in: Feed(.file(path), at: feed.paths, format: feed.format), jobs: jobs),
    ] {
      #expect(records.verdict == .stopped)
      for record in records {
        #expect(records.verdict == .stopped || records.verdict == feed.verdict)
        if record.endsFeed { #expect(records.verdict == feed.verdict) }
      }
      #expect(records.verdict == feed.verdict)
    }
  }

  @Test(.long, arguments: feeds, [1, 3])
  func `the verdict of buffers is the same, wherever they are cut`(_ feed: Sample, jobs: Int)
    async throws
  {
    let mapper = try mapper()
    let bytes = Array(feed.text.utf8)
    for size in [1, 7, 4096, 1 << 20] where bytes.count / size < 20_000 {
      let buffers = AsyncStream<[UInt8]> { continuation in
        for start in stride(from: 0, to: bytes.count, by: size) {
          continuation.yield(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        continuation.finish()
      }
      let records = try mapper.records(
        in: Feed(buffers, at: feed.paths, format: feed.format), jobs: jobs)
      #expect(records.verdict == .stopped)
      for try await _ in records {}
      #expect(records.verdict == feed.verdict, "buffers of \(size)")
    }
  }

  @Test(arguments: feeds)
  func `the verdict of a stream is known when it is finished`(_ feed: Sample) throws {
    let mapper = try mapper()
    let bytes = Array(feed.text.utf8)
    for size in [1, 7, 4096, 1 << 20] {
      let stream = try mapper.stream(at: feed.paths, format: feed.format)
      for start in stride(from: 0, to: bytes.count, by: size) {
        stream.feed(bytes[start..<min(start + size, bytes.count)]) { _ in }
        #expect(stream.verdict != .complete)
      }
      stream.finish { _ in }
      #expect(stream.verdict == feed.verdict, "pieces of \(size)")
    }
  }

  @Test(arguments: [1, 3])
  func `a feed that is left, or cannot be read, is stopped`(jobs: Int) async throws {
    let mapper = try Mapper(.int)
    let left = try mapper.records(in: Feed("1\n2\n3\n".utf8, format: .ndjson), jobs: jobs)
    for _ in left { break }
    #expect(left.verdict == .stopped)
    #expect(left.map(\.number) == [2, 3])
    #expect(left.verdict == .complete)

    let folder = try mapper.records(in: Feed(.file(NSTemporaryDirectory())), jobs: jobs)
    #expect(folder.map(\.endsFeed) == [true])
    #expect(folder.verdict == .stopped)

    let broken = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(Array("1\n2\n".utf8))
      continuation.finish(throwing: AsyncRecordsTests.Broken())
    }
    let records = try mapper.records(in: Feed(broken, format: .ndjson), jobs: jobs)
    await #expect(throws: AsyncRecordsTests.Broken.self) { for try await _ in records {} }
    #expect(records.verdict == .stopped)

    let stream = try mapper.stream(format: .ndjson)
    #expect(throws: AsyncRecordsTests.Broken.self) {
      try stream.feed("1\n2\n".utf8) { _ in throw AsyncRecordsTests.Broken() }
    }
    stream.finish { _ in }
    #expect(stream.verdict == .stopped)
  }
}
