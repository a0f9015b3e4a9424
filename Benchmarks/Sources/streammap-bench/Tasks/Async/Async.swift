import Foundation
import StreamMap

/// Buffers that come asynchronously, as from a network connection.
enum Async: BenchmarkTask {
  static let name = "async"
  static let summary = "logs, from an asynchronous sequence of buffers"
  static let feed = LogFeed.feed
  static let reference = synchronous
  static let baseline = synchronous
  static let synchronous = "StreamMap stream, 64 KiB"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    let mapper = try Mapper(LogRecord.mapping)
    let stream = StreamMapContender.contender(
      named: synchronous, mapper, feed, chunk: 64 << 10
    )
    return [stream] + [4, 64].map { size in contender(mapper, feed, size) }
  }

  static func title(_ kibibytes: Int) -> String { "StreamMap async, \(kibibytes) KiB" }

  private static func contender(_ mapper: Mapper<LogRecord>, _ feed: MappedFile, _ size: Int)
    -> any Contender
  {
    let buffers = FeedBuffers(feed: feed, size: size << 10)
    return InsideContender(title(size)) { hashes in
      try wait {
        var builder = DigestBuilder(hashes: hashes)
        for try await record in try mapper.records(in: Feed(buffers, format: .ndjson)) {
          builder.add(try record.get())
        }
        return builder.digest
      }
    }
  }

  /// Goes through a feed in buffers of a size; the sum of what its records say.
  static func sum(_ mapper: Mapper<LogRecord>, _ feed: MappedFile, _ size: Int) throws -> Int {
    let buffers = FeedBuffers(feed: feed, size: size)
    return try wait {
      var sum = 0
      for try await record in try mapper.records(in: Feed(buffers, format: .ndjson)) {
        sum &+= try record.get().user
      }
      return sum
    }
  }

  /// Runs a task to its end.
  private static func wait<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let outcome = Outcome<Value>()
    let isOver = DispatchSemaphore(value: 0)
    Task.detached {
      do { outcome.result = .success(try await work()) } catch { outcome.result = .failure(error) }
      isOver.signal()
    }
    isOver.wait()
    guard let result = outcome.result else { throw BenchmarkError("the task has no result") }
    return try result.get()
  }

  /// The result of a task; the semaphore orders its writing and its reading.
  private final class Outcome<Value>: @unchecked Sendable {
    var result: Result<Value, any Error>?
  }
}

/// A feed in buffers of its own memory, as a server gets them.
private struct FeedBuffers: AsyncSequence, @unchecked Sendable {
  // The feed is only read.
  let feed: MappedFile
  let size: Int

  func makeAsyncIterator() -> Iterator { Iterator(feed: feed, size: size) }

  struct Iterator: AsyncIteratorProtocol {
    let feed: MappedFile
    let size: Int
    private var start = 0

    init(feed: MappedFile, size: Int) {
      self.feed = feed
      self.size = size
    }

    mutating func next() async -> [UInt8]? {
      guard start < feed.count else { return nil }
      let end = Swift.min(start + size, feed.count)
      defer { start = end }
      return Array(feed.bytes[start..<end])
    }
  }
}
