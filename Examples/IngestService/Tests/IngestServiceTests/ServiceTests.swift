import Foundation
import Metrics
import StreamMap
import Synchronization
import Testing

@testable import IngestService

@Suite struct ServiceTests {
  @Test func `a token is its tenant's alone`() throws {
    let settings = try settings()
    #expect(settings.tenant(authorized: "Bearer one-token")?.name == "one")
    #expect(settings.tenant(authorized: "Bearer one-new-token")?.name == "one")
    #expect(settings.tenant(authorized: "bearer two-token")?.name == "two")
    for header in [
      nil, "", "Bearer", "Bearer ", "Bearer one-toke", "Bearer one-tokem", "one-token",
      "Bearer \(TokenHash(of: "one-token".utf8).written)",
    ] {
      #expect(settings.tenant(authorized: header) == nil)
    }
  }

  @Test func `the hash of a token is SHA-256, and is read as it is written`() {
    // The example "abc" of FIPS 180-4.
    let written = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(TokenHash(of: "abc".utf8).written == written)
    #expect(TokenHash(written: written) == TokenHash(of: "abc".utf8))
    for wrong in [
      "", "abc", "sha256:", String(written.dropFirst(7)), String(written.dropLast()),
      written + "0", written.uppercased(), written.replacing("f", with: "g"),
    ] {
      #expect(TokenHash(written: wrong) == nil)
    }
    #expect(Token.make() != Token.make())
    #expect(Token.make().count == 64)
  }

  @Test func `a tenant may use its mappings and its folders`() throws {
    let tenant = try #require(try settings().tenant(authorized: "Bearer one-token"))
    #expect(tenant.mayUse("shared"))
    #expect(tenant.mayUse("one/orders"))
    #expect(!tenant.mayUse("shared/orders"))
    #expect(!tenant.mayUse("two/orders"))
    #expect(!tenant.mayUse("one"))
    // Names are compared as they are written.
    #expect(tenant.mayUse("caf\u{e9}/orders"))
    #expect(!tenant.mayUse("cafe\u{301}/orders"))
  }

  @Test func `all mistakes of the settings are reported, each with its place`() throws {
    let wrong = text.replacing(#""feeds": 2"#, with: #""feeds": 0"#)
      .replacing(#""page": true"#, with: #""page": "yes""#)
    let mistakes = #expect(throws: Settings.Mistakes.self) {
      try Settings(Array(wrong.utf8), named: "s.json")
    }
    #expect(
      mistakes?.description == """
        s.json:1:138: $.page: expected true or false, found a string
        s.json:2:82: $.feeds: expected at least 1
        """)
  }

  @Test func `variables of the environment take the place of members`() throws {
    let settings = try Settings(
      Array(text.utf8), named: "s.json",
      environment: [
        "INGEST_SETTING_PORT": "81", "INGEST_SETTING_HOST": "0", "INGEST_SETTING_PAGE": "false",
        "INGEST_SETTING_PACE_SECONDS": "7.5", "INGEST_SETTING_IDLE_SECONDS": "8", "PORT": "x",
      ])
    #expect(settings.port == 81)
    #expect(settings.host == "0")
    #expect(!settings.page)
    #expect(settings.paceSeconds == 7.5)
    #expect(settings.tenants.map(\.name) == ["one", "two"])
    #expect(settings.tenant(authorized: "Bearer two-token")?.name == "two")
  }

