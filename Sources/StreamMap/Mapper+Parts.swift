// Parts of a feed, which together are the whole.

extension Mapper {
  /// Cuts a feed into parts.
  ///
  /// ```swift
  /// let parts = try mapper.parts(of: .file("events.ndjson"), count: 8)
  /// let parts = try mapper.parts(of: .file(path), at: "$.people[*]", count: 8, index: index)
  /// ```
  ///
  /// A feed of lines needs no index: a part begins after a line feed. The numbers of its records and lines are then unknown
  /// (``FeedPart/tellsNumbers``), and a mapping that writes them is refused. Any other feed needs one.
  ///
  /// Parts have about the same number of bytes. Where there are more parts than places to cut, some have no records; they cost nothing.
  ///
  /// - Parameters:
  ///   - source: A regular file, not compressed.
  ///   - paths: Where in each document the records are; without paths, where the mapper's mapping file says, or each
  ///     document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says. Without an index
  ///     it has to be ``FeedFormat/ndjson``, unless there is one part.
  ///   - count: How many parts, from 1 to 1,000,000.
  ///   - index: Where the feed can be cut, made with the same paths, format and context values.
  /// - Returns: The parts, in the order of the feed.
  /// - Throws: ``MappingError`` (`io`) if the file cannot be read or is compressed, (`invalidDefinition`) if the feed needs an
  ///   index, or the index is of another feed or for other paths; ``DefinitionError`` if a path cannot be read or records would be nested.
  /// - Complexity: O(*c* log *p*) for *c* parts and an index of *p* places; without an index, a line is read for each part.
  public func parts(
    of source: FeedSource, at paths: RecordPaths = [], format: FeedFormat = .auto, count: Int,
    index: FeedIndex? = nil
  ) throws -> [FeedPart] {
    let cutter = try cutter(source, paths, format, count: count, index)
    // The first one refuses a number of parts that cannot be.
    let first = try FeedPart(1, of: cutter)
    guard count > 1 else { return [first] }
    return try [first] + (2...count).map { try FeedPart($0, of: cutter) }
  }

  /// One part of a feed: the same as `parts(of:at:format:count:index:)[number - 1]`, at the cost of one.
  ///
  /// For a process that gets its number, and not its part.
  ///
  /// - Parameters:
  ///   - number: The part's number, from 1.
  ///   - count: How many parts there are.
  ///   - source: A regular file, not compressed.
  ///   - paths: Where in each document the records are.
  ///   - format: How the records follow each other.
  ///   - index: Where the feed can be cut.
  /// - Returns: The part.
  /// - Throws: As ``parts(of:at:format:count:index:)`` does.
  public func part(
    _ number: Int, of count: Int, in source: FeedSource, at paths: RecordPaths = [],
    format: FeedFormat = .auto, index: FeedIndex? = nil
  ) throws -> FeedPart {
    try FeedPart(number, of: cutter(source, paths, format, count: count, index))
  }

  private func cutter(
    _ source: FeedSource, _ paths: RecordPaths, _ format: FeedFormat, count: Int,
    _ index: FeedIndex?
  ) throws -> FeedCutter {
    let selection = try selection(at: paths)
    if index == nil, count > 1, plan.tables.asksForCounts {
      throw MappingError(
        .invalidDefinition,
        expected: "an index of the feed, since the mapping writes the numbers or lines of records",
        found: "none")
    }
    return try FeedCutter(
      try source.seekable(),
      terms(selection, format.ofFeed(named: source.name, or: self.format)), paths: paths.texts,
      count: count, index: index)
  }

