import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import StreamMap
import StreamMapObservation
import Testing

/// A record with several errors: each is told with its own place.
@Suite("Records with several errors")
struct SeveralErrorsTests {
  private struct Row: Sendable {
    let id: Int
    let name: String
    let tags: [Int]
  }

  private static let feed = #"{"id":"x","tags":[1,"y","z"]}"# + "\n"

  private func ingest(
    _ observer: any FeedObserver, labels: [String: String] = [:]
  ) async throws {
    let mapper = try Mapper(
      Mapping.object(Row.self) { field in
        field.make(
          Row.init, field("id", \.id), field("name", \.name),
          field("tags", \.tags, .array(of: .int)))
      })
    let (buffers, source) = AsyncStream<[UInt8]>.makeStream()
    source.yield(Array(Self.feed.utf8))
    source.finish()
    var options = FeedOptions(observer: observer)
    options.labels = labels
    _ = try await mapper.ingest(Feed(buffers, format: .ndjson, options: options)) { _ in }
  }

  @Test func `the labels of a feed are in each line, in its span and, where asked for, in metrics`()
    async throws
  {
    let handler = InMemoryLogHandler()
    let tracer = InMemoryTracer()
    let factory = TestMetrics()
    let metrics = MetricsObserver(labels: ["mapping"], values: 2, factory: factory)
    let observer = ObserverGroup(
      LoggingObserver(Logger(label: "test") { _ in handler }), TracingObserver(tracer), metrics)
    for mapping in ["orders", "items", "one", "two", "orders"] {
      try await ingest(observer, labels: ["mapping": mapping, "upload": "u-\(mapping)"])
    }
    #expect(handler.entries.allSatisfy { $0.metadata["mapping"] != nil })
    #expect(handler.entries.first?.metadata["upload"] == "u-orders")
    let spans = tracer.finishedSpans.map { $0.attributes.get("mapping") }
    #expect(spans == ["orders", "items", "one", "two", "orders"].map { .string($0) })
    func count(_ mapping: String) throws -> Int64 {
      try factory.expectCounter(
        "streammap_feeds_total", [("mapping", mapping), ("verdict", "complete")]
      ).totalValue
    }
    #expect(try count("orders") == 2 && count("items") == 1 && count("other") == 2)
    #expect(throws: (any Error).self) { try count("one") }
  }

  @Test func `each is a line of the log, as many as are asked for`() async throws {
    let handler = InMemoryLogHandler()
    let logger = Logger(label: "test") { _ in handler }
    try await ingest(LoggingObserver(logger))
    let lines = handler.entries.filter { "\($0.message)".hasPrefix("record rejected: ") }
    func values(_ key: String) -> [String] { lines.map { "\($0.metadata[key] ?? "none")" } }
    #expect(values("record.code") == ["wrongType", "wrongType", "wrongType", "missing"])
    #expect(values("record.path") == ["$.id", "$.tags[1]", "$.tags[2]", "$.name"])
    #expect(values("record.target") == ["id", "tags[1]", "tags[2]", "name"])
    #expect(values("record.bytes") == ["6..<9", "20..<23", "24..<27", "0..<29"])
    #expect(values("record.line") == ["1", "1", "1", "1"])
    #expect(values("record.column") == ["7", "21", "25", "1"])
    #expect(Set(values("record.errors")) == ["4"] && Set(values("record.number")) == ["1"])
    #expect(!"\(handler.entries)".contains("severalErrors"))
    let few = InMemoryLogHandler()
    try await ingest(LoggingObserver(Logger(label: "test") { _ in few }, errors: 2))
    #expect(few.entries.count { $0.metadata["record.errors"] == "4" } == 2)
  }

  @Test func `each is an event of the span, and is counted by its code`() async throws {
    let tracer = InMemoryTracer()
    let factory = TestMetrics()
    try await ingest(
      ObserverGroup(TracingObserver(tracer, errors: 3), MetricsObserver(factory: factory)))
    let events = tracer.finishedSpans.flatMap(\.events)
    #expect(
      events.compactMap { $0.attributes.get("streammap.path") } == [
        .string("$.id"), .string("$.tags[1]"), .string("$.tags[2]"),
      ])
    #expect(events.last?.attributes.get("streammap.offset") == .int64(24))
    #expect(events.last?.attributes.get("streammap.column") == .int64(25))
    func count(_ code: String) throws -> Int64 {
      try factory.expectCounter("streammap_errors_total", [("code", code)]).totalValue
    }
    #expect(try count("wrongType") == 3 && count("missing") == 1)
    #expect(
      try factory.expectCounter("streammap_records_total", [("outcome", "rejected")]).totalValue
        == 1)
  }
}
