/// A place between two records of a feed from which reading can go on, even in another process.
///
/// ```swift
/// let records = try mapper.records(in: .file(path), at: "$.people[*]", from: saved)
/// for record in records {
///   store(record)
///   if let position = records.position { save(position) }
/// }
/// ```
///
/// A position is small, and its size does not depend on the feed's: it has the offset of the next byte, the line, the number of
/// records so far, and what is open around them. Reading can go on even inside the list of one document. The records have the
/// numbers, positions and paths that they would have had. A position is valid for the same mapper, paths and format, and for a
/// feed that begins like the one it was taken from: the position itself cannot check either.
public struct FeedPosition: Sendable, Hashable, Codable {
  /// An open container.
  struct Level: Sendable, Hashable, Codable {
    /// The key of its current member, as written, or the index of its current element.
    enum Step: Sendable, Hashable, Codable {
      case member(String)
      case element(Int)
    }

    let step: Step
    /// The offset of its bracket, where it is around records.
    let start: Int
  }

  /// Where a text is.
  struct TextStart: Sendable, Hashable, Codable {
    var start: Int
    var line: Int
    var lineStart: Int
  }

  /// The values from outside the records of the current document.
  struct Context: Sendable, Hashable, Codable {
    /// Where the document that they are from starts.
    var document: Int?
    /// Each value as JSON; nil where it has not come yet.
    var texts: [String?]
    /// For each value: where the container starts that it belongs to; 0 for the document, and where it has not come yet.
    var owners: [Int]
  }

  /// The version of the stored form; any other version is refused.
  static let form = 2

  /// The offset of the byte that reading goes on with.
  public internal(set) var offset: Int
  /// How many records came before.
  public internal(set) var recordCount = 0
  /// The values from outside the records, where there are any.
  var context: Context?

  let form: Int
  var line: Int
  var lineStart: Int
  var text: TextStart
  private(set) var levels: [Level]
  var pathsSeen: UInt64
  let framing: FeedFormat
  let isFramingSettled: Bool
  let hasSeparator: Bool
  let isFirstText: Bool
  let hasText: Bool
  let isAfterFault: Bool
}

extension FeedPosition {
  /// The start of a line in a feed of lines.
  init(line: Int, at offset: Int, recordCount: Int) {
    self.init(
      offset: offset, recordCount: recordCount, form: Self.form, line: line, lineStart: offset,
      text: TextStart(start: offset, line: line, lineStart: offset), levels: [], pathsSeen: 0,
      framing: .ndjson, isFramingSettled: true, hasSeparator: false, isFirstText: false,
      hasText: true, isAfterFault: false)
  }

  /// Notes that a line begins at the offset, after others.
  mutating func beginLine(after lineFeeds: Int, recordCount count: Int) {
    line += lineFeeds
    lineStart = offset
    text = TextStart(start: offset, line: line, lineStart: offset)
    recordCount += count
  }

  /// Notes that elements of the innermost list are over at the offset, each of them a record.
  mutating func pass(elements: Int, lineFeeds: Int) {
    line += lineFeeds
    recordCount += elements
    guard let list = levels.last, case .element(let index) = list.step else { return }
    levels[levels.count - 1] = Level(step: .element(index + elements), start: list.start)
  }

  /// The error for a position that no feed has.
  static let mismatch = MappingError(
    .invalidDefinition, expected: "a position taken with the same mapping, paths and limits",
    found: "another one")

  /// Whether the numbers can be those of a feed: the stored position may have been changed.
  var isPlausible: Bool {
    let most = 1 << 60
    return form == Self.form && (0...most).contains(offset) && (0...offset).contains(lineStart)
      && (1...1 << 40).contains(line) && (0...most).contains(recordCount)
      && (0...offset).contains(text.start) && (0...text.start).contains(text.lineStart)
      && (0...line).contains(text.line)
      && levels.allSatisfy { level in
        if case .element(let index) = level.step, !(0...most).contains(index) { return false }
        return (0...offset).contains(level.start)
      }
  }
}

extension FeedPosition {
  /// Reads a stored position.
  ///
  /// - Throws: `DecodingError` for what is not one, and for one that another version of the library stored.
  public init(from decoder: any Decoder) throws {
    let stored = try decoder.container(keyedBy: CodingKeys.self)
    form = try stored.decode(Int.self, forKey: .form)
    guard form == Self.form else {
      throw DecodingError.dataCorruptedError(
        forKey: .form, in: stored,
        debugDescription:
          "a position that another version of StreamMap stored: its form is \(form), not \(Self.form)"
      )
    }
    offset = try stored.decode(Int.self, forKey: .offset)
    recordCount = try stored.decode(Int.self, forKey: .recordCount)
    context = try stored.decodeIfPresent(Context.self, forKey: .context)
    line = try stored.decode(Int.self, forKey: .line)
    lineStart = try stored.decode(Int.self, forKey: .lineStart)
    text = try stored.decode(TextStart.self, forKey: .text)
    levels = try stored.decode([Level].self, forKey: .levels)
    pathsSeen = try stored.decode(UInt64.self, forKey: .pathsSeen)
    framing = try stored.decode(FeedFormat.self, forKey: .framing)
    isFramingSettled = try stored.decode(Bool.self, forKey: .isFramingSettled)
    hasSeparator = try stored.decode(Bool.self, forKey: .hasSeparator)
    isFirstText = try stored.decode(Bool.self, forKey: .isFirstText)
    hasText = try stored.decode(Bool.self, forKey: .hasText)
    isAfterFault = try stored.decode(Bool.self, forKey: .isAfterFault)
  }
}
