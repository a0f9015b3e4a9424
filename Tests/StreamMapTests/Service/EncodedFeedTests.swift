import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Values that come asynchronously, as buffers of JSON.
@Suite struct EncodedFeedTests {
  struct Broken: Error {}

  /// Numbers from 1, and how many were asked for.
  struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let asked: Locked<Int>
    var left: Int
    var error: Broken?
    var number = 0

    mutating func next() async throws -> Double? {
      asked.withLock { $0 += 1 }
      if left == 0 {
        if let error { throw error }
        return nil
      }
      left -= 1
      number += 1
      return Double(number)
    }

    func makeAsyncIterator() -> Numbers { self }
  }

  private func text<Values: AsyncSequence>(_ feed: EncodedFeed<Values>) async throws -> String {
    var bytes: [UInt8] = []
    for try await buffer in feed { bytes += buffer }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func numbers(_ count: Int, _ error: Broken? = nil) -> Numbers {
    Numbers(asked: Locked(0), left: count, error: error)
  }

  @Test func `values are encoded in each layout, as a writer writes them`() async throws {
    let mapper = try Mapper(.double)
    for layout in FeedLayout.allCases {
      for count in [0, 1, 3, 20_000] {
        var written: [UInt8] = []
        try mapper.write(
          (0..<count).map { Double($0 + 1) }, to: .buffers { written += $0 }, as: layout)
        let encoded = try mapper.encoded(numbers(count), as: layout)
        #expect(try await text(encoded) == String(decoding: written, as: UTF8.self))
        #expect(try await text(encoded) == String(decoding: written, as: UTF8.self))
      }
    }
    #expect(throws: MappingError.self) {
      var options = EncodingOptions()
      options.indentation = 2
      _ = try mapper.encoded(numbers(1), options: options)
    }
    #expect(throws: MappingError.self) {
      _ = try Mapper(output: .raw).encoded(AsyncStream<RawJSON> { $0.finish() })
    }
  }

  @Test func `a buffer is made when it is asked for, and has some 64 KiB`() async throws {
    let values = numbers(1_000_000)
    var buffers = try Mapper(.double).encoded(values).makeAsyncIterator()
    #expect(values.asked.withLock { $0 } == 0)
    var before = 0
    for _ in 0..<3 {
      let buffer = try #require(try await buffers.next())
      #expect((64 << 10...66 << 10).contains(buffer.count) && buffer.last == UInt8(ascii: "\n"))
      let asked = values.asked.withLock { $0 }
      #expect(asked - before < 64 << 10)
      before = asked
    }
  }

  @Test func `what fails comes after what was encoded, with the value's number`() async throws {
    var buffers = try Mapper(.double).encoded(numbers(3, Broken()), as: .array).makeAsyncIterator()
    #expect(
      try await buffers.next().map { String(decoding: $0, as: UTF8.self) } == "[\n1.0,\n2.0,\n3.0")
    await #expect(throws: Broken.self) { try await buffers.next() }
    #expect(try await buffers.next() == nil)
    let values = AsyncStream<Double> { continuation in
      for value in [1, 2, .nan, 4] { continuation.yield(value) }
      continuation.finish()
    }
    var others = try Mapper(.double).encoded(values).makeAsyncIterator()
    #expect(try await others.next().map { String(decoding: $0, as: UTF8.self) } == "1.0\n2.0\n")
    do {
      _ = try await others.next()
      Issue.record("a value that is not a number has no JSON")
    } catch let error as MappingError {
      #expect(error.record == 3)
    }
    #expect(try await others.next() == nil)
  }

  @Test func `a cancelled task gets a CancellationError`() async throws {
    let (values, continuation) = AsyncStream<Double>.makeStream()
    let feed = try Mapper(.double).encoded(values)
    let task = Task {
      for try await _ in feed {}
    }
    continuation.yield(1)
    try await Task.sleep(for: .milliseconds(10))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    withExtendedLifetime(continuation) {}
  }

  @Test func `a value is appended to bytes of any kind`() throws {
    let mapper = try Mapper(.array(of: .double))
    var array = Array("a".utf8)
    try mapper.encode([1, 2.5], into: &array)
    #expect(String(decoding: array, as: UTF8.self) == "a[1.0,2.5]")
    var data = Data("d".utf8)
    try mapper.encode([], into: &data)
    #expect(String(decoding: data, as: UTF8.self) == "d[]")
    #expect(throws: MappingError.self) { try mapper.encode([1, .nan], into: &array) }
    #expect(String(decoding: array, as: UTF8.self) == "a[1.0,2.5]")
  }
}
