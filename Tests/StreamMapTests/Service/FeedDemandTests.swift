import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What a feed may demand in all, by every way to get its records.
@Suite struct FeedDemandTests {
  static let lines = Array("{\"n\":1}\n{\"n\":\"x\"}\n\n{\"n\":3}\n{]\n{\"n\":5}".utf8)
  static let list = Array("{\"m\":[0],\"list\":[{\"n\":1},{\"n\":null}, {\"n\":3}],\"z\":{}}".utf8)

  struct Item: Sendable {
    let n: Int
  }

  private func mapper() throws -> Mapper<Item> {
    try Mapper(.object(Item.self) { $0.make(Item.init, $0("n", \.n)) })
  }

  private func feed(_ bytes: [UInt8], at paths: RecordPaths = [], _ format: FeedFormat) throws
    -> FeedRoutes.Given<Item>
  {
    FeedRoutes.Given(mapper: try mapper(), bytes: bytes, paths: paths, format: format)
  }

  private static let feeds: [(bytes: [UInt8], paths: RecordPaths, format: FeedFormat)] = [
    (lines, [], .ndjson), (lines, [], .auto), (list, "$.list[*]", .json),
    (list, "$.list[*]", .auto),
    (Array("{\"n\":1} {\"n\":2}{\"n\":true}\n{\"n\":4}".utf8), [], .concatenated),
    (Array("\u{1E}{\"n\":1}\n\u{1E}{\"n\":\n\u{1E}{\"n\":3}\n".utf8), [], .sequence),
  ]

