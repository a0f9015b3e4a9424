import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// A feed that is cancelled never looks like one that is complete.
@Suite struct CancelledFeedTests {
  struct Aborted: Error {}

  /// What buffers do when the task is cancelled that waits for them.
  enum Ending: CaseIterable, Sendable {
    case stream, throwingStream, endsItself, throwsCancellation, throwsAnotherError
  }

  /// Some bytes, and then nothing until the task is cancelled.
  struct Waiting: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var buffers: [[UInt8]]
    let ending: Ending

    mutating func next() async throws -> [UInt8]? {
      if !buffers.isEmpty { return buffers.removeFirst() }
      do {
        while true { try await Task.sleep(for: .seconds(60)) }
      } catch {
        switch ending {
        case .throwsCancellation: throw error
        case .throwsAnotherError: throw Aborted()
        default: return nil
        }
      }
    }

    func makeAsyncIterator() -> Waiting { self }
  }

  struct Sample: Sendable {
    let format: FeedFormat
    var path: String?
    let text: String
    let records: [String]
  }

  /// Each is cut off: in a document, or in a last line that would be a value of its own.
  static let feeds = [
    Sample(format: .json, path: "$[*]", text: "[1,2,[3],", records: ["1", "2", "[3]"]),
    Sample(format: .json, text: "{\"a\":1", records: []),
    Sample(format: .ndjson, text: "1\n2\n34", records: ["1", "2"]),
    Sample(format: .concatenated, text: "1 2 34", records: ["1", "2"]),
    Sample(format: .sequence, text: "\u{1E}[1]\n\u{1E}[2]\n\u{1E}[34]", records: ["[1]", "[2]"]),
    Sample(format: .auto, text: "1\n2\n34", records: ["1", "2"]),
    Sample(format: .auto, path: "$.l[*]", text: "{\"l\":[1,2", records: ["1"]),
    Sample(format: .ndjson, text: "", records: []),
  ]

  /// What a task sees of a feed before it is cancelled, and whether it is told so, also when it asks again, and in a task that
  /// is not cancelled.
  private func seen<Buffers: AsyncSequence & Sendable>(
    _ feed: Sample, _ buffers: Buffers, jobs: Int
  ) async throws -> (records: [String], isTold: [Bool])
  where Buffers.Element == [UInt8] {
    let mapper = try Mapper(.json)
    nonisolated(unsafe) let records = try mapper.records(
      in: Feed(buffers, at: feed.path.map { RecordPaths($0) } ?? [], format: feed.format),
      jobs: jobs)
    let texts = Locked<[String]>([])
    let task = Task {
      @Sendable func isCancelled() async throws -> Bool {
        do {
          while let record = try await records.next() {
            texts.withLock { $0.append(record.value?.description ?? "\(record.result)") }
          }
          return false
        } catch is CancellationError {
          return true
        }
      }
      let inTask = [try await isCancelled(), try await isCancelled()]
      let inAnother = Task { try await isCancelled() }
      return inTask + [try await inAnother.value]
    }
    while texts.withLock({ $0.count }) < feed.records.count {
      try await Task.sleep(for: .milliseconds(1))
    }
    try await Task.sleep(for: .milliseconds(5))
    task.cancel()
    let isTold = try await task.value
    #expect(records.verdict == .stopped)
    return (texts.withLock { $0 }, isTold)
  }

  @Test
  func `a cancelled task gets a CancellationError, never an end or error`() async throws {
    for feed in Self.feeds {
      let bytes = Array(feed.text.utf8)
      for (jobs, ending) in [1, 3].flatMap({ jobs in Ending.allCases.map { (jobs, $0) } }) {
        for buffers in [[bytes], bytes.map { [$0] }] {
          let outcome: (records: [String], isTold: [Bool])
          switch ending {
          case .stream:
            let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
            for buffer in buffers { continuation.yield(buffer) }
            outcome = try await seen(feed, stream, jobs: jobs)
          case .throwingStream:
            let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            for buffer in buffers { continuation.yield(buffer) }
            outcome = try await seen(feed, stream, jobs: jobs)
          default:
            outcome = try await seen(feed, Waiting(buffers: buffers, ending: ending), jobs: jobs)
          }
          let what = Comment(rawValue: "\(feed.format) \(feed.text), \(jobs) jobs, \(ending)")
          #expect(outcome.records == feed.records, what)
          #expect(outcome.isTold == [true, true, true], what)
        }
      }
    }
  }

  @Test(arguments: [1, 3])
  func `a CancellationError from the buffers is not an end`(jobs: Int) async throws {
    let buffers = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(Array("1\n2\n3".utf8))
      continuation.finish(throwing: CancellationError())
    }
    let iterator = try Mapper(.int).records(in: Feed(buffers, format: .ndjson), jobs: jobs)
    var values: [Int?] = []
    await #expect(throws: CancellationError.self) {
      while let record = try await iterator.next() { values.append(record.value) }
    }
    #expect(values == [1, 2])
    await #expect(throws: CancellationError.self) { try await iterator.next() }
  }

  @Test(arguments: [1, 3])
  func `a task cancelled at the last record does not see the end`(jobs: Int) async throws {
    for (text, format) in [("1\n2", FeedFormat.ndjson), ("1\n2\n", .ndjson), ("2", .json)] {
      let buffers = AsyncStream<[UInt8]> { continuation in
        continuation.yield(Array(text.utf8))
        continuation.finish()
      }
      let records = try Mapper(.int).records(in: Feed(buffers, format: format), jobs: jobs)
      let task = Task {
        for try await record in records where record.value == 2 {
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test(arguments: [1, 3])
  func `records mapped already are not handed to a cancelled task`(jobs: Int) async throws {
    let buffers = AsyncStream<[UInt8]> { continuation in
      continuation.yield(Array(String(repeating: "7\n", count: 5000).utf8))
      continuation.finish()
    }
    let records = try Mapper(.int).records(in: Feed(buffers, format: .ndjson), jobs: jobs)
    let count = Locked(0)
    let task = Task {
      for try await _ in records {
        let taken = count.withLock {
          $0 += 1
          return $0
        }
        if taken == 10 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(count.withLock { $0 } == 10)
  }

  @Test
  func `reading and threads end with a cancelled task`() async throws {
    final class Marker: Sendable {}
    weak var weakMarker: Marker?
    let requests = ParallelRecordsTests.Requests()
    nonisolated(unsafe) var kept: Any?
    do {
      let marker = Marker()
      weakMarker = marker
      nonisolated(unsafe) let records = try Mapper(
        Mapping<String>.converted(from: .string) { text in
          withExtendedLifetime(marker) { text }
        } reverse: {
          $0
        }
      ).records(
        in: Feed(
          ParallelRecordsTests.Endless(buffer: Array("\"x\"\n".utf8), requests: requests),
          format: .ndjson), jobs: 3)
      let task = Task {
        kept = records
        var count = 0
        while try await records.next() != nil {
          count += 1
          if count == 100 { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    var before = -1
    for _ in 0..<1000 where before != requests.count {
      before = requests.count
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(before == requests.count)
    #expect(kept != nil)
    kept = nil
    for _ in 0..<1000 where weakMarker != nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(weakMarker == nil)
  }

  @Test
  func `a cancelled conversion fails with a code of its own`() throws {
    let mapping = Mapping<Int>.converted(from: .int) { (_: Int) throws -> Int in
      throw CancellationError()
    } reverse: { (_: Int) throws -> Int in
      throw CancellationError()
    }
    let record = try #require(try Routes.run(mapping, "7").first)
    #expect(record.error?.code == .cancelled)
    #expect(record.error?.code.category == .io)
    #expect(record.error?.underlying.first is CancellationError)
    let mapper = try Mapper(mapping)
    #expect {
      try mapper.encode(7)
    } throws: {
      ($0 as? MappingError)?.code == .cancelled
    }
  }
}
