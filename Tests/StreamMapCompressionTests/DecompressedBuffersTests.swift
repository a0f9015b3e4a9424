import StreamMap
import StreamMapCompression
import Testing

@Suite("Buffers decompressed")
struct DecompressedBuffersTests {
  /// Lines that compress by some ten times, in several pieces of the result.
  private static let text: [UInt8] = Array(
    (0..<5_000).map { "{\"n\":\($0),\"text\":\"event \($0 * 7919 % 1000)\",\"more\":true}\n" }
      .joined().utf8)

  @Test(arguments: CompressionFormat.allCases)
  func `compressed buffers of any size give the plain bytes`(format: CompressionFormat) async throws
  {
    let bytes = try compressed(Self.text, format)
    for size in [1, 7, 4096, bytes.count] {
      let buffers = TestBuffers(bytes, size: size)
      for encoding in [FeedEncoding.detected, .compressed(format)] {
        let outcome = await outcome(
          of: TestBuffers(bytes, size: size).decompressed(from: encoding))
        #expect(outcome.error == nil)
        #expect(outcome.bytes == Self.text)
        #expect(outcome.largest <= 64 << 10)
      }
      // A sequence of its own starts with each iterator, if the base does.
      #expect(await outcome(of: buffers.decompressed()).bytes == Self.text)
    }
  }

  @Test(arguments: CompressionFormat.allCases)
  func `several members with zeros after them are one stream`(format: CompressionFormat)
    async throws
  {
    let member = try compressed(Self.text, format)
    let bytes = member + [0, 0, 0, 0] + member + member + [UInt8](repeating: 0, count: 512)
    let outcome = await outcome(of: TestBuffers(bytes, size: 1000).decompressed())
    #expect(outcome.error == nil)
    #expect(outcome.bytes == Self.text + Self.text + Self.text)
  }

  @Test func `what is not compressed passes as it is`() async throws {
    for text in [
      "", "{", "[1]", "B", "BZ", "BZh", "(", String(repeating: "{\"n\":1}\n", count: 99),
    ] {
      for size in [1, 3, 5000] {
        for encoding in [FeedEncoding.detected, .identity] {
          let buffers = TestBuffers(Array(text.utf8), size: size)
          let outcome = await outcome(of: buffers.decompressed(from: encoding))
          #expect(outcome.error == nil)
          #expect(outcome.bytes == Array(text.utf8))
          #expect(outcome.largest <= size)
        }
      }
    }
    // Bytes that only look compressed, and are said not to be.
    let bytes = try compressed(Self.text, .gzip)
    let outcome = await outcome(of: TestBuffers(bytes, size: 99).decompressed(from: .identity))
    #expect(outcome.bytes == bytes)
  }

  /// A buffer that notes how often its bytes are looked at.
  // Invariant: one task at a time has it.
  private final class Counted: FeedBuffer, @unchecked Sendable {
    let bytes: [UInt8]
    var looks = 0

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }

