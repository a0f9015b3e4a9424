import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Records in batches: where they end, and what they hold.
@Suite struct BatchTests {
  struct Broken: Error {}

  private func text(_ count: Int, failing: (Int) -> Bool = { _ in false }) -> [UInt8] {
    Array((1...count).map { failing($0) ? "\"x\"\n" : "\($0)\n" }.joined().utf8)
  }

  /// No batch is late: the clock stands still.
  private func options(_ size: BatchSize) -> FeedOptions {
    var options = FeedOptions(batch: size)
    options.clock = ManualClock()
    return options
  }

  @Test func `a batch ends by records, in any buffers, and the rest is the last one`() async throws
  {
    let mapper = try Mapper(.int)
    for size in [1, 2, 5, 1000] {
      let batches = try mapper.batches(
        in: Feed(
          FeedRoutes.buffers(text(10), size), format: .ndjson,
          options: options(BatchSize(records: 4))))
      var values: [[Int]] = []
      var offsets: [Int?] = []
      var numbers: [Int] = []
      while let batch = try await batches.next() {
        values.append(batch.values)
        offsets.append(batch.position?.offset)
        numbers.append(batch.firstRecord)
        #expect(batch.rejects.isEmpty && batch.records == batch.values.count)
      }
      #expect(values == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]])
      #expect(offsets == [8, 16, 21])
      #expect(numbers == [1, 5, 9])
      #expect(batches.verdict == .complete && batches.reason == nil)
      #expect(try await batches.next() == nil)
      #expect(batches.summary.mapped == 10 && batches.summary.bytes == 21)
    }
  }

  @Test func `a batch ends by bytes and by rejects`() async throws {
    let mapper = try Mapper(.int)
    let byBytes = try mapper.batches(
      in: Feed(
        FeedRoutes.buffers(text(9), 5), format: .ndjson, options: options(BatchSize(bytes: 5))))
    var counts: [Int] = []
    for try await batch in byBytes { counts.append(batch.values.count) }
    #expect(counts == [3, 3, 3])
    let byRejects = try mapper.batches(
      in: Feed(
        FeedRoutes.buffers(text(9) { $0 % 2 == 0 }, 100), format: .ndjson,
        options: options(BatchSize(rejects: 2))))
    var rejects: [[Int]] = []
    for try await batch in byRejects { rejects.append(batch.rejects.map(\.record)) }
    #expect(rejects == [[2, 4], [6, 8], []])
    // One record is the least.
    let least = try mapper.batches(
      in: Feed(
        FeedRoutes.buffers(text(3), 100), format: .ndjson,
        options: options(BatchSize(records: 0, bytes: 0, rejects: 0))))
    counts = []
    for try await batch in least { counts.append(batch.records) }
    #expect(counts == [1, 1, 1])
  }