  /// The records of a part of a feed.
  ///
  /// ```swift
  /// for record in try mapper.records(in: .file(path), part: part) { … }
  /// ```
  ///
  /// No more is read than the part and a few bytes around it. Where the feed does not end as the index says, the last record is an
  /// error (`invalidDefinition`), and the verdict is not ``FeedVerdict/complete``: so records are neither lost nor doubled in silence.
  ///
  /// What the options bound counts from the start of the feed: the parts that begin before the bound have the records that one reader
  /// of the whole feed would have had, and a later part ends at its first record. So ``FeedOptions/maximumRecords`` needs an index.
  /// Where the feed continues elsewhere (``FeedOptions/endsHere``), it does so after its last part: the other parts are complete.
  ///
  /// - Parameters:
  ///   - source: The feed that was cut; its path may be another one.
  ///   - part: The part, of a mapper with the same context values.
  ///   - position: Where to resume in the part, a value of ``RecordSequence/position``; without one, reading begins at its start.
  ///   - options: What the feed may demand, and who watches the part.
  /// - Returns: The records that begin in the part, in their order.
  /// - Throws: ``MappingError`` (`io`) if the file cannot be opened, (`invalidDefinition`) if the part is not of this feed or
  ///   not for this mapper, or the position is not in it; ``DefinitionError``.
  public func records(
    in source: FeedSource, part: FeedPart, from position: FeedPosition? = nil,
    options: FeedOptions = FeedOptions()
  ) throws -> RecordSequence<Value> {
    try records(source, part, position, options) { request throws(MappingError) in
      try makeRoute(request)
    }
  }

  private func records(
    _ source: FeedSource, _ part: FeedPart, _ position: FeedPosition?, _ options: FeedOptions,
    _ makeRoute: (FeedRequest) throws(MappingError) -> Route<Value>
  ) throws -> RecordSequence<Value> {
    let reading = try reading(part, of: source, from: position, options)
    let request = try request(for: part, of: source, reading, options)
    let route = try makeRoute(request)
    if let end = reading.end { route.end(at: end) }
    return RecordSequence(
      route, try reading.open(source), endsHere: part.endsHere(options),
      hidesValues: request.selection.hidesValues,
      .watched(options, named: source.name, from: part.number > 1 ? reading.start : position))
  }

  private func request(
    for part: FeedPart, of source: FeedSource, _ reading: PartReading, _ options: FeedOptions
  ) throws(DefinitionError) -> FeedRequest {
    FeedRequest(
      try selection(at: RecordPaths(part.paths)), format: part.terms.format, named: source.name,
      from: reading.start, options: options)
  }

  /// How a part of a feed is read, for its reader.
  ///
  /// - Throws: ``MappingError`` if the part is not of this feed, or not for this mapper; ``DefinitionError``.
  package func reading(
    _ part: FeedPart, of source: FeedSource, from position: FeedPosition? = nil,
    _ options: FeedOptions = FeedOptions()
  ) throws -> PartReading {
    if options.maximumRecords != nil, !part.tellsNumbers {
      throw MappingError(
        .invalidDefinition,
        expected:
          "an index of the feed, since FeedOptions.maximumRecords counts from the start of the feed",
        found: "none")
    }
    let selection = try selection(at: RecordPaths(part.paths))
    let reading = try part.reading(
      try source.seekable(), terms(selection, part.terms.format),
      contextCount: context?.plan.values.count ?? 0, from: position)
    return part.reading(reading, atMost: options.maximumBytes)
  }
}

extension Mapper where Value: Sendable {
  /// The records of a part of a feed, mapped by several threads.
  ///
  /// The records and their order are the same as with one thread. Your own conversions run on those threads.
  ///
  /// - Parameters:
  ///   - source: The feed that was cut; its path may be another one.
  ///   - part: The part, of a mapper with the same context values.
  ///   - jobs: How many threads map, from 1 to 64; without it, the caller's thread alone, or as many as the pool has.
  ///   - pool: The threads, which other feeds share; without it, the feed has `jobs` threads of its own.
  ///   - position: Where to resume in the part, a value of ``RecordSequence/position``; without one, reading begins at its start.
  ///   - options: What the feed may demand, and who watches the part.
  /// - Returns: The records that begin in the part, in their order.
  /// - Throws: As ``records(in:part:from:options:)`` does.
  public func records(
    in source: FeedSource, part: FeedPart, jobs: Int? = nil,
    pool: WorkerPool? = nil, from position: FeedPosition? = nil,
    options: FeedOptions = FeedOptions()
  ) throws -> RecordSequence<Value> {
    try records(source, part, position, options) { request throws(MappingError) in
      try makeRoute(request, jobs, pool)
    }
  }
}
