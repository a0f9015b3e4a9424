/// How output records become rows.
package struct RowOptions: Sendable, Hashable {
  /// The forms of rows.
  package enum Kind: Sendable, Hashable {
    /// Comma-separated values (RFC 4180).
    case csv
    /// Tab-separated values, with backslash escapes.
    case tsv
    /// The text format of PostgreSQL's COPY.
    case postgres
    /// The text of the only column.
    case text
  }

  package var kind: Kind
  /// Whether the names of the columns come first.
  package var hasHeader = true
  /// What stands between the names of a column in an object inside; nil if such an object is one cell of JSON.
  package var separator: String? = "."
  /// Whether a text that a spreadsheet would take for a formula begins with an apostrophe.
  package var isSafe = false

  package init(_ kind: Kind) {
    self.kind = kind
  }
}

/// The rows of a mapping's records: the columns, and how they are found and written.
struct RowForm: Sendable {
  let options: RowOptions
  let columns: [OutputColumn]
  let form: RecordForm

  /// - Throws: ``DefinitionError`` if the records have no such rows.
  init(_ record: OutputValue, _ options: RowOptions) throws(DefinitionError) {
    self.options = options
    let table = OutputColumns(record, separator: options.separator)
    if table.isOpen {
      throw Self.mistake(
        "'rest: keep' has members that only the feed knows, so there are no columns for them;"
          + " leave 'rest' out, or collect them in one column with 'unknown: collect:<field>'")
    }
    columns = table.columns
    if options.kind == .text, columns.count != 1 {
      throw Self.mistake(
        "the output 'text' is the text of one field, and the record has \(columns.count);"
          + " map one field, or write 'csv' or 'tsv'")
    }
    var names: Set<ExactText> = []
    for column in columns where !names.insert(ExactText(column.name)).inserted {
      throw Self.mistake(
        "two columns are called '\(column.name)'; give 'nested' another separator")
    }
    let isSafe = options.isSafe && (options.kind == .csv || options.kind == .tsv)
    form = RecordForm(
      options.kind.form, CellTable(columns.map(\.keys), key: JSONText.key),
      contents: columns.map(\.content), isFormula: isSafe ? Self.isFormula : nil,
      isLong: Self.isLong)
  }

  private static let isFormula: RecordForm.Test = {
    SpreadsheetFormula.isBegun(by: UnsafeBufferPointer(start: $0, count: $1))
  }

  private static let isLong: RecordForm.Test = {
    UnheldValue.isLong(UnsafeBufferPointer(start: $0, count: $1))
  }

  private static func mistake(_ reason: String) -> DefinitionError {
    DefinitionError(reason: reason)
  }

  /// The line with the columns' names.
  var header: [UInt8] {
    guard options.hasHeader, options.kind == .csv || options.kind == .tsv else { return [] }
    // The names are a row of texts. Without a mapping they come from the feed, so they are made safe, too.
    let names = OutputBuffer()
    names.append(UInt8(ascii: "["))
    for (number, column) in columns.enumerated() {
      if number > 0 { names.append(UInt8(ascii: ",")) }
      JSONText.append(quoted: column.name, to: names)
    }
    names.append(UInt8(ascii: "]"))
    let form = RecordForm(
      options.kind.form, form.cells, isFormula: options.isSafe ? Self.isFormula : nil,
      isLong: Self.isLong)
    let writer = RecordFormWriter(form)
    let line = OutputBuffer()
    _ = line.append { writer.writeRow(of: names.bytes, to: $0) }
    return Array(line.bytes)
  }

  /// Whether a record may have no row, although it is mapped.
  var canFail: Bool { options.kind == .postgres }
}

extension RowOptions.Kind {
  fileprivate var form: RecordForm.Kind {
    switch self {
    case .csv: .csv
    case .tsv: .tsv
    case .postgres: .copy
    case .text: .text
    }
  }
}

extension OutputColumn {
  /// What PostgreSQL may not be able to hold of it.
  fileprivate var content: RecordForm.Content {
    guard type.scalar != nil else { return .json }
    return switch type {
    case .scalar(.number): .number
    case .scalar(.date), .day: .date
    default: .text
    }
  }
}

extension OutputBuffer {
  /// Appends what `write` writes in a form; returns why nothing is written.
  func append(_ write: (RowProgram.Output) -> RecordFormWriter.Outcome)
    -> (value: UnheldValue, column: Int)?
  {
    while true {
      var outcome = RecordFormWriter.Outcome.noRoom
      extend { start, count, capacity in
        outcome = write(RowProgram.Output(start: start, count: count, capacity: capacity))
        if case .written(let end) = outcome { return end }
        return count
      }
      switch outcome {
      case .written: return nil
      case .noRoom: makeRoom()
      case .unheld(let value, let column): return (value, column)
      }
    }
  }
}

extension RowOptions {
  /// The columns of the rows that these records become.
  ///
  /// - Throws: ``DefinitionError`` if the records have no such rows.
  package func columns(of record: OutputValue) throws(DefinitionError) -> [OutputColumn] {
    try RowForm(record, self).columns
  }
}
