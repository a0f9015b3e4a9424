// The records of a feed: from a file, from memory, or from buffers that come asynchronously; by one thread or by several.

extension Mapper {
  /// The records of a file, a pipe or a socket.
  ///
  /// ```swift
  /// for record in try mapper.records(in: Feed(.file("people.json"), at: "$.people[*]")) { … }
  /// ```
  ///
  /// - Parameter feed: What is read, and how.
  /// - Returns: The records, in their order.
  /// - Throws: ``MappingError`` (`io`) if the file cannot be opened, (`invalidDefinition`) if the position cannot
  ///   belong to such a feed; ``DefinitionError`` if a path cannot be read or records would be nested.
  public func records(in feed: Feed<FeedSource>) throws -> RecordSequence<Value> {
    let request = try request(for: feed)
    let input = try feed.input()
    return sequence(request, try makeRoute(request), input)
  }

  /// The records of a feed in memory.
  ///
  /// - Parameter feed: The bytes, and how they are read.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested; ``MappingError``
  ///   (`invalidDefinition`) if the position cannot belong to such a feed.
  public func records(in feed: Feed<some FeedBuffer>) throws -> RecordSequence<Value> {
    let request = try request(for: feed)
    return sequence(request, try makeRoute(request), feed.input())
  }

  /// The records of a feed that comes in buffers of any size, such as those of a network connection.
  ///
  /// ```swift
  /// for try await record in try mapper.records(in: Feed(request.body, at: "$.people[*]")) { … }
  /// ```
  ///
  /// - Parameter feed: The buffers, and how they are read.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested.
  public func records<Buffers: AsyncSequence>(
    in feed: Feed<Buffers>
  ) throws(DefinitionError) -> AsyncRecords<Value, Buffers> where Buffers.Element: FeedBuffer {
    let request = try request(for: feed)
    return AsyncRecords(asyncFeed(feed.source, request), request.tally)
  }

  /// A feed whose records are made by the task that takes them; its buffers may come by a pump.
  func asyncFeed<Buffers: AsyncSequence>(
    _ buffers: Buffers, _ request: FeedRequest, _ pump: BufferPump? = nil
  ) -> AsyncFeed<Value, Buffers> {
    AsyncFeed(
      buffers, request.selection, from: request.position, endsHere: request.options.endsHere,
      .one({ () throws(MappingError) in try makeEngine(request) }, pump))
  }

  private func sequence(
    _ request: FeedRequest, _ route: Route<Value>, _ input: any FeedInput
  ) -> RecordSequence<Value> {
    RecordSequence(
      route, input, endsHere: request.options.endsHere, hidesValues: request.selection.hidesValues,
      request.tally)
  }
}

extension Mapper where Value: Sendable {
  /// The records of a file, a pipe or a socket, mapped by several threads.
  ///
  /// ```swift
  /// for record in try mapper.records(in: Feed(.file("people.ndjson")), jobs: 4) { … }
  /// ```
  ///
  /// The records and their order are the same as with one thread. Your own conversions run on those threads.
  ///
  /// - Parameters:
  ///   - feed: What is read, and how.
  ///   - jobs: How many threads map, from 1 to 64; without it, the caller's thread alone, or as many as the pool has.
  ///   - pool: The threads, which other feeds share; without it, the feed has `jobs` threads of its own.
  /// - Returns: The records, in their order.
  /// - Throws: ``MappingError`` (`io`) if the file cannot be opened, (`invalidDefinition`) if the position cannot
  ///   belong to such a feed; ``DefinitionError`` if a path cannot be read or records would be nested.
  public func records(
    in feed: Feed<FeedSource>, jobs: Int? = nil, pool: WorkerPool? = nil
  ) throws -> RecordSequence<Value> {
    let request = try request(for: feed)
    let input = try feed.input()
    return sequence(request, try makeRoute(request, jobs, pool), input)
  }

