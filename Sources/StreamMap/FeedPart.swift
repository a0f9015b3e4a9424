/// A part of a feed: some of its bytes, between two records.
///
/// All parts together are exactly the feed.
///
/// ```swift
/// let parts = try mapper.parts(of: .file(path), format: .ndjson, count: 8)
/// let message = try JSONEncoder().encode(parts[2])  // for another process
/// let part = try JSONDecoder().decode(FeedPart.self, from: message)
/// for record in try mapper.records(in: .file(path), part: part) { … }
/// ```
///
/// A record belongs to the part in which it begins. The records of all parts, in their order, are those of the whole feed: the same
/// values, errors, paths and addresses. Hadoop and Spark call parts *splits*. The cuts depend only on the size of the feed
/// (with an index, on its places) and on the number of parts.
///
/// A part is small: of the feed, it holds only the context values at its beginning.
public struct FeedPart: Sendable, Hashable, Codable {
  /// The part's number, from 1.
  public let number: Int
  /// How many parts there are.
  public let count: Int
  /// Its bytes in the feed.
  public let bytes: Range<Int>
  /// Whether the numbers and lines of its records are known: with an index, or if it is the whole feed.
  ///
  /// Otherwise ``Record/number`` and ``SourcePosition/line`` are 0, and ``MappingError/record`` is nil. Offsets and columns
  /// are always those in the feed.
  public let tellsNumbers: Bool

  let feed: FeedFingerprint
  let terms: FeedTerms
  /// The record paths as they were given.
  let paths: [String]
  /// The record paths that the feed has, as bits; nil if this is not known yet.
  let pathsSeen: UInt64?
  /// Where it begins; nil at the beginning of the feed.
  let start: FeedIndex.Place?
  /// Where the next part begins, if an index says what has to be there.
  let end: FeedIndex.Place?

  /// Whether there is nothing in it: there were fewer places to cut than parts.
  public var isEmpty: Bool { bytes.isEmpty }
}

extension FeedPart {
  /// More parts than these are a mistake.
  static let mostParts = 1_000_000

  /// A part of a feed.
  ///
  /// - Throws: ``MappingError``.
  init(_ number: Int, of cutter: FeedCutter) throws(MappingError) {
    let (file, count, terms, index) = (cutter.file, cutter.count, cutter.terms, cutter.index)
    guard (1...Self.mostParts).contains(count), (1...count).contains(number) else {
      throw MappingError(
        .invalidDefinition, expected: "a part from 1 of at most \(Self.mostParts)",
        found: "part \(number) of \(count)")
    }
    self.number = number
    self.count = count
    self.terms = terms
    paths = cutter.paths
    feed = cutter.feed
    pathsSeen = index?.contents.pathsSeen
    tellsNumbers = index != nil || count == 1
    let size = feed.size
    // The multiplication cannot overflow this way.
    func border(_ part: Int) -> Int { size / count * part + size % count * part / count }
    var places = (start: FeedIndex.Place?.none, end: FeedIndex.Place?.none)
    if let index {
      let cuts = index.contents.places
      let next = number == count ? nil : cuts.first(at: border(number))
      let first = number == 1 ? nil : cuts.first(at: border(number - 1))
      let lower = number == 1 ? 0 : first?.position.offset ?? size
      bytes = lower..<max(lower, next?.position.offset ?? size)
      // Nothing is read of a part without bytes.
      if !bytes.isEmpty { places = (first, next) }
    } else if count == 1 {
      bytes = 0..<size
    } else {
      guard terms.format == .ndjson else {
        throw MappingError(
          .invalidDefinition,
          expected: "an index of the feed, or the format ndjson: only lines can be cut without one",
          found: "the format \(terms.format.rawValue)")
      }
      let isText = cutter.isText
      // If a feed is not UTF-8, only the first part says so.
      let lower =
        number == 1 ? 0 : isText ? try file.lineStart(from: border(number - 1)) : size
      let upper = number == count || !isText ? size : try file.lineStart(from: border(number))
      bytes = lower..<max(lower, upper)
      if !bytes.isEmpty, number > 1 {
        places.start = FeedIndex.Place(
          position: FeedPosition(.uncounted(at: lower), pathsSeen: 0),
          bytes: try FeedFingerprint.digest(around: lower, in: file))
      }
    }
    start = places.start
    end = places.end
  }

