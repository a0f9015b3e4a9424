import Foundation
import Testing

@testable import StreamMap

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

  actor Database {
    var stored: [Order] = []
    var letters: [String] = []
    var next = 0

    func store(_ orders: [Order], letters: [String], next: Int) throws {
      stored += orders
      self.letters += letters
      self.next = next
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

  struct Consumer {
    let decoder: MessageDecoder<Order>
    let database: Database
    var unknown = UnknownKeys()
    func log(_ text: String) { QueuesAndSocketsTests.log(text) }

    mutating func take(_ messages: [Message]) async throws {
      guard let last = messages.last else { return }
      var (orders, letters): ([Order], [String]) = ([], [])
      for message in messages {
        let record = decoder.decode(message.bytes)
        if let order = record.value { orders.append(order) }
        if let reject = Reject(record) {
          let raw = String(decoding: message.bytes, as: UTF8.self)
          letters.append("\(reject.json(file: "\(message.partition)@\(message.offset)", raw: raw))")
        }
        for key in unknown.new(in: record.issues) { log("a key that is not mapped: \(key)") }
      }
      try await database.store(orders, letters: letters, next: last.offset + 1)
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
    try GuideLines.expectTested(guide: "QueuesAndSockets", by: #filePath, nio)
  }

  @Test
  func `a consumer stores each message once, keeps bad ones, and reports a new key once`()
    async throws
  {
    let database = Database()
    let texts = [#"{"id":1,"new":0}"#, #"{"id":"x"}"#, #"{"id":2,"new":1}"#, #"{"id":"#]
    let messages = texts.enumerated().map {
      Message(partition: "orders/3", offset: 40 + $0.offset, bytes: Array($0.element.utf8))
    }
    var consumer = Consumer(decoder: try Self.makeMapper().messageDecoder(), database: database)

    try await consumer.take(messages)
    try await consumer.take([])

    #expect(await database.stored == [Order(id: 1), Order(id: 2)])
    #expect(await database.next == 44)
    let letters = await database.letters
    #expect(letters.count == 2)
    #expect(letters.first?.contains(#""file":"orders/3@41""#) == true)
    #expect(letters.first?.hasSuffix(#""raw":"{\"id\":\"x\"}"}"#) == true)
    #expect(letters.last?.contains(#""code":"truncated""#) == true)
    #expect(Self.logged.withLock { $0 } == ["a key that is not mapped: $.new"])
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
