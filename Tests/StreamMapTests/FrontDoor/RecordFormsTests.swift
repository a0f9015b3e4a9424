import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The forms in which feeds, paths and positions are given.
@Suite struct RecordFormsTests {
  /// A type that must not go from thread to thread.
  private final class Box {
    let n: Int
    init(_ n: Int) { self.n = n }
  }

  private let text = #"{"a":[1,2],"b":[3],"c":4}"#

  private func withFile(_ name: String, _ text: String, _ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: name)
    try Data(text.utf8).write(to: url)
    try body(url)
  }

  @Test func `paths are one literal, several, or those of a variable`() throws {
    let mapper = try Mapper(.int)
    func values(_ paths: RecordPaths) throws -> [Int?] {
      try mapper.records(in: Feed(text.utf8, at: paths)).map(\.value)
    }
    #expect(try values("$.a[*]") == [1, 2])
    #expect(try values(["$.a[*]", "$.c"]) == [1, 2, 4])
    let key = "b"
    #expect(try values("$.\(key)[*]") == [3])
    #expect(try values(RecordPaths(["$.b[*]", "$.c"])) == [3, 4])
    #expect(try values(RecordPaths("$.c")) == [4])
    #expect(try values([]).count == 1)
  }

  /// The string's UTF-8 is what is decoded, with the addresses that its bytes have.
  @Test(arguments: [
    #"{"n":"é"}"#, #"{"n":"👩🏽‍🚀, and more than fifteen bytes"}"#, #"{"n":"é","m":]}"#,
    #"{"é":1,"n":7}"#, "", "\u{FEFF}{}",
  ])
  func `one document is given by bytes or a string`(document: String) throws {
    let mapper = try Mapper(
      Mapping.object(String.self) { field in field.make({ $0 }, field("n", \.self)) })
    let decoder = try mapper.messageDecoder()
    let expected = mapper.decode(Array(document.utf8))
    let records = [
      mapper.decode(document), decoder.decode(document),
      mapper.decode(String(("\u{1F600}" + document).dropFirst())),
    ]
    for record in records {
      #expect(record.value == expected.value)
      #expect(record.error == expected.error)
      #expect(record.position == expected.position)
    }
  }

  @Test func `a description of a feed is changed before it is read`() throws {
    let mapper = try Mapper(.int)
    var feed = Feed(text.utf8)
    #expect(feed.paths == [] && feed.format == .auto && feed.position == nil && feed.name == nil)
    feed.paths = "$.a[*]"
    #expect(try mapper.records(in: feed).map(\.value) == [1, 2])
    feed.options.maximumRecords = 1
    #expect(try mapper.records(in: feed).map(\.value) == [1, nil])
    #expect(Feed(.file("a.ndjson")).name == "a.ndjson")
    #expect(Feed(.descriptor(0, named: "x"), at: "$.a").name == "x")
  }

  @Test func `a file is given by its path, its URL or a descriptor`() throws {
    let mapper = try Mapper(.int)
    try withFile("feed.json", text) { url in
      #expect(try mapper.records(in: Feed(.file(url.path), at: "$.a[*]")).map(\.value) == [1, 2])
      #expect(
        try mapper.records(in: Feed(.file(url), at: "$.a[*]"), jobs: 2).map(\.value) == [1, 2])
      let handle = try FileHandle(forReadingFrom: url)
      let records = try mapper.records(in: Feed(.descriptor(handle.fileDescriptor), at: "$.a[*]"))
      #expect(records.map(\.value) == [1, 2])
    }
    let url = try #require(URL(string: "https://example.com/feed.json"))
    let error = #expect(throws: MappingError.self) { try mapper.records(in: Feed(.file(url))) }
    #expect(error?.code == .io)
    #expect(error?.message == "expected a file URL, found one with the scheme https")
  }

  @Test func `the ending of a name tells the format, unless the caller does`() throws {
    let mapper = try Mapper(.json)
    let lines = "[1\n2\n"
    for name in ["x.ndjson", "x.JSONL"] {
      try withFile(name, lines) { url in
        let records = try mapper.records(in: Feed(.file(url)))
        #expect(records.map { $0.value == nil } == [true, false])
        let document = try mapper.records(in: Feed(.file(url), format: .json))
        #expect(document.map(\.endsFeed) == [true])
      }
      let records = try mapper.records(in: Feed(lines.utf8, named: name))
      #expect(records.map { $0.value == nil } == [true, false])
    }
    try withFile("x.json", lines) { url in
      let records = try mapper.records(in: Feed(.file(url)))
      #expect(records.map { $0.value == nil } == [true])
    }
  }

  @Test func `values that are not Sendable have the form without jobs`() throws {
    let mapping = Mapping<Box>.converted(from: .int) {
      Box($0)
    } reverse: {
      $0.n
    }
    let mapper = try Mapper(mapping)
    #expect(try mapper.records(in: Feed(text.utf8, at: "$.a[*]")).map { try $0.get().n } == [1, 2])
  }

  @Test(arguments: [1, 3])
  func `a feed in memory continues at a position, with the offsets of the whole`(jobs: Int) throws {
    let mapper = try Mapper(.int)
    let feed = (1...9).map { "\($0)\n" }.joined()
    let records = try mapper.records(in: Feed(feed.utf8, format: .ndjson))
    for record in records where record.number == 4 { break }
    let position = try #require(records.position)
    let rest = try mapper.records(in: Feed(feed.utf8, format: .ndjson, from: position), jobs: jobs)
    var texts: [String] = []
    for record in rest {
      let bytes = rest.text(at: try #require(record.position))
      texts.append(String(decoding: try #require(bytes), as: UTF8.self))
    }
    #expect(texts == ["5", "6", "7", "8", "9"])
    let other = try mapper.records(in: Feed("1\n".utf8, format: .ndjson, from: position))
    #expect(other.map(\.number) == [])
  }

  @Test func `a sequence tells its position inside the loop`() throws {
    let records = try Mapper(.int).records(in: Feed("1\n2\n3\n".utf8, format: .ndjson))
    var counts: [Int?] = []
    for _ in records { counts.append(records.position?.recordCount) }
    #expect(counts == [1, 2, 3])
  }
}
