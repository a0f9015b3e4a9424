#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The places where a feed can be cut, so that its parts can be mapped at the same time, by other tasks, processes or machines.
///
/// ```swift
/// let index = try FeedIndex(of: .file(path), for: mapper, at: "$.people[*]", every: 64 << 20)
/// for part in try mapper.parts(of: .file(path), at: "$.people[*]", count: 8, index: index) {
///   for record in try mapper.records(in: .file(path), part: part) { … }
/// }
/// ```
///
/// Making one reads the whole feed once and maps nothing, so it is bound by reading. An index is small: some 500 bytes for each
/// place. Its JSON is what `stream-map index` writes.
///
/// It belongs to one feed, and to the record paths, the format and the context values of the mapper that it was made with. The rest
/// of the mapping may be another one. A feed that has changed is refused: its size, its first and last bytes and those
/// around the places are compared when a part begins, and at its end each part has to be where the next one begins.
public struct FeedIndex: Sendable, Hashable, Codable {
  /// A place between two records.
  struct Place: Sendable, Hashable, Codable {
    let position: FeedPosition
    /// The digest of the bytes around it.
    let bytes: String
  }

  /// What the digest is made of.
  struct Contents: Sendable, Hashable, Codable {
    let feed: FeedFingerprint
    let terms: FeedTerms
    let recordCount: Int
    let pathsSeen: UInt64
    /// Where it can be cut, in the order of the feed.
    let places: [Place]
  }

  private enum CodingKeys: String, CodingKey {
    case form = "streammap_index"
    case digest, contents
  }

  /// The version of the stored form; any other version is refused.
  private static let form = 2

  let contents: Contents

  /// The feed's size in bytes.
  public var byteCount: Int { contents.feed.size }
  /// How many records the feed has, malformed ones included.
  public var recordCount: Int { contents.recordCount }
  /// How many parts can have records: one more than there are places to cut.
  public var mostParts: Int { contents.places.count + 1 }

  /// Reads a feed from its beginning to its end, and finds the places where it can be cut.
  ///
  /// The calling thread reads, until the task is cancelled. Malformed lines and entries cost only themselves, as when the feed
  /// is mapped.
  ///
  /// - Parameters:
  ///   - source: A regular file, not compressed.
  ///   - mapper: The mapper of the parts, or one with the same context values.
  ///   - paths: Where in each document the records are; without paths, where the mapper's mapping file says, or each
  ///     document or line is one.
  ///   - format: How the records follow each other; by default as the mapping file or the ending of the name says, or the first
  ///     bytes.
  ///   - distance: The bytes from one place to the next, or a few more.
  /// - Throws: ``MappingError``: of the feed, if nothing can be read after a malformed place, and (`io`) if the file cannot be
  ///   read, is compressed, or changes meanwhile; ``DefinitionError`` if a path cannot be read or records would be nested;
  ///   `CancellationError`.
  /// - Complexity: O(*n*) in the number of bytes.
  public init<Value>(
    of source: FeedSource, for mapper: Mapper<Value>, at paths: RecordPaths = [],
    format: FeedFormat = .auto, every distance: Int = 64 << 20
  ) throws {
    let selection = try mapper.selection(at: paths)
    let file = try source.seekable()
    try file.refuseCompressed()
    let asked = format.ofFeed(named: source.name, or: mapper.format)
    let pass = try Pass.ofFoundFormat(over: source, for: mapper, selection, asked, every: distance)
    let size = pass.size
    guard size == file.size, try source.seekable().size == size else {
      throw MappingError(.io, found: "a feed that changed while its index was made")
    }
    // After the last line there is nothing to cut off.
    let places = try pass.places.filter { $0.offset < size }.map {
      Place(position: $0, bytes: try FeedFingerprint.digest(around: $0.offset, in: file))
    }
    contents = Contents(
      feed: try FeedFingerprint(of: file), terms: mapper.terms(selection, pass.format),
      recordCount: pass.recordCount, pathsSeen: pass.pathsSeen, places: places)
  }

  /// Reads a stored index.
  ///
  /// - Throws: `DecodingError` for anything else, for a changed index, and for one that another version of the library stored.
  public init(from decoder: any Decoder) throws {
    let stored = try decoder.container(keyedBy: CodingKeys.self)
    func damaged(_ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: .form, in: stored, debugDescription: reason)
    }
    let form = try stored.decode(Int.self, forKey: .form)
    guard form == Self.form else {
      throw damaged(
        "an index that another version of StreamMap stored: its form is \(form), not \(Self.form)")
    }
    contents = try stored.decode(Contents.self, forKey: .contents)
    guard try stored.decode(String.self, forKey: .digest) == Self.digest(of: contents),
      contents.isPlausible
    else { throw damaged("an index that was changed or cut") }
  }

  /// Writes the index with a digest of its contents.
  public func encode(to encoder: any Encoder) throws {
    var stored = encoder.container(keyedBy: CodingKeys.self)
    try stored.encode(Self.form, forKey: .form)
    try stored.encode(Self.digest(of: contents), forKey: .digest)
    try stored.encode(contents, forKey: .contents)
  }

  static func digest(of contents: Contents) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var digest = Digest()
    digest.add(Array(try encoder.encode(contents)))
    return digest.text
  }
}

