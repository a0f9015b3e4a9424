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
}
