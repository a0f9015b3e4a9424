import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Any number of jobs makes the same of a feed as one, in the same order.
@Suite struct ParallelRecordsTests {
  struct Item: Equatable, Sendable {
    let n: Int
    let text: String
    let tag: String?
  }

  static let item = Mapping.object(Item.self) { field in
    field.make(
      Item.init, field("n", \.n), field("text", \.text),
      field("tag", \.tag, .nullable(.string, when: .missingOrInvalid)))
  }

  static let counts = [1, 2, 3, 8]

  /// Records of all kinds: good ones, such with issues, with one error and with several, large ones.
  private static func record(_ number: Int) -> String {
    let text = String(repeating: "é\\n", count: number % 97 == 5 ? 40_000 : number % 40)
    switch number % 11 {
    case 3: return #"{"n":"x","text":"\#(text)"}"#
    case 4: return #"{"x":[{}],"text":[1]}"#
    case 5: return #"{"n":\#(number),"tag":[7],"text":"\#(text)"}"#
    default: return #"{"skipped":{"a":[1,2,{}]},"text":"\#(text)","n":\#(number),"tag":"t"}"#
    }
  }

  private static func records(_ count: Int) -> [String] { (0..<count).map(record) }

  private func describe(_ records: [Record<Item>]) -> String {
    Routes.describe(records) { "\($0.n) \($0.text.utf8.count) \($0.tag ?? "-")" }
  }

