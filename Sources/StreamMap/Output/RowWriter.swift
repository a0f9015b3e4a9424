/// Writes output records as rows.
///
/// Not thread-safe: each thread that maps has its own.
final class RowWriter {
  /// Why a record has no rows.
  enum Failure {
    /// They are more bytes than a record may have.
    case tooLarge
    /// A value that the database cannot hold.
    case unheld(UnheldValue, column: String)
  }

  private let form: RowForm
  private let kind: RowOptions.Kind
  private let isSafe: Bool
  private let delimiter: UInt8
  private let columnCount: Int
  private let found: UnsafeMutablePointer<JSONCell>
  /// Text of a cell that does not stand in the record as it is.
  private let scratch = OutputBuffer()
  private var failure: Failure?

  init(_ form: RowForm) {
    self.form = form
    kind = form.options.kind
    isSafe = form.options.isSafe && (kind == .csv || kind == .tsv)
    delimiter = form.delimiter
    columnCount = form.columns.count
    found = .allocate(capacity: max(columnCount, 1))
    found.initialize(repeating: .none, count: max(columnCount, 1))
  }

  deinit {
    found.deallocate()
  }

  /// Appends the row of a record; where that fails, nothing.
  func append(_ record: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) -> Failure? {
    guard let cells = JSONCells(record) else { return nil }
    failure = nil
    let start = output.count
    form.finder.find(in: cells, found)
    appendRow(cells, to: output)
    if failure != nil { output.truncate(to: start) }
    return failure
  }

  private func appendRow(_ cells: JSONCells, to output: OutputBuffer) {
    for column in 0..<columnCount {
      if column > 0 { output.append(delimiter) }
      let cell = found[column]
      switch kind {
      case .csv: appendCSV(cell, cells, to: output)
      case .tsv:
        if cell.kind != 0 { CellText.appendEscaped(text(of: cell, cells), to: output) }
      case .postgres: appendPostgres(cell, column, cells, to: output)
      case .text:
        if cell.kind != 0 { output.append(text(of: cell, cells)) }
      }
    }
    output.append(UInt8(ascii: "\n"))
  }

  @inline(__always)
  private func appendCSV(_ cell: JSONCell, _ cells: JSONCells, to output: OutputBuffer) {
    if cell.kind == 0 {
      // A row is never an empty line, which readers pass over.
      if columnCount == 1 { output.append("\"\"") }
    } else {
      CellText.appendCSV(text(of: cell, cells), to: output)
    }
  }

  private func appendPostgres(
    _ cell: JSONCell, _ column: Int, _ cells: JSONCells, to output: OutputBuffer
  ) {
    if cell.kind == 0 { return output.append("\\N") }
    if form.isJSON[column] {
      let text = cells.bytes(of: cell)
      if let value = UnheldValue.inJSON(text) { fail(value, column) }
      return CellText.appendEscaped(text, to: output)
    }
    let text = text(of: cell, cells)
    switch form.columns[column].type {
    case .scalar(.number): if let value = UnheldValue.number(text) { fail(value, column) }
    case .scalar(.date), .day: if let value = UnheldValue.date(text) { fail(value, column) }
    default: if cell.hasEscapes, text.contains(0) { fail(.zeroCharacter, column) }
    }
    CellText.appendEscaped(text, to: output)
  }

  private func fail(_ value: UnheldValue, _ column: Int) {
    if failure == nil { failure = .unheld(value, column: form.columns[column].name) }
  }

  /// What a cell that is not empty says; valid until the next one.
  @inline(__always)
  private func text(of cell: JSONCell, _ cells: JSONCells) -> UnsafeBufferPointer<UInt8> {
    if cell.kind == UInt8(ascii: "\"") {
      let inside = cells.inside(cell)
      guard cell.hasEscapes || isSafe else { return inside }
      return changed(inside, hasEscapes: cell.hasEscapes)
    }
    return cells.bytes(of: cell)
  }

  private func changed(_ text: UnsafeBufferPointer<UInt8>, hasEscapes: Bool)
    -> UnsafeBufferPointer<UInt8>
  {
    scratch.clear()
    scratch.append(UInt8(ascii: "'"))
    if hasEscapes { CellText.appendDecoded(text, to: scratch) } else { scratch.append(text) }
    return withoutMark(isSafe && CellText.looksLikeFormula(scratch.slice(1, scratch.count)))
  }

  /// The scratch, with its apostrophe or without.
  private func withoutMark(_ keepsMark: Bool) -> UnsafeBufferPointer<UInt8> {
    scratch.slice(keepsMark ? 0 : 1, scratch.count)
  }
}
