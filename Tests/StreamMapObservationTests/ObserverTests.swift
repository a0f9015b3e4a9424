import InMemoryLogging
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import StreamMap
import StreamMapObservation
import Testing
import Tracing

@Suite("Observers of feeds")
struct ObserverTests {
  private struct Row: Sendable {
    let id: Int
  }

  private let mapper: Mapper<Row>

  init() throws {
    mapper = try Mapper(
      Mapping.object(Row.self) { field in
        let id = field("id", \.id)
        return field.make(Row.init, id)
      })
  }

  private struct Failure: Error {
    let secret = "hush"
  }

  private static let feed = """
    {"id":1}
    {"id":"hush"}
    {"id":2}
    {"od":"hush"}

    """

  /// Ingests a feed.
  @discardableResult
  private func ingest(
    _ text: String, _ observer: any FeedObserver, named name: String? = "orders.ndjson",
    store: ([Row]) throws -> Void = { _ in }
  ) async throws -> FeedSummary {
    let (buffers, source) = AsyncStream<[UInt8]>.makeStream()
    source.yield(Array(text.utf8))
    source.finish()
    return try await mapper.ingest(
      Feed(buffers, format: .ndjson, named: name, options: FeedOptions(observer: observer))
    ) { batch in try store(batch.values) }
  }

  // MARK: Logs

  private func logger() -> (Logger, InMemoryLogHandler) {
    let handler = InMemoryLogHandler()
    var logger = Logger(label: "test") { _ in handler }
    logger.logLevel = .debug
    return (logger, handler)
  }

