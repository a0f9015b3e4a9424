import Testing

@testable import StreamMap

/// Which threads map a feed whose options name a pool.
@Suite struct PoolRouteTests {
  @Test func `a pool maps also where no number of jobs is given`() async throws {
    // The threads of a pool run no task.
    let mapper = try Mapper(
      Mapping<Bool>.converted(from: .int) { _ in
        withUnsafeCurrentTask { $0 == nil }
      } reverse: { _ in
        0
      })
    let bytes = Array(String(repeating: "1\n", count: 50_000).utf8)
    let options = FeedOptions(pool: WorkerPool(threads: 2))
    var areOfPool: [Bool] = []
    for try await record in try mapper.records(
      in: FeedRoutes.buffers(bytes, 5000), format: .ndjson, options: options)
    { areOfPool.append(try record.get()) }
    for try await batch in try mapper.batches(
      in: FeedRoutes.buffers(bytes, 5000), format: .ndjson, options: options)
    { areOfPool += batch.values }
    _ = try await mapper.ingest(
      FeedRoutes.buffers(bytes, 5000), format: .ndjson, options: options
    ) { areOfPool += $0.values }
    #expect(areOfPool == Array(repeating: true, count: 150_000))
  }
}
