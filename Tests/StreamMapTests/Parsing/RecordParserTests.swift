import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Whichever source makes the events of a feed, they are the same, and so is what comes of them.
@Suite struct RecordParserTests {
  private static let feeds: [(FeedFormat, [String], String)] = [
    (
      .json, [],
      #"{"id":7,"x":[1,2],"t\u006F":["a","b\n"],"at":[3,4],"n":null,"e":{},"l":[],"ä":"ö"}"#
    ),
    (.json, ["$[*]"], #"[ {"a":"\"x\"", "b":[ [ ] ,{ }]} , 12 , "\u0041" , null ]"#),
    (
      .ndjson, [],
      "{\"a\":1}\n\"s\\tt\"\n12\n\n[1,[2,[3]]]\n{\"a\" 1}\n{\"a\":\"\\ud800\"}\ntrue\n{\"b\\\\\":[0.5e-7]}"
    ),
    (.concatenated, [], #"1 2.5 -0 "a"{"k":"v\/"}[] false"#),
    (.sequence, [], "\u{1E}{\"a\":[\"\\n\"]}\n\u{1E}12\n\u{1E}\"x\"\n"),
    (.json, [], "[1,2"), (.json, [], #"{"a":{"b":[tru]}}"#), (.json, [], ""),
  ]

  @Test(arguments: 0..<8)
  func `the index and yajl send the same events wherever cut`(_ number: Int) throws {
    let (format, paths, text) = Self.feeds[number]
    let feed = Array(text.utf8)
    let patterns = try paths.map { try PathPattern(parsing: $0) }
    var parts = Selection.Parts()
    parts.members = [
      "a": Selection.Member(node: Selection.keep, tag: 3),
      "to": Selection.Member(node: Selection.keep, tag: 4),
      "at": Selection.Member(node: 4), "b\\": Selection.Member(node: Selection.presence),
    ].reduce(into: [:]) { $0[ExactText($1.key)] = $1.value }
    var some = Selection()
    some.root = some.add(parts)
    _ = some.add(Selection.Parts(elements: [1: Selection.Member(node: Selection.keep)]))
    for selection in [Selection.everything, some] {
      let tables = try FeedSelection(selection, at: patterns)
      let expected = try EventLog.read(
        feed, tables, format: format, parser: .index, pieceSize: max(feed.count, 1))
      #expect(!expected.isEmpty)
      for size in 1...max(feed.count, 1) {
        for parser in [RecordParser.index, .yajl] {
          let found = try EventLog.read(
            feed, tables, format: format, parser: parser, pieceSize: size)
          #expect(found == expected, "pieces of \(size), \(parser)")
        }
      }
    }
  }

  @Test
  func `tokens across several batches are the same events`() throws {
    let size = (64 << 10) - 40
    let long = String(repeating: "x", count: size)
    let feed = Array(
      #"[{"\#(long)é\u00e9":"\#(long)\n\#(long)"},[\#(String(repeating: "1", count: 900)),"\#(long)"],"\#(long)\\","\#(long)"]"#
        .utf8)
    let limits = {
      var limits = Limits()
      limits.key = 1 << 20
      return limits
    }()
    let tables = try FeedSelection(.everything, at: [])
    let expected = try EventLog.read(
      feed, tables, format: .json, limits: limits, parser: .index, pieceSize: feed.count)
    #expect(expected.count == 13)
    for pieceSize in [feed.count, 4096, 65_535, 65_537] {
      for parser in [RecordParser.index, .yajl] {
        let found = try EventLog.read(
          feed, tables, format: .json, limits: limits, parser: parser, pieceSize: pieceSize)
        #expect(found == expected, "pieces of \(pieceSize), \(parser)")
      }
    }
  }

  @Test(arguments: [RecordParser.index, .yajl])
  func `either source goes with any sink`(_ parser: RecordParser) throws {
    let text = #"{"a":[1,true,"x\n"],"\u00e9":{},"b":null}"#
    let feed = Array(text.utf8)
    let output = OutputBuffer()
    let values = JSONValueBuilder()
    let tape = Tape()
    for sink in [JSONWriter(output: output), values, tape] as [EventSink] {
      let reader = try FeedReader.make(
        try FeedSelection(.everything, at: []), format: .json, limits: Limits(), form: parser.form)
      feed.withUnsafeBufferPointer { feed in
        reader.input(feed, isFinal: true)
        #expect(reader.next() == .record)
        do throws(Refusal) {
          switch reader.chunk {
          case .index(let chunk): try IndexSource(sink: sink).send(chunk)
          case .text(let chunk): try YajlSource(sink: sink).send(chunk)
          }
        } catch {
          Issue.record("refused: \(error.message)")
        }
      }
    }
    #expect(
      String(decoding: output.bytes, as: UTF8.self) == #"{"a":[1,true,"x\n"],"é":{},"b":null}"#)
    let played = JSONValueBuilder()
    tape.replay(into: played)
    #expect(values.value != nil && played.value == values.value)
    #expect(values.value?["é"] == .object([]))
  }

  struct Item: Equatable, Sendable {
    var text: String
    let tags: [String]
  }

  private static let item = Mapping.object(Item.self) { field in
    field.make(
      Item.init, field("text", \Item.text),
      field("tags", \Item.tags, .array(of: .string).default([]))
    )
  }
  private static let document = #"{"text":"a\tb\u00e9","tags":["x","\\"],"more":[1,{"y":2}]}"#

  @Test(arguments: RecordParser.allCases)
  func `a mapper gives the same records by each parser`(_ parser: RecordParser) async throws {
    var mapper = try Mapper(Self.item)
    #expect(mapper.parser == .auto)
    // An engine of another parser is at hand, and must not be taken.
    _ = mapper.decode(Self.document.utf8)
    mapper.parser = parser
    let value = Item(text: "a\tbé", tags: ["x", "\\"])
    for _ in 0..<3 { #expect(try mapper.decode(Self.document.utf8).get() == value) }
    let broken = mapper.decode(#"{"text":"\u00e9","tags":["x",7]}"#.utf8)
    #expect(broken.error?.position?.bytes == 29..<30)
    #expect(mapper.decode(#"{"text":"\x"}"#.utf8).error?.code == .syntax)

    let feed = Array((0..<300).map { _ in Self.document }.joined(separator: "\n").utf8)
    let list = Array("[\((0..<300).map { _ in Self.document }.joined(separator: ","))]".utf8)
    for jobs in [1, 3] {
      #expect(
        try mapper.records(in: Feed(feed), jobs: jobs).map { try $0.get() }
          == Array(repeating: value, count: 300))
      #expect(
        try mapper.records(in: Feed(list, at: "$[*]"), jobs: jobs).map { try $0.get() }.count == 300
      )
      let buffers = AsyncStream<[UInt8]> { continuation in
        for start in stride(from: 0, to: list.count, by: 333) {
          continuation.yield(Array(list[start..<min(start + 333, list.count)]))
        }
        continuation.finish()
      }
      var count = 0
      for try await record in try mapper.records(in: Feed(buffers, at: "$[*]"), jobs: jobs) {
        #expect(record.value == value)
        count += 1
      }
      #expect(count == 300)
    }
    var pushed = 0
    let stream = try mapper.stream(format: .ndjson)
    stream.feed(feed) { _ in pushed += 1 }
    stream.finish { _ in pushed += 1 }
    #expect(pushed == 300)
  }

  @Test(arguments: RecordParser.allCases)
  func `an update changes the same by each parser`(_ parser: RecordParser) throws {
    struct Settings {
      var name: String
      var size: Int
    }
    var mapper = try Mapper(
      Mapping.object(Settings.self) { field in
        field.make(Settings.init, field("name", \Settings.name), field("size", \Settings.size))
      })
    mapper.parser = parser
    var settings = Settings(name: "a", size: 1)
    try mapper.update(&settings, from: #"{"name":"\u0062\n"}"#.utf8)
    #expect(settings.name == "b\n" && settings.size == 1)
  }
}
