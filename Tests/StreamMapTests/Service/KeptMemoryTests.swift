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

  @Test func `a decoder keeps its engine for small messages only`() throws {
    let mapper = try Mapper(.string)
    let decoder = try mapper.messageDecoder()
    let large = [UInt8](repeating: UInt8(ascii: "x"), count: 2 << 20)
    let first = ObjectIdentifier(decoder.engine)
    #expect(try decoder.decode(Array("\"a\"".utf8)).get() == "a")
    #expect(ObjectIdentifier(decoder.engine) == first)
    let kept = decoder.engine
    #expect(try decoder.decode([0x22] + large + [0x22]).get().utf8.count == 2 << 20)
    #expect(decoder.engine !== kept)
    #expect(try decoder.decode(Array("\"b\"".utf8)).get() == "b")
  }

  @Test func `a mapper keeps a decoder only after a small document`() throws {
    let mapper = try Mapper(output: .raw)
    #expect(mapper.decode(Array("[1]".utf8)).value != nil)
    #expect(mapper.idleDecoders.take() != nil)
    let large = Array("[\(repeatElement("1", count: 1 << 20).joined(separator: ","))]".utf8)
    #expect(mapper.decode(large).value != nil)
    #expect(mapper.idleDecoders.take() == nil)
  }

  @Test func `a decoder goes away with its mapper`() throws {
    weak var kept: MessageDecoder<Int>?
    func use() throws {
      let mapper = try Mapper(.int)
      #expect(mapper.decode(Array("1".utf8)).value == 1)
      let decoder = try #require(mapper.idleDecoders.take())
      kept = decoder
      mapper.idleDecoders.give(decoder)
    }
    try use()
    #expect(kept == nil)
  }
}
