/// A place before or after a record of a feed from which reading can continue, even in another process.
///
/// ```swift
/// let records = try mapper.records(in: Feed(.file(path), at: "$.people[*]", from: saved))
/// for record in records {
///   store(record)
///   if let position = records.position { save(position) }
/// }
/// ```
///
/// A position is small, and its size does not depend on the feed's: it has the offset of the next byte, the line, the number of
/// records so far, and the open containers around them. Reading can continue even inside the list of one document. The records
/// have the numbers, positions and paths that they would have had. A position is valid for the same mapper, paths and format,
/// and for a feed that begins like the one it was taken from: the position itself cannot check either.
public struct FeedPosition: Sendable, Hashable, Codable {
  /// An open container.
  struct Level: Sendable, Hashable, Codable {
    /// The key of its current member, as written, or the index of its current element.
    enum Step: Sendable, Hashable {
      case member(String)
      case element(Int)
    }

    let step: Step
    /// The offset of its bracket, where it is around records.
    let start: Int
  }

  /// What comes next there.
  enum Place: String, Sendable, Hashable, Codable {
    case text, textEnd
    /// After a fault: the next text is still to be found.
    case fault
    // Inside a text, in its innermost open container: the value of a member or element that is begun, or what comes after one.
    case value, next
    case firstKey, key, colon, firstElement, element
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
    /// Each value as JSON; nil if it has not come yet.
    var texts: [String?]
    /// For each value: where the document or the container starts that it belongs to; nil if it has not come yet.
    var owners: [Int?]
    /// For each value: where the last document or container starts in which a record lacked it; nil if none did.
    var lacking: [Int?]
  }

  /// The version of the stored form; any other version is refused.
  static let form = 5

  /// The offset of the byte that reading continues with.
  public internal(set) var offset: Int
  /// How many records came before; 0 in a part of a feed that does not know it (``FeedPart/tellsNumbers``).
  public var recordCount: Int { countBefore < Uncounted.record ? countBefore : 0 }
  /// The same, or a number that only tells how many there were in the part.
  var countBefore = 0
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
  private(set) var place: Place

  private enum CodingKeys: String, CodingKey {
    case offset, context, form, line, lineStart, text, levels, pathsSeen, framing
    case isFramingSettled, hasSeparator, isFirstText, hasText, place
    case countBefore = "recordCount"
  }
}

extension FeedPosition.Level.Step: Codable {
  /// Reads a key, or an index.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let index = try? container.decode(Int.self) {
      self = .element(index)
    } else {
      self = .member(try container.decode(String.self))
    }
  }

  /// Writes the key, or the index.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .member(let key): try container.encode(key)
    case .element(let index): try container.encode(index)
    }
  }
}

extension FeedPosition {
  /// Notes that a line begins at the offset, after others.
  mutating func beginLine(after lineFeeds: Int, recordCount count: Int) {
    line += lineFeeds
    lineStart = offset
    text = TextStart(start: offset, line: line, lineStart: offset)
    countBefore += count
  }

  /// Notes that elements of the innermost list are over at the offset, each of them a record.
  mutating func pass(elements: Int, lineFeeds: Int) {
    line += lineFeeds
    countBefore += elements
    guard let list = levels.last, case .element(let index) = list.step else { return }
    levels[levels.count - 1] = Level(step: .element(index + elements), start: list.start)
  }

  /// How many containers are open.
  var depth: Int { levels.count }

  /// Whether the value that comes next is a part of a container.
  var isInList: Bool { !levels.isEmpty }

  /// The place after the value that comes next here, or that is begun.
  func afterValue(at offset: Int, line: Int, lineStart: Int) -> FeedPosition {
    var position = self
    position.offset = offset
    position.line = line
    position.lineStart = lineStart
    position.place = .next
    return position
  }

  /// The error for a position that no feed has.
  static let mismatch = MappingError(
    .invalidDefinition, expected: "a position taken with the same mapping, paths and limits",
    found: "another one")

  /// Whether the numbers can be those of a feed: the stored position may have been changed.
  var isPlausible: Bool {
    let most = 1 << 60
    return form == Self.form && (0...most).contains(offset) && (0...offset).contains(lineStart)
      && (1..<2 * Uncounted.line).contains(line) && (0...most).contains(countBefore)
      && (0...offset).contains(text.start) && (0...text.start).contains(text.lineStart)
      && (0...line).contains(text.line)
      && levels.allSatisfy { level in
        if case .element(let index) = level.step, !(0...most).contains(index) { return false }
        return (0...offset).contains(level.start)
      }
  }
}

extension FeedPosition {
  /// The start of a line of a feed of lines.
  ///
  /// - Parameters:
  ///   - start: Where it is, with the numbers of what came before.
  ///   - lineStart: Where the line begins, if that is before its first byte: at a byte-order mark.
  ///   - pathsSeen: The record paths that occurred, as bits.
  init(_ start: LineStart, lineStart: Int? = nil, pathsSeen: UInt64) {
    let lineStart = lineStart ?? start.offset
    self.init(
      offset: start.offset, form: Self.form, line: start.line, lineStart: lineStart,
      text: TextStart(start: start.offset, line: start.line, lineStart: lineStart), levels: [],
      pathsSeen: pathsSeen, framing: .ndjson, isFramingSettled: true, hasSeparator: false,
      isFirstText: false, hasText: true, place: .text)
    countBefore = start.recordCount
  }

  /// The beginning of a feed of a format, after a byte-order mark that is passed over.
  init(beginningAt offset: Int, _ format: FeedFormat) {
    self.init(
      offset: offset, form: Self.form, line: 1, lineStart: 0,
      text: TextStart(start: 0, line: 0, lineStart: 0), levels: [], pathsSeen: 0, framing: format,
      isFramingSettled: format != .auto, hasSeparator: false, isFirstText: true, hasText: false,
      place: .text)
  }

  /// Whether a feed can be cut here: between two records, and inside no token.
  var isBetweenRecords: Bool { place == .text && levels.isEmpty || place == .next }

  /// Whether a reader that came here by another way continues as from there.
  func isSamePlace(as other: FeedPosition) -> Bool {
    offset == other.offset && line == other.line && lineStart == other.lineStart
      && countBefore == other.countBefore && context == other.context && levels == other.levels
      && framing == other.framing && isFramingSettled == other.isFramingSettled
      && hasSeparator == other.hasSeparator && place == other.place
      // The text matters inside it, and whether there was one while it may still tell the format.
      && (levels.isEmpty || text == other.text)
      && (isFramingSettled || isFirstText == other.isFirstText && hasText == other.hasText)
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
    countBefore = try stored.decode(Int.self, forKey: .countBefore)
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
    place = try stored.decode(Place.self, forKey: .place)
  }
}