  /// Whether it can be a part: the stored form may have been changed.
  private var isPlausible: Bool {
    let isInner = !bytes.isEmpty && number > 1
    return (1...Self.mostParts).contains(count) && (1...count).contains(number)
      && bytes.lowerBound >= 0 && bytes.upperBound <= feed.size
      && (number > 1 || bytes.lowerBound == 0) && (start != nil) == isInner
      && (start?.position.offset ?? bytes.lowerBound) == bytes.lowerBound
      // An index says what has to be at the end of each part but the last one.
      && (end != nil) == (pathsSeen != nil && !bytes.isEmpty && bytes.upperBound < feed.size)
      && (end?.position.offset ?? bytes.upperBound) == bytes.upperBound
  }

  /// Looks whether a feed and a mapper are those that the part is for, and tells how it is read.
  ///
  /// - Parameters:
  ///   - file: The feed.
  ///   - terms: What the mapper asks of a feed.
  ///   - contextCount: How many values from outside the records it has.
  ///   - position: Where reading continues; nil at the beginning of the part.
  /// - Returns: How it is read.
  /// - Throws: ``MappingError`` (`invalidDefinition`) if they are not, (`io`).
  func reading(
    _ file: SeekableFile, _ terms: FeedTerms, contextCount: Int, from position: FeedPosition?
  ) throws(MappingError) -> PartReading {
    if let (these, others) = self.terms.difference(from: terms) {
      throw MappingError(
        .invalidDefinition, expected: "a part of a feed with \(others)", found: "one with \(these)")
    }
    guard isPlausible else {
      throw MappingError(
        .invalidDefinition, expected: "a part of a feed", found: "one that was changed")
    }
    try FeedIndex.check(feed, is: try FeedFingerprint(of: file))
    for edge in [start, end].compactMap(\.self) {
      let found = try FeedFingerprint.digest(around: edge.position.offset, in: file)
      guard found == edge.bytes else { throw FeedIndex.changed }
    }
    if let position, !(bytes.lowerBound...bytes.upperBound).contains(position.offset) {
      throw MappingError(
        .invalidDefinition, expected: "a position in this part of the feed",
        found: "one in another")
    }
    var partEnd: PartEnd?
    if let end {
      let offset = end.position.offset
      guard let next = try file.bytes(in: offset..<offset + 1).first else {
        throw FeedIndex.changed
      }
      partEnd = PartEnd(position: end.position, next: next)
    }
    var start = position
    if start == nil { start = try beginning(in: file, contextCount) }
    return PartReading(bytes: bytes, start: start, end: partEnd)
  }

  /// Where reading begins; nil if it begins as that of a whole feed.
  private func beginning(in file: SeekableFile, _ contextCount: Int) throws(MappingError)
    -> FeedPosition?
  {
    if count == 1, pathsSeen == nil { return nil }
    var position: FeedPosition
    if let start {
      position = start.position
    } else if number > 1 {
      position = FeedPosition(.uncounted(at: bytes.lowerBound), pathsSeen: .max)
    } else {
      guard let skip = try file.preamble() else { return nil }
      // A byte-order mark is in the first line.
      position =
        pathsSeen == nil
        ? FeedPosition(.uncounted(at: skip), lineStart: 0, pathsSeen: 0)
        : FeedPosition(beginningAt: skip, terms.format)
    }
    // So each part tells of the same record paths that the feed does not have them.
    if let pathsSeen { position.pathsSeen = pathsSeen }
    if position.context == nil, contextCount > 0 {
      // The text before it in its document is not known, and a line is a document.
      position.context = FeedPosition.Context(
        document: nil, texts: Array(repeating: nil, count: contextCount),
        owners: Array(repeating: nil, count: contextCount),
        lacking: Array(repeating: nil, count: contextCount))
    }
    return position
  }
}

