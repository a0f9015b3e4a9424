import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Feeds that are pushed.
@Suite struct RecordStreamTests {
  struct Refused: Error {}

  static let feed = Array("{\"a\":1}\n{\"a\":\"é😀\"}\nbroken\n[{\"a\":[true]}]\n{\"a\":null}".utf8)

  private func run(_ sizes: () -> Int) throws -> String {
    let stream = try Mapper(output: .raw).stream(format: .ndjson)
    var records: [Record<RawJSON>] = []
    var position = 0
    while position < Self.feed.count {
      let end = min(position + sizes(), Self.feed.count)
      stream.feed(Self.feed[position..<end]) { records.append($0) }
      position = end
    }
    stream.finish { records.append($0) }
    #expect(stream.offset == Self.feed.count)
    return Routes.describe(records) { $0.description }
  }

  @Test func `buffers of any size give the same records`() throws {
    let whole = try run { Self.feed.count }
    #expect(whole.split(separator: "\n").count == 5)
    for size in 1...40 { #expect(try run { size } == whole) }
    var random = SeededGenerator(seed: 3)
    for _ in 0..<50 { #expect(try run { Int.random(in: 0...20, using: &random) } == whole) }
  }

  @Test func `a record comes with the buffer that completes it`() throws {
    let stream = try Mapper(output: .raw).stream(format: .ndjson)
    var numbers: [Int] = []
    stream.feed(Array("{\"a\":".utf8)) { numbers.append($0.number) }
    #expect(numbers == [])
    stream.feed(Array("1}\n2\n3".utf8)) { numbers.append($0.number) }
    #expect(numbers == [1, 2])
    stream.feed([]) { numbers.append($0.number) }
    stream.feed([UInt8]()) { numbers.append($0.number) }
    #expect(numbers == [1, 2])
    stream.finish { numbers.append($0.number) }
    #expect(numbers == [1, 2, 3])
  }

  @Test func `bytes of any collection can be fed`() throws {
    let stream = try Mapper(output: .raw).stream(format: .concatenated)
    var texts: [String] = []
    stream.feed("[1]".utf8) { texts.append($0.value?.description ?? "") }
    stream.feed(repeatElement(UInt8(ascii: "2"), count: 3)) {
      texts.append($0.value?.description ?? "")
    }
    stream.feed(Array(" [3]".utf8).lazy.map { $0 }) { texts.append($0.value?.description ?? "") }
    stream.finish { texts.append($0.value?.description ?? "") }
    #expect(texts == ["[1]", "222", "[3]"])
  }

  @Test func `no record follows the end`() throws {
    let stream = try Mapper(output: .raw).stream(format: .ndjson)
    // The first four bytes are looked at together.
    stream.feed("[1]\n".utf8) { _ in }
    stream.finish { _ in Issue.record("nothing is left") }
    stream.feed("2\n".utf8) { _ in Issue.record("it is over") }
    stream.finish { _ in Issue.record("it is over") }
  }

  @Test func `a handler that throws ends the stream`() throws {
    let stream = try Mapper(output: .raw).stream(format: .ndjson)
    var numbers: [Int] = []
    #expect(throws: Refused.self) {
      try stream.feed("1\n2\n3\n".utf8) { record in
        numbers.append(record.number)
        if record.number == 2 { throw Refused() }
      }
    }
    stream.feed("4\n".utf8) { numbers.append($0.number) }
    stream.finish { numbers.append($0.number) }
    #expect(numbers == [1, 2])
  }

  @Test func `an empty feed is truncated only as a single document`() throws {
    for format in FeedFormat.allCases {
      let stream = try Mapper(output: .raw).stream(format: format)
      var codes: [ErrorCode?] = []
      stream.finish { codes.append($0.error?.code) }
      #expect(codes == (format == .json ? [.truncated] : []))
    }
  }
}
