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
  let finder: CellFinder
  /// By column: whether its cells are JSON, also those that are strings.
  let isJSON: [Bool]

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
    finder = CellFinder(columns.map(\.keys))
    isJSON = columns.map { options.kind == .postgres && $0.type.scalar == nil }
  }

  private static func mistake(_ reason: String) -> DefinitionError {
    DefinitionError(reason: reason)
  }

  /// The byte between two cells.
  var delimiter: UInt8 { UInt8(ascii: options.kind == .csv ? "," : "\t") }

  /// The line with the columns' names.
  var header: [UInt8] {
    guard options.hasHeader, options.kind == .csv || options.kind == .tsv else { return [] }
    let line = OutputBuffer()
    for (number, column) in columns.enumerated() {
      if number > 0 { line.append(delimiter) }
      Array(column.name.utf8).withUnsafeBufferPointer {
        if options.kind == .csv {
          CellText.appendCSV($0, to: line)
        } else {
          CellText.appendEscaped($0, to: line)
        }
      }
    }
    line.append(UInt8(ascii: "\n"))
    return Array(line.bytes)
  }

  /// Whether a record may have no row, although it is mapped.
  var canFail: Bool { options.kind == .postgres }
}

extension RowOptions {
  /// The columns of the rows that these records become.
  ///
  /// - Throws: ``DefinitionError`` if the records have no such rows.
  package func columns(of record: OutputValue) throws(DefinitionError) -> [OutputColumn] {
    try RowForm(record, self).columns
  }
}
