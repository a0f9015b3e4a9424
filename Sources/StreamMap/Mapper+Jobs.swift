// Records that several threads make.
extension Mapper where Value: Sendable {
  /// The records of a feed in memory, mapped by several threads.
  ///
  /// The records and their order are the same as with one thread. Your own conversions run on those threads.
  ///
  /// - Parameters:
  ///   - bytes: The feed.
  ///   - paths: Where in each document the records are; without paths, each document or line is one.
  ///   - format: How the records follow each other.
  ///   - jobs: How many threads map, from 1 to 64; with 1 the caller's thread maps.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would be nested.
  public func records(
    in bytes: some Collection<UInt8>, at paths: String..., format: FeedFormat = .auto, jobs: Int
  ) throws -> RecordSequence<Value> {
    try sequence(at: paths, format: format, jobs: jobs, MemoryInput(Array(bytes)))
  }

  /// The records of a file, mapped by several threads.
  ///
  /// ```swift
  /// for record in try mapper.records(inFile: "people.ndjson", jobs: 4) { … }
  /// ```
  ///
  /// The records and their order are the same as with one thread. Your own conversions run on those threads.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - paths: Where in each document the records are; without paths, each document or line is one.
  ///   - format: How the records follow each other.
  ///   - jobs: How many threads map, from 1 to 64; with 1 the caller's thread maps.
  ///   - position: Where to resume, a value of ``RecordSequence/Iterator/position``; without one, reading begins at the
  ///     start.
  /// - Returns: The records, in their order.
  /// - Throws: ``MappingError`` (`io`) where the file cannot be opened, (`invalidDefinition`) where the position cannot
  ///   belong to such a feed; ``DefinitionError`` where a path cannot be read or records would be nested.
  public func records(
    inFile path: String, at paths: String..., format: FeedFormat = .auto, jobs: Int,
    from position: FeedPosition? = nil
  ) throws -> RecordSequence<Value> {
    let input = try FileInput(path: path, from: position?.offset ?? 0)
    return try sequence(at: paths, format: format, jobs: jobs, from: position, input)
  }

  /// The records of an open file, pipe or socket, mapped by several threads.
  ///
  /// The descriptor stays open. A complete record does not wait for later input.
  ///
  /// - Parameters:
  ///   - descriptor: It is read from its current offset to its end.
  ///   - paths: Where in each document the records are; without paths, each document or line is one.
  ///   - format: How the records follow each other.
  ///   - jobs: How many threads map, from 1 to 64; with 1 the caller's thread maps.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would be nested.
  public func records(
    inDescriptor descriptor: Int32, at paths: String..., format: FeedFormat = .auto, jobs: Int
  ) throws -> RecordSequence<Value> {
    try sequence(at: paths, format: format, jobs: jobs, FileInput(descriptor: descriptor))
  }

  /// The records of a feed that comes in buffers, mapped by several threads.
  ///
  /// A separate task requests the buffers and reads some of them ahead; the task ends with the iteration.
  ///
  /// - Parameters:
  ///   - buffers: Buffers of bytes, cut anywhere.
  ///   - paths: Where in each document the records are; without paths, each document or line is one.
  ///   - format: How the records follow each other.
  ///   - jobs: How many threads map, from 1 to 64; with 1 the caller's thread maps.
  ///   - position: Where to resume, a value of ``AsyncRecords/Iterator/position``: the buffers start at its offset.
  ///     Without one, reading begins at the start.
  /// - Returns: The records, in their order. The buffers that were read ahead stay in memory while the records are
  ///   taken.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would be nested.
  public func records<Buffers: AsyncSequence & Sendable>(
    in buffers: Buffers, at paths: String..., format: FeedFormat = .auto, jobs: Int,
    from position: FeedPosition? = nil
  ) throws(DefinitionError) -> AsyncRecords<Value, Buffers>
  where Buffers.Element: Collection<UInt8> {
    let selection = try selection(at: paths)
    guard jobs > 1 else {
      return asyncRecords(in: buffers, selection, format: format, from: position)
    }
    let count = Self.bounded(jobs)
    return AsyncRecords(
      buffers, selection, from: position,
      .parallel({
        ParallelAsyncRecords(
          buffers, jobs: count, from: position,
          { () throws(MappingError) in
            BatchReader(
              try FeedReader.make(selection, format: format, limits: limits, parser: parser),
              positionEvery: RecordBatch.Bounds.text)
          }, makeBatchWorker(selection))
      }))
  }

  private func sequence(
    at paths: [String], format: FeedFormat, jobs: Int, from position: FeedPosition? = nil,
    _ input: any FeedInput
  ) throws -> RecordSequence<Value> {
    let selection = try selection(at: paths)
    let engine: RecordSequence<Value>.Iterator.Engine =
      if jobs > 1 {
        .parallel(
          try makeParallelEngine(
            selection, format: format, jobs: Self.bounded(jobs), from: position))
      } else {
        .one(try makeEngine(selection, format: format, from: position))
      }
    return RecordSequence(RecordSequence.Iterator(engine, input))
  }

  /// More threads than this would have nothing to do: one thread reads or splits the feed for all of them.
  private static func bounded(_ jobs: Int) -> Int { min(jobs, 64) }
}
