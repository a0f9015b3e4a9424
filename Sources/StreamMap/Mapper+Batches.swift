// Batches of a feed whose buffers come asynchronously, and the whole way of a feed into a store.

extension Mapper {
  /// The records of a feed that comes in buffers, in batches.
  ///
  /// ```swift
  /// for try await batch in try mapper.batches(in: request.body, options: .untrusted) {
  ///   try await database.insert(batch.values, position: batch.position)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - buffers: Buffers of bytes, cut anywhere.
  ///   - paths: Where in each document the records are; without paths, where the mapper's mapping file says, or each
  ///     document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says, or
  ///     the first bytes.
  ///   - position: Where to resume, a value of ``FeedBatch/position``: the buffers start at its offset. Without one, reading
  ///     begins at the start.
  ///   - name: The feed's name, for fields of mapping files with `meta: file`, and for observers.
  ///   - options: What the feed may demand, how large a batch is, and who watches the feed.
  /// - Returns: The batches, in their order.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested.
  public func batches<Buffers: AsyncSequence & Sendable>(
    in buffers: Buffers, at paths: RecordPaths = [], format: FeedFormat = .auto,
    from position: FeedPosition? = nil, named name: String? = nil,
    options: FeedOptions = FeedOptions()
  ) throws(DefinitionError) -> AsyncBatches<Value, Buffers>
  where Buffers.Element: FeedBuffer {
    let pump = pump(of: buffers, position, options)
    let feed = try feed(buffers, paths, format, position, name, options, pump)
    return batches(of: feed, position, name, options, keep: FeedTally.defaultRejects)
  }

  /// What requests the buffers, where a batch must not wait for them without end.
  fileprivate func pump<Buffers: AsyncSequence & Sendable>(
    of buffers: Buffers, _ position: FeedPosition?, _ options: FeedOptions
  ) -> BufferPump? where Buffers.Element: FeedBuffer {
    options.batch.delay == nil ? nil : BufferPump(buffers, from: position?.offset ?? 0)
  }

  fileprivate func batches<Buffers: AsyncSequence & Sendable>(
    of feed: AsyncFeed<Value, Buffers>, _ position: FeedPosition?, _ name: String?,
    _ options: FeedOptions, keep: Int, _ budget: ErrorBudget? = nil
  ) -> AsyncBatches<Value, Buffers> {
    let tally = FeedTally(
      named: name, from: position?.offset ?? 0, keeping: keep, options)
    return AsyncBatches(feed, tally, options, budget, from: position)
  }

  /// Takes a feed into a store: reads it, maps it, stores it batch by batch, and says what became of it.
  ///
  /// ```swift
  /// let summary = try await orders.ingest(request.body, options: .untrusted) { batch in
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
  ///   - buffers: Buffers of bytes, cut anywhere.
  ///   - paths: Where in each document the records are; without paths, where the mapper's mapping file says, or each
  ///     document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says, or
  ///     the first bytes.
  ///   - position: Where to resume, a value of ``FeedBatch/position``: the buffers start at its offset. Without one, reading
  ///     begins at the start.
  ///   - name: The feed's name, for fields of mapping files with `meta: file`, and for observers.
  ///   - options: What the feed may demand, how large a batch is, and who watches the feed.
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
    _ buffers: Buffers, at paths: RecordPaths = [], format: FeedFormat = .auto,
    from position: FeedPosition? = nil, named name: String? = nil,
    options: FeedOptions = FeedOptions(), rejections: ErrorBudget = ErrorBudget(), keep: Int = 20,
    isolation actor: isolated (any Actor)? = #isolation,
    store: nonisolated(nonsending) (FeedBatch<Value>) async throws -> Void
  ) async throws -> FeedSummary where Buffers.Element: FeedBuffer {
    try await ingestion(of: buffers, paths, format, position, name, options, rejections, keep)
      .store(isolation: actor, by: store)
  }

  @usableFromInline
  func ingestion<Buffers: AsyncSequence & Sendable>(
    of buffers: Buffers, _ paths: RecordPaths, _ format: FeedFormat, _ position: FeedPosition?,
    _ name: String?, _ options: FeedOptions, _ rejections: ErrorBudget, _ keep: Int
  ) throws(DefinitionError) -> AsyncBatches<Value, Buffers> where Buffers.Element: FeedBuffer {
    let pump = pump(of: buffers, position, options)
    let feed = try feed(buffers, paths, format, position, name, options, pump)
    return batches(of: feed, position, name, options, keep: keep, rejections)
  }
}