  @Test func `a feed is logged with addresses and without values`() async throws {
    let (logger, handler) = logger()
    try await ingest(Self.feed, LoggingObserver(logger))
    let lines = handler.entries
    #expect(
      lines.map { "\($0.level) \($0.message)" } == [
        "debug feed began", "info record rejected: expected an integer (Int), found a string",
        "info record rejected: an integer (Int) is missing", "info feed complete",
      ])
    let reject = try #require(lines.dropFirst().first?.metadata)
    #expect(reject["record.number"] == "2" && reject["record.path"] == "$.id")
    #expect(reject["record.bytes"] == "15..<21" && reject["record.line"] == "2")
    #expect(reject["record.column"] == "7" && reject["record.code"] == "wrongType")
    #expect(reject["feed.name"] == "orders.ndjson")
    let end = try #require(lines.last?.metadata)
    #expect(end["feed.verdict"] == "complete" && end["feed.records"] == "4")
    #expect(end["feed.mapped"] == "2" && end["feed.rejected"] == "2")
    #expect(end["feed.bytes"] == "\(Self.feed.utf8.count)")
    #expect(Set(lines.map { "\($0.metadata["feed.number"] ?? "")" }).count == 1)
    #expect(!"\(lines)".contains("hush"))
  }

  @Test func `the first rejected records of each feed are logged`() async throws {
    let (logger, handler) = logger()
    let observer = LoggingObserver(logger, rejects: 1)
    for _ in 0..<2 { try await ingest(Self.feed, observer, named: nil) }
    let rejects = handler.entries.filter { "\($0.message)".hasPrefix("record rejected") }
    #expect(rejects.compactMap { $0.metadata["record.number"] } == ["2", "2"])
    #expect(handler.entries.allSatisfy { $0.metadata["feed.name"] == nil })
  }

  @Test func `an end that is not complete is a warning, what is thrown an error by its type`()
    async throws
  {
    let (logger, handler) = logger()
    try await ingest("{\"id\":1}\n{\"id\":", LoggingObserver(logger))
    #expect(handler.entries.last?.level == .warning)
    #expect(handler.entries.last.map { "\($0.message)" }?.hasPrefix("feed truncated") == true)
    await #expect(throws: Failure.self) {
      try await ingest(Self.feed, LoggingObserver(logger)) { _ in throw Failure() }
    }
    #expect(handler.entries.last?.level == .error)
    #expect(handler.entries.last?.metadata["feed.error"] == "Failure")
    await #expect(throws: CancellationError.self) {
      try await ingest(Self.feed, LoggingObserver(logger)) { _ in throw CancellationError() }
    }
    #expect(handler.entries.last?.level == .info)
    #expect(!"\(handler.entries)".contains("hush"))
  }

  // MARK: Metrics

  @Test func `records, rejects, bytes, seconds and running feeds are counted`() async throws {
    let factory = TestMetrics()
    let observer = MetricsObserver(dimensions: [("mapping", "orders")], factory: factory)
    let mapping = ("mapping", "orders")
    var runningInside = 0.0
    try await ingest(Self.feed, observer) { _ in
      runningInside = try factory.expectMeter("streammap_feeds_running", [mapping]).lastValue ?? 0
    }
    try await ingest(Self.feed, observer)
    await #expect(throws: Failure.self) {
      try await ingest(Self.feed, observer) { _ in throw Failure() }
    }
    func count(_ name: String, _ labels: (String, String)...) throws -> Int64 {
      try factory.expectCounter("streammap_\(name)", [mapping] + labels).totalValue
    }
    #expect(try count("records_total", ("outcome", "mapped")) == 6)
    #expect(try count("records_total", ("outcome", "rejected")) == 6)
    #expect(try count("records_total", ("outcome", "dropped")) == 0)
    #expect(try count("errors_total", ("code", "wrongType")) == 3)
    #expect(try count("errors_total", ("code", "missing")) == 3)
    #expect(try count("bytes_total") == Int64(3 * Self.feed.utf8.count))
    #expect(try count("feeds_total", ("verdict", "complete")) == 2)
    #expect(try count("feeds_total", ("verdict", "failed")) == 1)
    let seconds = try factory.expectTimer(
      "streammap_feed_seconds", [mapping, ("verdict", "complete")])
    #expect(seconds.values.count == 2)
    #expect(runningInside == 1)
    #expect(try factory.expectMeter("streammap_feeds_running", [mapping]).lastValue == 0)
  }

  @Test func `bytes that are read and not handed over yet are in flight`() async throws {
    let factory = TestMetrics()
    let observer = MetricsObserver(factory: factory)
    let (buffers, source) = AsyncStream<[UInt8]>.makeStream()
    source.yield(Array(Self.feed.utf8))
    source.finish()
    var inside: [Double?] = []
    _ = try await mapper.ingest(
      Feed(
        buffers, format: .ndjson,
        options: FeedOptions(batch: BatchSize(records: 2), observer: observer))
    ) { _ in inside.append(try factory.expectMeter("streammap_bytes_in_flight").lastValue) }
    let lines = Self.feed.split(separator: "\n").map { Double($0.utf8.count + 1) }
    #expect(inside.first == lines[2] + lines[3] && inside.last == 0)
    #expect(try factory.expectMeter("streammap_bytes_in_flight").lastValue == 0)
  }

  // MARK: Traces

  @Test func `a feed is a span with what became of it, inside the current one`() async throws {
    let tracer = InMemoryTracer()
    let observer = TracingObserver(tracer, rejects: 1)
    try await tracer.withSpan("request") { _ in _ = try await ingest(Self.feed, observer) }
    let spans = tracer.finishedSpans
    let span = try #require(spans.first { $0.operationName == "streammap.feed" })
    let request = try #require(spans.first { $0.operationName == "request" })
    #expect(span.parentSpanID == request.spanID && span.traceID == request.traceID)
    #expect(span.attributes.get("streammap.feed.name") == .string("orders.ndjson"))
    #expect(span.attributes.get("streammap.verdict") == .string("complete"))
    #expect(span.attributes.get("streammap.records") == .int64(4))
    #expect(span.attributes.get("streammap.mapped") == .int64(2))
    #expect(span.attributes.get("streammap.bytes") == .int64(Int64(Self.feed.utf8.count)))
    #expect(span.events.map(\.name) == ["record rejected"])
    #expect(span.events.first?.attributes.get("streammap.path") == .string("$.id"))
    #expect(span.status == nil)
  }

  @Test func `a span of a feed that is not complete says so`() async throws {
    let tracer = InMemoryTracer()
    try await ingest("{\"id\":1}\n{\"id\":", TracingObserver(tracer))
    await #expect(throws: Failure.self) {
      try await ingest(Self.feed, TracingObserver(tracer)) { _ in throw Failure() }
    }
    let statuses = tracer.finishedSpans.map(\.status)
    #expect(statuses.map { $0?.code } == [.error, .error])
    #expect(statuses.last??.message == "Failure")
    #expect(tracer.activeSpans.isEmpty)
  }
}
