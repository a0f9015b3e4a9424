import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Bytes that are only a part of a feed.
@Suite struct PartTests {
  @Test(.long, arguments: PositionTests.cases.indices)
  func
    `a part that is cut anywhere, and the rest from its position on, are the feed, by every route`(
      number: Int
    ) async throws
  {
    let (text, format, paths) = PositionTests.cases[number]
    let bytes = Array(text.utf8)
    let mapper = try Mapper(PositionTests.mapping)
    let feed = FeedRoutes.Given(
      mapper: mapper, bytes: bytes, paths: RecordPaths(paths), format: format)
    let whole = try FeedRoutes.pushed(feed, 1 << 20)
    for count in 0...bytes.count {
      var part = FeedRoutes.Given(
        mapper: mapper, bytes: Array(bytes[..<count]), paths: RecordPaths(paths), format: format)
      part.options.endsHere = false
      for (route, outcome) in try await FeedRoutes.outcomes(part) {
        let what: Comment = "\(count) bytes, \(route)"
        // A document that cannot continue is over here, too.
        if outcome.verdict == whole.verdict, outcome.records == whole.records { continue }
        #expect(outcome.verdict == .stopped, what)
        #expect(outcome.records == Array(whole.records.prefix(outcome.records.count)), what)
        #expect(outcome.position?.recordCount ?? 0 == outcome.records.count, what)
        #expect(outcome.position?.offset ?? 0 <= count, what)
        var rest = feed
        rest.position = outcome.position
        let after = try FeedRoutes.pushed(rest, 3)
        #expect(outcome.records + after.records == whole.records, what)
        #expect(after.verdict == whole.verdict && after.unseen == whole.unseen, what)
      }
    }
  }

  @Test(arguments: [1, 3])
  func `a part without a record brings the position further`(jobs: Int) async throws {
    let head = "{\"large\":[" + String(repeating: "[1,2,3],", count: 500_000)
    let mapper = try Mapper(.int)
    let part = try await mapper.ingest(
      Feed(
        FeedRoutes.buffers(Array(head.utf8), 100_000), at: "$.list[*]", format: .json,
        options: FeedOptions(endsHere: false)), jobs: jobs
    ) { _ in Issue.record("there is no record") }
    #expect(part.verdict == .stopped && part.reason == nil && part.records == 0)
    let position = try #require(part.position)
    #expect(position.offset > head.utf8.count - 10)
    let rest = Array((head + "[4]],\"list\":[1,2]}").utf8.dropFirst(position.offset))
    var values: [Int] = []
    let summary = try await mapper.ingest(
      Feed(FeedRoutes.buffers(rest, 10), at: "$.list[*]", format: .json, from: position), jobs: jobs
    ) { values += $0.values }
    #expect(values == [1, 2] && summary.verdict == .complete)
  }

  @Test func `the share of records that fail is checked at the end of the feed, not of a part`()
    async throws
  {
    let mapper = try Mapper(.int)
    let part = try await mapper.ingest(
      Feed(
        FeedRoutes.buffers(Array("x\n".utf8), 10), format: .ndjson,
        options: FeedOptions(endsHere: false)), rejections: ErrorBudget(ratio: 0.5)
    ) { _ in }
    #expect(part.verdict == .stopped && part.rejected == 1)
    let counted = try await mapper.ingest(
      Feed(
        FeedRoutes.buffers(Array("x\n".utf8), 10), format: .ndjson,
        options: FeedOptions(endsHere: false)), rejections: ErrorBudget(count: 0)
    ) { _ in }
    #expect(counted.verdict == .rejected)
  }
}
