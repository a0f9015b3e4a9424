import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct RejectionsTests {
  /// What a route came to: the values taken, and why it stopped.
  struct Outcome: Equatable {
    var values: [Int] = []
    var count = 0
    var recordCount = 0
    var stop: String?
  }

  private static func take(
    _ record: Record<Int>, _ rejections: inout Rejections, _ outcome: inout Outcome
  ) throws {
    defer {
      outcome.count = rejections.count
      outcome.recordCount = rejections.recordCount
    }
    if let value = try rejections.value(of: record) { outcome.values.append(value) }
  }

  /// The outcomes of all routes, which are the same.
  private func outcome(
    _ feed: String, _ rejections: Rejections, at paths: String? = nil, format: FeedFormat = .ndjson
  ) async throws -> Outcome {
    let mapper = try Mapper(.int)
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try Data(feed.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bytes = Array(feed.utf8)
    var outcomes: [Outcome] = []

    func run(_ body: (inout Rejections, inout Outcome) throws -> Void) {
      var (rejections, outcome) = (rejections, Outcome())
      do {
        try body(&rejections, &outcome)
        try rejections.finish()
      } catch {
        outcome.stop = "\(error)"
      }
      outcomes.append(outcome)
    }

    let at = RecordPaths(paths ?? "$")
    run {
      for record in try mapper.records(in: Feed(bytes, at: at, format: format)) {
        try Self.take(record, &$0, &$1)
      }
    }
    for jobs in [1, 3] {
      run {
        for record in try mapper.records(in: Feed(.file(path), at: at, format: format), jobs: jobs)
        {
          try Self.take(record, &$0, &$1)
        }
      }
    }
    run { rejections, outcome in
      let stream = try mapper.stream(at: at, format: format)
      for byte in bytes {
        try stream.feed([byte]) { try Self.take($0, &rejections, &outcome) }
      }
      try stream.finish { try Self.take($0, &rejections, &outcome) }
    }
    for jobs in [1, 3] {
      var (rejections, outcome) = (rejections, Outcome())
      let buffers = AsyncStream<[UInt8]> { continuation in
        for start in stride(from: 0, to: bytes.count, by: 7) {
          continuation.yield(Array(bytes[start..<min(start + 7, bytes.count)]))
        }
        continuation.finish()
      }
      do {
        for try await record in try mapper.records(
          in: Feed(buffers, at: at, format: format), jobs: jobs)
        {
          try Self.take(record, &rejections, &outcome)
        }
        try rejections.finish()
      } catch {
        outcome.stop = "\(error)"
      }
      outcomes.append(outcome)
    }
    for other in outcomes.dropFirst() { #expect(other == outcomes[0]) }
    return outcomes[0]
  }

  @Test func `failed records are all skipped without a budget`() async throws {
    let outcome = try await outcome("1\n\"x\"\n3\n]\n5\n", Rejections())
    #expect(outcome == Outcome(values: [1, 3, 5], count: 2, recordCount: 5))
  }

  @Test func `a budget of a number ends the feed when exceeded`() async throws {
    let feed = "1\n\"x\"\n3\n]\n5\n"
    let spent = try await outcome(feed, Rejections(within: ErrorBudget(count: 1)))
    #expect(spent.values == [1, 3])
    #expect(
      spent.stop?.hasPrefix("2 of 4 records failed, more than 1; the last one: fatal syntax")
        == true)
    let enough = try await outcome(feed, Rejections(within: ErrorBudget(count: 2)))
    #expect(enough.stop == nil && enough.values == [1, 3, 5])
  }

  @Test func `a budget of a share ends the feed when exceeded`() async throws {
    let early = "\"x\"\n" + (2...10).map { "\($0)\n" }.joined()
    #expect(try await outcome(early, Rejections(within: ErrorBudget(ratio: 0.1))).stop == nil)
    let atEnd = try await outcome(early, Rejections(within: ErrorBudget(ratio: 0.05)))
    #expect(atEnd.stop == "1 of 10 records failed, more than 0.05 of them")
    let long = (1...2000).map { $0 % 10 == 0 ? "\"x\"\n" : "\($0)\n" }.joined()
    let spent = try await outcome(long, Rejections(within: ErrorBudget(ratio: 0.05)))
    #expect(spent.recordCount == 1000)
  }

  @Test func `a handler decides about each failed record`() async throws {
    var seen: Set<Int> = []
    let rejections = Rejections { record in
      seen.insert(record.number)
      return record.error?.code == .syntax ? .stop : .skip
    }
    let outcome = try await outcome("1\n\"x\"\n3\n]\n5\n", rejections)
    #expect(outcome.values == [1, 3])
    #expect(
      outcome.stop?.hasPrefix("2 of 4 records failed, and the handler stopped at the last one; ")
        == true)
    #expect(seen == [2, 4])
  }

  @Test func `a document that is cut off ends the feed`() async throws {
    let outcome = try await outcome("[1,\"x\",3", Rejections(), at: "$[*]", format: .json)
    #expect(outcome.values == [1] || outcome.values == [1, 3])
    #expect(outcome.stop?.contains("the feed cannot be read after the last one") == true)
  }

  @Test func `an input that fails ends the feed`() throws {
    let folder = Array(try Mapper(.int).records(in: Feed(.file(NSTemporaryDirectory()))))
    #expect(folder.map(\.endsFeed) == [true])
    var rejections = Rejections()
    #expect(throws: Rejections.Stop.self) { try rejections.value(of: folder[0]) }
  }

  @Test func `the text of a record can be read again`() throws {
    let mapper = try Mapper(.int)
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try Data("{\"l\":[1, \"x\" ,3]}".utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let sequences = [
      try mapper.records(in: Feed(.file(path), at: "$.l[*]")),
      try mapper.records(in: Feed(.file(path), at: "$.l[*]"), jobs: 2),
      try mapper.records(in: Feed("{\"l\":[1, \"x\" ,3]}".utf8, at: "$.l[*]")),
    ]
    for sequence in sequences {
      var texts: [String?] = []
      for record in sequence {
        texts.append(
          record.position.flatMap { sequence.text(at: $0) }.map {
            String(decoding: $0, as: UTF8.self)
          })
      }
      #expect(texts == ["1", "\"x\"", "3"])
      #expect(sequence.text(at: SourcePosition(bytes: 5..<1_000_000, line: 1, column: 6)) == nil)
    }
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("1\n".utf8))
    try pipe.fileHandleForWriting.close()
    let records = try mapper.records(
      in: Feed(.descriptor(pipe.fileHandleForReading.fileDescriptor)))
    let position = try #require(records.next()?.position)
    #expect(records.text(at: position) == nil)
  }

  @Test(.long, arguments: [1, 3])
  func `a cancelled task stops within a window`(jobs: Int) async throws {
    let buffer = Array(String(repeating: "7\n", count: 2_000_000).utf8)
    let buffers = AsyncStream<[UInt8]> { continuation in
      continuation.yield(buffer)
      continuation.finish()
    }
    let mapper = try Mapper(.int)
    let task = Task {
      var count = 0
      do {
        for try await _ in try mapper.records(in: Feed(buffers, format: .ndjson), jobs: jobs) {
          count += 1
          if count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
        }
      } catch is CancellationError {
        return count
      }
      return -1
    }
    let count = try await task.value
    #expect(count >= 10 && count <= 10 + FeedWindow.size / 2)
  }
}
