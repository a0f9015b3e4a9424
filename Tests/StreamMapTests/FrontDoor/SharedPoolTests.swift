import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Any number of feeds over the threads of one pool.
@Suite struct SharedPoolTests {
  struct Item: Sendable {
    let n: Int
    let text: String
  }

  /// Which threads map, and how many records they map at a time.
  final class Watch: Sendable {
    private struct State {
      var threads: Set<String> = []
      var now = 0
      var most = 0
    }
    private let state = Locked(State())

    var threadCount: Int { state.withLock { $0.threads.count } }
    var mostAtATime: Int { state.withLock { $0.most } }

    func during(_ body: () -> Void) {
      let thread = "\(pthread_self())"
      state.withLock {
        $0.threads.insert(thread)
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      body()
      state.withLock { $0.now -= 1 }
    }
  }

  struct Odd: Error {}

  /// A mapping whose conversion is watched, and throws for each number that ends in 7.
  private static func mapper(_ watch: Watch? = nil, _ body: @escaping @Sendable () -> Void = {})
    throws -> Mapper<Item>
  {
    let number = Mapping<Int>.converted(from: .int) { number throws in
      watch?.during(body)
      if number % 10 == 7 { throw Odd() }
      return number
    } reverse: {
      $0
    }
    return try Mapper(
      Mapping.object(Item.self) { field in
        field.make(Item.init, field("n", \.n, number), field("text", \.text))
      })
  }

  private static func line(_ number: Int, size: Int = 20) -> String {
    "{\"n\":\(number),\"skipped\":[{\"a\":1}],\"text\":\"\(String(repeating: "z", count: size))\"}\n"
  }

  private static func lines(_ count: Int) -> String { (0..<count).map { line($0) }.joined() }

  private static func describe(_ records: some Sequence<Record<Item>>) -> String {
    Routes.describe(Array(records)) { "\($0.n) \($0.text.utf8.count)" }
  }

  /// Buffers of a size, with a pause after each; endless ones begin again after the last.
  private static func buffers(
    _ text: String, size: Int, pause: Duration? = nil, then error: (any Error)? = nil,
    isEndless: Bool = false
  ) -> AsyncThrowingStream<[UInt8], any Error> {
    let rest = Locked(ArraySlice(text.utf8))
    return AsyncThrowingStream {
      if let pause { try await Task.sleep(for: pause) }
      let next = rest.withLock { rest in
        if rest.isEmpty, isEndless { rest = ArraySlice(text.utf8) }
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size)
      }
      if next.isEmpty, let error { throw error }
      return next.isEmpty ? nil : Array(next)
    }
  }

  private static func soon(_ isSo: () -> Bool) async throws -> Bool {
    for _ in 0..<4000 {
      if isSo() { return true }
      try await Task.sleep(for: .milliseconds(2))
    }
    return false
  }

  // MARK: Routes

  @Test(arguments: 0..<5)
  func `a pool maps whatever way records are asked for`(route: Int) async throws {
    let started = Locked(0)
    let pool = WorkerPool(exactly: 2) { body in
      started.withLock { $0 += 1 }
      return WorkerThread.start(body)
    }
    let text = Self.lines(2000)
    let mapper = try Self.mapper()
    var count = 0
    switch route {
    case 0: for _ in try mapper.records(in: Feed(text.utf8), pool: pool) { count += 1 }
    case 1:
      let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
      defer { try? FileManager.default.removeItem(atPath: path) }
      try Data(text.utf8).write(to: URL(filePath: path))
      for _ in try mapper.records(in: Feed(.file(path)), pool: pool) { count += 1 }
    case 2:
      let records = try mapper.records(in: Feed(Self.buffers(text, size: 9000)), pool: pool)
      for try await _ in records { count += 1 }
    case 3:
      let batches = try mapper.batches(in: Feed(Self.buffers(text, size: 9000)), pool: pool)
      for try await batch in batches { count += batch.records }
    default:
      let buffers = Self.buffers(text, size: 9000)
      let summary = try await mapper.ingest(Feed(buffers), pool: pool) { _ in }
      count = summary.records
    }
    #expect(count == 2000)
    #expect(started.withLock { $0 } > 0)
  }

  // MARK: Many feeds

  struct Broken: Error {}

  /// What a client or a consumer does.
  enum Fate: Int, CaseIterable, Sendable {
    case whole, trickling, slow, malformed, failing, vanishing, cancelled, document
  }

