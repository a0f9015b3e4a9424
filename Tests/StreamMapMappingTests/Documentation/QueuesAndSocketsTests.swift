import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The Swift of the guide QueuesAndSockets, compiled and run; that of its connection is run in StreamMapNIOTests.
@Suite struct QueuesAndSocketsTests {
  struct Order: Sendable, Equatable {
    let id: Int
  }

  struct Message: Sendable {
    let partition: String
    let offset: Int
    let bytes: [UInt8]
  }

  /// Another consumer has taken the partition.
  struct Moved: Error, Equatable {
    let next: Int
  }

  actor Database {
    var rows: [Order] = []
    var deadLetters: [String] = []
    var next = 40

    func store(_ orders: [Order], letters: [String], replacing offsets: ClosedRange<Int>) throws {
      guard offsets.lowerBound == next else { throw Moved(next: next) }
      rows += orders
      deadLetters += letters
      next = offsets.upperBound + 1
    }
  }

  static let logged = Locked<[String]>([])
  static func log(_ text: String) { logged.withLock { $0.append(text) } }

  struct UnknownKeys {
    private var seen: Set<String> = []

    mutating func new(in issues: [MappingError]) -> [String] {
      issues.filter { $0.code == .unknownKey }.map(\.path.description)
        .filter { seen.count < 1000 && seen.insert($0).inserted }
    }
  }

  struct Watch {
    let partition: FeedIdentity
    let observer: any FeedObserver

    init(_ partition: String, number: Int, _ observer: any FeedObserver) {
      self.partition = FeedIdentity(number: number, name: partition, labels: ["mapping": "orders"])
      self.observer = observer
      observer.feedBegan(self.partition)
    }

    func stored(_ step: FeedStep, _ rejects: [Reject]) {
      for reject in rejects { observer.feedRejected(partition, reject) }
      observer.feedAdvanced(partition, by: step)
    }

    func ended() { observer.feedEnded(partition, FeedSummary(verdict: .stopped), nil) }
  }

  /// What an observer heard.
  final class Heard: FeedObserver {
    struct All {
      var began: [FeedIdentity] = []
      var total = FeedStep()
      var rejected: [String] = []
      var verdicts: [FeedVerdict] = []
    }

    let all = Locked(All())

    func feedBegan(_ feed: FeedIdentity) { all.withLock { $0.began.append(feed) } }

    func feedAdvanced(_ feed: FeedIdentity, by step: FeedStep) {
      all.withLock {
        $0.total.records += step.records
        $0.total.mapped += step.mapped
        $0.total.rejected += step.rejected
        $0.total.issues += step.issues
        $0.total.bytes += step.bytes
      }
    }

    func feedRejected(_ feed: FeedIdentity, _ reject: Reject) {
      all.withLock { $0.rejected.append(reject.error.code.rawValue) }
    }

    func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?) {
      all.withLock { $0.verdicts.append(summary.verdict) }
    }
  }

  struct Consumer {
    let decoder: MessageDecoder<Order>
    let database: Database
    let watch: Watch
    var unknown = UnknownKeys()
    func log(_ text: String) { QueuesAndSocketsTests.log(text) }

    mutating func take(_ messages: [Message]) async throws {
      guard let first = messages.first, let last = messages.last else { return }
      var (orders, letters): ([Order], [String]) = ([], [])
      var (step, rejects): (FeedStep, [Reject]) = (FeedStep(), [])
      for message in messages {
        let record = decoder.decode(message.bytes)
        if let order = record.value { orders.append(order) }
        if let reject = Reject(record) {
          let raw = String(decoding: message.bytes, as: UTF8.self)
          letters.append("\(reject.json(file: "\(message.partition)@\(message.offset)", raw: raw))")
          rejects.append(reject)
        }
        for key in unknown.new(in: record.issues) { log("a key that is not mapped: \(key)") }
        step.issues += record.issues.count
        step.bytes += message.bytes.count
      }
      let offsets = first.offset...last.offset
      try await database.store(orders, letters: letters, replacing: offsets)
      (step.records, step.mapped, step.rejected) = (messages.count, orders.count, letters.count)
      watch.stored(step, rejects)
    }
  }

  static func makeMapper() throws -> Mapper<Order> {
    let mapping = Mapping.object(Order.self) { $0.make(Order.init, $0("id", \.id)) }
    let orders = try Mapper(mapping.unknownKeys(.report))
    return orders
  }

  @Test func `the guide QueuesAndSockets shows only code that is tested`() throws {
    let nio = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../StreamMapNIOTests/ConnectionTests.swift").path
    let service = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Examples/IngestService/Tests/IngestServiceTests/PlainServerTests.swift")
    try GuideLines.expectTested(guide: "QueuesAndSockets", by: #filePath, nio, service.path)
  }

  @Test
  func
    `a consumer stores each message once, keeps bad ones, counts them, and reports a new key once`()
    async throws
  {
    let (database, heard) = (Database(), Heard())
    let texts = [#"{"id":1,"new":0}"#, #"{"id":"x"}"#, #"{"id":2,"new":1}"#, #"{"id":"#]
    let messages = texts.enumerated().map {
      Message(partition: "orders/3", offset: 40 + $0.offset, bytes: Array($0.element.utf8))
    }
    let watch = Watch("orders/3", number: 1, heard)
    var consumer = Consumer(
      decoder: try Self.makeMapper().messageDecoder(), database: database, watch: watch)

    try await consumer.take(messages)
    try await consumer.take([])
    // The old consumer of a partition, and one that leaves messages out, store nothing and count nothing.
    await #expect(throws: Moved(next: 44)) { try await consumer.take(messages) }
    let far = Message(partition: "orders/3", offset: 45, bytes: Array(#"{"id":9}"#.utf8))
    await #expect(throws: Moved(next: 44)) { try await consumer.take([far]) }
    watch.ended()

    #expect(await database.rows == [Order(id: 1), Order(id: 2)])
    #expect(await database.next == 44)
    let letters = await database.deadLetters
    #expect(letters.count == 2)
    #expect(letters.first?.contains(#""file":"orders/3@41""#) == true)
    #expect(letters.first?.hasSuffix(#""raw":"{\"id\":\"x\"}"}"#) == true)
    #expect(letters.last?.contains(#""code":"truncated""#) == true)
    #expect(Self.logged.withLock { $0 } == ["a key that is not mapped: $.new"])
    heard.all.withLock { all in
      #expect(all.began.map(\.name) == ["orders/3"])
      #expect(all.verdicts == [.stopped])
      #expect((all.total.records, all.total.mapped, all.total.rejected) == (4, 2, 2))
      #expect(all.rejected == ["wrongType", "truncated"])
      #expect((all.total.issues, all.total.bytes) == (2, texts.reduce(0) { $0 + $1.utf8.count }))
    }
  }

  @Test func `as many unknown keys are remembered as the guide says`() throws {
    let mapper = try Self.makeMapper()
    var unknown = UnknownKeys()
    var reported = 0
    for number in 0..<1200 {
      reported += unknown.new(in: mapper.decode("{\"id\":1,\"k\(number)\":0}").issues).count
    }
    #expect(reported == 1000)
  }
}