    func withFeedBytes<Result, Failure: Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      looks += 1
      return try bytes.withFeedBytes(body)
    }
  }

  @Test func `a buffer is looked at once, whatever it becomes`() async throws {
    let buffer = Counted(try compressed([UInt8](repeating: 0x20, count: 4 << 20), .gzip))
    let buffers = AsyncStream<Counted> { stream in
      stream.yield(buffer)
      stream.finish()
    }
    let outcome = await outcome(of: buffers.decompressed(from: .compressed(.gzip)))
    #expect(outcome.bytes.count == 4 << 20)
    #expect(buffer.looks == 1)
  }

  @Test func `the next buffer is asked for when nothing more can be made of the last one`()
    async throws
  {
    let member = try compressed([UInt8](repeating: 0x20, count: 1 << 20), .zstandard)
    let buffers = TestBuffers { $0 < 3 ? member : nil }
    var pieces = 0
    for try await _ in buffers.decompressed() {
      #expect(buffers.asked == pieces / 16 + 1)
      pieces += 1
    }
    #expect(pieces == 48)
  }

  // MARK: Errors

  @Test(arguments: CompressionFormat.allCases)
  func `damage is an error with its place, after the good bytes before it`(
    format: CompressionFormat
  ) async throws {
    let good = try compressed(Self.text, format)
    // Near the end of the second member, in what checks all of it. The last bits of bzip2 mean nothing.
    var bytes = good + good
    bytes[bytes.count - 5] ^= 1
    let buffers = TestBuffers(bytes, size: 300).decompressed()
    var iterator = buffers.makeAsyncIterator()
    var made = 0
    var errors: [DecompressionError] = []
    for _ in 0..<1000 where errors.count < 3 {
      do {
        let piece = try await iterator.next()
        made += piece?.withFeedBytes { $0.count } ?? 0
        #expect(piece != nil && errors.isEmpty)
      } catch {
        errors.append(try #require(error as? DecompressionError))
      }
    }
    // Every later call throws the same.
    #expect(errors.count == 3 && Set(errors).count == 1)
    let error = try #require(errors.first)
    #expect(error.reason == .damaged && error.format == format)
    #expect(error.offset == made && (Self.text.count...2 * Self.text.count).contains(made))
    #expect(error.compressedOffset > good.count && error.compressedOffset <= bytes.count)
    #expect(
      "\(error)".hasPrefix("the \(format) data is damaged, at byte \(error.compressedOffset)"))
  }

  @Test(arguments: CompressionFormat.allCases)
  func `an early end is an error, not an end`(format: CompressionFormat) async throws {
    let bytes = try compressed(Self.text, format)
    for count in [11, bytes.count / 2, bytes.count - 1] {
      let outcome = await outcome(of: TestBuffers(Array(bytes[..<count]), size: 64).decompressed())
      let error = try #require(outcome.decompressionError)
      #expect(error.reason == .truncated)
      #expect(error.compressedOffset == count && error.offset == outcome.bytes.count)
      #expect(Self.text.starts(with: outcome.bytes))
    }
    let empty = await outcome(of: TestBuffers([], size: 1).decompressed(from: .compressed(format)))
    #expect(empty.decompressionError?.reason == .truncated)
  }

  @Test(arguments: CompressionFormat.allCases)
  func `plain bytes that are said to be compressed are damage at their start`(
    format: CompressionFormat
  ) async throws {
    let buffers = TestBuffers(Self.text, size: 4096).decompressed(from: .compressed(format))
    let error = try #require(await outcome(of: buffers).decompressionError)
    #expect(error.reason == .damaged && error.offset == 0)
    #expect(error.compressedOffset <= 12)
  }

  @Test func `what the buffers throw comes after the bytes before it, and again`() async throws {
    for format in [nil, CompressionFormat.gzip] {
      let bytes = try format.map { try compressed(Self.text, $0) } ?? Self.text
      let buffers = TestBuffers(bytes, size: 500, end: .failure).decompressed()
      var iterator = buffers.makeAsyncIterator()
      var made: [UInt8] = []
      await #expect(throws: TestBuffers.Failure.self) {
        while let piece = try await iterator.next() { piece.withFeedBytes { made += $0 } }
      }
      #expect(made == Self.text)
      await #expect(throws: TestBuffers.Failure.self) { try await iterator.next() }
    }
  }

  // MARK: Limits

  /// Members of spaces that become 64 MiB each, one a buffer.
  private static func bomb(_ format: CompressionFormat, count: Int) throws -> TestBuffers {
    let member = try compressed([UInt8](repeating: 0x20, count: 64 << 20), format)
    return TestBuffers { $0 < count ? member : nil }
  }

  @Test(arguments: CompressionFormat.allCases)
  func `a bomb is refused by its ratio`(format: CompressionFormat) async throws {
    let buffers = try Self.bomb(format, count: 160)
    var made = 0
    let error = await #expect(throws: DecompressionError.self) {
      for try await buffer in buffers.decompressed() {
        let count = buffer.withFeedBytes(\.count)
        #expect(count <= 64 << 10)
        made += count
      }
    }
    #expect(error?.reason == .tooLarge(limit: 100))
    #expect(made <= DecompressionLimits.freeBytes + 100 * (error?.compressedOffset ?? 0))
    // 10 GB in all; next to nothing of it was read.
    #expect(buffers.asked <= 2)
  }

  @Test func `the limits are those that are given`() async throws {
    var made = 0
    for try await buffer in try Self.bomb(.gzip, count: 2)
      .decompressed(limits: DecompressionLimits(expansion: 2000))
    {
      made += buffer.withFeedBytes(\.count)
    }
    #expect(made == 128 << 20)
    let strict = DecompressionLimits(expansion: -3)
    let error = await outcome(of: try Self.bomb(.gzip, count: 2).decompressed(limits: strict))
      .decompressionError
    #expect(error?.reason == .tooLarge(limit: -3))
    #expect(DecompressionLimits().expansion == 1000)
  }

  @Test func `a number of bytes is the most, compressed or not`() async throws {
    let count = Self.text.count
    for format in [nil, CompressionFormat.gzip, .zstandard] {
      let bytes = try format.map { try compressed(Self.text, $0) } ?? Self.text
      func outcome(upTo most: Int) async -> Outcome {
        let limits = DecompressionLimits(bytes: most)
        return await StreamMapCompressionTests.outcome(
          of: TestBuffers(bytes, size: 1000).decompressed(limits: limits))
      }
      #expect(await outcome(upTo: count).bytes == Self.text)
      let over = await outcome(upTo: count - 1)
      #expect(over.decompressionError?.reason == .tooManyBytes(limit: count - 1))
      #expect(over.decompressionError?.format == format)
      #expect(over.bytes.count < count && Self.text.starts(with: over.bytes))
    }
  }

  // MARK: Cancellation

  @Test func `a cancelled task gets an error, however long the bytes continue`() async throws {
    let limits = DecompressionLimits(expansion: .max)
    let buffers = try Self.bomb(.zstandard, count: .max)
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      for try await _ in buffers.decompressed(limits: limits) { start.yield() }
    }
    for await _ in started { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `buffers that end because their task is cancelled are no end`() async throws {
    for bytes in [Self.text, try compressed(Self.text, .gzip)] {
      // It never finishes, and gives nil in a cancelled task.
      let (buffers, source) = AsyncStream<[UInt8]>.makeStream()
      source.yield(bytes)
      let (started, start) = AsyncStream<Void>.makeStream()
      let task = Task {
        for try await _ in buffers.decompressed() { start.yield() }
      }
      for await _ in started { break }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      withExtendedLifetime(source) {}
    }
  }
}
