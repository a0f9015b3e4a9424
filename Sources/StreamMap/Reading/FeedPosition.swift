/// A place between two records of a feed from which its reading can go on, in another process, too.
///
/// ```swift
/// let records = try mapper.records(inFile: path, at: "$.people[*]", from: saved).makeIterator()
/// while let record = records.next() {
///   store(record)
///   if let position = records.position { save(position) }
/// }
/// ```
///
/// It is small, and its size does not depend on the feed's: the offset of the next byte, the line, the number of records so
/// far, and what is open around them. Reading goes on even inside the list of one document, and the records have the numbers,
/// positions and paths that they would have had. It is for the same mapper, paths and format, and for a feed that begins as
/// the one did that it was taken from: neither can be told by the position.
public struct FeedPosition: Sendable, Hashable, Codable {
  /// An open container: by the key of its current member, as written, or the index of its current element.
  enum Level: Sendable, Hashable, Codable {
    case member(String)
    case element(Int)
  }

  /// Where a text stands.
  struct Place: Sendable, Hashable, Codable {
    var start: Int
    var line: Int
    var lineStart: Int
  }

  /// The values from outside the records of the current document.
  struct Context: Sendable, Hashable, Codable {
    /// Where the document starts that they are from.
    var document: Int?
    /// Each as JSON; nil where it has not come yet.
    var texts: [String?]
  }

  /// What the stored form is; another one is refused.
  static let form = 1

  /// The offset of the byte that reading goes on with.
  public let offset: Int
  /// How many records came before.
  public internal(set) var recordCount = 0
  /// The values from outside the records, where there are any.
  var context: Context?

  let form: Int
  let line: Int
  let lineStart: Int
  let text: Place
  let levels: [Level]
  var pathsSeen: UInt64
  let framing: FeedFormat
  let isFramingSettled: Bool
  let hasSeparator: Bool
  let isFirstText: Bool
  let hasText: Bool
  let isBehindFault: Bool
}

extension FeedPosition {
  /// What an error says of a position that no feed has.
  static let mismatch = MappingError(
    .invalidDefinition, expected: "a position taken with the same mapping, paths and limits",
    found: "another one")

  /// Whether the numbers can be those of a feed: what is stored may have been changed.
  var isPlausible: Bool {
    let most = 1 << 60
    return form == Self.form && (0...most).contains(offset) && (0...offset).contains(lineStart)
      && (1...1 << 40).contains(line) && (0...most).contains(recordCount)
      && (0...offset).contains(text.start) && (0...text.start).contains(text.lineStart)
      && (0...line).contains(text.line)
      && levels.allSatisfy {
        if case .element(let index) = $0 { (0...most).contains(index) } else { true }
      }
  }
}
