/// A feed: where its bytes come from, where its records are, and how it is read.
///
/// ```swift
/// try mapper.records(in: Feed(.file("people.ndjson")))
/// try mapper.records(in: Feed(bytes, at: "$.people[*]", format: .json))
/// try await mapper.ingest(Feed(request.body, options: .untrusted)) { batch in … }
/// ```
///
/// The source says what a mapper makes of it. From a ``FeedSource`` and from bytes in memory come records as they are asked for
/// (``RecordSequence``); from buffers that come asynchronously come ``AsyncRecords`` or ``AsyncBatches``.
///
/// It is a description: nothing is opened or read before a mapper takes it.
public struct Feed<Source> {
  /// Where the bytes come from.
  public var source: Source
  /// Where in each document the records are; without paths, where the mapper's mapping file says, or each document or line is one.
  public var paths: RecordPaths
  /// How the records follow each other; by default as the mapping file or the ending of the name says, or the first bytes.
  public var format: FeedFormat
  /// Where to resume: the position of an earlier reading of the same feed; nil for the start of the feed.
  public var position: FeedPosition?
  /// The feed's name, for fields of mapping files with `meta: file`, and for observers.
  public var name: String?
  /// What the feed may demand, how large a batch is, and who watches the feed.
  public var options: FeedOptions
}

extension Feed where Source == FeedSource {
  /// A file, a pipe or a socket; it has the name of the source.
  ///
  /// - Parameters:
  ///   - source: What is read, such as `.file("people.json")` or `.standardInput`.
  ///   - paths: Where in each document the records are.
  ///   - format: How the records follow each other.
  ///   - position: Where to resume, a value of ``RecordSequence/position``.
  ///   - options: What the feed may demand, and who watches it.
  public init(
    _ source: FeedSource, at paths: RecordPaths = [], format: FeedFormat = .auto,
    from position: FeedPosition? = nil, options: FeedOptions = FeedOptions()
  ) {
    self.init(
      source: source, paths: paths, format: format, position: position, name: source.name,
      options: options)
  }
}

extension Feed where Source: FeedBuffer {
  /// A feed in memory.
  ///
  /// - Parameters:
  ///   - bytes: The whole feed, also where reading resumes inside it.
  ///   - paths: Where in each document the records are.
  ///   - format: How the records follow each other.
  ///   - position: Where to resume, a value of ``RecordSequence/position``.
  ///   - name: The feed's name.
  ///   - options: What the feed may demand, and who watches it.
  public init(
    _ bytes: Source, at paths: RecordPaths = [], format: FeedFormat = .auto,
    from position: FeedPosition? = nil, named name: String? = nil,
    options: FeedOptions = FeedOptions()
  ) {
    self.init(
      source: bytes, paths: paths, format: format, position: position, name: name, options: options)
  }
}

extension Feed where Source: AsyncSequence, Source.Element: FeedBuffer {
  /// A feed that comes in buffers of any size, such as those of a network connection.
  ///
  /// - Parameters:
  ///   - buffers: Buffers of bytes, cut anywhere; where reading resumes, they start at the offset of the position.
  ///   - paths: Where in each document the records are.
  ///   - format: How the records follow each other.
  ///   - position: Where to resume, a value of ``AsyncRecords/position`` or ``FeedBatch/position``.
  ///   - name: The feed's name.
  ///   - options: What the feed may demand, how large a batch is, and who watches it.
  public init(
    _ buffers: Source, at paths: RecordPaths = [], format: FeedFormat = .auto,
    from position: FeedPosition? = nil, named name: String? = nil,
    options: FeedOptions = FeedOptions()
  ) {
    self.init(
      source: buffers, paths: paths, format: format, position: position, name: name,
      options: options)
  }
}

extension Feed: Sendable where Source: Sendable {}

/// How a mapper reads a feed, wherever its bytes come from.
struct FeedRequest {
  let selection: FeedSelection
  let format: FeedFormat
  let name: String?
  /// Where reading begins; nil at the start of the feed.
  let position: FeedPosition?
  let options: FeedOptions

  init(
    _ selection: FeedSelection, format: FeedFormat, named name: String? = nil,
    from position: FeedPosition? = nil, options: FeedOptions = FeedOptions()
  ) {
    self.selection = selection
    self.format = format
    self.name = name
    self.position = position
    self.options = options
  }

  /// What counts the records for an observer; nil if there is none.
  var tally: FeedTally? { .watched(options, named: name, from: position) }
}

extension Mapper {
  /// How this mapper reads a feed.
  func request(for feed: Feed<some Any>) throws(DefinitionError) -> FeedRequest {
    FeedRequest(
      try selection(at: feed.paths), format: feed.format.ofFeed(named: feed.name, or: format),
      named: feed.name, from: feed.position, options: feed.options)
  }
}
