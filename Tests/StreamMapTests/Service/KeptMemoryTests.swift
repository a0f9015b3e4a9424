import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What a huge record needed is given back.
@Suite struct KeptMemoryTests {
  @Test(arguments: [RecordParser.auto, .yajl])
  func `between records, a reader keeps little of a string of many buffers`(
    parser: RecordParser
  ) throws {
    let mapper = try Mapper(.string)
    let reader = try FeedReader.make(
      mapper.wholeText, format: .ndjson, limits: Limits(), form: parser.form)
    var most = 0
    func read(_ bytes: [UInt8]) {
      bytes.withUnsafeBufferPointer { bytes in
        reader.input(bytes, isFinal: false)
        while reader.next() != .input { most = max(most, reader.memory) }
        most = max(most, reader.memory)
      }
    }
    read(Array("\"\\n".utf8))
    for _ in 0..<128 { read(Array(repeating: UInt8(ascii: "x"), count: 64 << 10)) }
    read(Array("\"\n".utf8))
    #expect(most > 8 << 20)
    read(Array("\"small\"\n".utf8))
    #expect(reader.memory < 1 << 20)
  }

  @Test func `a decoder has an engine for small messages, and one for each large message`() throws {
    let mapper = try Mapper(.string)
    let made = Locked(0)
    let decoder = try MessageDecoder { () throws(MappingError) in
      made.withLock { $0 += 1 }
      return try mapper.makeEngine(FeedRequest(mapper.wholeText, format: .json))
    }
    let large = [UInt8](repeating: UInt8(ascii: "x"), count: 2 << 20)
    #expect(try decoder.decode(Array("\"a\"".utf8)).get() == "a")
    #expect(made.withLock { $0 } == 1)
    for number in 2...3 {
      #expect(try decoder.decode([0x22] + large + [0x22]).get().utf8.count == 2 << 20)
      #expect(made.withLock { $0 } == number)
    }
    #expect(decoder.decode([0x22] + large).error?.code == .truncated)
    #expect(made.withLock { $0 } == 4)
    #expect(try decoder.decode(Array("\"b\"".utf8)).get() == "b")
    #expect(made.withLock { $0 } == 4)
  }

  @Test func `a mapper keeps a decoder only after a small document`() throws {
    let mapper = try Mapper(output: .raw)
    #expect(mapper.decode(Array("[1]".utf8)).value != nil)
    #expect(mapper.idleDecoders.take()?.takeRetainedValue() != nil)
    let large = Array("[\(repeatElement("1", count: 1 << 20).joined(separator: ","))]".utf8)
    #expect(mapper.decode(large).value != nil)
    #expect(mapper.idleDecoders.take() == nil)
  }

  @Test func `a decoder goes away with its mapper`() throws {
    weak var kept: MessageDecoder<Int>?
    func use() throws {
      let mapper = try Mapper(.int)
      #expect(mapper.decode(Array("1".utf8)).value == 1)
      let decoder = try #require(mapper.idleDecoders.take()).takeRetainedValue()
      kept = decoder
      mapper.idleDecoders.give(.passRetained(decoder))
    }
    try use()
    #expect(kept == nil)
  }
}
