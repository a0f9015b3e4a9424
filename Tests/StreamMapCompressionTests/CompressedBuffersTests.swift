import StreamMap
import StreamMapCompression
import Testing

@Suite("Buffers compressed")
struct CompressedBuffersTests {
  private static let text: [UInt8] = Array(
    (0..<20_000).map { "{\"n\":\($0),\"text\":\"event \($0 * 7919 % 1000)\"}\n" }.joined().utf8)

  @Test(arguments: CompressionFormat.allCases)
  func `what is compressed is decompressed again`(format: CompressionFormat) async throws {
    for size in [1000, 64 << 10, Self.text.count] {
      let buffers = TestBuffers(Self.text, size: size)
      let compressed = await outcome(of: buffers.compressed(as: format))
      #expect(compressed.error == nil && compressed.largest <= 64 << 10)
      #expect(compressed.bytes.count < Self.text.count / 2)
      #expect(CompressionFormat(startOf: compressed.bytes) == format)
      let plain = await outcome(of: TestBuffers(compressed.bytes, size: 777).decompressed())
      #expect(plain.error == nil && plain.bytes == Self.text)
    }
  }

  @Test(arguments: CompressionFormat.allCases)
  func `nothing, empty buffers and bytes that do not shrink are streams, too`(
    format: CompressionFormat
  ) async throws {
    var random = SystemRandomNumberGenerator()
    let noise = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for buffers: [[UInt8]] in [[], [[]], [[], [1], [], [2, 3], []], [noise, [], noise]] {
      let compressed = await outcome(
        of: TestBuffers { $0 < buffers.count ? buffers[$0] : nil }.compressed(as: format))
      #expect(compressed.error == nil && compressed.largest <= 64 << 10)
      let plain = await outcome(
        of: TestBuffers(compressed.bytes, size: 4096).decompressed(from: .compressed(format)))
      #expect(plain.error == nil && plain.bytes == buffers.flatMap(\.self))
    }
  }

  @Test(arguments: CompressionFormat.allCases)
  func `what a buffer has can be read before the next one is asked for`(
    format: CompressionFormat
  ) async throws {
    let buffers = TestBuffers { $0 < 5 ? Array("line \($0)\n".utf8) : nil }
    let decompressor = try Decompressor(format)
    var text: [UInt8] = []
    var most = 0
    for try await piece in buffers.compressed(as: format) {
      try piece.withUnsafeBytes { try decompressor.decompress($0) { text += $0 } }
      let lines = text.count { $0 == UInt8(ascii: "\n") }
      // A piece is made of the buffer that was asked for last; the sixth is the end.
      #expect(buffers.asked >= lines)
      if lines == buffers.asked { most = lines }
    }
    try decompressor.finish()
    // A block of bzip2 ends inside a byte, which comes with the next one.
    #expect(most == 5 || format == .bzip2)
    #expect(text == Array((0..<5).map { "line \($0)\n" }.joined().utf8))
  }

  @Test func `buffers that fail leave a stream without an end`() async throws {
    let buffers = TestBuffers(Self.text, size: 10_000, end: .failure).compressed(as: .gzip)
    let compressed = await outcome(of: buffers)
    #expect(compressed.error is TestBuffers.Failure)
    let plain = await outcome(of: TestBuffers(compressed.bytes, size: 4096).decompressed())
    #expect(plain.bytes == Self.text)
    #expect(plain.decompressionError?.reason == .truncated)
  }

  @Test func `a cancelled task gets an error`() async throws {
    let buffers = TestBuffers { _ in Self.text }
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      for try await _ in buffers.compressed(as: .zstandard) { start.yield() }
    }
    for await _ in started { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