  /// Takes a feed over the pool, and compares it with what one job makes.
  private static func take(_ fate: Fate, _ number: Int, _ mapper: Mapper<Item>, _ pool: WorkerPool)
    async throws
  {
    var text = lines(50 + number * 3)
    if fate == .malformed { text += "{\"n\":]\n" + lines(20) + "{\"n\":1" }
    if fate == .document {
      text = "{\"list\":[\(text.split(separator: "\n").joined(separator: ","))]}"
    }
    let paths: RecordPaths = fate == .document ? "$.list[*]" : []
    let stream =
      switch fate {
      case .trickling: buffers(text, size: 700, pause: .milliseconds(1))
      case .failing: buffers(text, size: 4096, then: Broken())
      case .cancelled: buffers(text, size: 1 << 14, isEndless: true)
      default: buffers(text, size: 4096)
      }
    let expected = describe(try mapper.records(in: Feed(text.utf8, at: paths)))
    let records = try mapper.records(in: Feed(stream, at: paths), pool: pool)
    var taken: [Record<Item>] = []
    func all() async throws {
      for try await record in records {
        taken.append(record)
        if fate == .slow, taken.count % 50 == 0 { try await Task.sleep(for: .milliseconds(1)) }
        if fate == .vanishing, taken.count == 30 { return }
        if fate == .cancelled, taken.count == 30 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    switch fate {
    case .failing: await #expect(throws: Broken.self) { try await all() }
    case .cancelled:
      await #expect(throws: CancellationError.self) { try await all() }
      #expect(taken.count == 30 && records.verdict == .stopped)
    default: try await all()
    }
    let isWhole = fate != .vanishing && fate != .cancelled
    #expect(isWhole ? describe(taken) == expected : expected.hasPrefix(describe(taken)))
  }

  @Test(.long)
  func `two threads serve two hundred feeds of all kinds as one job would`() async throws {
    let (pool, watch) = (WorkerPool(threads: 2), Watch())
    let (mapper, plain) = (try Self.mapper(watch), try Self.mapper())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        let fate = Fate.allCases[number % Fate.allCases.count]
        group.addTask { try await Self.take(fate, number, plain, pool) }
      }
      // The threads of the pool, and no others.
      for number in 0..<10 {
        group.addTask {
          let stream = Self.buffers(Self.lines(2000), size: 3000 + number)
          var count = 0
          let records = try mapper.records(in: Feed(stream), pool: pool)
          for try await _ in records { count += 1 }
          #expect(count == 2000)
        }
      }
      try await group.waitForAll()
    }
    #expect((1...2).contains(watch.threadCount) && watch.mostAtATime <= 2)
  }

  @Test func `a consumer that stops holds up no other one`() async throws {
    let pool = WorkerPool(threads: 1)
    let mapper = try Self.mapper()
    let stopped = try mapper.records(
      in: Feed(Self.buffers(Self.lines(50_000), size: 1 << 16)), pool: pool)
    #expect(try await stopped.next()?.number == 1)
    let text = Self.lines(20_000)
    var other: [Record<Item>] = []
    for try await record in try mapper.records(
      in: Feed(Self.buffers(text, size: 1 << 16)), pool: pool)
    {
      other.append(record)
    }
    #expect(Self.describe(other) == Self.describe(try mapper.records(in: Feed(text.utf8))))
    var numbers: [Int] = []
    for _ in 2...50_000 {
      if let record = try await stopped.next() { numbers.append(record.number) }
    }
    #expect(numbers == Array(2...50_000))
    #expect(try await stopped.next() == nil)
  }

  @Test func `the calling thread helps to map a feed that it reads`() throws {
    let (pool, watch) = (WorkerPool(threads: 2), Watch())
    let mapper = try Self.mapper(watch)
    let text = Self.lines(30_000)
    let records = try mapper.records(in: Feed(text.utf8), pool: pool)
    #expect(Self.describe(records) == Self.describe(try Self.mapper().records(in: Feed(text.utf8))))
    #expect(watch.threadCount <= 3 && watch.mostAtATime <= 2)
  }

  @Test func `jobs bound the batches of a feed that are mapped at a time`() async throws {
    let (pool, watch) = (WorkerPool(threads: 4), Watch())
    let mapper = try Self.mapper(watch) { usleep(20) }
    let text = Self.lines(4000)
    var count = 0
    for try await _ in try mapper.records(
      in: Feed(Self.buffers(text, size: 5000)), jobs: 1, pool: pool)
    { count += 1 }
    for _ in try mapper.records(in: Feed(text.utf8), jobs: 1, pool: pool) { count += 1 }
    #expect(count == 8000 && watch.mostAtATime == 1)
  }

  // MARK: Batches

