import Foundation
import StreamMap
import StreamMapFiles
import Testing

/// The records of a mapping file's mapper, by every way to get them.
@Suite struct FeedsOfMappingFilesTests {
  private let folder: Folder
  private let mapping = """
    streammap: 1
    input: { records: "$.items[*]" }
    context:
      day: { from: $.meta.date, type: date, format: yyyy-MM-dd }
      lang: { from: $.meta.lang, type: string, late: null }
    record:
      id: { from: id, type: int8 }
      day: { context: day }
      lang: { context: lang }
      file: { meta: file }
      note: note
    where: { not: { field: id, min: 7, max: 7 } }
    output: { nulls: omit }
    """
  private let feed = """
    {"meta":{"date":"2026-01-31","lang":"en"},"items":[{"id":1,"note":"a\\nb"},{"id":300}],"items":[{"id":3}]}
    {"items":[{"id":4}],"meta":{"date":"2026-02-01"},"items":[{"id":5},{"id":7}]}
    {"meta":{"date":"2026-03-01","more":{}},"items":[{"id":7},{"id":8}]}

    """

  init() throws {
    folder = try Folder()
  }

  /// What is expected, of a feed that has a name or none.
  private func expected(_ name: String?) -> [String] {
    let file = name.map { ",\"file\":\"\($0)\"" } ?? ""
    return [
      "1 {\"id\":1,\"day\":\"2026-01-31T00:00:00Z\",\"lang\":\"en\"\(file),\"note\":\"a\\nb\"}",
      "2 $.items[1].id numberOutOfRange",
      "3 {\"id\":3,\"day\":\"2026-01-31T00:00:00Z\",\"lang\":\"en\"\(file)}",
      "4 $.items[0] missing",
      "5 {\"id\":5,\"day\":\"2026-02-01T00:00:00Z\"\(file)}",
      "8 {\"id\":8,\"day\":\"2026-03-01T00:00:00Z\"\(file)}",
    ]
  }

  private func text(_ record: Record<RawJSON>) -> String {
    switch record.result {
    case .success(let json): "\(record.number) \(json)"
    case .failure(let error): "\(record.number) \(error.path) \(error.code.rawValue)"
    }
  }

  @Test(arguments: [1, 3, 1000])
  func `every route applies context, conditions, limits and output options`(jobs: Int) throws {
    let mapper = try MappingFile(yaml: mapping).mapper()
    let bytes = Array(feed.utf8)
    let inMemory = try mapper.records(in: Feed(bytes), jobs: jobs)
    let found = inMemory.map { text($0) }
    #expect(found == expected(nil))
    #expect(inMemory.droppedCount == 2)
    #expect(inMemory.unseenPaths == [])
    #expect(
      try mapper.records(in: Feed(bytes, named: "x"), jobs: jobs).map { text($0) } == expected("x"))

