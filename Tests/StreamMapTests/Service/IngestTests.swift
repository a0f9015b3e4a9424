import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// A feed's way into a store, and what is said of it.
@Suite struct IngestTests {
  struct Broken: Error {}

  /// What was stored, and what an observer heard.
  final class Store: FeedObserver {
    let values = Locked<[Int]>([])
    let positions = Locked<[FeedPosition?]>([])
    let heard = Locked<[String]>([])
    let total = Locked(FeedStep())
    let summaries = Locked<[FeedSummary]>([])

    func store(_ batch: FeedBatch<Int>) {
      values.withLock { $0 += batch.values }
      positions.withLock { $0.append(batch.position) }
    }

    func hear(_ text: String) { heard.withLock { $0.append(text) } }

    func feedBegan(_ feed: FeedIdentity) { hear("began \(feed.name ?? "")") }

    func feedAdvanced(_ feed: FeedIdentity, by step: FeedStep) {
      total.withLock { total in
        total.records += step.records
        total.mapped += step.mapped
        total.rejected += step.rejected
        total.dropped += step.dropped
        total.issues += step.issues
        total.bytes += step.bytes
        total.bytesInFlight += step.bytesInFlight
      }
    }

    func feedRejected(_ feed: FeedIdentity, _ reject: Reject) { hear("rejected \(reject.record)") }

    func feedEnded(_ feed: FeedIdentity, _ summary: FeedSummary, _ error: (any Error)?) {
      hear("ended \(summary.verdict)" + (error.map { " \(type(of: $0))" } ?? ""))
      summaries.withLock { $0.append(summary) }
    }

    /// The last summary, which the steps have to add up to.
    func summary() throws -> FeedSummary {
      let summary = try #require(summaries.withLock { $0.last })
      let total = total.withLock { $0 }
      #expect(total.records == summary.records && total.mapped == summary.mapped)
      #expect(total.rejected == summary.rejected && total.dropped == summary.dropped)
      #expect(total.bytes == summary.bytes && total.issues == summary.issues)
      #expect(total.bytesInFlight == 0)
      return summary
    }
  }

  private func ingest(
    _ text: String, _ format: FeedFormat = .ndjson, at paths: RecordPaths = [], size: Int = 3,
    _ options: FeedOptions = FeedOptions(batch: BatchSize(records: 3)),
    rejections: ErrorBudget = ErrorBudget(), keep: Int = 20, into store: Store
  ) async throws -> FeedSummary {
    var options = options
    options.observer = store
    let summary = try await Mapper(.int).ingest(
      Feed(
        FeedRoutes.buffers(Array(text.utf8), size), at: paths, format: format, named: "x",
        options: options), rejections: rejections, keep: keep
    ) { batch in
      await Task.yield()
      store.store(batch)
    }
    let told = try store.summary()
    #expect(told.verdict == summary.verdict && told.records == summary.records)
    #expect(store.heard.withLock { $0.count { $0.hasPrefix("ended") } } == 1)
    return summary
  }

  @Test func `a whole feed is stored and summed up`() async throws {
    let store = Store()
    let summary = try await ingest("1\n\"x\"\n3\n4\n5\n", into: store)
    #expect(store.values.withLock { $0 } == [1, 3, 4, 5])
    #expect(summary.records == 5 && summary.mapped == 4 && summary.rejected == 1)
    #expect(summary.verdict == .complete && summary.reason == nil && summary.position == nil)
    #expect(summary.bytes == 12 && summary.firstRejects.map(\.record) == [2])
    #expect(summary.duration > .zero)
    #expect(store.heard.withLock { $0 } == ["began x", "rejected 2", "ended complete"])
    // From the last position on, there is nothing more.
    let position = try #require(store.positions.withLock { $0.last } ?? nil)
    #expect(position.offset == 12 && position.recordCount == 5)
    let again = try await Mapper(.int).ingest(
      Feed(FeedRoutes.buffers([], 1), format: .ndjson, from: position)
    ) { _ in Issue.record("nothing is left") }
    #expect(again.verdict == .complete && again.records == 0)
  }

  @Test func `a summary comes back from JSON`() async throws {
    let summary = try await ingest("1\nx\n", into: Store())
    let same = try JSONDecoder().decode(
      FeedSummary.self, from: try JSONEncoder().encode(summary))
    #expect(same.records == 2 && same.rejected == 1 && same.verdict == .complete)
    #expect(same.firstRejects.map(\.error.code) == [.syntax])
    #expect(abs((same.duration - summary.duration) / .seconds(1)) < 0.001)
  }