  private func check(
    _ feed: String, at path: String? = nil, format: FeedFormat,
    limits: Limits = Limits(), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var mapper = try Mapper(Self.item, limits: limits)
    let bytes = Array(feed.utf8)
    let paths = path.map { RecordPaths($0) } ?? []
    let one = try mapper.records(in: Feed(bytes, at: paths, format: format))
    let expected = describe(Array(one))
    for (jobs, parser) in Self.counts.map({ ($0, RecordParser.auto) }) + [(3, .yajl)] {
      mapper.parser = parser
      let other = try mapper.records(in: Feed(bytes, at: paths, format: format), jobs: jobs)
      let found = describe(Array(other))
      #expect(found == expected, "\(jobs) jobs", sourceLocation: sourceLocation)
      #expect(other.offset == one.offset, sourceLocation: sourceLocation)
      #expect(other.unseenPaths == one.unseenPaths, sourceLocation: sourceLocation)
      #expect(other.verdict == one.verdict, sourceLocation: sourceLocation)
      #expect(other.next() == nil, sourceLocation: sourceLocation)

      var later: [Record<Item>] = []
      let buffers = Self.buffers(bytes, size: jobs == 3 ? 1 << 20 : 7919)
      let records = try mapper.records(in: Feed(buffers, at: paths, format: format), jobs: jobs)
      for try await record in records { later.append(record) }
      #expect(
        describe(later) == expected, "\(jobs) jobs, asynchronous", sourceLocation: sourceLocation)
      #expect(records.verdict == one.verdict, sourceLocation: sourceLocation)
    }
  }

  private static func buffers(_ bytes: [UInt8], size: Int) -> AsyncStream<[UInt8]> {
    AsyncStream { continuation in
      for start in stride(from: 0, to: bytes.count, by: size) {
        continuation.yield(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      continuation.finish()
    }
  }

  // MARK: The same for every number

  @Test(.long) func `lines map the same with any number of jobs`() async throws {
    let feed = Self.records(5000).joined(separator: "\n")
    try await check(feed, format: .ndjson)
    try await check(feed, format: .auto)
  }

  @Test func `feeds of other formats map the same with any jobs`() async throws {
    let records = Self.records(2000)
    try await check(records.joined(separator: " "), format: .concatenated)
    try await check(records.map { "\u{1E}\($0)\n" }.joined(), format: .sequence)
    try await check(records[7], format: .json)
  }

  @Test(.long) func `elements of a document map the same with any jobs`() async throws {
    let list = Self.records(5000).joined(separator: ",\n")
    let feed = #"{"a":[{"x":1}],"b\u00e9":{"list":[\#(list)]},"c":[]}"#
    try await check(feed, at: "$['bé'].list[*]", format: .json)
    try await check(feed, at: "$.none[*]", format: .json)
    try await check(feed + feed, at: "$['bé'].list[*]", format: .concatenated)
  }

  @Test func `malformed lines fail the same with any jobs`() async throws {
    let lines = Self.records(4000).enumerated().map { number, line in
      switch number % 7 {
      case 2: String(line.dropLast(3))
      case 5: line + "]"
      default: line
      }
    }
    try await check(lines.joined(separator: "\n"), format: .ndjson)
  }

  @Test(.long) func `a document that ends in a fault fails alike with any jobs`() async throws {
    let list = Self.records(3000).joined(separator: ",")
    try await check("[\(list)", at: "$[*]", format: .json)
    try await check("[\(list),{\"n\":1,\"text\":\"\u{1}\"},3]", at: "$[*]", format: .json)
    try await check("[\(list)}", at: "$[*]", format: .auto)
    try await check("\(list)", format: .concatenated)
  }

  /// Their parts lie in several batches, and a worker has to continue with them.
  @Test(.long) func `records larger than a batch map the same with any jobs`() async throws {
    let large = String(repeating: "0123456789", count: 70_000)
    let many = (0..<40_000).map { "{\"tag\":\($0)}" }.joined(separator: ",")
    struct Large: Sendable {
      let text: String
      let all: JSONValue
    }
    let mapper = try Mapper(
      Mapping.object(Large.self) { field in
        field.make(Large.init, field("text", \.text), field("all", \.all))
      })
    let lines = (0..<12).map { number in
      switch number % 4 {
      case 0: #"{"text":"\#(large)","all":[\#(many)]}"#
      case 1: #"{"all":[\#(many)],"text":\#(number)}"#
      case 2: #"{"all":[\#(many)],"text":"\#(large)"#
      default: #"{"text":"small","all":null}"#
      }
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    func text(_ records: some Sequence<Record<Large>>) -> String {
      Routes.describe(Array(records)) { "\($0.text.utf8.count) \($0.all.description.hashValue)" }
    }
    let expected = text(try mapper.records(in: Feed(bytes, format: .ndjson)))
    for jobs in Self.counts {
      #expect(text(try mapper.records(in: Feed(bytes, format: .ndjson), jobs: jobs)) == expected)
      var later: [Record<Large>] = []
      let buffers = Self.buffers(bytes, size: 50_000)
      for try await record in try mapper.records(in: Feed(buffers, format: .ndjson), jobs: jobs) {
        later.append(record)
      }
      #expect(text(later) == expected)
    }
  }

  @Test func `a feed without records is the same with any jobs`() async throws {
    for format in FeedFormat.allCases {
      try await check("", format: format)
      try await check(" \n\n ", format: format)
    }
    try await check("[]", at: "$[*]", format: .json)
    try await check("\u{FF}\u{FE}", format: .auto)
  }

  @Test func `limits hold the same with any number of jobs`() async throws {
    var limits = Limits()
    limits.string = 1000
    limits.errorsPerRecord = 1
    try await check(Self.records(1500).joined(separator: "\n"), format: .ndjson, limits: limits)
  }

  /// Small random feeds, cut and broken anywhere.
  @Test func `a feed broken anywhere fails the same with any jobs`() async throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<10 {
      var bytes = Array(Self.records(300).joined(separator: "\n").utf8)
      for _ in 0..<20 { bytes[Int.random(in: bytes.indices, using: &random)] = 0x22 }
      try await check(String(decoding: bytes, as: UTF8.self), format: .ndjson)
    }
  }

  // MARK: Ends

  private final class Tracked: Sendable {
    static let count = Locked(0)
    init() { Self.count.withLock { $0 += 1 } }
    deinit { Self.count.withLock { $0 -= 1 } }
    static var living: Int { count.withLock { $0 } }
  }

  /// Waits until something holds, for threads that end a little later.
  private func soon(_ isSo: () -> Bool) -> Bool {
    for _ in 0..<2000 {
      if isSo() { return true }
      Thread.sleep(forTimeInterval: 0.005)
    }
    return false
  }

  private func trackedMapper() throws -> Mapper<Tracked> {
    try Mapper(
      Mapping<Tracked>.converted(from: .int) { _ in
        Tracked()
      } reverse: { _ in
        0
      })
  }

  @Test func `no value is left when the consumer stops`() throws {
    let line = Array("1\n".utf8)
    let bytes = Array(repeatElement(line, count: 200_000).joined())
    let mapper = try trackedMapper()
    let before = Tracked.living
    do {
      let records = try mapper.records(in: Feed(bytes, format: .ndjson), jobs: 3)
      var taken = 0
      for _ in records {
        taken += 1
        if taken == 1500 { break }
      }
      // Ahead as far as the bounds allow, and no further.
      Thread.sleep(forTimeInterval: 0.05)
      #expect(Tracked.living - before < 8 * 1024 + 1024)
    }
    #expect(soon { Tracked.living == before })
  }

  @Test func `the pipeline ends with its taker`() throws {
    final class Marker: Sendable {}
    weak var weakMarker: Marker?
    do {
      let marker = Marker()
      weakMarker = marker
      let mapper = try Mapper(
        Mapping<String>.converted(from: .string) { text in
          withExtendedLifetime(marker) { text }
        } reverse: {
          $0
        })
      let feed = Array(String(repeating: "\"x\"\n", count: 100_000).utf8)
      let iterator = try mapper.records(in: Feed(feed, format: .ndjson), jobs: 4)
      #expect(iterator.next()?.value == "x")
    }
    #expect(soon { weakMarker == nil })
  }

  @Test func `a slow consumer stops the reading`() async throws {
    let line = Array("{\"n\":1,\"text\":\"\(String(repeating: "x", count: 1000))\"}\n".utf8)
    let buffer = Array(repeatElement(line, count: 100).joined())
    let asked = Requests()
    let mapper = try Mapper(Self.item)
    let iterator = try mapper.records(
      in: Feed(Endless(buffer: buffer, requests: asked), format: .ndjson), jobs: 2)
    #expect(asked.count == 0)
    for number in 1...5 { #expect(try await iterator.next()?.number == number) }
    try await Task.sleep(for: .milliseconds(100))
    let first = asked.count
    #expect(first < 20)
    try await Task.sleep(for: .milliseconds(50))
    #expect(asked.count == first)
    for number in 6...5000 { #expect(try await iterator.next()?.number == number) }
    #expect(asked.count >= 50)
  }

  final class Requests: Sendable {
    private let number = Locked(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let buffer: [UInt8]
    let requests: Requests
    mutating func next() async throws -> [UInt8]? {
      requests.add()
      return buffer
    }
    func makeAsyncIterator() -> Endless { self }
  }

  struct Broken: Error {}

  @Test func `an error thrown by the buffers comes after whole records`() async throws {
    let mapper = try Mapper(.int)
    let buffers = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(Array("1\n2\n3\n4".utf8))
      continuation.finish(throwing: Broken())
    }
    let iterator = try mapper.records(in: Feed(buffers, format: .ndjson), jobs: 2)
    var values: [Int?] = []
    await #expect(throws: Broken.self) {
      while let record = try await iterator.next() { values.append(record.value) }
    }
    #expect(values == [1, 2, 3])
    #expect(try await iterator.next() == nil)
  }

  @Test func `a cancelled task gets a CancellationError and no cut record`() async throws {
    let (buffers, continuation) = AsyncStream<[UInt8]>.makeStream()
    let mapper = try Mapper(.int)
    let seen = Requests()
    let task = Task {
      for try await _ in try mapper.records(in: Feed(buffers, format: .ndjson), jobs: 3) {
        seen.add()
      }
    }
    // They come out while the feed continues.
    continuation.yield(Array("1\n2\n3".utf8))
    while seen.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(seen.count == 2)
    continuation.finish()
  }

  // MARK: Descriptors

  @Test func `records come out before more input is waited for`() throws {
    let pipe = Pipe()
    let mapper = try Mapper(.int)
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let iterator = try mapper.records(in: Feed(.descriptor(descriptor), format: .ndjson), jobs: 2)
    for number in 1...20 {
      pipe.fileHandleForWriting.write(Data("\(number)\n".utf8))
      #expect(iterator.next()?.value == number)
    }
    try pipe.fileHandleForWriting.close()
    #expect(iterator.next() == nil)
  }

  @Test func `an unreadable file is an error with several jobs`() throws {
    let mapper = try Mapper(.int)
    let folder = Array(try mapper.records(in: Feed(.file(NSTemporaryDirectory())), jobs: 2))
    #expect(folder.map { $0.error?.code } == [.io])
    #expect(throws: MappingError.self) {
      try mapper.records(in: Feed(.file("/not/there")), jobs: 2)
    }
  }
}
