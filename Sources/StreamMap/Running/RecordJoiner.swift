/// Reads records as rows that reading hands over as tokens.
///
/// Such are the records that paths find in a value that is held, and those that another thread has read. The text of a record is read once
/// more, as a document of its own. The parts of a record are joined first, as long as they are short. What is left out between two parts
/// is left out of the text, too. So each token has its place and its line, counted from where the record starts.
///
/// Not thread-safe.
final class RecordJoiner {
  /// The longest text that is read.
  static let longest = 64 << 10
  /// After as many misses in a row the pauses do not grow any more.
  private static let mostMisses = 10

  private let reader: FeedReader
  private let held = HeldValue(limit: RecordJoiner.longest)
  /// Whether a part that was added has elements that only stand for others.
  private var hasAbsent = false
  private var parts = 0
  /// Where the first part starts.
  private var start: UInt64 = 0
  /// How many more records were no rows than were, lately; and how many are not tried.
  private var misses = 0
  private var pause = 0

  /// Nil if no memory is left.
  init?(_ tables: PlanTables, limits: Limits) {
    guard let selection = try? tables.wholeText(),
      let reader = try? FeedReader.make(selection, format: .json, limits: limits, form: .index)
    else { return nil }
    reader.takeRows()
    self.reader = reader
  }

  /// Whether the next record is to be tried.
  func begin() -> Bool {
    if pause > 0 {
      pause -= 1
      return false
    }
    return true
  }

  /// Adds the next part of a record; false, with nothing added, if it cannot be read as a row.
  func add(_ chunk: RecordChunk) -> Bool {
    guard case .index(let index) = chunk else { return false }
    guard let first = index.tokens.first, let last = index.tokens.last else { return true }
    if parts == 0 { start = first.start }
    if last.end &- start > UInt64(Self.longest) { return false }
    if index.tokens.contains(where: \.isAbsent) { hasAbsent = true }
    // What it stands for is not in the text.
    if parts > 0, hasAbsent { return false }
    held.add(chunk)
    parts += 1
    return true
  }

  var hasParts: Bool { parts > 0 }

  /// All that was added, for the machine.
  var chunk: RecordChunk { held.chunk }

  /// The record that was added, as a row; nil if it is none.
  var row: RecordRow? {
    guard case .index(let index) = held.chunk else { return nil }
    return row(of: index)
  }

  /// A record that came in one part as a row; nil if it is none.
  ///
  /// It is valid until ``end(isMade:)``, which has to follow.
  func row(of record: RecordChunk.Index) -> RecordRow? {
    guard record.joined.isEmpty, let text = record.stretch?.bytes, text.count <= Self.longest,
      reader.input(document: text)
    else { return nil }
    return reader.row
  }

  /// Forgets the record.
  ///
  /// - Parameter isMade: Whether a row of it was made.
  func end(isMade: Bool) {
    if isMade {
      reader.resetAfterRow()
      if misses > 0 { misses -= 1 }
    } else {
      reader.reset(format: .json)
      pause = (1 << misses) - 1
      if misses < Self.mostMisses { misses += 1 }
    }
    clear()
  }

  /// Forgets the parts of a record that ends too early.
  func clear() {
    if parts == 0 { return }
    held.clear()
    (parts, hasAbsent) = (0, false)
  }
}
