// The records of a feed: from a file, from memory, or from buffers that come asynchronously; by one thread or by several.

extension Mapper {
  /// The records of a file, a pipe or a socket.
  ///
  /// ```swift
  /// for record in try mapper.records(in: .file("people.json"), at: "$.people[*]") { … }
  /// ```
  ///
  /// - Parameters:
  ///   - source: What is read, such as `.file("people.json")` or `.standardInput`.
  ///   - paths: Where in each document the records are; without paths, where the mapper's mapping file says, or each
  ///     document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says, or
  ///     the first bytes.
  ///   - position: Where to resume, a value of ``RecordSequence/position``; without one, reading begins at the start.
  ///   - options: What the feed may demand, and who watches it.
  /// - Returns: The records, in their order.
  /// - Throws: ``MappingError`` (`io`) if the file cannot be opened, (`invalidDefinition`) if the position cannot
  ///   belong to such a feed; ``DefinitionError`` if a path cannot be read or records would be nested.
  public func records(
    in source: FeedSource, at paths: RecordPaths = [], format: FeedFormat = .auto,
    from position: FeedPosition? = nil, options: FeedOptions = FeedOptions()
  ) throws -> RecordSequence<Value> {
    let selection = try selection(at: paths)
    let input = try source.open(from: position?.offset ?? 0)
    return try sequence(selection, format, source.name, position, input, options)
  }

  /// The records of a feed in memory.
  ///
  /// - Parameters:
  ///   - bytes: The whole feed, also where reading resumes inside it.
  ///   - paths: Where in each document the records are; without paths, where the mapper's mapping file says, or each
  ///     document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says, or
  ///     the first bytes.
  ///   - position: Where to resume, a value of ``RecordSequence/position``; without one, reading begins at the start.
  ///   - name: The feed's name, for fields of mapping files with `meta: file`.
  ///   - options: What the feed may demand, and who watches it.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested; ``MappingError``
  ///   (`invalidDefinition`) if the position cannot belong to such a feed.
  public func records(
    in bytes: some FeedBuffer, at paths: RecordPaths = [], format: FeedFormat = .auto,
    from position: FeedPosition? = nil, named name: String? = nil,
    options: FeedOptions = FeedOptions()
  ) throws -> RecordSequence<Value> {
    let input = MemoryInput(bytes, from: position?.offset ?? 0)
    return try sequence(try selection(at: paths), format, name, position, input, options)
  }

  /// The records of a feed that comes in buffers of any size, such as those of a network connection.
  ///
  /// ```swift
  /// for try await record in try mapper.records(in: request.body, at: "$.people[*]") { … }
  /// ```
  ///
  /// - Parameters:
  ///   - buffers: Buffers of bytes, cut anywhere.
  ///   - paths: Where in each document the records are; without paths, where the mapper's mapping file says, or each
  ///     document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says, or
  ///     the first bytes.
  ///   - position: Where to resume, a value of ``AsyncRecords/position``: the buffers start at its offset. Without one,
  ///     reading begins at the start.
  ///   - name: The feed's name, for fields of mapping files with `meta: file`.
  ///   - options: What the feed may demand, and who watches it.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested.
  public func records<Buffers: AsyncSequence>(
    in buffers: Buffers, at paths: RecordPaths = [], format: FeedFormat = .auto,
    from position: FeedPosition? = nil, named name: String? = nil,
    options: FeedOptions = FeedOptions()
  ) throws(DefinitionError) -> AsyncRecords<Value, Buffers>
  where Buffers.Element: FeedBuffer {
    AsyncRecords(
      try feed(buffers, paths, format, position, name, options),
      .watched(options, named: name, from: position))
  }

  /// A feed whose records are made by the task that takes them; its buffers may come by a pump.
  func feed<Buffers: AsyncSequence>(
    _ buffers: Buffers, _ paths: RecordPaths, _ format: FeedFormat, _ position: FeedPosition?,
    _ name: String?, _ options: FeedOptions, _ pump: BufferPump? = nil
  ) throws(DefinitionError) -> AsyncFeed<Value, Buffers> {
    let selection = try selection(at: paths)
    let format = format.ofFeed(named: name, or: self.format)
    return AsyncFeed(
      buffers, selection, from: position, endsHere: options.endsHere,
      .one(
        { () throws(MappingError) in
          try makeEngine(selection, format: format, named: name, from: position, options: options)
        }, pump))
  }