  /// The records of a feed in memory, mapped by several threads.
  ///
  /// The records and their order are the same as with one thread. Your own conversions run on those threads.
  ///
  /// - Parameters:
  ///   - feed: The bytes, and how they are read.
  ///   - jobs: How many threads map, from 1 to 64; without it, the caller's thread alone, or as many as the pool has.
  ///   - pool: The threads, which other feeds share; without it, the feed has `jobs` threads of its own.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested; ``MappingError``
  ///   (`invalidDefinition`) if the position cannot belong to such a feed.
  public func records(
    in feed: Feed<some FeedBuffer>, jobs: Int? = nil, pool: WorkerPool? = nil
  ) throws -> RecordSequence<Value> {
    let request = try request(for: feed)
    return sequence(request, try makeRoute(request, jobs, pool), feed.input())
  }

  /// The records of a feed that comes in buffers, mapped by several threads.
  ///
  /// The records and their order are the same as with one thread. Your own conversions run on those threads. A separate
  /// task requests the buffers and reads some of them ahead, which stay in memory while their records are taken; the
  /// task ends with the feed, or when the sequence is no longer in use.
  ///
  /// - Parameters:
  ///   - feed: The buffers, and how they are read.
  ///   - jobs: How many threads map, from 1 to 64; without it, the caller's thread alone, or as many as the pool has.
  ///   - pool: The threads, which other feeds share; without it, the feed has `jobs` threads of its own.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested.
  public func records<Buffers: AsyncSequence & Sendable>(
    in feed: Feed<Buffers>, jobs: Int? = nil, pool: WorkerPool? = nil
  ) throws(DefinitionError) -> AsyncRecords<Value, Buffers> where Buffers.Element: FeedBuffer {
    let request = try request(for: feed)
    return AsyncRecords(asyncFeed(feed.source, request, jobs, pool), request.tally)
  }

  /// A feed whose records are made by several threads.
  func asyncFeed<Buffers: AsyncSequence & Sendable>(
    _ buffers: Buffers, _ request: FeedRequest, _ jobs: Int?, _ pool: WorkerPool?,
    _ pump: BufferPump? = nil
  ) -> AsyncFeed<Value, Buffers> {
    guard let jobs = bounded(jobs, pool, request) else {
      return asyncFeed(buffers, request, pump)
    }
    // What makes the reader and the workers lives as long as the records, and the pool may end before: so they get no options.
    let (selection, format, name) = (request.selection, request.format, request.name)
    let (limits, demands) = (request.options.limits ?? limits, request.options.demands)
    return AsyncFeed(
      buffers, selection, from: request.position, endsHere: request.options.endsHere,
      .parallel(
        ParallelAsyncRecords(
          buffers, jobs: jobs, pool: pool, from: request.position,
          endsHere: request.options.endsHere,
          { () throws(MappingError) in
            try makeBatchReader(selection, format: format, named: name, limits, demands)
          }, makeBatchWorker(selection, named: name, limits))))
  }

  /// The route of a feed whose records several threads make, or the caller's.
  func makeRoute(
    _ request: FeedRequest, _ jobs: Int?, _ pool: WorkerPool?
  ) throws(MappingError) -> Route<Value> {
    guard let jobs = bounded(jobs, pool, request) else { return try makeRoute(request) }
    return .parallel(try makeParallelEngine(request, jobs: jobs, pool: pool))
  }

  /// How many batches are mapped at a time; nil if the caller maps each record when it is asked for.
  ///
  /// More than 64 would have nothing to do: one thread reads or splits the feed for all of them.
  private func bounded(_ jobs: Int?, _ pool: WorkerPool?, _ request: FeedRequest) -> Int? {
    // Where a malformed record ends is only known when everything before it is read.
    if request.options.resynchronizes { return nil }
    let jobs = jobs ?? pool?.threadCount ?? 1
    return jobs <= 1 && pool == nil ? nil : min(max(jobs, 1), 64)
  }
}

extension Feed where Source == FeedSource {
  /// Opens it where reading begins.
  fileprivate func input() throws(MappingError) -> any FeedInput {
    try source.open(from: position?.offset ?? 0)
  }
}

extension Feed where Source: FeedBuffer {
  /// The bytes from where reading begins.
  fileprivate func input() -> any FeedInput {
    MemoryInput(source, from: position?.offset ?? 0)
  }
}
