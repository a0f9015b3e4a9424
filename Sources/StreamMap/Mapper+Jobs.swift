// Records that are made by several threads.
extension Mapper where Value: Sendable {
  /// The records of a feed in memory, mapped by several threads.
  ///
  /// The records are the same as with one, in the same order. Conversions of your own run on those threads.
  ///
  /// - Parameters:
  ///   - bytes: The feed.
  ///   - paths: Where in each document the records are; without any, each document or line is one.
  ///   - format: How the records follow each other.
  ///   - jobs: How many threads map, from 1 to 64; with 1 it is who asks for the records.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would lie inside each other.
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
  /// The records are the same as with one, in the same order. Conversions of your own run on those threads.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - paths: Where in each document the records are; without any, each document or line is one.
  ///   - format: How the records follow each other.
  ///   - jobs: How many threads map, from 1 to 64; with 1 it is who asks for the records.
  ///   - position: Where to go on, as ``RecordSequence/Iterator/position`` told it; without one, at the start.
  /// - Returns: The records, in their order.
  /// - Throws: ``MappingError`` (`io`) where the file cannot be opened, (`invalidDefinition`) where the position cannot be one
  ///   of such a feed; ``DefinitionError`` where a path cannot be read or records would lie inside each other.
  public func records(
    inFile path: String, at paths: String..., format: FeedFormat = .auto, jobs: Int,
    from position: FeedPosition? = nil
  ) throws -> RecordSequence<Value> {
    let input = try FileInput(path: path, from: position?.offset ?? 0)
    return try sequence(at: paths, format: format, jobs: jobs, from: position, input)
  }

  /// The records of an open file, pipe or socket, mapped by several threads.
  ///
  /// The descriptor stays open. A record that is whole is not held up by what is still to come.
  ///
  /// - Parameters:
  ///   - descriptor: Read from where it stands to its end.
  ///   - paths: Where in each document the records are; without any, each document or line is one.
  ///   - format: How the records follow each other.
  ///   - jobs: How many threads map, from 1 to 64; with 1 it is who asks for the records.
  /// - Returns: The records, in their order.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would lie inside each other.
  public func records(
    inDescriptor descriptor: Int32, at paths: String..., format: FeedFormat = .auto, jobs: Int
  ) throws -> RecordSequence<Value> {
    try sequence(at: paths, format: format, jobs: jobs, FileInput(descriptor: descriptor))
  }

  /// The records of a feed that comes in buffers, mapped by several threads.
  ///
  /// A task of its own asks for the buffers, some of them ahead of the records that were taken; it ends with the iteration.
  ///
  /// - Parameters:
  ///   - buffers: Buffers of bytes, cut anywhere.
  ///   - paths: Where in each document the records are; without any, each document or line is one.
  ///   - format: How the records follow each other.
  ///   - jobs: How many threads map, from 1 to 64; with 1 it is who asks for the records.
  ///   - position: Where to go on, as ``AsyncRecords/Iterator/position`` told it: the buffers are those from its offset on. Without
  ///     one, at the start.
  /// - Returns: The records, in their order. While they are taken, the buffers stay that are read ahead.
  /// - Throws: ``DefinitionError`` where a path cannot be read or records would lie inside each other.
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
          }, makeBatchMapper(selection))
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

  /// More threads than this have nothing to do: one reads or splits the feed for all of them.
  private static func bounded(_ jobs: Int) -> Int { min(jobs, 64) }
}
