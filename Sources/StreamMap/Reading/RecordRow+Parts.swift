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

  /// Where the tokens start in the text.
  var index: UnsafeBufferPointer<UInt32> {
    var count = 0
    let start = sm_row_index(walker, &count)
    return UnsafeBufferPointer(start: start, count: count)
  }

  /// Counts that so many bytes are looked at again; returns how many were, for this record.
  func count(_ bytes: Int) -> Int { Int(clamping: sm_row_count(walker, UInt64(bytes))) }

  /// How many bytes the record has.
  var length: Int { sm_row_length(walker) }

  /// How many cells are in use: those that are taken from now on can be given back.
  var mark: UInt32 { sm_row_cells(walker) }

  func release(to mark: UInt32) { sm_row_release(walker, mark) }

  /// Opens the container with these entries by a node of the selection; nil if it cannot be opened here.
  func open(_ entries: Range<UInt32>, by node: Int32) -> UnsafeMutablePointer<RowCell>? {
    let number = sm_row_open(walker, entries.lowerBound, sm_node(bitPattern: node))
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

  /// Copies the JSON of a container from an entry on, without white space, to memory that has room for its text.
  ///
  /// It stops at a string with escapes that are written in another way.
  ///
  /// - Returns: How many bytes were written.
  func copy(
    from entry: inout UInt32, to end: UInt32, into memory: UnsafeMutablePointer<UInt8>
  ) -> Int { sm_row_copy(walker, &entry, end, memory) }

  /// The cell of the key of a member, by its value's cell.
  func key(of value: UnsafeMutablePointer<RowCell>) -> RowCell {
    let entry = firstEntry(of: value)
    let index = index
    // Before a member's value there are its key, with both quotes, and a colon.
    let (start, end) = (index[entry - 3], index[entry - 2] + 1)
    return RowCell(start: start, end: end, kind: RowCell.Kind(byte: UInt8(SM_CELL_KEY)))
  }

  /// The entry of the index with which a value begins.
  func firstEntry(of value: UnsafeMutablePointer<RowCell>) -> Int {
    if let entries = entries(of: value) { return Int(entries.lowerBound) }
    let position = value.pointee.start
    let index = index
    var (low, high) = (0, index.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if index[middle] <= position { low = middle } else { high = middle - 1 }
    }
    return low
  }

  // MARK: Places

  /// A range of the text.
  struct Place {
    var start: UInt32
    var end: UInt32
  }

  /// Where the record starts in the text.
  var start: UInt32 { index[sm_row_entry_of_record(walker)] }

  /// Where the value with these entries is.
  func place(of entries: Range<UInt32>) -> Place {
    let index = index
    return Place(
      start: index[Int(entries.lowerBound)], end: index[Int(entries.upperBound) - 1] + 1)
  }

  /// Where the container at a path in the record is; nil if there is none.
  ///
  /// - Complexity: O(*n*) in the record's tokens.
  func place(ofContainerAt path: JSONPath) -> Place? {
    let index = index
    var entry = sm_row_entry_of_record(walker)
    for step in path.components {
      guard let next = self.entry(of: step, in: entry, index) else { return nil }
      entry = next
    }
    guard isOpening(text[Int(index[entry])]) else { return nil }
    let end = self.entry(after: entry, index)
    return place(of: UInt32(entry)..<UInt32(end))
  }

  private func isOpening(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }

  /// The first entry from one on that belongs to a token, not to the end of a line.
  private func passed(_ entry: Int, _ index: UnsafeBufferPointer<UInt32>) -> Int {
    var entry = entry
    while text[Int(index[entry])] == UInt8(ascii: "\n") { entry += 1 }
    return entry
  }

  /// The entry after a value.
  private func entry(after entry: Int, _ index: UnsafeBufferPointer<UInt32>) -> Int {
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
    of step: JSONPath.Component, in container: Int, _ index: UnsafeBufferPointer<UInt32>
  ) -> Int? {
    var entry = passed(container + 1, index)
    var number = 0
    while !isClosing(text[Int(index[entry])]) {
      switch (step, text[Int(index[container])]) {
      case (.key(let key), UInt8(ascii: "{")):
        let (start, end) = (Int(index[entry]) + 1, Int(index[entry + 1]))
        let found = EscapedText.decoded(
          UnsafeBufferPointer(start: text + start, count: end - start))
        // Both quotes, and the colon.
        entry = passed(passed(entry + 2, index) + 1, index)
        if ExactText(found) == ExactText(key) { return entry }
      case (.index(let wanted), UInt8(ascii: "[")):
        if number == wanted { return entry }
        number += 1
      default: return nil
      }
      entry = passed(self.entry(after: entry, index), index)
      if text[Int(index[entry])] == UInt8(ascii: ",") { entry = passed(entry + 1, index) }
    }
    return nil
  }

  private func isClosing(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }
}
