import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import StreamMap
import StreamMapNIO
import Testing

/// The HTTP server of the guide QueuesAndSockets, over real sockets: this package has SwiftNIO's.
@Suite struct PlainServerTests {
  struct Order: Sendable, Equatable {
    let id: Int
  }

  actor Store {
    var orders: [Order] = []
    func add(_ more: [Order]) { orders += more }
  }

  let orders: Mapper<Order>
  let kept = Store()

  init() throws {
    orders = try Mapper(.object(Order.self) { $0.make(Order.init, $0("id", \.id)) })
  }

  func store(_ orders: [Order]) async throws { await kept.add(orders) }
  func log(_ text: String) {}
  func status(_ summary: FeedSummary) -> Int { summary.verdict == .complete ? 200 : 400 }

  typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

  func listen(on port: Int) async throws -> NIOAsyncChannel<Connection, Never> {
    try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .bind(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          return try Connection(wrappingChannelSynchronously: channel)
        }
      }
  }

  func serve(_ server: NIOAsyncChannel<Connection, Never>) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      try await server.executeThenClose { connections in
        for try await connection in connections {
          group.addTask {
            do { try await serve(connection) } catch { log("\(error)") }
          }
        }
      }
    }
  }

  actor Requests {
    private var parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private(set) var isAtEnd = false

    init(_ inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>) {
      parts = inbound.makeAsyncIterator()
    }

    func next() async throws -> HTTPServerRequestPart? {
      var parts = parts
      defer { self.parts = parts }
      let part = try await parts.next(isolation: self)
      if case .end? = part { isAtEnd = true } else { isAtEnd = false }
      return part
    }
  }

  func serve(_ connection: Connection) async throws {
    try await connection.executeThenClose { inbound, outbound in
      let requests = Requests(inbound)
      while case .head(let head)? = try await requests.next() {
        let body = AsyncThrowingStream<ByteBuffer, any Error> {
          if case .body(let buffer)? = try await requests.next() { buffer } else { nil }
        }
        let feed = Feed(body, format: .ndjson, options: .untrusted)
        let summary = try await orders.ingest(feed, rejections: ErrorBudget(count: 100)) { batch in
          try await store(batch.values)
        }
        let text = ByteBuffer(string: "\(summary.verdict) \(summary.mapped)\n")
        var answer = HTTPResponseHead(
          version: head.version, status: HTTPResponseStatus(statusCode: status(summary)))
        answer.headers.add(name: "Content-Length", value: "\(text.readableBytes)")
        let isOpen = await requests.isAtEnd && head.isKeepAlive
        if !isOpen { answer.headers.add(name: "Connection", value: "close") }
        try await outbound.write(.head(answer))
        try await outbound.write(.body(.byteBuffer(text)))
        try await outbound.write(.end(nil))
        if !isOpen { return }
      }
    }
  }

  /// What a client hears that sends a text, and waits until the server closes the connection.
  private func answer(to text: String, at address: SocketAddress) async throws -> String {
    let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(to: address) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await client.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: text))
      var heard = ""
      for try await buffer in inbound { heard += String(buffer: buffer) }
      return heard
    }
  }

  private func request(_ body: String, _ fields: String = "", length: Int? = nil) -> String {
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length ?? body.utf8.count)\r\n\(fields)\r\n\(body)"
  }

  private func withServer(
    _ use: @escaping @Sendable (SocketAddress) async throws -> Void
  ) async throws {
    let server = try await listen(on: 0)
    let address = try #require(server.channel.localAddress)
    try await withThrowingTaskGroup { group in
      group.addTask { try await serve(server) }
      group.addTask { try await use(address) }
      try await group.next()
      group.cancelAll()
    }
  }

  @Test func `requests of one connection are feeds, one after the other`() async throws {
    try await withServer { address in
      let heard = try await answer(
        to: request("{\"id\":1}\n{\"id\":2}\n") + request("{\"id\":3}\n", "Connection: close\r\n"),
        at: address)
      #expect(heard.components(separatedBy: "HTTP/1.1 200 OK").count == 3)
      #expect(heard.contains("complete 2\n"))
      #expect(heard.hasSuffix("complete 1\n"))
    }
    #expect(await kept.orders.map(\.id) == [1, 2, 3])
  }

  @Test func `a feed that ends early has its answer, and ends the connection`() async throws {
    let wrong = "{\"id\":1}\n" + String(repeating: "{}\n", count: 101)
    try await withServer { address in
      let heard = try await answer(to: request(wrong, length: 1 << 30), at: address)
      #expect(heard.hasPrefix("HTTP/1.1 400 Bad Request"))
      #expect(heard.contains("Connection: close"))
      #expect(heard.hasSuffix("rejected 1\n"))
    }
    #expect(await kept.orders == [Order(id: 1)])
  }
}