  @Test func `batches over a pool lose nothing, and a feed continues after one`() async throws {
    let pool = WorkerPool(threads: 2)
    let mapper = try Self.mapper()
    for path in ["$.list[*]", ""] {
      let paths: RecordPaths = path.isEmpty ? [] : RecordPaths(path)
      let list = Self.lines(2500).split(separator: "\n")
      let text =
        path.isEmpty
        ? list.joined(separator: "\n") : "{\"list\":[\(list.joined(separator: ","))]}"
      let options = FeedOptions(batch: BatchSize(records: 40, rejects: 5))
      let batches = try mapper.batches(
        in: Feed(Self.buffers(text, size: 777), at: paths, options: options), pool: pool)
      var (numbers, positions, rejects) = ([Int](), [FeedPosition](), [Int]())
      for try await batch in batches {
        numbers += batch.values.map(\.n)
        rejects += batch.rejects.map(\.record)
        if let position = batch.position { positions.append(position) }
      }
      let good = (0..<2500).filter { $0 % 10 != 7 }
      #expect(numbers == good && rejects.count == 250 && batches.verdict == .complete)
      // What was mapped together stays together: how much that is depends on how fast the threads are.
      #expect(positions.count > 1)
      let position = positions[positions.count / 2]
      let rest = Self.buffers(String(text.utf8.dropFirst(position.offset)) ?? "", size: 5000)
      var after: [Int] = []
      for try await batch in try mapper.batches(
        in: Feed(rest, at: paths, from: position, options: options), pool: pool)
      { after += batch.values.map(\.n) }
      #expect(after == good.filter { $0 >= position.recordCount })
    }
  }

  @Test func `a feed is ingested over a pool as by its own task`() async throws {
    let pool = WorkerPool(threads: 2)
    let mapper = try Self.mapper()
    let text = Self.lines(3000) + "{]\n" + Self.lines(10)
    for budget in [ErrorBudget(), ErrorBudget(count: 100)] {
      let stored = Locked<[Int]>([])
      let shared = try await mapper.ingest(
        Feed(Self.buffers(text, size: 4000)), pool: pool, rejections: budget
      ) { batch in
        stored.withLock { $0 += batch.values.map(\.n) }
      }
      let own = try await mapper.ingest(Feed(Self.buffers(text, size: 4000)), rejections: budget) {
        _ in
      }
      #expect(shared.verdict == own.verdict)
      #expect(shared.firstRejects.map(\.record) == own.firstRejects.map(\.record))
      #expect(stored.withLock { $0.count } == shared.mapped)
      if budget.count == nil {
        #expect(shared.mapped == own.mapped && shared.rejected == own.rejected)
        #expect(shared.bytes == own.bytes && shared.verdict == .complete)
      }
    }
  }

  // MARK: Records in several batches

  /// Their beginning is mapped, their end is far away, and the only thread serves others.
  @Test func `a record whose rest is to come keeps no thread`() async throws {
    let pool = WorkerPool(threads: 1)
    let mapper = try Mapper(.array(of: .int))
    let (buffers, feed) = AsyncStream<[UInt8]>.makeStream()
    let records = try mapper.records(in: Feed(buffers, format: .json), pool: pool)
    let part = (0..<40_000).map { "\($0)," }.joined()
    let task = Task { try await records.next()?.value }
    feed.yield(Array("[\(part)".utf8))
    for _ in 0..<5 {
      // Until the parts are surely mapped.
      try await Task.sleep(for: .milliseconds(20))
      var numbers: [Int?] = []
      for try await record in try Mapper(.int).records(
        in: Feed(Self.buffers("1\n2\n3\n", size: 2)), pool: pool)
      { numbers.append(record.value) }
      #expect(numbers == [1, 2, 3])
      feed.yield(Array(part.utf8))
    }
    feed.yield(Array("7]".utf8))
    feed.finish()
    let expected = Array(repeatElement(Array(0..<40_000), count: 6).joined()) + [7]
    #expect(try await task.value == expected)
  }

