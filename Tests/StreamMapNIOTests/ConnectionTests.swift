import NIOCore
import NIOEmbedded
import StreamMap
import StreamMapNIO
import Testing

/// The connection of the guide QueuesAndSockets, over a channel without a socket.
@Suite struct ConnectionTests {
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

  func serve(_ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
    try await channel.executeThenClose { inbound, outbound in
      let feed = Feed(inbound, format: .ndjson, options: .untrusted)
      let summary = try await orders.ingest(feed) { batch in try await store(batch.values) }
      try await outbound.write(ByteBuffer(string: "\(summary.verdict) \(summary.mapped)\n"))
    }
  }

  @Test(arguments: [
    (["{\"id\":1}\n{\"i", "d\":2}\n"], [1, 2], "complete 2\n"),
    (["{\"id\":1}\n{\"i"], [1], "truncated 1\n"),
  ])
  func `a connection is a feed, and gets an answer`(
    pieces: [String], ids: [Int], answer: String
  ) async throws {
    let testing = NIOAsyncTestingChannel()
    let channel = try await testing.testingEventLoop.executeInContext {
      try NIOAsyncChannel(
        wrappingChannelSynchronously: testing,
        configuration: .init(
          isOutboundHalfClosureEnabled: true, inboundType: ByteBuffer.self,
          outboundType: ByteBuffer.self))
    }
    async let served: Void = serve(channel)

    for piece in pieces { try await testing.writeInbound(ByteBuffer(string: piece)) }
    try await testing.testingEventLoop.executeInContext {
      testing.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
    let written = try await testing.waitForOutboundWrite(as: ByteBuffer.self)
    try await served

    #expect(String(buffer: written) == answer)
    #expect(await kept.orders.map(\.id) == ids)
  }
}
