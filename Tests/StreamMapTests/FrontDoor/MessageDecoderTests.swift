import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Messages that come one at a time, by a decoder that is kept.
@Suite struct MessageDecoderTests {
  private let mapper: Mapper<MapperTests.Item>
  private let bytes = Array(MapperTests.text.utf8)

  init() throws {
    mapper = try Mapper(MapperTests.item)
  }

  @Test func `messages in bytes of any collection decode to the same value`() throws {
    let decoder = try mapper.messageDecoder()
    #expect(decoder.decode(MapperTests.text.utf8).value == MapperTests.value)
    #expect(decoder.decode(bytes[...]).value == MapperTests.value)
    #expect(decoder.decode(Data(bytes)).value == MapperTests.value)
    #expect(decoder.decode(bytes.lazy.map { $0 }).value == MapperTests.value)
    #expect(decoder.decode([0xEF, 0xBB, 0xBF] + bytes).value == MapperTests.value)
  }

  @Test func `each message is a record of its own, with the number 1 and its own bytes`() throws {
    let decoder = try mapper.messageDecoder()
    for indent in 0..<3 {
      let spaces = [UInt8](repeating: 0x0A, count: indent)
      let record = decoder.decode(spaces + bytes)
      #expect(record.number == 1)
      #expect(
        record.position
          == SourcePosition(bytes: indent..<indent + bytes.count, line: indent + 1, column: 1))
    }
  }

  private struct Reading: Equatable, Sendable {
    let id: Int8
    let name: String
    let tags: [String]
  }

  /// Most of these are taken in one step, and some of them have to be taken again.
  @Test func `a message is the only record of a stream, whatever it is and whatever is around it`()
    throws
  {
    let mapping: Mapping<Reading> = .object { field in
      field.make(
        Reading.init, field("id", \.id), field("name", \.name, .string.default("nobody")),
        field("tags", \.tags))
    }
    let mapper = try Mapper(mapping)
    let decoder = try mapper.messageDecoder()
    let long = String(repeating: "x", count: 70_000)
    let objects = [
      #"{"id":1,"name":"Ann","tags":["a","b"]}"#, #"{"id":1,"name":"\u00e9\n","tags":[]}"#,
      #"{"tags":[],"other":{"id":[1,2]},"name":"Bob","id":-128}"#,
      #"{"id":128,"name":"too large","tags":[]}"#, #"{"id":1,"name":7,"tags":[]}"#,
      #"{"id":1,"id":2,"name":"twice","tags":[]}"#, "{\n \"id\": 1,\n \"tags\": [\n] }", "{}", "{",
      "[]",
      #"{"id":1,"name":"\#(long)","tags":[]}"#,
    ]
    var values = 0
    for text in objects {
      for before in ["", " ", "\n\t", "\u{FEFF}", "\0"] {
        for after in ["", " ", "\n", "\n\r\n ", "\n\n}", ",", "\0", " {}"] {
          let message = Array((before + text + after).utf8)
          let expected = try mapper.records(in: Feed(message, format: .json)).first { _ in true }
          for record in [decoder.decode(message), mapper.decode(message)] {
            #expect(Self.described(record) == expected.map(Self.described))
          }
          if expected?.value != nil { values += 1 }
        }
      }
    }
    #expect(values > 50)
  }

  private static func described(_ record: Record<Reading>) -> String {
    "\(record.number) \(String(describing: record.position)) \(record.result) \(record.issues)"
  }

  @Test func `a message is decoded correctly after any message that failed`() throws {
    let decoder = try mapper.messageDecoder()
    for length in 0..<bytes.count {
      let cut = decoder.decode(bytes.prefix(length)).error.map { "\($0)" }
      #expect(cut != nil && cut == alone(bytes.prefix(length)))
      #expect(decoder.decode(bytes).value == MapperTests.value)
    }
    for broken in [[0xFF, 0xFE, 0, 0], [0, 0x7B], Array("\(MapperTests.text) x".utf8)] as [[UInt8]]
    {
      let error = decoder.decode(broken).error.map { "\($0)" }
      #expect(error != nil && error == alone(broken))
      #expect(decoder.decode(bytes).value == MapperTests.value)
    }
  }

  /// The error of a document that is decoded by the mapper.
  private func alone(_ document: some FeedBuffer) -> String? {
    mapper.decode(document).error.map { "\($0)" }
  }

  @Test func `issues belong to their own message`() throws {
    let numbers = try Mapper(.array(of: .int, omitsInvalid: true) as Mapping<[Int]>)
    let decoder = try numbers.messageDecoder()
    let odd = decoder.decode(#"[1,"x",3]"#.utf8)
    #expect(odd.value == [1, 3] && odd.issues.count == 1)
    let even = decoder.decode("[2]".utf8)
    #expect(even.value == [2] && even.issues.isEmpty)
  }

  @Test func `a decoder has the parser that the mapper had when it was made`() throws {
    var byText = mapper
    byText.parser = .yajl
    let decoder = try byText.messageDecoder()
    byText.parser = .index
    #expect(decoder.decode(bytes).value == MapperTests.value)
    #expect(try byText.messageDecoder().decode(bytes).value == MapperTests.value)
  }

  @Test func `values are released with their messages, half-built ones with the failure`() throws {
    let counter = LifetimeCounter()
    let tracked: Mapping<LifetimeTracked> = .converted(
      from: .string, { LifetimeTracked($0, counter) }, reverse: { $0.text })
    let decoder = try Mapper(.array(of: tracked)).messageDecoder()
    for _ in 0..<3 {
      #expect(decoder.decode(#"["a","b"]"#.utf8).value?.count == 2)
      #expect(decoder.decode(#"["a",7]"#.utf8).value == nil)
      #expect(decoder.decode(#"["a","#.utf8).value == nil)
    }
    #expect(counter.live == 0 && counter.made >= 6)
  }

  @Test func `a mapper that has decoded is released with what it kept`() throws {
    weak var pool: Pool<MessageDecoder<MapperTests.Item>>?
    do {
      let mapper = try Mapper(MapperTests.item)
      #expect(mapper.decode(bytes).value == MapperTests.value)
      pool = mapper.idleDecoders
      withExtendedLifetime(mapper) { #expect(pool != nil) }
    }
    #expect(pool == nil)
  }

  @Test func `output records are messages, too`() throws {
    let decoder = try Mapper(output: .object([OutputField("n", from: "id", .int64)]))
      .messageDecoder()
    for _ in 0..<2 {
      let record = try decoder.decode(bytes).get()
      #expect(String(decoding: record.bytes, as: UTF8.self) == #"{"n":1}"#)
    }
  }

  @Test func `each thread decodes by a decoder of its own`() async throws {
    let mapper = mapper
    let counts = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          guard let decoder = try? mapper.messageDecoder() else { return 0 }
          return (0..<100).count { _ in
            decoder.decode(MapperTests.text.utf8).value == MapperTests.value
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == [Int](repeating: 100, count: 8))
  }
}