    let path = try folder.write(feed, to: "feed")
    #expect(
      try mapper.records(in: Feed(.file(path)), jobs: jobs).map { text($0) } == expected(path))

    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
    try pipe.fileHandleForWriting.close()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    #expect(
      try mapper.records(in: Feed(.descriptor(descriptor)), jobs: jobs).map { text($0) }
        == expected(nil))

    let stream = try mapper.stream(named: "y")
    var pushed: [String] = []
    for byte in bytes { stream.feed([byte]) { pushed.append(text($0)) } }
    stream.finish { pushed.append(text($0)) }
    #expect(pushed == expected("y"))
    #expect(stream.droppedCount == 2)
    #expect(stream.verdict == .complete)
  }

  @Test(arguments: [1, 3])
  func `another parser and other paths are options of the mapper`(jobs: Int) throws {
    var mapper = try MappingFile(yaml: mapping).mapper()
    mapper.parser = .yajl
    #expect(try mapper.records(in: Feed(feed.utf8), jobs: jobs).map { text($0) } == expected(nil))
    let other = #"{"meta":{"date":"2026-01-31"},"more":[{"id":1},{"id":7},{"id":2}]}"#
    let records = try mapper.records(in: Feed(other.utf8, at: "$.more[*]"), jobs: jobs)
    #expect(
      records.map { text($0) } == [
        #"1 {"id":1,"day":"2026-01-31T00:00:00Z"}"#, #"3 {"id":2,"day":"2026-01-31T00:00:00Z"}"#,
      ])
    #expect(records.droppedCount == 1)
  }

  @Test
  func `a document alone is mapped as a feed of one record`() throws {
    let mapper = try MappingFile(
      yaml: "streammap: 1\nrecord: { a: a }\nwhere: { field: a, min: 3 }\n"
    ).mapper()
    #expect(try mapper.decode(#"{"a":3,"b":1}"#.utf8).get().description == #"{"a":3}"#)
    let dropped = mapper.decode(#"{"a":2}"#.utf8)
    #expect(dropped.error?.code == .validationFailed)
    #expect(try mapper.decode(#"{"a":4}"#.utf8).get().description == #"{"a":4}"#)
    // What comes from outside the record is missing.
    let inFeeds = try MappingFile(yaml: mapping).mapper()
    #expect(inFeeds.decode(#"{"id":1}"#.utf8).error?.code == .missing)
  }

  /// Pieces of bytes, with empty ones among them.
  private func pieces(_ size: Int) -> AsyncStream<[UInt8]> {
    let bytes = Array(feed.utf8)
    return AsyncStream { continuation in
      for start in stride(from: 0, to: bytes.count, by: size) {
        continuation.yield(Array(bytes[start..<min(start + size, bytes.count)]))
        continuation.yield([])
      }
      continuation.finish()
    }
  }

  @Test(arguments: 1...32)
  func `buffers cut anywhere give the same records`(size: Int) async throws {
    let mapper = try MappingFile(yaml: mapping).mapper()
    for jobs in [1, 3] {
      let records = try mapper.records(in: Feed(pieces(size), named: "b"), jobs: jobs)
      var found: [String] = []
      var texts: [String?] = []
      for try await record in records {
        found.append(text(record))
        texts.append(
          record.position.flatMap { records.text(at: $0) }.map {
            String(decoding: $0, as: UTF8.self)
          })
      }
      #expect(found == expected("b"))
      #expect(texts.first == "{\"id\":1,\"note\":\"a\\nb\"}")
      #expect(records.droppedCount == 2)
      #expect(records.unseenPaths == [])
      #expect(records.verdict == .complete)
    }
  }

  @Test
  func `a cancelled task gets a CancellationError, never the end`() async throws {
    let mapper = try MappingFile(yaml: "streammap: 1\nrecord: { id: id }").mapper()
    let (buffers, feed) = AsyncStream<[UInt8]>.makeStream()
    let (seen, record) = AsyncStream<Int>.makeStream()
    let task = Task {
      let records = try mapper.records(in: Feed(buffers))
      func isCancelled() async throws -> Bool {
        do {
          while let next = try await records.next() { record.yield(next.number) }
          return false
        } catch is CancellationError {
          return true
        }
      }
      return [try await isCancelled(), try await isCancelled()]
    }
    feed.yield(Array("{\"id\":1}\n{\"id\":2}\n{\"id\":3}".utf8))
    var numbers = seen.makeAsyncIterator()
    #expect(await numbers.next() == 1)
    #expect(await numbers.next() == 2)
    // It waits for more then.
    try await Task.sleep(for: .milliseconds(5))
    task.cancel()
    #expect(try await task.value == [true, true])
    record.finish()
    #expect(await numbers.next() == nil)
  }

  @Test
  func `one mapper serves several threads at once`() async throws {
    let mapper = try MappingFile(yaml: mapping).mapper()
    let bytes = Array(feed.utf8)
    let found = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { try mapper.records(in: Feed(bytes)).count { $0.value != nil } }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found == Array(repeating: 4, count: 8))
  }

  @Test
  func `a feed can be resumed after any record`() throws {
    let mapper = try MappingFile(yaml: mapping).mapper()
    let path = try folder.write(feed, to: "feed")
    let records = try mapper.records(in: Feed(.file(path)))
    var rest = expected(path)[...]
    while records.next() != nil {
      rest = rest.dropFirst()
      let position = try #require(records.position)
      let others = try mapper.records(in: Feed(.file(path), from: position))
      #expect(others.map { text($0) } == Array(rest))
    }
    #expect(rest.isEmpty)
  }

  @Test
  func `a redacted value is in no error or text of a record`() throws {
    let open = try MappingFile(yaml: "streammap: 1\nrecord: { pin: { from: pin, type: int8 } }\n")
    let hidden = try MappingFile(
      yaml: "streammap: 1\nrecord: { pin: { from: pin, type: int8, redact: true } }\n")
    #expect(!open.hidesValues)
    #expect(try !open.mapper().hidesValues)
    #expect(hidden.hidesValues)
    #expect(try hidden.mapper().hidesValues)
    let secret = "hunter2SECRET"
    for jobs in [1, 3] {
      for feed in ["{\"pin\":{\"\(secret)\":1}}", "{\"pin\":\(secret)}"] {
        let records = try hidden.mapper().records(in: Feed(feed.utf8), jobs: jobs)
        let error = try #require(records.next()?.error)
        #expect(!"\(error)".contains(secret))
        #expect(!String(reflecting: error.found).contains(secret))
        let position = try #require(error.position)
        #expect(records.text(at: position) == nil)
      }
      let records = try open.mapper().records(in: Feed(#"{"pin":"x"}"#.utf8), jobs: jobs)
      let position = try #require(records.next()?.position)
      #expect(records.text(at: position) == Array(#"{"pin":"x"}"#.utf8))
    }
  }

  @Test
  func `changed limits and formats hold for the mapper`() throws {
    var file = try MappingFile(yaml: "streammap: 1\nrecord: { a: a }\n")
    file.limits.string = 2
    file.format = .json
    let found = try file.mapper().records(in: Feed(#"{"a":"xyz"}"#.utf8)).map { text($0) }
    #expect(found == ["1 $.a limitExceeded"])
    file.limits.string = 3
    file.output.omitsNulls = true
    let others = try file.mapper().records(in: Feed(#"{"a":"xyz"} {"a":1}"#.utf8)).map { text($0) }
    #expect(others == ["1 $ syntax"])
    file.format = .auto
    #expect(
      try file.mapper().records(in: Feed(#"{"a":"x"}{}"#.utf8)).map { text($0) } == [
        #"1 {"a":"x"}"#, "2 {}",
      ])
  }

  @Test
  func `contradictory paths are refused when the mapper is made`() throws {
    var file = try MappingFile(yaml: mapping)
    file.records = try ["$.a", "$.a.b"].map { try PathPattern(parsing: $0) }
    let error = #expect(throws: DefinitionError.self) { try file.mapper() }
    #expect(error?.mistakes.map(\.path) == [[.recordPath(1)]])
    file.records = [try PathPattern(parsing: "$.meta.date")]
    let other = #expect(throws: DefinitionError.self) { try file.mapper() }
    #expect(other?.mistakes.map(\.path) == [[.contextValue(1)]])
  }

  @Test(arguments: [1, 3])
  func `a failure of the feed is its last record`(jobs: Int) throws {
    let mapper = try MappingFile(yaml: "streammap: 1\nrecord: { a: a }\n").mapper()
    let cut = Array(try mapper.records(in: Feed(#"{"a":1}{"a":"#.utf8), jobs: jobs))
    #expect(cut.map { text($0) } == [#"1 {"a":1}"#, "2 $.a truncated"])
    // A folder can be opened, and not read.
    let folder = Array(try mapper.records(in: Feed(.file(folder.path("."))), jobs: jobs))
    #expect(folder.map(\.endsFeed) == [true])
    #expect(folder.first?.error?.code == .io)
    #expect(throws: MappingError.self) {
      try mapper.records(in: Feed(.file("none/none")), jobs: jobs)
    }
  }

  @Test
  func `the ending of a file's name tells its format`() throws {
    let mapper = try MappingFile(yaml: "streammap: 1\nrecord: { a: a }\n").mapper()
    let lines = try folder.write("[1\n{\"a\":2}\n", to: "x.ndjson")
    #expect(
      try mapper.records(in: Feed(.file(lines))).map { $0.value?.description } == [
        nil, #"{"a":2}"#,
      ])
    let documents = try folder.write("[1\n{\"a\":2}\n", to: "x.txt")
    #expect(try mapper.records(in: Feed(.file(documents))).map { $0.value?.description } == [nil])
  }
}