  @Test func `an encoded summary has no position, which may hold values`() async throws {
    let plan = try OutputPlan(
      .object([
        OutputField("n", from: "n", .int64), OutputField("shop", contextValue: 0, named: "shop"),
      ]), at: [PathPattern(parsing: "$.items[*]")],
      context: [
        ContextDefinition("shop", at: PathPattern(parsing: "$.shop"), .string, standIn: nil)
      ])
    let text = "{\"shop\":\"hush\",\"items\":[{\"n\":1},{\"n\":"
    let summary = try await Mapper<RawJSON>(plan, format: .json).ingest(
      Feed(FeedRoutes.buffers(Array(text.utf8), 7))
    ) { _ in }
    #expect(summary.verdict == .truncated && summary.mapped == 1)
    let position = String(decoding: try JSONEncoder().encode(summary.position), as: UTF8.self)
    #expect(position.contains("hush"))
    let encoded = String(decoding: try JSONEncoder().encode(summary), as: UTF8.self)
    #expect(!encoded.contains("hush"))
  }

  @Test func `which bound of the options ended a feed is told, by every route`() async throws {
    let bytes = Array("1\n2\n3\n".utf8)
    let mapper = try Mapper(.int)
    var tight = Limits()
    tight.number = 0
    for (options, exceeded) in [
      (FeedOptions(maximumBytes: 3), FeedDemand?.some(.maximumBytes)),
      (FeedOptions(maximumRecords: 2), .maximumRecords),
      (FeedOptions(deadline: .now - .seconds(1)), .deadline), (FeedOptions(limits: tight), nil),
      (FeedOptions(maximumBytes: 6, maximumRecords: 3), nil),
    ] {
      for jobs in [1, 3] {
        let store = Store()
        var options = options
        options.observer = store
        for _ in try mapper.records(in: Feed(bytes, format: .ndjson, options: options), jobs: jobs)
        {}
        for try await _ in try mapper.records(
          in: Feed(FeedRoutes.buffers(bytes, 2), format: .ndjson, options: options), jobs: jobs)
        {}
        let stream = try mapper.stream(format: .ndjson, options: options)
        stream.feed(bytes) { _ in }
        stream.finish { _ in }
        let summary = try await mapper.ingest(
          Feed(FeedRoutes.buffers(bytes, 2), format: .ndjson, options: options), jobs: jobs
        ) { _ in }
        #expect(summary.exceeded == exceeded)
        let told = store.summaries.withLock { $0.map(\.exceeded) }
        #expect(told == Array(repeating: exceeded, count: 4), "\(jobs) jobs")
        let same = try JSONDecoder().decode(
          FeedSummary.self, from: try JSONEncoder().encode(summary))
        #expect(same.exceeded == exceeded)
      }
    }
  }

  @Test func `a feed that does not end well says why, and what came before is stored`()
    async throws
  {
    var limited = FeedOptions(batch: BatchSize(records: 3))
    limited.maximumRecords = 2
    for (text, format, options, verdict, code) in [
      ("[1,2,", FeedFormat.json, FeedOptions(), FeedVerdict.truncated, ErrorCode.truncated),
      ("[1,2,}", .json, FeedOptions(), .malformed, .syntax),
      ("[1,2,3]", .json, limited, .limit, .limitExceeded),
    ] {
      let store = Store()
      let summary = try await ingest(text, format, at: "$[*]", options, into: store)
      #expect(summary.verdict == verdict && summary.reason?.code == code)
      #expect(store.values.withLock { $0 } == [1, 2])
      #expect(summary.records == 2 && summary.rejected == 0)
      #expect(summary.position?.recordCount == 2)
    }
    let page = Store()
    let html = try await ingest("<html>", .json, at: "$[*]", into: page)
    #expect(html.verdict == .malformed && html.records == 0 && html.unseenPaths == ["$[*]"])
  }