  @Test func `many records larger than batches come whole over one thread`() async throws {
    let pool = WorkerPool(threads: 1)
    let mapper = try Mapper(.array(of: .int))
    let many = (0..<5000).map { "\($0)" }.joined(separator: ",")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...6 {
        group.addTask {
          let text = String(repeating: "[\(many)] \n", count: number)
          let stream = Self.buffers(text, size: 6007, pause: .microseconds(300))
          let records = try mapper.records(in: Feed(stream, format: .concatenated), pool: pool)
          var count = 0
          for try await record in records {
            #expect(record.value == Array(0..<5000))
            count += 1
          }
          #expect(count == number)
        }
      }
      try await group.waitForAll()
    }
  }

  // MARK: Ends

  @Test func `a pool without another owner serves its feeds to their end`() async throws {
    let mapper = try Self.mapper()
    let text = Self.lines(20_000)
    let expected = Self.describe(try mapper.records(in: Feed(text.utf8)))
    let early = try mapper.records(in: Feed(text.utf8), pool: WorkerPool(threads: 2))
    let late = try mapper.records(
      in: Feed(Self.buffers(text, size: 9000)), pool: WorkerPool(threads: 2))
    #expect(Self.describe(early) == expected)
    var all: [Record<Item>] = []
    for try await record in late { all.append(record) }
    #expect(Self.describe(all) == expected)
  }

  @Test func `a pool is let go of when its feeds are over, cancelled or gone`() async throws {
    weak var gone: WorkerPool?
    let mapper = try Self.mapper()
    let text = Self.lines(5000)
    let over = try await {
      let pool = WorkerPool(threads: 2)
      gone = pool
      let over = try mapper.records(in: Feed(Self.buffers(text, size: 9000)), pool: pool)
      for try await _ in over {}
      let read = try mapper.records(in: Feed(text.utf8), pool: pool)
      for _ in read {}
      let cancelled = try mapper.records(in: Feed(Self.buffers(text, size: 900)), pool: pool)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await cancelled.next()?.number
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      for _ in 0..<20 {
        _ = try await mapper.records(in: Feed(Self.buffers(text, size: 9000)), pool: pool).next()
        _ = try mapper.records(in: Feed(text.utf8), pool: pool).next()
      }
      return (over, read)
    }()
    #expect(try await Self.soon { gone == nil })
    #expect(try await over.0.next() == nil && over.1.next() == nil)
  }

  @Test(.long) func `a feed may be cancelled at any moment`() async throws {
    let pool = WorkerPool(threads: 2)
    let mapper = try Self.mapper()
    let text = Self.lines(3000)
    for moment in 0..<120 {
      let records = try mapper.records(in: Feed(Self.buffers(text, size: 4000)), pool: pool)
      let task = Task {
        var count = 0
        for try await record in records {
          count += 1
          #expect(record.number == count)
        }
        return count
      }
      try await Task.sleep(for: .microseconds(moment * moment))
      task.cancel()
      switch await task.result {
      case .success(let count): #expect(count == 3000)
      case .failure(let error): #expect(error is CancellationError)
      }
    }
    let after = try mapper.records(in: Feed(text.utf8), pool: pool)
    #expect(Self.describe(after) == Self.describe(try mapper.records(in: Feed(text.utf8))))
  }

  // MARK: Conversions

  @Test func `a conversion may use the mapper, and throw, on threads of the pool`() async throws {
    let inner = try Self.mapper()
    let mapper = try Self.mapper { _ = inner.decode(Array(Self.line(7).utf8)) }
    let pool = WorkerPool(threads: 2)
    let text = Self.lines(2000)
    var all: [Record<Item>] = []
    for try await record in try mapper.records(in: Feed(Self.buffers(text, size: 4000)), pool: pool)
    {
      all.append(record)
    }
    #expect(Self.describe(all) == Self.describe(try inner.records(in: Feed(text.utf8))))
    #expect(all.filter { $0.error != nil }.count == 200)
  }

  /// Each thread of the pool waits for the pool, at two levels.
  @Test(.long, arguments: [1, 2])
  func `a conversion may map another feed over the pool that it runs on`(threads: Int) async throws
  {
    let pool = WorkerPool(threads: threads)
    let text = Self.lines(60)
    let large = try Mapper(.array(of: .int))
    let record = "[\((0..<2500).map { "\($0)" }.joined(separator: ","))]"
    let innermost = try Self.mapper {
      let found = try? large.records(in: Feed(record.utf8), pool: pool).next()?
        .value
      #expect(found?.count == 2500)
    }
    let inner = try Self.mapper {
      let few = Self.lines(3).utf8
      guard let records = try? innermost.records(in: Feed(few), pool: pool) else {
        return
      }
      #expect(records.reduce(0) { sum, _ in sum + 1 } == 3)
    }
    let plain = Self.describe(try Self.mapper().records(in: Feed(text.utf8)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var all: [Record<Item>] = []
          for try await record in try inner.records(
            in: Feed(Self.buffers(text, size: 4000)), pool: pool)
          { all.append(record) }
          #expect(Self.describe(all) == plain)
        }
      }
      try await group.waitForAll()
    }
  }
}
