import Dispatch
import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Bytes of any kind, read where they lie.
@Suite struct FeedBufferTests {
  /// A collection of one's own, without contiguous bytes.
  struct Scattered: Collection, FeedBuffer, Sendable {
    let bytes: [UInt8]
    var startIndex: Int { 0 }
    var endIndex: Int { bytes.count }
    func index(after index: Int) -> Int { index + 1 }
    subscript(index: Int) -> UInt8 { bytes[index] }
  }

  static let text = #"{"n":1}"#

  private func decode(_ buffer: some FeedBuffer) throws -> [String] {
    let mapper = try Mapper(output: .raw)
    let decoder = try mapper.messageDecoder()
    let stream = try mapper.stream(format: .ndjson)
    var pushed: [String] = []
    stream.feed(buffer) { pushed.append($0.value?.description ?? "") }
    stream.finish { pushed.append($0.value?.description ?? "") }
    return [
      try mapper.decode(buffer).get().description, try decoder.decode(buffer).get().description,
    ] + pushed + (try mapper.records(in: Feed(buffer)).map { try $0.get().description })
  }

  @Test func `buffers of every kind give the same records by every call`() throws {
    let bytes = Array(Self.text.utf8)
    let longer = Array("  \(Self.text)  ".utf8)
    let expected = Array(repeating: Self.text, count: 4)
    #expect(try decode(bytes) == expected)
    #expect(try decode(longer[2..<9]) == expected)
    #expect(try decode(ContiguousArray(bytes)) == expected)
    #expect(try decode(Self.text.utf8) == expected)
    #expect(try decode("  \(Self.text)".dropFirst(2).utf8) == expected)
    #expect(try decode(Data(bytes)) == expected)
    #expect(try decode(Data(longer)[2..<9]) == expected)
    #expect(try decode(Scattered(bytes: bytes)) == expected)
    #expect(try bytes.withUnsafeBufferPointer { try decode($0) } == expected)
    #expect(try bytes.withUnsafeBytes { try decode($0) } == expected)
    #expect(try longer.withUnsafeBytes { try decode($0[2..<9]) } == expected)
    var changing = bytes
    let decoded = try changing.withUnsafeMutableBytes { try decode($0) }
    #expect(decoded == expected)
    var regions = DispatchData.empty
    for byte in bytes { withUnsafeBytes(of: byte) { regions.append($0) } }
    #expect(try decode(regions) == expected)
    #expect(try Mapper(.int).decode(CollectionOfOne(UInt8(ascii: "7"))).get() == 7)
    #expect(try Mapper(.int).decode(repeatElement(UInt8(ascii: "7"), count: 2)).get() == 77)
  }

  @Test func `spans are taken by the same calls`() throws {
    let bytes = Array(Self.text.utf8)
    let mapper = try Mapper(output: .raw)
    #expect(try mapper.decode(bytes.span).get().description == Self.text)
    #expect(try mapper.messageDecoder().decode(bytes.span).get().description == Self.text)
    let stream = try mapper.stream(format: .json)
    var texts: [String] = []
    stream.feed(bytes.span) { texts.append($0.value?.description ?? "") }
    stream.finish { texts.append($0.value?.description ?? "") }
    #expect(texts == [Self.text])
    struct Item {
      var n: Int
    }
    let items = try Mapper(
      Mapping.object(Item.self) { $0.make(Item.init, $0("n", \.n)) })
    var item = Item(n: 7)
    try items.update(&item, from: bytes.span)
    #expect(item.n == 1)
    try items.update(&item, from: Data(#"{"n":3}"#.utf8))
    #expect(item.n == 3)
  }

  @Test func `an error of the body goes through a buffer of any kind`() throws {
    struct Refused: Error, Equatable {}
    func check(_ buffer: some FeedBuffer) {
      #expect(throws: Refused.self) {
        try buffer.withFeedBytes { (bytes: UnsafeRawBufferPointer) throws(Refused) -> Int in
          throw Refused()
        }
      }
    }
    check([UInt8](repeating: 1, count: 3))
    check(Scattered(bytes: [1, 2]))
    check(DispatchData.empty)
    check("é".utf8)
  }

  @Test func `buffers come asynchronously in any kind`() async throws {
    func values<Buffer: FeedBuffer & Sendable>(_ buffers: [Buffer]) async throws -> [Int] {
      let stream = AsyncStream<Buffer> { continuation in
        for buffer in buffers { continuation.yield(buffer) }
        continuation.finish()
      }
      var values: [Int] = []
      for try await batch in try Mapper(.int).batches(in: Feed(stream, format: .ndjson)) {
        values += batch.values
      }
      return values
    }
    let texts = ["1\n2", "3\n", "", "4"]
    #expect(try await values(texts.map(\.utf8)) == [1, 23, 4])
    #expect(try await values(texts.map { Data($0.utf8) }) == [1, 23, 4])
    #expect(try await values(texts.map { Scattered(bytes: Array($0.utf8)) }) == [1, 23, 4])
  }
}