/// What reading a feed once tells of the places where it can be cut.
///
/// A format that the feed tells gives the same places as where it is given, so the index is for both.
private struct Pass {
  /// Whether it went to the end of the feed: it ends where it finds out which format the feed has.
  private(set) var isComplete = false
  /// The format that was asked for, or that was found.
  private(set) var format: FeedFormat
  private(set) var size = 0
  private(set) var places: [FeedPosition] = []
  private(set) var recordCount = 0
  private(set) var pathsSeen: UInt64 = 0

  static func ofFoundFormat<Value>(
    over source: FeedSource, for mapper: Mapper<Value>, _ selection: FeedSelection,
    _ asked: FeedFormat, every distance: Int
  ) throws -> Pass {
    // Only at its end is it known that a feed is one document. Lines are none from the second one on.
    if asked == .auto {
      do {
        return try Pass(over: source, for: mapper, selection, .json, every: distance)
      } catch let error as MappingError where error.code != .io {}
    }
    let pass = try Pass(over: source, for: mapper, selection, asked, every: distance)
    if pass.isComplete { return pass }
    return try Pass(over: source, for: mapper, selection, pass.format, every: distance)
  }

  private init<Value>(
    over source: FeedSource, for mapper: Mapper<Value>, _ selection: FeedSelection,
    _ format: FeedFormat, every distance: Int
  ) throws {
    self.format = format
    // The same places, with nothing wanted of a record but where it begins and ends.
    let reader = try FeedReader.make(
      try FeedSelection(
        Selection(root: Selection.presence, hidesValues: selection.hidesValues),
        at: selection.paths.patterns, context: mapper.context?.plan.selections ?? []),
      format: format, limits: mapper.limits, form: .index)
    let finder = CutFinder(
      reader, context: mapper.context?.make(named: source.name, mapper.limits), every: distance)
    let input = try source.open(from: 0)
    let window = FeedWindow()
    while true {
      try Task.checkCancellation()
      let piece = try window.fill(from: input)
      try finder.read(piece)
      if reader.format != format {
        self.format = reader.format
        return
      }
      if piece.isEmpty { break }
      size += piece.count
    }
    isComplete = true
    (recordCount, pathsSeen) = (finder.recordCount, finder.pathsSeen)
    places = finder.places
  }
}

extension FeedIndex.Contents {
  /// Whether the numbers can be those of a feed: the digest is no protection against malice.
  fileprivate var isPlausible: Bool {
    guard (0...1 << 56).contains(feed.size), (0..<Uncounted.record).contains(recordCount) else {
      return false
    }
    var (offset, count, line) = (0, 0, 1)
    for place in places {
      let position = place.position
      guard position.isPlausible, position.isBetweenRecords,
        (offset + 1..<max(feed.size, offset + 1)).contains(position.offset),
        (count...max(recordCount, count)).contains(position.countBefore),
        (line..<Uncounted.line).contains(position.line)
      else { return false }
      (offset, count, line) = (position.offset, position.countBefore, position.line)
    }
    return true
  }
}

/// The settings that have to be the same where a feed is cut and where its parts are mapped.
struct FeedTerms: Sendable, Hashable, Codable {
  /// The paths of the records, in one notation.
  let paths: [String]
  let format: FeedFormat
  /// A digest of the values from outside the records: their names, their paths and what they become.
  let context: String

  /// What other terms have that these have not; nil if they are the same, or the others leave the format to the feed.
  func difference(from other: FeedTerms) -> (these: String, others: String)? {
    if paths != other.paths {
      return (
        "records at \(paths.joined(separator: ", "))",
        "records at \(other.paths.joined(separator: ", "))"
      )
    }
    if format != other.format, other.format != .auto {
      return ("the format \(format.rawValue)", "the format \(other.format.rawValue)")
    }
    if context != other.context { return ("these context values", "others") }
    return nil
  }
}

extension Mapper {
  /// What parts of a feed depend on.
  func terms(_ selection: FeedSelection, _ format: FeedFormat) -> FeedTerms {
    var digest = Digest()
    for value in context?.plan.values ?? [] {
      let definition = value.definition
      for text in [
        definition.name, definition.path.description, definition.standIn?.description ?? "",
        definition.step?.rawValue ?? "", "\(definition.mayComeLate)",
        value.plan.description, "\(context?.omitsNulls ?? false)",
      ] { digest.add(text) }
    }
    return FeedTerms(
      paths: selection.paths.patterns.map(\.description), format: format, context: digest.text)
  }
}