  @Test(arguments: PositionTests.cases.indices)
  func `from the position of each batch on, the rest is the same`(number: Int) async throws {
    let (feed, format, paths) = PositionTests.cases[number]
    let mapper = try Mapper(PositionTests.mapping)
    let bytes = Array(feed.utf8)
    func run(from position: FeedPosition?, _ jobs: Int, _ size: Int) async throws -> (
      records: [(String, FeedPosition?)], verdict: FeedVerdict, reason: String?
    ) {
      let rest = Array(bytes[(position?.offset ?? 0)...])
      let batches = try mapper.batches(
        in: Feed(
          FeedRoutes.buffers(rest, size), at: RecordPaths(paths), format: format, from: position,
          options: options(BatchSize(records: 1))), jobs: jobs)
      var records: [(String, FeedPosition?)] = []
      for try await batch in batches {
        let text =
          batch.values.map { "\($0)" }.joined() + batch.rejects.map { "\($0.error)" }.joined()
        records.append((text, batch.position))
      }
      return (records, batches.verdict, batches.reason.map { "\($0)" })
    }
    let whole = try await run(from: nil, 1, bytes.count)
    for (jobs, size) in [(1, 1), (1, 4), (1, 1000)] {
      let pieces = try await run(from: nil, jobs, size)
      #expect(pieces.records.map(\.0) == whole.records.map(\.0))
      #expect(pieces.verdict == whole.verdict && pieces.reason == whole.reason)
      for (index, record) in pieces.records.enumerated() {
        guard let position = record.1 else {
          // A number at the very end may continue, if the feed grows: there is no place after it.
          #expect(number == 3 && index + 1 == pieces.records.count)
          continue
        }
        let stored = try JSONDecoder().decode(
          FeedPosition.self, from: try JSONEncoder().encode(position))
        let rest = try await run(from: stored, 1, 3)
        #expect(
          rest.records.map(\.0) == whole.records[(index + 1)...].map(\.0),
          "after batch \(index + 1), pieces of \(size)")
        #expect(rest.reason == whole.reason)
      }
    }
  }

  @Test func `several threads give the same values, with positions`() async throws {
    let mapper = try Mapper(.int)
    let bytes = text(50_000) { $0 % 1000 == 0 }
    for jobs in [1, 3] {
      let batches = try mapper.batches(
        in: Feed(
          FeedRoutes.buffers(bytes, 5000), format: .ndjson,
          options: options(BatchSize(records: 500))), jobs: jobs)
      var values: [Int] = []
      var (rejected, number, size) = (0, 0, 0)
      var positions: [(Int, FeedPosition)] = []
      for try await batch in batches {
        values += batch.values
        rejected += batch.rejects.count
        number += batch.records
        size += batch.bytes
        let position = try #require(batch.position)
        #expect(position.recordCount == number && position.offset == size)
        #expect(batch.firstRecord == number - batch.records + 1)
        positions.append((number, position))
      }
      #expect(values == (1...50_000).filter { $0 % 1000 != 0 })
      #expect(rejected == 50 && size == bytes.count)
      let (count, position) = positions[positions.count / 2]
      var rest = FeedRoutes.Given(mapper: mapper, bytes: bytes, format: .ndjson)
      rest.position = position
      #expect(try FeedRoutes.inMemory(rest, 3).records.count == 50_000 - count)
    }
  }

  @Test func `the buffers' error comes after the records before it`() async throws {
    let buffers = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(Array("1\n2\n3".utf8))
      continuation.finish(throwing: Broken())
    }
    let batches = try Mapper(.int).batches(
      in: Feed(buffers, format: .ndjson, options: options(BatchSize())))
    let first = try #require(try await batches.next())
    #expect(first.values == [1, 2] && first.position?.offset == 4)
    await #expect(throws: Broken.self) { try await batches.next() }
    #expect(try await batches.next() == nil)
    #expect(batches.verdict == .stopped && batches.summary.position?.offset == 4)
  }

  @Test func `what ends a feed early is the reason, and no reject`() async throws {
    for (text, format, verdict, offset) in [
      ("1\n2\n3e", FeedFormat.ndjson, FeedVerdict.truncated, 4),
      ("[1,2,[", .json, .truncated, 5), ("[1,2,}", .json, .malformed, 5),
    ] {
      for size in [1, 100] {
        let batches = try Mapper(.int).batches(
          in: Feed(
            FeedRoutes.buffers(Array(text.utf8), size), at: format == .json ? "$[*]" : [],
            format: format, options: options(BatchSize())))
        let batch = try #require(try await batches.next())
        #expect(batch.values == [1, 2] && batch.rejects.isEmpty && batch.records == 2)
        #expect(try await batches.next() == nil)
        #expect(batches.verdict == verdict && batches.reason != nil)
        #expect(batches.summary.position?.offset == offset, "\(text), \(size)")
        #expect(batch.position?.recordCount == 2)
      }
    }
  }

  @Test(arguments: [1, 3])
  func `a cancelled task gets a CancellationError, between batches and while waiting`(
    jobs: Int
  ) async throws {
    let (buffers, continuation) = AsyncStream<[UInt8]>.makeStream()
    for _ in 0..<10 { continuation.yield(text(1000)) }
    let mapper = try Mapper(.int)
    let task = Task {
      let batches = try mapper.batches(
        in: Feed(buffers, format: .ndjson, options: options(BatchSize(records: 100))), jobs: jobs)
      var count = 0
      for try await _ in batches {
        count += 1
        if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    continuation.finish()
    let (waiting, other) = AsyncStream<[UInt8]>.makeStream()
    let idle = Task {
      for try await _ in try mapper.batches(in: Feed(waiting, format: .ndjson), jobs: jobs) {}
    }
    other.yield(Array("1\n".utf8))
    try await Task.sleep(for: .milliseconds(10))
    idle.cancel()
    await #expect(throws: CancellationError.self) { try await idle.value }
    withExtendedLifetime(other) {}
  }

  @Test func `the text of a reject can be shown`() async throws {
    let batches = try Mapper(.int).batches(
      in: Feed(
        FeedRoutes.buffers(Array("1\n \"two\" \n3\n".utf8), 3), format: .ndjson,
        options: options(BatchSize())))
    let batch = try #require(try await batches.next())
    let position = try #require(batch.rejects.first?.position)
    #expect(batches.text(at: position).map { String(decoding: $0, as: UTF8.self) } == "\"two\"")
    let stored = try JSONDecoder().decode(
      Reject.self, from: try JSONEncoder().encode(try #require(batch.rejects.first)))
    #expect(stored.record == 2 && stored.position == position && stored.error.code == .wrongType)
  }

  @Test func `rejects tell their key, where that is asked for`() async throws {
    var mapper = try Mapper(.int)
    mapper.reportsKeys = true
    let bytes = Array("{\"a\":1,\"b\":\"x\"}".utf8)
    for jobs in [1, 2] {
      let batches = try mapper.batches(
        in: Feed(FeedRoutes.buffers(bytes, 4), at: "$.*", format: .json), jobs: jobs)
      var (values, keys): ([Int], [String?]) = ([], [])
      for try await batch in batches {
        values += batch.values
        keys += batch.rejects.map(\.key)
      }
      #expect(values == [1] && keys == ["b"])
    }
  }
}
