import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Parts beside what else a feed may have: bounds, threads, observers, positions, and other ways out.
@Suite struct PartOptionTests {
  private typealias File = FeedPartTests.File

  /// A random feed in a file, and its parts.
  private struct Cut {
    let feed: RandomFeed
    let file: FeedPartTests.File
    let mapper: Mapper<RawJSON>
    let parts: [FeedPart]

    var source: FeedSource { .file(file.path) }

    init(_ kind: RandomFeed.Kind, _ seed: UInt64, every: Int = 30, count: Int = 5) throws {
      feed = RandomFeed(kind, seed: seed)
      file = try FeedPartTests.File(feed.bytes)
      mapper = try feed.mapper()
      let (source, paths) = (FeedSource.file(file.path), RecordPaths(feed.paths))
      let index = try FeedIndex(
        of: source, for: mapper, at: paths, format: feed.format, every: every)
      parts = try mapper.parts(
        of: source, at: paths, format: feed.format, count: count, index: index)
    }

    func whole(_ options: FeedOptions = FeedOptions()) throws -> RecordSequence<RawJSON> {
      try mapper.records(
        in: Feed(source, at: RecordPaths(feed.paths), format: feed.format, options: options))
    }
  }

  @Test(.long, arguments: RandomFeed.Kind.allCases)
  func `what bounds a feed bounds its parts at the same place`(kind: RandomFeed.Kind) throws {
    let pool = WorkerPool(threads: 2)
    var ended = 0
    for seed in 0..<UInt64(12) {
      let cut = try Cut(kind, seed)
      var random = cut.feed
      let ends = cut.parts.map(\.bytes.upperBound)
      for bound in 0..<6 {
        var options = FeedOptions()
        if bound % 2 == 0 {
          options.maximumRecords = random.number(60)
        } else {
          // A byte-order mark is passed over before the first part is read.
          options.maximumBytes =
            3
            + (random.number(2) == 0
              ? max(ends[random.number(ends.count)] - 3, 0)
              : random.number(cut.feed.bytes.count + 2))
        }
        let whole = FeedPartTests.outcome(try cut.whole(options))
        var joined: [String] = []
        var verdict = FeedVerdict.complete
        for part in cut.parts {
          let records = try cut.mapper.records(
            in: cut.source, part: part, jobs: bound == 2 ? 3 : nil, pool: bound > 3 ? pool : nil,
            options: options)
          if verdict == .limit {
            // What is after the bound has no records: only errors outside any, and that one.
            let rest = Array(records)
            #expect(rest.allSatisfy { $0.value == nil && $0.number == 0 })
            #expect([.limit, .complete].contains(records.verdict))
          } else {
            let (lines, end) = FeedPartTests.outcome(records)
            joined += lines
            if end != .complete { verdict = end }
          }
        }
        if verdict == .limit { ended += 1 }
        #expect(verdict == whole.verdict, "\(kind) \(seed) \(options)")
        try #require(joined == whole.lines, "\(kind) \(seed) \(options)")
      }
    }
    #expect(ended > 10)
  }

  @Test(.long, arguments: RandomFeed.Kind.allCases)
  func `a feed that continues elsewhere does so after its last part`(kind: RandomFeed.Kind) throws {
    let pool = WorkerPool(threads: 2)
    let options = FeedOptions(endsHere: false)
    for seed in 0..<UInt64(12) {
      let cut = try Cut(kind, seed)
      let whole = FeedPartTests.outcome(try cut.whole(options))
      var joined: [String] = []
      for (number, part) in cut.parts.enumerated() {
        let records = try cut.mapper.records(
          in: cut.source, part: part, jobs: seed % 3 == 1 ? 3 : nil,
          pool: seed % 3 == 2 ? pool : nil,
          options: options)
        let (lines, verdict) = FeedPartTests.outcome(records)
        joined += lines
        let isLast = part.bytes.upperBound == cut.feed.bytes.count
        if isLast, part.isEmpty { continue }
        #expect(verdict == (isLast ? whole.verdict : .complete), "\(kind) \(seed) \(number)")
      }
      try #require(joined == whole.lines, "\(kind) \(seed)")
    }
  }

