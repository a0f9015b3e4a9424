import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The Swift of the guides InAServer and ChoosingLimits, compiled and run.
@Suite struct InAServerTests {
  struct Order: Sendable, Equatable {
    let id: Int
  }

  typealias Body = AsyncStream<[UInt8]>

  struct Incomplete: Error {
    init(_ reason: MappingError?) {}
  }

  actor Database {
    var stored: [Order] = []
    var last: FeedPosition?

    func insert(_ orders: [Order], position: FeedPosition?) throws {
      stored += orders
      last = position
    }

    func position(of upload: String) throws -> FeedPosition? { last }

    nonisolated func orders() -> AsyncStream<Order> {
      AsyncStream { continuation in
        for id in 1...3 { continuation.yield(Order(id: id)) }
        continuation.finish()
      }
    }
  }

  final class Connection {
    var written: [UInt8] = []

    func write(_ buffer: [UInt8]) async throws { written += buffer }
  }

  let orders: Mapper<Order>
  let lines = "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n"

  init() throws {
    orders = try Mapper(.object(Order.self) { $0.make(Order.init, $0("id", \.id)) })
  }

  func ingest(_ body: Body, into database: Database) async throws -> FeedSummary {
    try await orders.ingest(
      Feed(body, format: .ndjson, options: .untrusted), rejections: ErrorBudget(ratio: 0.01)
    ) { batch in
      try await database.insert(batch.values, position: batch.position)
    }
  }

  func status(_ summary: FeedSummary) -> Int {
    switch summary.verdict {
    case .complete: 200
    case .truncated, .malformed, .stopped: 400
    case .limit: summary.exceeded == .deadline ? 408 : 413
    case .rejected: 422
    @unknown default: 400
    }
  }

  @Test func `the InAServer guide shows only code that is tested here`() throws {
    try GuideLines.expectTested(guide: "InAServer", by: #filePath)
  }

  @Test func `the ChoosingLimits guide shows only code that is tested here`() throws {
    try GuideLines.expectTested(guide: "ChoosingLimits", by: #filePath)
  }

  @Test func `a body is ingested, and the summary makes the answer`() async throws {
    let database = Database()
    let whole = try await ingest(FeedRoutes.buffers(Array(lines.utf8), 7), into: database)
    #expect(status(whole) == 200)
    #expect(await database.stored.map(\.id) == [1, 2, 3])
    let bad = try await ingest(FeedRoutes.buffers(Array("<p>\n".utf8), 7), into: database)
    #expect(status(bad) == 422)
    let cut = try await ingest(FeedRoutes.buffers(Array("{\"id\":1".utf8), 7), into: database)
    #expect(status(cut) == 400)
  }

  @Test func `a feed continues where it was cut off`() async throws {
    let database = Database()
    let upload = "1"
    func rest(from offset: Int) -> Body {
      FeedRoutes.buffers(Array(lines.utf8.dropFirst(offset)), 4)
    }
    let cut = FeedRoutes.buffers(Array(lines.utf8.prefix(12)), 5)
    _ = try await ingest(cut, into: database)

    let position = try await database.position(of: upload)
    let offset = position?.offset ?? 0
    let summary = try await orders.ingest(Feed(rest(from: offset), format: .ndjson, from: position))
    { batch in
      try await database.insert(batch.values, position: batch.position)
    }

    #expect(offset == 9 && summary.verdict == .complete)
    #expect(await database.stored.map(\.id) == [1, 2, 3])
  }

  @Test func `a feed comes in parts`() async throws {
    let database = Database()
    for (start, end, isLast) in [(0, 12, false), (9, 21, false), (18, 27, true)] {
      let position = try await database.position(of: "1")
      #expect(position?.offset ?? 0 == start)
      let body = FeedRoutes.buffers(Array(Array(lines.utf8)[start..<end]), 4)

      let options = FeedOptions(endsHere: isLast)
      let part = try await orders.ingest(Feed(body, from: position, options: options)) { batch in
        try await database.insert(batch.values, position: batch.position)
      }
      if !isLast, part.verdict == .stopped, let next = part.position {
        try await database.insert([], position: next)
      }

      #expect(part.verdict == (isLast ? .complete : .stopped) && part.reason == nil)
    }
    #expect(await database.stored.map(\.id) == [1, 2, 3])
  }

  @Test func `a pool maps a body`() async throws {
    let database = Database()
    let body = FeedRoutes.buffers(Array(lines.utf8), 7)

    let pool = WorkerPool()
    let whole = try await orders.ingest(Feed(body, options: .untrusted), pool: pool) { batch in
      try await database.insert(batch.values, position: batch.position)
    }

    #expect(whole.verdict == .complete)
    #expect(await database.stored.map(\.id) == [1, 2, 3])
  }

  @Test func `batches are taken one by one`() async throws {
    let database = Database()
    let logged = Locked<[String]>([])
    @Sendable func log(_ text: String) { logged.withLock { $0.append(text) } }
    let body = FeedRoutes.buffers(Array("{\"orders\":[{\"id\":1},{\"id\":\"x\"}]}".utf8), 5)

    let batches = try orders.batches(in: Feed(body, at: "$.orders[*]", options: .untrusted))
    for try await batch in batches {
      try await database.insert(batch.values, position: batch.position)
      for reject in batch.rejects {
        let text = reject.position.flatMap { batches.text(at: $0) }
        log("\(reject.json(raw: text.map { String(decoding: $0, as: UTF8.self) }))")
      }
    }
    guard batches.verdict == .complete else { throw Incomplete(batches.reason) }

    #expect(await database.stored.map(\.id) == [1])
    let line = logged.withLock { $0.first }
    #expect(line?.hasPrefix(#"{"record":2,"offset":20,"end":30,"#) == true)
    #expect(line?.hasSuffix(#""raw":"{\"id\":\"x\"}"}"#) == true)
  }

  @Test func `messages, answers and a type of one's own`() async throws {
    var handled: [Order] = []
    let logged = Locked<[String]>([])
    @Sendable func log(_ text: String) { logged.withLock { $0.append(text) } }
    func handle(_ order: Order) { handled.append(order) }
    let messages = ["{\"id\":1}", "{", "{\"id\":2}"].map { Chunk(bytes: Array($0.utf8)) }

    let decoder = try orders.messageDecoder()
    for message in messages {
      switch decoder.decode(message).result {
      case .success(let order): handle(order)
      case .failure(let error): log("\(error)")
      }
    }

    #expect(handled.map(\.id) == [1, 2])
    #expect(logged.withLock { $0.count } == 1)

    let (database, connection) = (Database(), Connection())

    let answer = try orders.encoded(database.orders(), as: .array)
    for try await buffer in answer {
      try await connection.write(buffer)
    }

    #expect(
      String(decoding: connection.written, as: UTF8.self)
        == "[\n{\"id\":1},\n{\"id\":2},\n{\"id\":3}\n]\n")
  }

  static let logged = Locked<[String]>([])

  struct FeedLog: FeedObserver {
    func log(_ text: String) { InAServerTests.logged.withLock { $0.append(text) } }

    func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?) {
      log("\(feed.number): \(summary.mapped) of \(summary.records), \(summary.verdict)")
    }
  }