  private func sequence(
    _ selection: FeedSelection, _ format: FeedFormat, _ name: String?, _ position: FeedPosition?,
    _ input: any FeedInput, _ options: FeedOptions
  ) throws(MappingError) -> RecordSequence<Value> {
    let format = format.ofFeed(named: name, or: self.format)
    let engine = try makeEngine(
      selection, format: format, named: name, from: position, options: options)
    return RecordSequence(
      .one(engine), input, endsHere: options.endsHere, hidesValues: selection.hidesValues,
      .watched(options, named: name, from: position))
  }
}

extension Mapper where Value: Sendable {
  /// The records of a file, a pipe or a socket, mapped by several threads.
  ///
  /// ```swift
  /// for record in try mapper.records(in: .file("people.ndjson"), jobs: 4) { … }
  /// ```
  ///
  /// The records and their order are the same as with one thread. Your own conversions run on those threads.
  ///
  /// - Parameters:
  ///   - source: What is read, such as `.file("people.json")` or `.standardInput`.
  ///   - paths: Where in each document the records are; without paths, where the mapper's mapping file says, or each
  ///     document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says, or
  ///     the first bytes.
  ///   - jobs: How many threads map, from 1 to 64; without it, the caller's thread alone, or as many as the pool has.
  ///   - pool: The threads, which other feeds share; without it, the feed has `jobs` threads of its own.
  ///   - position: Where to resume, a value of ``RecordSequence/position``; without one, reading begins at the start.
  ///   - options: What the feed may demand, and who watches it.
  /// - Returns: The records, in their order.
  /// - Throws: ``MappingError`` (`io`) if the file cannot be opened, (`invalidDefinition`) if the position cannot
  ///   belong to such a feed; ``DefinitionError`` if a path cannot be read or records would be nested.
  public func records(
    in source: FeedSource, at paths: RecordPaths = [], format: FeedFormat = .auto, jobs: Int? = nil,
    pool: WorkerPool? = nil,
    from position: FeedPosition? = nil, options: FeedOptions = FeedOptions()
  ) throws -> RecordSequence<Value> {
    let selection = try selection(at: paths)
    let input = try source.open(from: position?.offset ?? 0)
    return try sequence(selection, format, source.name, jobs, pool, position, input, options)
  }

  /// The records of a feed in memory, mapped by several threads.
  ///
  /// The records and their order are the same as with one thread. Your own conversions run on those threads.
  ///
  /// - Parameters:
  ///   - bytes: The whole feed, also where reading resumes inside it.
  ///   - paths: Where in each document the records are; without paths, where the mapper's mapping file says, or each
  ///     document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says, or
  ///     the first bytes.
  ///   - jobs: How many threads map, from 1 to 64; without it, the caller's thread alone, or as many as the pool has.
  ///   - pool: The threads, which other feeds share; without it, the feed has `jobs` threads of its own.
  ///   - position: Where to resume, a value of ``RecordSequence/position``; without one, reading begins at the start.
  ///   - name: The feed's name, for fields of mapping files with `meta: file`.
  ///   - options: What the feed may demand, and who watches it.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested; ``MappingError``
  ///   (`invalidDefinition`) if the position cannot belong to such a feed.
  public func records(
    in bytes: some FeedBuffer, at paths: RecordPaths = [], format: FeedFormat = .auto,
    jobs: Int? = nil,
    pool: WorkerPool? = nil, from position: FeedPosition? = nil, named name: String? = nil,
    options: FeedOptions = FeedOptions()
  ) throws -> RecordSequence<Value> {
    let input = MemoryInput(bytes, from: position?.offset ?? 0)
    return try sequence(
      try selection(at: paths), format, name, jobs, pool, position, input, options)
  }