  @Test func `what the end of the last part cuts in two is not handed over`() throws {
    let file = try File("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n{\"id\":")
    let source = FeedSource.file(file.path)
    let mapper = try Mapper(output: .raw)
    for jobs in [nil, 2] {
      var found: [(Int, FeedVerdict, Int?)] = []
      for part in try mapper.parts(of: source, format: .ndjson, count: 2) {
        let records = try mapper.records(
          in: source, part: part, jobs: jobs, options: FeedOptions(endsHere: false))
        let count = Array(records).filter { $0.value != nil }.count
        found.append((count, records.verdict, records.position?.offset))
      }
      #expect(found.map(\.0) == [2, 1] && found.map(\.1) == [.complete, .stopped])
      #expect(found.last?.2 == 27)
    }
  }

  @Test func `records are counted in a part only where an index tells their numbers`() throws {
    let file = try File("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
    let source = FeedSource.file(file.path)
    let mapper = try Mapper(output: .raw)
    let options = FeedOptions(maximumRecords: 2)
    let parts = try mapper.parts(of: source, format: .ndjson, count: 2)
    for jobs in [nil, 3] {
      let error = #expect(throws: MappingError.self) {
        try mapper.records(in: source, part: parts[1], jobs: jobs, options: options)
      }
      #expect(
        error?.message
          == "expected an index of the feed, since FeedOptions.maximumRecords counts from the start of the feed, found none"
      )
    }
    // Bytes need none.
    let bytes = try mapper.records(
      in: source, part: parts[1], options: FeedOptions(maximumBytes: 20))
    #expect(Array(bytes).map { $0.error?.code } == [.limitExceeded] && bytes.verdict == .limit)
  }

  @Test func `a part that is late ends with its deadline`() throws {
    let cut = try Cut(.document, 3)
    for (jobs, pool) in [(nil, nil), (3, nil), (nil, WorkerPool(threads: 1))] {
      let records = try cut.mapper.records(
        in: cut.source, part: cut.parts[1], jobs: jobs,
        pool: pool, options: FeedOptions(deadline: .now - .seconds(1)))
      #expect(Array(records).map { $0.error?.code } == [.limitExceeded])
      #expect(records.verdict == .limit)
    }
  }

  @Test(arguments: RandomFeed.Kind.allCases)
  func `an observer hears the whole feed from the parts together`(kind: RandomFeed.Kind) throws {
    for seed in 0..<UInt64(4) {
      let cut = try Cut(kind, seed)
      let whole = IngestTests.Store()
      for _ in try cut.whole(FeedOptions(observer: whole)) {}
      let all = try whole.summary()
      for pool in [nil, WorkerPool(threads: 2)] {
        let store = IngestTests.Store()
        let options = FeedOptions(observer: store)
        for part in cut.parts {
          for _ in try cut.mapper.records(in: cut.source, part: part, pool: pool, options: options)
          {}
        }
        let total = store.total.withLock { $0 }
        #expect(total.records == all.records && total.mapped == all.mapped)
        #expect(total.rejected == all.rejected && total.issues == all.issues)
        #expect(total.bytes == cut.feed.bytes.count, "\(kind) \(seed)")
        let summaries = store.summaries.withLock { $0 }
        #expect(summaries.count == 5)
        let heard = { (store: IngestTests.Store) in
          store.heard.withLock { $0.filter { $0.hasPrefix("rejected") } }
        }
        #expect(heard(store) == heard(whole))
      }
    }
  }

  @Test func `an observer of a part without an index hears no numbers`() throws {
    let file = try File("{\"id\":1}\n{\"id\":2}\n{\"id\":\"x\"}\n{]\n")
    let mapper = try Mapper(output: .object([OutputField("id", from: "id", .int64)]))
    let part = try mapper.part(2, of: 2, in: .file(file.path), format: .ndjson)
    for pool in [nil, WorkerPool(threads: 1)] {
      let store = IngestTests.Store()
      for _ in try mapper.records(
        in: .file(file.path), part: part, pool: pool, options: FeedOptions(observer: store))
      {}
      #expect(
        store.heard.withLock { $0 }.filter { $0.hasPrefix("rejected") } == [
          "rejected 0", "rejected 0",
        ])
      let summary = try store.summary()
      #expect(summary.records == 2 && summary.rejected == 2 && summary.bytes == 14)
      #expect(summary.firstRejects.map(\.record) == [0, 0])
    }
  }

  @Test(.long, arguments: RandomFeed.Kind.allCases)
  func `a part continues at each of its positions`(kind: RandomFeed.Kind) throws {
    var taken = 0
    for seed in 0..<UInt64(TestExtent.isLong ? 6 : 3) {
      let cut = try Cut(kind, seed, every: 60, count: 4)
      for part in cut.parts where !part.isEmpty {
        let whole = FeedPartTests.outcome(try cut.mapper.records(in: cut.source, part: part))
        let records = try cut.mapper.records(in: cut.source, part: part)
        var positions: [(count: Int, position: FeedPosition)] = []
        var count = 0
        while true {
          if let position = records.position { positions.append((count, position)) }
          guard records.next() != nil else { break }
          count += 1
        }
        for (count, position) in positions {
          let rest = FeedPartTests.outcome(
            try cut.mapper.records(
              in: cut.source, part: part, jobs: taken % 5 == 0 ? 2 : 1,
              from: try FeedPartTests.sent(position)))
          taken += 1
          try #require(
            rest.lines == Array(whole.lines[count...])
              // After an error that ends a feed, there is none any more.
              && (rest.verdict == whole.verdict || rest.lines.isEmpty && rest.verdict == .complete),
            "\(kind) \(seed), part \(part.number) of \(part.bytes), from \(position)")
        }
      }
    }
    #expect(taken > (TestExtent.isLong ? 30 : 15))
  }

  @Test(arguments: RandomFeed.Kind.allCases)
  func `lines of output and columns of parts are those of the whole`(kind: RandomFeed.Kind) throws {
    for seed in 0..<UInt64(5) {
      let cut = try Cut(kind, seed)
      let plan = try cut.feed.plan()
      for jobs in [1, 3] {
        func lines(_ part: FeedPart?) throws -> Output {
          let reading = try part.map { try cut.mapper.reading($0, of: cut.source) }
          func pieces<Converter: PieceConverter>(
            of converter: Converter, _ take: (Converter) throws -> Void
          ) throws -> [String] {
            let feed = try PieceFeed(
              converter, try reading?.open(cut.source) ?? cut.source.open(from: 0),
              format: cut.feed.format, named: nil, part: reading)
            var rejects: [String] = []
            do {
              while try feed.next({ if let error = $0.error { rejects.append("\(error)") } }) {
                try take(converter)
              }
            } catch let error as MappingError {
              rejects.append("the end: \(error)")
            }
            return rejects
          }
          var output = Output()
          output.rejects = try pieces(of: LineConverter(plan, jobs: jobs)) {
            output.lines += $0.take()
          }
          let columns = try ColumnConverter(plan, ColumnPlan(plan.record), jobs: jobs)
          output.columnRejects = try pieces(of: columns) {
            output.rows += $0.columns.rows
            try Self.discard($0.columns)
          }
          return output
        }
        let whole = try lines(nil)
        let parts = try cut.parts.map { try lines($0) }
        var joined = Output()
        for part in parts {
          joined.lines += part.lines
          joined.rows += part.rows
          joined.rejects += part.rejects
          joined.columnRejects += part.columnRejects
        }
        #expect(joined == whole, "\(kind) \(seed)")
      }
    }
  }

  private struct Output: Equatable {
    var lines: [UInt8] = []
    var rows = 0
    var rejects: [String] = []
    var columnRejects: [String] = []
  }

  /// Takes columns as an `ArrowArray`, and releases it.
  private static func discard(_ columns: RecordColumns) throws {
    let array = UnsafeMutableRawPointer.allocate(byteCount: 80, alignment: 8)
    defer { array.deallocate() }
    try columns.take(into: array)
    typealias Release = @convention(c) (UnsafeMutableRawPointer) -> Void
    // After five integers and three pointers.
    let release = try #require(array.load(fromByteOffset: 64, as: Release?.self))
    release(array)
  }
}