  @Test(.long, arguments: feeds.indices)
  func `at most so many bytes, by every route, and the rest of the feed with more`(
    number: Int
  ) async throws {
    var feed = try feed(
      Self.feeds[number].bytes, at: Self.feeds[number].paths, Self.feeds[number].format)
    let whole = try FeedRoutes.pushed(feed, 1 << 20)
    #expect(whole.verdict == .complete)
    for most in 0...feed.bytes.count {
      feed.options.maximumBytes = most
      let isWhole = most == feed.bytes.count
      // A byte at a time, so that what is complete comes out.
      let expected = try FeedRoutes.pushed(feed, 1)
      if !isWhole {
        #expect(expected.verdict == .limit)
        #expect(expected.error?.code == .limitExceeded)
        #expect(
          expected.error?.message
            == "expected at most \(most) bytes in the feed (FeedOptions.maximumBytes), found more")
        #expect(expected.error?.position?.bytes == most..<most)
      }
      for (route, outcome) in try await FeedRoutes.outcomes(feed) {
        #expect(outcome == expected, "\(most) bytes, \(route)")
        #expect(outcome.error?.position == expected.error?.position, "\(most) bytes, \(route)")
        if isWhole { continue }
        // Before the encoding is known, only the beginning is a place to continue from.
        let position = outcome.position
        #expect(position != nil || most < 4, "\(most) bytes, \(route)")
        #expect(position?.recordCount ?? 0 == expected.records.count - 1)
        var rest = feed
        rest.options.maximumBytes = nil
        rest.position = position
        let after = try FeedRoutes.pushed(rest, 2)
        #expect(
          expected.records.dropLast() + after.records == whole.records, "\(most) bytes, \(route)")
        #expect(after.unseen == whole.unseen)
      }
    }
  }

  @Test(arguments: feeds.indices)
  func `at most so many records, by every route, and the rest of the feed with more`(
    number: Int
  ) async throws {
    var feed = try feed(
      Self.feeds[number].bytes, at: Self.feeds[number].paths, Self.feeds[number].format)
    let whole = try FeedRoutes.pushed(feed, 1 << 20)
    for most in 0...whole.records.count {
      feed.options.maximumRecords = most
      let isWhole = most == whole.records.count
      for (route, outcome) in try await FeedRoutes.outcomes(feed) {
        let what: Comment = "\(most) records, \(route)"
        if isWhole {
          #expect(outcome == whole, what)
          continue
        }
        #expect(outcome.records == whole.records.prefix(most) + ["0 limitExceeded"], what)
        #expect(outcome.verdict == .limit, what)
        #expect(
          outcome.error?.message
            == "expected at most \(most) records in the feed (FeedOptions.maximumRecords), found more",
          what)
        let position = try #require(outcome.position, what)
        #expect(position.recordCount == most, what)
        var rest = feed
        rest.options.maximumRecords = nil
        rest.position = position
        #expect(
          try FeedRoutes.pushed(rest, 3).records == Array(whole.records.dropFirst(most)), what)
      }
    }
  }

  @Test func `a deadline in the past ends a feed before its first byte`() async throws {
    var feed = try feed(Self.lines, .ndjson)
    feed.options.deadline = .now - .seconds(1)
    for (route, outcome) in try await FeedRoutes.outcomes(feed) {
      #expect(outcome.records == ["0 limitExceeded"], "\(route)")
      #expect(outcome.verdict == .limit, "\(route)")
      #expect(
        outcome.error?.message
          == "expected the end of the feed before its deadline (FeedOptions.deadline), found more",
        "\(route)")
    }
    feed.options.deadline = .now + .seconds(3600)
    for (route, outcome) in try await FeedRoutes.outcomes(feed) {
      #expect(outcome.verdict == .complete, "\(route)")
    }
    // What has nothing, asks for nothing.
    var empty = try self.feed([], .ndjson)
    empty.options = FeedOptions(maximumBytes: 0, maximumRecords: 0, deadline: .now - .seconds(1))
    for (route, outcome) in try await FeedRoutes.outcomes(empty) {
      #expect(outcome.records == [] && outcome.verdict == .complete, "\(route)")
    }
  }

  @Test func `the limits are the feed's own, by every route`() async throws {
    let texts = ["{\"n\":1}", "{\"n\":12345}", "{\"n\":2}"]
    var feed = try feed(Array(texts.joined(separator: "\n").utf8), .ndjson)
    var limits = Limits()
    limits.number = 4
    feed.options.limits = limits
    for (route, outcome) in try await FeedRoutes.outcomes(feed) {
      #expect(outcome.records == ["1", "2 limitExceeded", "3"], "\(route)")
      #expect(outcome.error?.message.hasSuffix("(Limits.number), found more") == true)
    }
    feed.options.limits = nil
    for (route, outcome) in try await FeedRoutes.outcomes(feed) {
      #expect(outcome.records == ["1", "2", "3"], "\(route)")
    }
  }

  @Test func `records that a condition drops count, too`() async throws {
    let mapper = try Mapper<RawJSON>(
      try OutputPlan(
        .object([OutputField("n", from: "n", .int64)]), where: .calculated("n > 2")),
      format: .ndjson)
    var feed = FeedRoutes.Given(
      mapper: mapper, bytes: Array("{\"n\":1}\n{\"n\":3}\n{\"n\":2}\n{\"n\":4}\n".utf8))
    feed.options.maximumRecords = 3
    for jobs in [1, 3] {
      let outcome = try await FeedRoutes.async(feed, 4, jobs)
      #expect(outcome.records == ["2", "0 limitExceeded"])
      #expect(outcome.position?.recordCount == 3)
    }
  }

  @Test func `many records stop at the limit with any jobs`() async throws {
    let line = "{\"n\":7}\n"
    var feed = try feed(Array(repeatElement(line.utf8, count: 60_000).joined()), .ndjson)
    feed.options.maximumRecords = 50_000
    for jobs in [1, 4] {
      for outcome in [
        try FeedRoutes.inMemory(feed, jobs), try await FeedRoutes.async(feed, 10_000, jobs),
      ] {
        #expect(outcome.records.count == 50_001 && outcome.verdict == .limit)
        #expect(outcome.position?.offset == 50_000 * line.utf8.count)
      }
    }
    feed.options.maximumRecords = nil
    feed.options.maximumBytes = 400_003
    for jobs in [1, 4] {
      for outcome in [
        try FeedRoutes.inMemory(feed, jobs), try await FeedRoutes.async(feed, 10_000, jobs),
      ] {
        #expect(outcome.records.count == 50_001 && outcome.verdict == .limit)
        #expect(outcome.position?.offset == 400_000 && outcome.position?.recordCount == 50_000)
      }
    }
  }

  @Test func `figures for untrusted feeds are those of the documents`() throws {
    let options = FeedOptions.untrusted
    #expect(options.limits == .untrusted)
    #expect(options.maximumBytes == 1 << 30 && options.maximumRecords == 10_000_000)
    let left = try #require(options.deadline) - .now
    #expect(left > .seconds(3500) && left <= .seconds(3600))
    var limits = Limits()
    (limits.depth, limits.string, limits.number, limits.key) = (64, 1 << 20, 100, 1 << 10)
    (limits.members, limits.elements, limits.errorsPerRecord) = (10_000, 100_000, 20)
    (limits.capturedValue, limits.replayed, limits.record) = (1 << 20, 8 << 20, 8 << 20)
    #expect(limits == .untrusted)
  }
}
