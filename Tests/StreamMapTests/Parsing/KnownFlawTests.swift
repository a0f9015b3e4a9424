import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The flaws that yajl is known for (SECURITY.md): what would reach them does not come to yajl.
@Suite struct KnownFlawTests {
  /// CVE-2017-16516: halves of surrogate pairs made yajl read beyond its buffer, or stop the process.
  ///
  /// Some of them are the reports' own.
  @Test(arguments: [
    #"{"e":{"\uD800\\DC00":"a"}}"#, #"{"\uDBFF\\u "@: ""#, #"["e2d\ud83d\\u0"]"#,
    #"["\ud83d\u0"]"#,
    #"["\uD800\uD800"]"#, #"["\uDC00"]"#, #"["\uD800"]"#, #"["\uD8"]"#, #"["\u"]"#, #"["\uD800\"]"#,
    #"["\uD800\u"]"#, #"["\uD800\uDC0"]"#, #"["\u005g"]"#, #"["\uD800\u00"#,
  ])
  func `a broken surrogate escape is refused before yajl sees it`(_ text: String) throws {
    for mapping in [OutputMapping.raw, FeedCase.nothing, .array(of: .string)] {
      let records = try Routes.run(output: mapping, text)
      let error = try #require(records.first?.error)
      #expect(error.code.category == .syntax)
      #expect(error.message.contains("yajl") == false)
    }
  }

  /// CVE-2022-24795: sizes near two gigabytes overflowed those of yajl's buffers.
  ///
  /// No token comes near: beyond their limits they are refused, and yajl is given nothing of them.
  @Test func `a string of 17 MiB is refused by the default limits`() throws {
    let limits = Limits()
    #expect([limits.string, limits.key, limits.number].max().map { $0 < 1 << 30 } == true)
    let mapper = try Mapper(output: .raw)
    let stream = try mapper.stream(format: .json)
    var records: [Record<RawJSON>] = []
    stream.feed(Array("[\"".utf8)) { records.append($0) }
    let piece = Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<17 { stream.feed(piece) { records.append($0) } }
    #expect(records.first?.error?.code == .limitExceeded)
  }

  /// CVE-2023-33460: yajl's tree parser does not release what it has when a text is malformed.
  ///
  /// It is not used.
  @Test func `the tree parser of yajl is not used`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources").standardizedFileURL
    var count = 0
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard ["swift", "h", "c", "modulemap"].contains(file.pathExtension) else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(!text.contains("yajl_tree"), "\(file.path)")
      #expect(!text.contains("yajl_gen"), "\(file.path)")
      count += 1
    }
    #expect(count > 100)
  }

  /// yajl's own reading of integers overflows at the largest ones: it is given a callback for numbers as text instead.
  @Test func `the largest integers are exact, and larger ones are refused`() throws {
    let mapping = Mapping<[Int64]>.array(of: .int64)
    let records = try Routes.run(
      mapping,
      "[9223372036854775807,-9223372036854775808] [9223372036854775808] [92233720368547758070]",
      format: .concatenated)
    #expect(records.first?.value == [.max, .min])
    #expect(records.dropFirst().map { $0.error?.code } == [.numberOutOfRange, .numberOutOfRange])
  }
}