  @Test func `too many records that fail end the feed at the one too many`() async throws {
    for size in [1, 100] {
      let store = Store()
      let summary = try await ingest(
        "1\nx\n3\nx\nx\n6\n7\n", size: size, FeedOptions(), rejections: ErrorBudget(count: 1),
        into: store)
      #expect(summary.verdict == .rejected && summary.records == 4 && summary.rejected == 2)
      #expect(store.values.withLock { $0 } == [1, 3])
      #expect(
        summary.reason?.message
          == "expected at most 1 records that fail (ErrorBudget.count), found 2 of 4")
      #expect(summary.position?.recordCount == 4)
    }
    let store = Store()
    let summary = try await ingest(
      "1\nx\n3\n", rejections: ErrorBudget(ratio: 0.2), into: store)
    #expect(summary.verdict == .rejected && summary.mapped == 2)
    #expect(summary.reason?.message.contains("ErrorBudget.ratio") == true)
    let none = try await ingest("1\n2\n", rejections: ErrorBudget(count: 0), into: Store())
    #expect(none.verdict == .complete)
  }

  @Test func `the first rejects are kept, and no more`() async throws {
    let text = (1...100).map { _ in "x\n" }.joined()
    let summary = try await ingest(text, keep: 7, into: Store())
    #expect(summary.firstRejects.map(\.record) == Array(1...7) && summary.rejected == 100)
  }

  @Test func `a store that throws ends the reading`() async throws {
    let store = Store()
    await #expect(throws: Broken.self) {
      try await Mapper(.int).ingest(
        Feed(
          FeedRoutes.buffers(Array("1\n2\n3\n4\n".utf8), 100), format: .ndjson,
          options: FeedOptions(batch: BatchSize(records: 2), observer: store))
      ) { batch in
        if batch.values == [3, 4] { throw Broken() }
        store.store(batch)
      }
    }
    #expect(store.values.withLock { $0 } == [1, 2])
    #expect(store.heard.withLock { $0 } == ["began ", "ended stopped Broken"])
    // The batch that was not stored comes again.
    #expect(try store.summary().position?.recordCount == 2)
  }

  @Test func `a cancelled task gets a CancellationError, whatever it waits for`() async throws {
    for waitsInStore in [false, true] {
      let store = Store()
      let (buffers, continuation) = AsyncStream<[UInt8]>.makeStream()
      continuation.yield(Array("1\n2\n".utf8))
      let task = Task {
        try await Mapper(.int).ingest(
          Feed(
            buffers, format: .ndjson,
            options: FeedOptions(batch: BatchSize(records: 2), observer: store))
        ) { batch in
          store.store(batch)
          if waitsInStore { try await Task.sleep(for: .seconds(60)) }
        }
      }
      while store.values.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(store.heard.withLock { $0 } == ["began ", "ended stopped CancellationError"])
      continuation.finish()
    }
  }

  /// An actor's values need not be sendable.
  actor Table {
    final class Row {
      let number: Int
      init(_ number: Int) { self.number = number }
    }

    var rows: [Row] = []

    func fill(from text: String) async throws -> FeedSummary {
      let mapping = Mapping<Row>.converted(from: .int) {
        Row($0)
      } reverse: {
        $0.number
      }
      return try await Mapper(mapping).ingest(Feed(FeedRoutes.buffers(Array(text.utf8), 2))) {
        batch in
        rows += batch.values
      }
    }

    var numbers: [Int] { rows.map(\.number) }
  }

  @Test func `an actor ingests values of its own`() async throws {
    let table = Table()
    let summary = try await table.fill(from: "1\n2\n3\n")
    #expect(summary.mapped == 3)
    #expect(await table.numbers == [1, 2, 3])
  }

  @Test(arguments: [1, 3])
  func `an observer hears of a feed by every route, and of its end once`(jobs: Int) async throws {
    let bytes = Array("1\nx\n3\n".utf8)
    let mapper = try Mapper(.int)
    func check(_ verdict: FeedVerdict = .complete, _ run: (FeedOptions) async throws -> Void)
      async throws
    {
      let store = Store()
      try await run(FeedOptions(observer: store))
      let expected =
        verdict == .complete
        ? ["began f", "rejected 2", "ended complete"] : ["began f", "ended \(verdict)"]
      #expect(store.heard.withLock { $0 } == expected)
      let summary = try store.summary()
      if verdict == .complete {
        #expect(summary.records == 3 && summary.mapped == 2 && summary.bytes == 6)
      }
    }
    try await check { options in
      for _ in try mapper.records(
        in: Feed(bytes, format: .ndjson, named: "f", options: options), jobs: jobs)
      {}
    }
    try await check { options in
      for try await _ in try mapper.records(
        in: Feed(FeedRoutes.buffers(bytes, 2), format: .ndjson, named: "f", options: options),
        jobs: jobs)
      {}
    }
    try await check { options in
      for try await _ in try mapper.batches(
        in: Feed(FeedRoutes.buffers(bytes, 2), format: .ndjson, named: "f", options: options),
        jobs: jobs)
      {}
    }
    try await check { options in
      let stream = try mapper.stream(format: .ndjson, named: "f", options: options)
      stream.feed(bytes) { _ in }
      stream.finish { _ in }
    }
    // Dropped without a look at it, and half-way.
    try await check(.stopped) { options in
      _ = try mapper.records(
        in: Feed(bytes, format: .ndjson, named: "f", options: options), jobs: jobs)
    }
    try await check(.stopped) { options in
      _ = try await mapper.records(
        in: Feed(FeedRoutes.buffers(bytes, 1), format: .ndjson, named: "f", options: options),
        jobs: jobs
      ).next()
    }
    try await check(.stopped) { options in
      _ = try mapper.batches(
        in: Feed(FeedRoutes.buffers(bytes, 1), format: .ndjson, named: "f", options: options),
        jobs: jobs)
    }
    try await check(.stopped) { options in
      let stream = try mapper.stream(format: .ndjson, named: "f", options: options)
      stream.feed(Array("1\n".utf8)) { _ in }
    }
  }

  @Test func `a group tells each of its observers, in their order`() async throws {
    let (first, second) = (Store(), Store())
    let group = ObserverGroup(first, ObserverGroup([second]))
    _ = try await Mapper(.int).ingest(
      Feed(
        FeedRoutes.buffers(Array("1\nx\n".utf8), 100), format: .ndjson, named: "f",
        options: FeedOptions(observer: group))
    ) { _ in }
    for store in [first, second] {
      #expect(store.heard.withLock { $0 } == ["began f", "rejected 2", "ended complete"])
    }
  }
}