extension Mapper where Value: Sendable {
  /// The records of a feed that comes in buffers, in batches, mapped by several threads.
  ///
  /// The records and their order are the same as with one thread. A batch may have more records than ``FeedOptions/batch`` says:
  /// those that were mapped together stay together. A separate task requests the buffers and reads some of them ahead.
  ///
  /// - Parameters:
  ///   - buffers: Buffers of bytes, cut anywhere.
  ///   - paths: Where in each document the records are; without paths, where the mapper's mapping file says, or each
  ///     document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says, or
  ///     the first bytes.
  ///   - jobs: How many threads map, from 1 to 64; without it, the caller's task alone, or as many as the pool has.
  ///   - pool: The threads, which other feeds share; without it, the feed has `jobs` threads of its own.
  ///   - position: Where to resume, a value of ``FeedBatch/position``: the buffers start at its offset. Without one, reading
  ///     begins at the start.
  ///   - name: The feed's name, for fields of mapping files with `meta: file`, and for observers.
  ///   - options: What the feed may demand, how large a batch is, and who watches the feed.
  /// - Returns: The batches, in their order.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested.
  public func batches<Buffers: AsyncSequence & Sendable>(
    in buffers: Buffers, at paths: RecordPaths = [], format: FeedFormat = .auto, jobs: Int? = nil,
    pool: WorkerPool? = nil,
    from position: FeedPosition? = nil, named name: String? = nil,
    options: FeedOptions = FeedOptions()
  ) throws(DefinitionError) -> AsyncBatches<Value, Buffers>
  where Buffers.Element: FeedBuffer {
    let pump = pump(of: buffers, position, options)
    let feed = try feed(buffers, paths, format, jobs, pool, position, name, options, pump)
    return batches(of: feed, position, name, options, keep: FeedTally.defaultRejects)
  }

  /// Takes a feed into a store, mapped by several threads: see
  /// ``ingest(_:at:format:from:named:options:rejections:keep:isolation:store:)``.
  ///
  /// What is stored, and the summary, are the same as with one thread, but for the sizes of the batches: what was mapped
  /// together stays together, so the number of records that fail is checked after each batch, too. A separate task requests the buffers and reads some of them ahead of the store.
  ///
  /// - Parameters:
  ///   - buffers: Buffers of bytes, cut anywhere.
  ///   - paths: Where in each document the records are; without paths, where the mapper's mapping file says, or each
  ///     document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says, or
  ///     the first bytes.
  ///   - jobs: How many threads map, from 1 to 64; without it, the caller's task alone, or as many as the pool has.
  ///   - pool: The threads, which other feeds share; without it, the feed has `jobs` threads of its own.
  ///   - position: Where to resume, a value of ``FeedBatch/position``: the buffers start at its offset. Without one, reading
  ///     begins at the start.
  ///   - name: The feed's name, for fields of mapping files with `meta: file`, and for observers.
  ///   - options: What the feed may demand, how large a batch is, and who watches the feed.
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
    _ buffers: Buffers, at paths: RecordPaths = [], format: FeedFormat = .auto, jobs: Int? = nil,
    pool: WorkerPool? = nil,
    from position: FeedPosition? = nil, named name: String? = nil,
    options: FeedOptions = FeedOptions(), rejections: ErrorBudget = ErrorBudget(), keep: Int = 20,
    isolation actor: isolated (any Actor)? = #isolation,
    store: nonisolated(nonsending) (FeedBatch<Value>) async throws -> Void
  ) async throws -> FeedSummary where Buffers.Element: FeedBuffer {
    try await ingestion(
      of: buffers, paths, format, jobs, pool, position, name, options, rejections, keep
    ).store(isolation: actor, by: store)
  }

  @usableFromInline
  func ingestion<Buffers: AsyncSequence & Sendable>(
    of buffers: Buffers, _ paths: RecordPaths, _ format: FeedFormat, _ jobs: Int?,
    _ pool: WorkerPool?, _ position: FeedPosition?, _ name: String?, _ options: FeedOptions,
    _ rejections: ErrorBudget, _ keep: Int
  ) throws(DefinitionError) -> AsyncBatches<Value, Buffers> where Buffers.Element: FeedBuffer {
    let pump = pump(of: buffers, position, options)
    let feed = try feed(buffers, paths, format, jobs, pool, position, name, options, pump)
    return batches(of: feed, position, name, options, keep: keep, rejections)
  }
}