  @Test func `an observer logs the end of a feed`() async throws {
    _ = try await orders.ingest(
      Feed(FeedRoutes.buffers(Array(lines.utf8), 7), options: FeedOptions(observer: FeedLog()))
    ) { _ in }
    #expect(
      Self.logged.withLock { $0 }.contains { $0.hasSuffix(": 3 of 3, complete") })
  }

  @Test func `bounds of a feed are said by name, and it continues`() throws {
    let mapper = orders
    var logged: [String] = []
    func log(_ text: String) { logged.append(text) }
    defer { #expect(logged.count == 1 && logged[0].hasSuffix("maximumRecords), found more")) }

    var options = FeedOptions.untrusted
    options.limits?.string = 4 << 20
    options.maximumBytes = 5 << 30
    options.deadline = .now + .seconds(600)

    #expect(options.limits?.string == 4 << 20 && options.limits?.depth == 64)

    let feed = Data("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n".utf8)
    let records = try mapper.records(in: Feed(feed, options: FeedOptions(maximumRecords: 2)))
    let last = Array(records).last
    #expect(records.position?.recordCount == 2)
    guard records.verdict == .limit, let error = last?.error else { return }
    log(error.message)
  }
}

extension InAServerTests {
  /// The figures of the guide's table are those of the code.
  @Test func `the table of the ChoosingLimits guide is right`() throws {
    let guide = try GuideLines.document("Sources/StreamMap/StreamMap.docc/ChoosingLimits.md")
    func size(_ bytes: Int) -> String {
      if bytes >= 1 << 30, bytes % (1 << 30) == 0 { return "\(bytes >> 30) GiB" }
      if bytes >= 1 << 20, bytes % (1 << 20) == 0 { return "\(bytes >> 20) MiB" }
      if bytes >= 1 << 10, bytes % (1 << 10) == 0, bytes != 512 { return "\(bytes >> 10) KiB" }
      return bytes.formatted(.number.locale(Locale(identifier: "en_US")))
    }
    let (limits, untrusted) = (Limits(), Limits.untrusted)
    for name in Limits.Name.allCases {
      let (standard, small) = (limits[keyPath: name.path], untrusted[keyPath: name.path])
      let row = "| `Limits.\(name.rawValue)` | \(size(standard)) | \(size(small)) |"
      #expect(guide.contains(row), "\(row)")
    }
  }
}

/// Bytes of a framework of one's own.
private struct Chunk: Collection, Sendable {
  let bytes: [UInt8]
  var startIndex: Int { 0 }
  var endIndex: Int { bytes.count }
  func index(after index: Int) -> Int { index + 1 }
  subscript(index: Int) -> UInt8 { bytes[index] }
}

extension Chunk: FeedBuffer {}
