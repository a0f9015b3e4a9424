// Batches of a feed whose buffers come asynchronously, and the whole way of a feed into a store.

extension Mapper {
  /// The records of a feed that comes in buffers, in batches.
  ///
  /// ```swift
  /// for try await batch in try mapper.batches(in: Feed(request.body, options: .untrusted)) {
  ///   try await database.insert(batch.values, position: batch.position)
  /// }
  /// ```
  ///
  /// - Parameter feed: The buffers, and how they are read.
  /// - Returns: The batches, in their order.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested.
  public func batches<Buffers: AsyncSequence & Sendable>(
    in feed: Feed<Buffers>
  ) throws(DefinitionError) -> AsyncBatches<Value, Buffers> where Buffers.Element: FeedBuffer {
    try batches(in: feed, keep: FeedTally.defaultRejects)
  }

  /// Takes a feed into a store: reads it, maps it, stores it batch by batch, and says what became of it.
  ///
  /// ```swift
  /// let summary = try await orders.ingest(Feed(request.body, options: .untrusted)) { batch in
  ///   try await database.insert(batch.values, position: batch.position)
  /// }
  /// ```
  ///
  /// The next buffer is read only after a batch is stored, so memory is bounded by ``FeedOptions/batch`` and the limits. Whatever ends
  /// the feed is in the summary: it never ends early in silence. The records before that are stored first, in a last, shorter
  /// batch.
  ///
  /// Where more records fail than the budget allows, the verdict is ``FeedVerdict/rejected``. The number is checked at each record
  /// that fails; the share after each batch.
  ///
  /// - Parameters:
  ///   - feed: The buffers, and how they are read.
  ///   - rejections: How many records may fail; by default any number.
  ///   - keep: How many of the first rejects the summary has.
  ///   - actor: The actor of the caller.
  ///   - store: Stores a batch: its values, and its position with them. What it throws ends the reading.
  /// - Returns: What became of the feed.
  /// - Throws: `CancellationError` if the task is cancelled; what `store` and the buffers throw, as they are;
  ///   ``DefinitionError`` if a path cannot be read or records would be nested; ``MappingError`` if memory runs out, or
  ///   (`invalidDefinition`) the position cannot belong to such a feed.
  // PERF: inlinable, so that values are made in code for the caller's own types.
  @inlinable
  public func ingest<Buffers: AsyncSequence & Sendable>(
    _ feed: Feed<Buffers>, rejections: ErrorBudget = ErrorBudget(), keep: Int = 20,
    isolation actor: isolated (any Actor)? = #isolation,
    store: nonisolated(nonsending) (FeedBatch<Value>) async throws -> Void
  ) async throws -> FeedSummary where Buffers.Element: FeedBuffer {
    try await batches(in: feed, keep: keep, rejections).store(isolation: actor, by: store)
  }

  @usableFromInline
  func batches<Buffers: AsyncSequence & Sendable>(
    in feed: Feed<Buffers>, keep: Int, _ budget: ErrorBudget? = nil
  ) throws(DefinitionError) -> AsyncBatches<Value, Buffers> where Buffers.Element: FeedBuffer {
    let request = try request(for: feed)
    return batches(of: asyncFeed(feed.source, request, pump(of: feed)), request, keep: keep, budget)
  }

  /// What requests the buffers, where a batch must not wait for them without end.
  fileprivate func pump<Buffers: AsyncSequence & Sendable>(
    of feed: Feed<Buffers>
  ) -> BufferPump? where Buffers.Element: FeedBuffer {
    feed.options.batch.delay == nil
      ? nil : BufferPump(feed.source, from: feed.position?.offset ?? 0)
  }

  fileprivate func batches<Buffers: AsyncSequence & Sendable>(
    of feed: AsyncFeed<Value, Buffers>, _ request: FeedRequest, keep: Int, _ budget: ErrorBudget?
  ) -> AsyncBatches<Value, Buffers> {
    let tally = FeedTally(
      named: request.name, from: request.position?.offset ?? 0, keeping: keep, request.options)
    return AsyncBatches(feed, tally, request.options, budget, from: request.position)
  }
}

extension Mapper where Value: Sendable {
  /// The records of a feed that comes in buffers, in batches, mapped by several threads.
  ///
  /// The records and their order are the same as with one thread. A batch may have more records than ``FeedOptions/batch`` says:
  /// those that were mapped together stay together. A separate task requests the buffers and reads some of them ahead.
  ///
  /// - Parameters:
  ///   - feed: The buffers, and how they are read.
  ///   - jobs: How many threads map, from 1 to 64; without it, the caller's task alone, or as many as the pool has.
  ///   - pool: The threads, which other feeds share; without it, the feed has `jobs` threads of its own.
  /// - Returns: The batches, in their order.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested.
  public func batches<Buffers: AsyncSequence & Sendable>(
    in feed: Feed<Buffers>, jobs: Int? = nil, pool: WorkerPool? = nil
  ) throws(DefinitionError) -> AsyncBatches<Value, Buffers> where Buffers.Element: FeedBuffer {
    try batches(in: feed, jobs, pool, keep: FeedTally.defaultRejects)
  }

  /// Takes a feed into a store, mapped by several threads: see ``ingest(_:rejections:keep:isolation:store:)``.
  ///
  /// What is stored, and the summary, are the same as with one thread, but for the sizes of the batches: what was mapped
  /// together stays together, so the number of records that fail is checked after each batch, too. A separate task requests the
  /// buffers and reads some of them ahead of the store.
  ///
  /// - Parameters:
  ///   - feed: The buffers, and how they are read.
  ///   - jobs: How many threads map, from 1 to 64; without it, the caller's task alone, or as many as the pool has.
  ///   - pool: The threads, which other feeds share; without it, the feed has `jobs` threads of its own.
  ///   - rejections: How many records may fail; by default any number.
  ///   - keep: How many of the first rejects the summary has.
  ///   - actor: The actor of the caller.
  ///   - store: Stores a batch: its values, and its position with them. What it throws ends the reading.
  /// - Returns: What became of the feed.
  /// - Throws: As ``ingest(_:rejections:keep:isolation:store:)``.
  // PERF: inlinable, so that values are made in code for the caller's own types.
  @inlinable
  public func ingest<Buffers: AsyncSequence & Sendable>(
    _ feed: Feed<Buffers>, jobs: Int? = nil, pool: WorkerPool? = nil,
    rejections: ErrorBudget = ErrorBudget(), keep: Int = 20,
    isolation actor: isolated (any Actor)? = #isolation,
    store: nonisolated(nonsending) (FeedBatch<Value>) async throws -> Void
  ) async throws -> FeedSummary where Buffers.Element: FeedBuffer {
    try await batches(in: feed, jobs, pool, keep: keep, rejections)
      .store(isolation: actor, by: store)
  }

  @usableFromInline
  func batches<Buffers: AsyncSequence & Sendable>(
    in feed: Feed<Buffers>, _ jobs: Int?, _ pool: WorkerPool?, keep: Int,
    _ budget: ErrorBudget? = nil
  ) throws(DefinitionError) -> AsyncBatches<Value, Buffers> where Buffers.Element: FeedBuffer {
    let request = try request(for: feed)
    return batches(
      of: asyncFeed(feed.source, request, jobs, pool, pump(of: feed)), request, keep: keep, budget)
  }
}