  @Test func `all mistakes of the environment are reported, each with its variable`() throws {
    let mistakes = #expect(throws: Settings.Mistakes.self) {
      try Settings(
        Array(text.utf8), named: "s.json",
        environment: [
          "INGEST_SETTING_PORT": "many", "INGEST_SETTING_HOST": "", "INGEST_SETTING_PROT": "1",
          "INGEST_SETTING_TENANTS": "[]",
        ])
    }
    let lines = try #require(mistakes).description.split(separator: "\n")
    #expect(lines.count == 4)
    for variable in ["PORT", "HOST", "PROT", "TENANTS"] {
      #expect(lines.contains { $0.hasPrefix("INGEST_SETTING_\(variable): ") })
    }
    let together = #expect(throws: Settings.Mistakes.self) {
      try Settings(
        Array(text.utf8), named: "s.json", environment: ["INGEST_SETTING_PACE_SECONDS": "9"])
    }
    #expect(together?.description.contains("idleSeconds above paceSeconds") == true)
    let own = #expect(throws: Settings.Mistakes.self) {
      try Settings(
        Array(text.replacing(#""paceSeconds": 1"#, with: #""paceSeconds": 9"#).utf8),
        named: "s.json", environment: ["PATH": "/"])
    }
    #expect(own?.description.hasPrefix("s.json:1:1: $: ") == true)
  }

  @Test func `a client's own fault is no failure of the service`() {
    final class Ends: FeedObserver {
      let errors = Mutex<[any Error]>([])

      func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?) {
        errors.withLock { $0.append(error ?? BodyError.cutOff) }
      }
    }
    let ends = Ends()
    let faults = ClientFaults(observer: ends)
    let (feed, summary) = (FeedIdentity(number: 1), FeedSummary(verdict: .stopped))
    faults.feedEnded(feed, summary, BodyError.cutOff)
    faults.feedEnded(feed, summary, Store.Conflict())
    ends.errors.withLock { errors in
      #expect(errors.count == 2)
      #expect(errors.first is CancellationError)
      #expect(errors.last is Store.Conflict)
    }
  }

  @Test func `each tenant's feeds by a mapping have metrics of their own, always the same`() {
    let metrics = FeedMetrics()
    let one = metrics.observer(of: "one", "m")
    #expect(metrics.observer(of: "one", "m") === one)
    #expect(metrics.observer(of: "two", "m") !== one)
    #expect(metrics.observer(of: "one", "n") !== one)
  }

  private actor Order {
    private(set) var all: [Int] = []

    func add(_ number: Int) { all.append(number) }
  }

  @Test func `of the writers that wait, the smallest and the one that waited longest go by turns`()
    async throws
  {
    let (turns, order) = (Turns(atOnce: 1), Order())
    let (held, hold) = AsyncStream<Void>.makeStream()
    var writers = [
      Task { try await turns.take(after: 0) { for await _ in held { break } } }
    ]
    for stored in [900, 5, 700, 1] {
      // Each comes after the one before it.
      try await Task.sleep(for: .milliseconds(50))
      writers.append(Task { try await turns.take(after: stored) { await order.add(stored) } })
    }
    try await Task.sleep(for: .milliseconds(50))
    hold.yield()
    for writer in writers { try await writer.value }
    #expect(await order.all == [1, 900, 5, 700])
    await #expect(throws: Store.Conflict.self) {
      try await turns.take(after: 0) { throw Store.Conflict() }
    }
    #expect(try await turns.take(after: 0) { 7 } == 7)
  }

  @Test func `as many as may write at once do, and the next one waits`() async throws {
    let (turns, order) = (Turns(atOnce: 2), Order())
    let holds = [AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream()]
    var writers: [Task<Void, any Error>] = []
    for hold in holds {
      // The one before has its turn, and there is room for one more.
      try await turns.take(after: 0) { await order.add(writers.count) }
      writers.append(
        Task { try await turns.take(after: 0) { for await _ in hold.stream { break } } })
      try await Task.sleep(for: .milliseconds(50))
    }
    writers.append(Task { try await turns.take(after: 0) { await order.add(2) } })
    try await Task.sleep(for: .milliseconds(50))
    #expect(await order.all == [0, 1])
    for hold in holds { hold.continuation.yield() }
    for writer in writers { try await writer.value }
    #expect(await order.all == [0, 1, 2])
  }

  @Test func `only what traceparent says exactly is a parent`() throws {
    let header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let parent = try #require(TraceParent(header: header))
    #expect(parent.header == header)
    #expect(parent.isSampled)
    #expect(TraceParent(header: String(header.dropLast()) + "0")?.isSampled == false)
    // A later version may say more.
    #expect(TraceParent(header: "01" + header.dropFirst(2) + "-more")?.span == parent.span)
    for wrong in [
      "", "00", String(header.dropLast()), header + "-more", header.uppercased(),
      "ff" + header.dropFirst(2), header.replacing("0af7", with: "\u{ff10}af7"),
    ] {
      #expect(TraceParent(header: wrong) == nil)
    }
    let child = TraceParent(in: parent)
    #expect(child.trace == parent.trace)
    #expect(child.span != parent.span)
    #expect(TraceParent(in: nil).trace != TraceParent(in: nil).trace)
  }

  @Test func `an address of PostgreSQL has no password`() {
    for right in ["postgres://me@host:5433/db?sslmode=require", "postgresql:///db"] {
      #expect(PostgresAddress(right)?.text == right)
    }
    for wrong in [
      "ingest.sqlite", "postgres://me:secret@host/db", "postgres:///db?password=secret",
      "postgres:",
      "postgres://[1", "postgres://host/?none=1",
    ] {
      #expect(PostgresAddress(wrong) == nil)
    }
    #expect(PostgresAddress.isOne("POSTGRES:x"))
    #expect(!PostgresAddress.isOne("postgres.sqlite"))
  }

  @Test func `metrics are written as Prometheus reads them`() {
    let prometheus = PrometheusFactory()
    let records = Counter(
      label: "feed.records", dimensions: [("mapping", "a\"b\\c\nd")], factory: prometheus)
    records.increment(by: 3)
    records.increment(by: 4)
    Meter(label: "feeds.running", factory: prometheus).set(2)
    let seconds = Metrics.Timer(label: "feed", factory: prometheus)
    seconds.recordSeconds(1)
    seconds.recordMilliseconds(500)
    #expect(
      prometheus.text() == #"""
        # TYPE feed_records_total counter
        feed_records_total{mapping="a\"b\\c\nd"} 7.0
        # TYPE feed_seconds histogram
        feed_seconds_bucket{le="0.005"} 0
        feed_seconds_bucket{le="0.025"} 0
        feed_seconds_bucket{le="0.1"} 0
        feed_seconds_bucket{le="0.5"} 1
        feed_seconds_bucket{le="1.0"} 2
        feed_seconds_bucket{le="5.0"} 2
        feed_seconds_bucket{le="15.0"} 2
        feed_seconds_bucket{le="60.0"} 2
        feed_seconds_bucket{le="300.0"} 2
        feed_seconds_bucket{le="900.0"} 2
        feed_seconds_bucket{le="3600.0"} 2
        feed_seconds_bucket{le="+Inf"} 2
        feed_seconds_count 2
        feed_seconds_sum 1.5
        # TYPE feeds_running gauge
        feeds_running 2.0

        """#)
  }

  @Test func `rows are stored with the place after them, once`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    let store = try await Store(path, patience: .zero)
    let mapper = try Mapper(RawJSON.self)
    var upload = try await store.makeUpload("a", of: "one", for: "m")
    for try await batch in try mapper.batches(in: Feed(buffers("{}\n[1]\n"), format: .ndjson)) {
      let before = upload
      try await store.add([batch], to: &upload, until: batch.position, offset: 7)
      // Another reader of the same bytes changes nothing.
      var late = before
      await #expect(throws: Store.Conflict.self) {
        try await store.add([batch], to: &late, until: batch.position, offset: 7)
      }
    }
    let stored = try #require(try await store.upload("a", of: "one"))
    #expect(stored.records == 2)
    #expect(stored.mapped == 2)
    #expect(stored.offset == 7)
    #expect(try await store.upload("a", of: "two") == nil)
  }

  @Test func `a client that sends not enough is slow, and one that is not waited for is not`()
    async throws
  {
    let feed = RunningFeed("a", "one", "m")
    #expect(!feed.isSlow(1000, over: .zero))
    feed.waitsForClient()
    // The first look begins the window.
    #expect(!feed.isSlow(1000, over: .milliseconds(1)))
    try await Task.sleep(for: .milliseconds(5))
    #expect(feed.isSlow(1000, over: .milliseconds(1)))
    feed.received(1 << 20)
    feed.waitsForClient()
    try await Task.sleep(for: .milliseconds(5))
    #expect(!feed.isSlow(1000, over: .milliseconds(1)))
    feed.received(0)
    try await Task.sleep(for: .milliseconds(5))
    #expect(!feed.isSlow(1000, over: .milliseconds(1)))
  }

  private func buffers(_ text: String) -> AsyncStream<[UInt8]> {
    AsyncStream { continuation in
      continuation.yield(Array(text.utf8))
      continuation.finish()
    }
  }

  private func settings() throws -> Settings { try Settings(Array(text.utf8), named: "s.json") }

  private let text = """
    {"host": "127.0.0.1", "port": 0, "mappings": "m", "database": "d", "databaseSeconds": 1, "keepDays": 0, "keepUnfinishedDays": 1, "page": true, "logLevel": "info",
     "logFormat": "text", "traces": "", "connections": 2, "idleSeconds": 2, "feeds": 2, "mappingThreads": 1, "graceSeconds": 1,
     "minimumPace": 1, "paceSeconds": 1, "tenants": [
      {"name": "one", "tokens": ["sha256:4c135fb168d8874ad2ef74de308f89e2898a577600667cb7c58c57a2bae01475",
       "sha256:4206a29365f2aff76cc5a2b46559bd5ac04696803dc811a24474261331da74b9"], "mappings": ["shared", "one/", "caf\u{e9}/"], "feeds": 1, "maximumBytes": 1,
       "maximumRecords": 1, "maximumSeconds": 1, "maximumExpansion": 1},
      {"name": "two", "tokens": ["sha256:f030a8ac87b31b5a76b4d5f5c821bfa8d4087db95189299a17832426a95b4e3a"], "mappings": [], "feeds": 1, "maximumBytes": 1,
       "maximumRecords": 1, "maximumSeconds": 1, "maximumExpansion": 1}]}
    """
}