  /// The records of a feed that comes in buffers, mapped by several threads.
  ///
  /// The records and their order are the same as with one thread. Your own conversions run on those threads. A separate
  /// task requests the buffers and reads some of them ahead, which stay in memory while their records are taken; the
  /// task ends with the feed, or when the sequence is no longer in use.
  ///
  /// - Parameters:
  ///   - buffers: Buffers of bytes, cut anywhere.
  ///   - paths: Where in each document the records are; without paths, where the mapper's mapping file says, or each
  ///     document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says, or
  ///     the first bytes.
  ///   - jobs: How many threads map, from 1 to 64; without it, the caller's thread alone, or as many as the pool has.
  ///   - pool: The threads, which other feeds share; without it, the feed has `jobs` threads of its own.
  ///   - position: Where to resume, a value of ``AsyncRecords/position``: the buffers start at its offset. Without one,
  ///     reading begins at the start.
  ///   - name: The feed's name, for fields of mapping files with `meta: file`.
  ///   - options: What the feed may demand, and who watches it.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` if a path cannot be read or records would be nested.
  public func records<Buffers: AsyncSequence & Sendable>(
    in buffers: Buffers, at paths: RecordPaths = [], format: FeedFormat = .auto, jobs: Int? = nil,
    pool: WorkerPool? = nil,
    from position: FeedPosition? = nil, named name: String? = nil,
    options: FeedOptions = FeedOptions()
  ) throws(DefinitionError) -> AsyncRecords<Value, Buffers>
  where Buffers.Element: FeedBuffer {
    AsyncRecords(
      try feed(buffers, paths, format, jobs, pool, position, name, options),
      .watched(options, named: name, from: position))
  }

  /// A feed whose records are made by several threads.
  func feed<Buffers: AsyncSequence & Sendable>(
    _ buffers: Buffers, _ paths: RecordPaths, _ format: FeedFormat, _ jobs: Int?,
    _ pool: WorkerPool?, _ position: FeedPosition?, _ name: String?, _ options: FeedOptions,
    _ pump: BufferPump? = nil
  ) throws(DefinitionError) -> AsyncFeed<Value, Buffers> {
    guard let jobs = bounded(jobs, pool) else {
      return try feed(buffers, paths, format, position, name, options, pump)
    }
    let selection = try selection(at: paths)
    let format = format.ofFeed(named: name, or: self.format)
    // The maker of the reader and the workers lives as long as the records, and the pool may end before: so they get no options.
    let (limits, demands) = (options.limits ?? limits, options.demands)
    return AsyncFeed(
      buffers, selection, from: position, endsHere: options.endsHere,
      .parallel(
        ParallelAsyncRecords(
          buffers, jobs: jobs, pool: pool, from: position, endsHere: options.endsHere,
          { () throws(MappingError) in
            try makeBatchReader(selection, format: format, named: name, limits, demands)
          }, makeBatchWorker(selection, named: name, limits))))
  }

  private func sequence(
    _ selection: FeedSelection, _ format: FeedFormat, _ name: String?, _ jobs: Int?,
    _ pool: WorkerPool?, _ position: FeedPosition?, _ input: any FeedInput, _ options: FeedOptions
  ) throws(MappingError) -> RecordSequence<Value> {
    guard let jobs = bounded(jobs, pool) else {
      return try sequence(selection, format, name, position, input, options)
    }
    let format = format.ofFeed(named: name, or: self.format)
    let engine = try makeParallelEngine(
      selection, format: format, named: name, jobs: jobs, pool: pool, from: position,
      options: options)
    return RecordSequence(
      .parallel(engine), input, endsHere: options.endsHere, hidesValues: selection.hidesValues,
      .watched(options, named: name, from: position))
  }

  /// How many batches are mapped at a time; nil if the caller maps each record when it is asked for.
  ///
  /// More than 64 would have nothing to do: one thread reads or splits the feed for all of them.
  func bounded(_ jobs: Int?, _ pool: WorkerPool?) -> Int? {
    let jobs = jobs ?? pool?.threadCount ?? 1
    return jobs <= 1 && pool == nil ? nil : min(max(jobs, 1), 64)
  }
}
