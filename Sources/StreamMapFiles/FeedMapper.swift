import StreamMap

/// Maps feeds as a mapping file says: records in, JSON of the file's shape out, as bytes.
///
/// ```swift
/// let mapper = try MappingFile(contentsOf: "orders.map.yaml").mapper()
/// for record in try mapper.records(inFile: "orders.ndjson", jobs: 4) {
///   switch record.result {
///   case .success(let json): send(json.bytes)
///   case .failure(let error): log("\(error)")
///   }
/// }
/// ```
///
/// Where the records are, how they follow each other, what a feed may demand, values from outside the records (`context`),
/// conditions (`where`) and what must not be shown (`redact`) are the file's. Records that `where` drops do not come out;
/// their number is known.
public struct FeedMapper: Sendable {
  private let plan: OutputPlan
  /// How the records of a feed follow each other.
  public let format: FeedFormat

  init(_ plan: OutputPlan, format: FeedFormat) {
    self.plan = plan
    self.format = format
  }

  /// Whether the file redacts something: then nobody must show the text of a record.
  public var hidesValues: Bool { plan.hidesValues }

  /// The records of a file.
  ///
  /// Where the mapping file leaves the format to be told from the feed, the endings `.ndjson`, `.jsonl` and `.json-seq` tell
  /// it, as for the command.
  ///
  /// - Parameters:
  ///   - path: The file's path, which fields with `meta: file` hold.
  ///   - jobs: How many threads map, from 1 to 64; with 1 it is the one that asks for the records.
  ///   - position: Where to go on, as ``FeedRecords/Iterator/position`` told it; without one, at the start.
  /// - Returns: The records, in their order.
  /// - Throws: `MappingError` (`io`) where the file cannot be opened, (`invalidDefinition`) where the position cannot be one
  ///   of such a feed.
  public func records(
    inFile path: String, jobs: Int = 1, from position: FeedPosition? = nil
  ) throws(MappingError) -> FeedRecords {
    let input = try FileInput(path: path, from: position?.offset ?? 0)
    return try records(input, named: path, jobs: jobs, from: position)
  }

  /// The records of a feed in memory.
  ///
  /// - Parameters:
  ///   - bytes: The feed.
  ///   - name: What fields with `meta: file` hold; null without one. Its ending may tell the format, as a file's does.
  ///   - jobs: How many threads map, from 1 to 64; with 1 it is the one that asks for the records.
  /// - Returns: The records, in their order.
  /// - Throws: `MappingError` where memory runs out.
  public func records(
    in bytes: some Collection<UInt8>, named name: String? = nil, jobs: Int = 1
  ) throws(MappingError) -> FeedRecords {
    try records(MemoryInput(Array(bytes)), named: name, jobs: jobs)
  }

  /// The records of an open file, pipe or socket.
  ///
  /// The descriptor stays open. A record that is whole is not held up by what is still to come.
  ///
  /// - Parameters:
  ///   - descriptor: Read from where it stands to its end.
  ///   - name: What fields with `meta: file` hold; null without one.
  ///   - jobs: How many threads map, from 1 to 64; with 1 it is the one that asks for the records.
  /// - Returns: The records, in their order.
  /// - Throws: `MappingError` where memory runs out.
  public func records(
    inDescriptor descriptor: Int32, named name: String? = nil, jobs: Int = 1
  ) throws(MappingError) -> FeedRecords {
    try records(FileInput(descriptor: descriptor), named: name, jobs: jobs)
  }

  /// The records of a feed that comes in buffers of any size, such as those of a network connection.
  ///
  /// - Parameters:
  ///   - buffers: Buffers of bytes, cut anywhere.
  ///   - name: What fields with `meta: file` hold; null without one.
  /// - Returns: The records, in their order.
  public func records<Buffers: AsyncSequence>(
    in buffers: Buffers, named name: String? = nil
  ) -> AsyncFeedRecords<Buffers> where Buffers.Element: Collection<UInt8> {
    AsyncFeedRecords(buffers, self, named: name)
  }

  private func records(
    _ input: any FeedInput, named name: String?, jobs: Int, from position: FeedPosition? = nil
  ) throws(MappingError) -> FeedRecords {
    let converter = try converter(named: name, jobs: jobs, from: position)
    return FeedRecords(FeedRecords.Iterator(converter, input))
  }

  /// A converter at the start of a feed, or where it goes on.
  func converter(named name: String?, jobs: Int = 1, from position: FeedPosition? = nil)
    throws(MappingError) -> OutputConverter
  {
    let converter = OutputConverter(plan, layout: .bare)
    // More threads than this have nothing to do: one reads for all of them.
    converter.jobs = min(jobs, 64)
    let format = name.map { self.format.ofFeed(named: $0) } ?? self.format
    try converter.begin(format: format, file: name, from: position)
    return converter
  }
}