extension FeedPart {
  /// How its records follow each other.
  package var format: FeedFormat { terms.format }

  /// Whether its input ends where its bytes do: the rest of a feed that continues elsewhere comes after the last part.
  func endsHere(_ options: FeedOptions) -> Bool { options.endsHere || bytes.upperBound < feed.size }

  /// How much of it is read if the feed may have this many bytes.
  ///
  /// One reader does not know yet what comes after the last byte that it may read. If that is the part's last one, neither
  /// does the reader of the part: it is offered one byte more, and so the feed ends there for both.
  func reading(_ reading: PartReading, atMost maximumBytes: Int?) -> PartReading {
    guard maximumBytes == bytes.upperBound, bytes.upperBound < feed.size, !bytes.isEmpty else {
      return reading
    }
    return PartReading(
      bytes: bytes.lowerBound..<bytes.upperBound + 1, start: reading.start, end: nil)
  }
}

/// A feed that is cut into parts.
struct FeedCutter {
  let file: SeekableFile
  let feed: FeedFingerprint
  /// Whether its first bytes are those of UTF-8.
  let isText: Bool
  let terms: FeedTerms
  let paths: [String]
  let count: Int
  let index: FeedIndex?

  /// - Throws: ``MappingError`` (`io`), also if the file is compressed, or (`invalidDefinition`) if the index is of another
  ///   feed or for another mapper.
  init(
    _ file: SeekableFile, _ terms: FeedTerms, paths: [String], count: Int, index: FeedIndex?
  ) throws(MappingError) {
    self.file = file
    // An index knows the format where it was left to the feed.
    self.terms = index?.contents.terms ?? terms
    self.paths = paths
    self.count = count
    self.index = index
    try file.refuseCompressed()
    feed = try FeedFingerprint(of: file)
    isText = try file.preamble() != nil
    try index?.check(feed, terms)
  }
}

extension PartReading {
  /// Opens the feed: its bytes from the start to the end of the part.
  ///
  /// - Throws: ``MappingError`` (`io`) if that fails.
  package func open(_ source: FeedSource) throws(MappingError) -> any FeedInput {
    let offset = start?.offset ?? 0
    return StretchInput(try source.open(from: offset), from: offset, to: bytes.upperBound)
  }
}

extension FeedIndex {
  static let changed = MappingError(
    .invalidDefinition, expected: "the feed that the index was made of",
    found: "one whose bytes have changed: make the index again")

  /// Refuses a feed that is not the one that was cut.
  static func check(_ known: FeedFingerprint, is feed: FeedFingerprint) throws(MappingError) {
    if known.size != feed.size {
      throw MappingError(
        .invalidDefinition, expected: "the feed of \(known.size) bytes that was cut",
        found: "one of \(feed.size) bytes: cut it, or make its index, again")
    }
    if known.ends != feed.ends { throw changed }
  }

  fileprivate func check(_ feed: FeedFingerprint, _ terms: FeedTerms) throws(MappingError) {
    if let (these, others) = contents.terms.difference(from: terms) {
      throw MappingError(
        .invalidDefinition, expected: "an index for \(others)",
        found: "one for \(these): make an index of this feed for this mapping")
    }
    try Self.check(contents.feed, is: feed)
  }
}

extension LineStart {
  /// A line whose number is not known.
  fileprivate static func uncounted(at offset: Int) -> LineStart {
    LineStart(offset: offset, line: Uncounted.line, recordCount: Uncounted.record)
  }
}

extension [FeedIndex.Place] {
  /// The first place at or after an offset.
  fileprivate func first(at offset: Int) -> FeedIndex.Place? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].position.offset < offset { low = middle + 1 } else { high = middle }
    }
    return low < count ? self[low] : nil
  }
}
