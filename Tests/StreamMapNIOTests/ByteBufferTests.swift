import NIOCore
import StreamMap
import StreamMapCompression
import StreamMapNIO
import Testing

@Suite("Buffers of NIO")
struct ByteBufferTests {
  private struct Row: Equatable, Sendable {
    let id: Int
    let text: String
  }

  private let mapper: Mapper<Row>
  private let rows = (0..<2000).map { Row(id: $0, text: "text \($0)") }

  init() throws {
    mapper = try Mapper(
      Mapping.object(Row.self) { field in
        let id = field("id", \.id)
        let text = field("text", \.text)
        return field.make(Row.init, id, text)
      })
  }

  private var feed: String { rows.map { "{\"id\":\($0.id),\"text\":\"\($0.text)\"}\n" }.joined() }

  /// Buffers of a size, each with bytes before and after those that are to be read.
  private func buffers(_ bytes: [UInt8], size: Int) -> AsyncStream<ByteBuffer> {
    AsyncStream { stream in
      for start in Swift.stride(from: 0, to: bytes.count, by: size) {
        var buffer = ByteBuffer(string: "{{{")
        buffer.moveReaderIndex(forwardBy: 3)
        buffer.writeBytes(bytes[start..<min(start + size, bytes.count)])
        buffer.setString("}}}", at: buffer.writerIndex)
        stream.yield(buffer)
      }
      stream.finish()
    }
  }

  @Test func `the readable bytes are read, where they lie`() throws {
    var buffer = ByteBuffer(string: #"x{"id":7,"text":"a"}"#)
    buffer.moveReaderIndex(forwardBy: 1)
    #expect(try mapper.decode(buffer).get() == Row(id: 7, text: "a"))
    #expect(try mapper.decode(buffer.readableBytesView).get() == Row(id: 7, text: "a"))
    #expect(buffer.readerIndex == 1)
    let start = buffer.withUnsafeReadableBytes { $0.baseAddress }
    #expect(buffer.withFeedBytes { $0.baseAddress } == start)
    #expect(buffer.readableBytesView.withFeedBytes { $0.baseAddress } == start)
    #expect(ByteBuffer().withFeedBytes { $0.count } == 0)
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try buffer.withFeedBytes { _ throws(Failure) in throw Failure() }
    }
  }

  @Test(arguments: [1, 13, 4096, 1 << 20])
  func `records come from buffers of any size`(size: Int) async throws {
    var taken: [Row] = []
    for try await record in try mapper.records(in: Feed(buffers(Array(feed.utf8), size: size))) {
      taken.append(try record.get())
    }
    #expect(taken == rows)
  }

  @Test func `a compressed body is ingested`() async throws {
    let bytes = try Array(feed.utf8).withUnsafeBytes { bytes throws(Compressor.NoMemory) in
      try Compressor(.zstandard).compressed(bytes)
    }
    var taken: [Row] = []
    let body = buffers(bytes, size: 100).decompressed()
    let summary = try await mapper.ingest(Feed(body)) { batch in taken += batch.values }
    #expect(taken == rows)
    #expect(summary.verdict == .complete && summary.bytes == feed.utf8.count)
  }

  @Test func `a value is written after what a buffer has`() throws {
    var buffer = ByteBuffer(string: "[")
    try mapper.encode(Row(id: 1, text: "é"), into: &buffer)
    buffer.writeString("]")
    #expect(buffer == ByteBuffer(string: #"[{"id":1,"text":"é"}]"#))
  }

  @Test func `values become buffers that are read again`() async throws {
    let (values, source) = AsyncStream<Row>.makeStream()
    for row in rows { source.yield(row) }
    source.finish()
    var taken: [Row] = []
    let body = try mapper.encoded(values, as: .array).byteBuffers()
    for try await record in try mapper.records(in: Feed(body, at: "$[*]")) {
      taken.append(try record.get())
    }
    #expect(taken == rows)
  }
}
