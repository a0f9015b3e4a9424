import CScan

// Containers of rows that are read when somebody needs their parts.
extension RecordRow {
  /// Nil if there is no row.
  init?(_ row: sm_row) {
    guard let cells = UnsafeMutableRawPointer(row.cells), let text = row.text,
      let walker = row.walker
    else { return nil }
    // RowCell has the layout of sm_cell.
    self.init(
      cells: cells.assumingMemoryBound(to: RowCell.self), text: text, readable: row.readable,
      walker: walker)
  }

  var memory: sm_row {
    let cells = UnsafeMutableRawPointer(cells).assumingMemoryBound(to: sm_cell.self)
    return sm_row(cells: cells, text: text, readable: readable, walker: walker)
  }

  /// Where the tokens of a closed container, or of the record, start in the text, from its bracket on.
  ///
  /// Valid until the next question about the parts of the row.
  func index(of place: Place) -> UnsafePointer<UInt32>? {
    sm_row_index(walker, place.start, place.end)
  }

  /// Counts that so much work is done again; returns how much it is, for this record.
  func count(_ work: Int) -> Int { Int(clamping: sm_row_count(walker, UInt64(work))) }

  /// What it costs to look at the whole record again.
  var work: Int { Self.work(on: length) }

  static func work(on byteCount: Int) -> Int { byteCount &* Int(SM_ROW_WORK) }

  /// How many bytes the record has.
  var length: Int { sm_row_length(walker) }

  /// How many cells are in use: those that are taken from now on can be given back.
  var mark: UInt32 { sm_row_cells(walker) }

  func release(to mark: UInt32) { sm_row_release(walker, mark) }

  /// Opens the container at a place by a node of the selection; nil if it cannot be opened here.
  func open(_ place: Place, by node: Int32) -> UnsafeMutablePointer<RowCell>? {
    let number = sm_row_open(walker, place.start, place.end, sm_node(bitPattern: node))
    return number == 0 ? nil : cells + Int(number)
  }

  /// A block of cells in which there is nothing; nil if there is no room.
  func block(of count: Int32) -> UnsafeMutablePointer<RowCell>? {
    let number = sm_row_block(walker, UInt32(bitPattern: count))
    return number == 0 ? nil : cells + Int(number)
  }

  /// A JSON text of its own as a row with one cell; nil if it cannot be read here.
  ///
  /// It is valid until the next one, as long as this row and the text.
  func beside(_ text: UnsafeBufferPointer<UInt8>) -> RecordRow? {
    text.baseAddress.flatMap { RecordRow(sm_row_text(walker, $0, text.count)) }
  }

  /// Copies the JSON of a container, without white space and with the escapes that are written, to memory that has room for its text.
  ///
  /// - Returns: How many bytes were written; 0 if it cannot be copied.
  func copy(_ place: Place, into memory: UnsafeMutablePointer<UInt8>) -> Int {
    sm_row_copy(walker, place.start, place.end, memory)
  }

  /// The cell of the key of the member whose value starts at a place.
  func key(before start: UInt32) -> RowCell {
    let key = sm_row_key(walker, start)
    return RowCell(start: key.start, end: key.end, kind: RowCell.Kind(byte: key.kind))
  }

  /// Whether a member of the record, at any depth, may have a key, which is given with its quotes.
  func mayName(_ key: [UInt8]) -> Bool { sm_row_may_name(walker, key, key.count) }

  /// The first member with a key, which is given with its quotes, of the object at a place: a scalar or a closed container, or what is absent.
  ///
  /// The key needs no escapes. Nil if that cannot be said here.
  func member(_ key: [UInt8], in place: Place) -> RowCell? {
    var value = sm_cell()
    guard sm_row_member(walker, place.start, place.end, key, key.count, &value) else { return nil }
    return RowCell(
      start: value.start, end: value.end, kind: RowCell.Kind(byte: value.kind),
      hasEscapes: value.has_escapes, isClosed: value.is_closed)
  }

  /// A range of the text.
  func bytes(_ start: UInt32, _ end: UInt32) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text + Int(start), count: Int(end) - Int(start))
  }

  // MARK: Places

  /// Where the record is in the text.
  var place: Place {
    let start = sm_row_start(walker)
    return Place(start: start, end: start + UInt32(length))
  }

  /// The line feeds in a range of the text: how many there are, and what comes after the last one; nil if there is none.
  func lines(in range: Range<Int>) -> (count: Int, end: Int?) {
    var hasText = false
    let lines = sm_count_lines(&hasText, text + range.lowerBound, range.count, .max)
    return (lines.line_feeds, lines.line_feeds > 0 ? range.lowerBound + lines.end : nil)
  }

  /// Where the container at a path in the record is; nil if there is none.
  ///
  /// - Complexity: O(*n*) in the record's tokens.
  func place(ofContainerAt path: JSONPath) -> Place? {
    guard let index = index(of: place) else { return nil }
    var entry = 0
    for step in path.components {
      guard let next = self.entry(of: step, in: entry, index) else { return nil }
      entry = next
    }
    guard isOpening(text[Int(index[entry])]) else { return nil }
    let end = self.entry(after: entry, index)
    return Place(start: index[entry], end: index[end - 1] + 1)
  }

  private func isOpening(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }

  /// The entry after a value.
  private func entry(after entry: Int, _ index: UnsafePointer<UInt32>) -> Int {
    // A string has both quotes.
    if text[Int(index[entry])] == UInt8(ascii: "\"") { return entry + 2 }
    var (entry, depth) = (entry, 0)
    repeat {
      switch text[Int(index[entry])] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      entry += 1
    } while depth > 0
    return entry
  }

  /// The entry of a part of the container at an entry.
  private func entry(
    of step: JSONPath.Component, in container: Int, _ index: UnsafePointer<UInt32>
  ) -> Int? {
    var entry = container + 1
    var number = 0
    while !isClosing(text[Int(index[entry])]) {
      switch (step, text[Int(index[container])]) {
      case (.key(let key), UInt8(ascii: "{")):
        let (start, end) = (Int(index[entry]) + 1, Int(index[entry + 1]))
        let found = EscapedText.decoded(
          UnsafeBufferPointer(start: text + start, count: end - start))
        // Both quotes, and the colon.
        entry += 3
        if ExactText(found) == ExactText(key) { return entry }
      case (.index(let wanted), UInt8(ascii: "[")):
        if number == wanted { return entry }
        number += 1
      default: return nil
      }
      entry = self.entry(after: entry, index)
      if text[Int(index[entry])] == UInt8(ascii: ",") { entry += 1 }
    }
    return nil
  }

  private func isClosing(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }
}
