import Foundation
import Testing

@testable import StreamMap

/// Feeds that come asynchronously.
@Suite struct AsyncRecordsTests {
  struct Broken: Error {}

  static let feed = Array("{\"n\":1}\n{\"n\":\"é\"}\nbad\n{\"n\":[3,4]}".utf8)
  static let texts = [#"{"n":1}"#, #"{"n":"é"}"#, "syntax", #"{"n":[3,4]}"#]

  private func texts<Buffers: AsyncSequence>(_ buffers: Buffers) async throws -> [String]
  where Buffers.Element: FeedBuffer {
    var texts: [String] = []
    for try await record in try Mapper(output: .raw).records(in: Feed(buffers, format: .ndjson)) {
      texts.append(record.value?.description ?? record.error?.code.rawValue ?? "")
    }
    return texts
  }

  private func stream<Buffer: Sendable>(_ size: Int, _ make: (ArraySlice<UInt8>) -> Buffer)
    -> AsyncStream<Buffer>
  {
    let buffers = stride(from: 0, to: Self.feed.count, by: size).map {
      make(Self.feed[$0..<min($0 + size, Self.feed.count)])
    }
    return AsyncStream { continuation in
      for buffer in buffers { continuation.yield(buffer) }
      continuation.finish()
    }
  }

  @Test func `buffers of any kind and size give the same records`() async throws {
    for size in [1, 2, 3, 7, 100] {
      #expect(try await texts(stream(size) { Data($0) }) == Self.texts)
      #expect(try await texts(stream(size) { Array($0) }) == Self.texts)
      #expect(try await texts(stream(size) { $0 }) == Self.texts)
      #expect(
        try await texts(stream(size) { Array($0).reversed().reversed() as [UInt8] }) == Self.texts)
    }
  }

  /// A sequence of bytes: with an error after some of them, if there is one.
  private func bytes(_ count: Int = feed.count, then failure: Broken? = nil)
    -> AsyncThrowingStream<UInt8, any Error>
  {
    AsyncThrowingStream { continuation in
      for byte in Self.feed.prefix(count) { continuation.yield(byte) }
      continuation.finish(throwing: failure)
    }
  }

  @Test func `bytes that come one at a time give the same records`() async throws {
    #expect(try await texts(GatheredBytes(bytes())) == Self.texts)
    #expect(try await texts(GatheredBytes(bytes(0))) == [])
  }

  @Test func `a buffer of such bytes ends with a line, or is full`() async throws {
    var buffers: [[UInt8]] = []
    for try await buffer in GatheredBytes(bytes()) { buffers.append(buffer) }
    #expect(buffers.count == 4 && Array(buffers.joined()) == Self.feed)
    #expect(buffers.dropLast().allSatisfy { $0.last == UInt8(ascii: "\n") })

    let line = AsyncStream<UInt8> { continuation in
      for _ in 0..<40_000 { continuation.yield(UInt8(ascii: "7")) }
      continuation.finish()
    }
    var sizes: [Int] = []
    for try await buffer in GatheredBytes(line) { sizes.append(buffer.count) }
    #expect(sizes == [16_384, 16_384, 7232])
  }

  @Test func `an error comes after the bytes before it, and is the end`() async throws {
    var iterator = GatheredBytes(bytes(5, then: Broken())).makeAsyncIterator()
    #expect(try await iterator.next() == Array(Self.feed.prefix(5)))
    await #expect(throws: Broken.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func `an empty buffer is not the end`() async throws {
    let buffers = AsyncStream<[UInt8]> { continuation in
      for byte in Self.feed {
        continuation.yield([])
        continuation.yield([byte])
      }
      continuation.yield([])
      continuation.finish()
    }
    #expect(try await texts(buffers) == Self.texts)
    #expect(try await texts(AsyncStream<[UInt8]> { $0.finish() }) == [])
  }

  /// A buffer that is larger than the window.
  @Test func `a buffer larger than the window is read whole`() async throws {
    let line = Array("{\"n\":\"0123456789\"}\n".utf8)
    let large = Array(repeatElement(line, count: 60_000).joined())
    let buffers = AsyncStream<[UInt8]> { continuation in
      continuation.yield(large)
      continuation.finish()
    }
    var count = 0
    for try await record in try Mapper(output: .raw).records(in: Feed(buffers, format: .ndjson)) {
      count += record.value == nil ? 0 : 1
    }
    #expect(count == 60_000)
  }

  /// Counts how many buffers were asked for.
  final class Requests: Sendable {
    let count = Locked(0)
  }

  struct Counted: AsyncSequence, AsyncIteratorProtocol {
    let requests: Requests
    var left: Int

    mutating func next() async throws -> [UInt8]? {
      requests.count.withLock { $0 += 1 }
      if left == 0 { throw Broken() }
      left -= 1
      return Array("1\n2\n".utf8)
    }

    func makeAsyncIterator() -> Counted { self }
  }

  @Test func `buffers are asked for only when needed`() async throws {
    let requests = Requests()
    let records = try Mapper(output: .raw).records(
      in: Feed(Counted(requests: requests, left: 100), format: .ndjson))
    #expect(requests.count.withLock { $0 } == 0)
    for number in 1...20 {
      #expect(try await records.next()?.number == number)
      // Two records a buffer, and the first four bytes are looked at together.
      #expect(requests.count.withLock { $0 } <= (number + 1) / 2)
    }
  }

  @Test func `an error thrown by the buffers comes after the records`() async throws {
    let records = try Mapper(output: .raw).records(
      in: Feed(Counted(requests: Requests(), left: 2), format: .ndjson))
    var numbers: [Int] = []
    await #expect(throws: Broken.self) {
      while let record = try await records.next() { numbers.append(record.number) }
    }
    #expect(numbers == [1, 2, 3, 4])
    #expect(try await records.next() == nil)
  }

  @Test func `a task that cancels itself gets a CancellationError`() async throws {
    let (buffers, continuation) = AsyncStream<[UInt8]>.makeStream()
    let mapper = try Mapper(output: .raw)
    let task = Task {
      var count = 0
      for try await record in try mapper.records(in: Feed(buffers, format: .ndjson)) {
        count += record.number > 0 ? 1 : 0
        if count == 2 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    continuation.yield(Array("1\n2\n".utf8))
    continuation.yield(Array("3\n4\n".utf8))
    await #expect(throws: CancellationError.self) { try await task.value }
    continuation.finish()
  }

  @Test func `records at several paths come from buffers of one byte`() async throws {
    let buffers = AsyncStream<[UInt8]> { continuation in
      for byte in #"{"l":[{"n":1},2],"m":[3]}"#.utf8 { continuation.yield([byte]) }
      continuation.finish()
    }
    var texts: [String] = []
    for try await record in try Mapper(output: .raw).records(
      in: Feed(buffers, at: ["$.l[*]", "$.m[0]"]))
    {
      texts.append(try record.get().description)
    }
    #expect(texts == [#"{"n":1}"#, "2", "3"])
  }
}
