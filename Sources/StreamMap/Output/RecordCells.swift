/// A value of a table's row, as it stands in the text of an output record.
package enum RecordCell {
  /// Null, or not there.
  case nothing
  case bool(Bool)
  /// The text of a number.
  case number(UnsafeBufferPointer<UInt8>)
  /// A string's content, which has no escapes.
  case text(UnsafeBufferPointer<UInt8>)
  /// A string's content, which had escapes.
  case unescaped([UInt8])
  /// JSON: that of an array or an object, and whatever is in a column that may have one.
  case json(UnsafeBufferPointer<UInt8>)
}

/// Finds the cells of a table's row in the text of an output record: the record's text as ``OutputConverter`` wrote it.
///
/// Linear in the text. Not thread-safe.
package final class RecordCells {
  private let finder: CellTable
  private var found: [JSONCell]
  /// By column: whether its cells are JSON, also those that are strings.
  private let isJSON: [Bool]

  package init(_ columns: [OutputColumn]) {
    finder = CellTable(columns.map(\.keys), key: JSONText.key)
    isJSON = columns.map { $0.type.scalar == nil }
    found = Array(repeating: .none, count: columns.count)
  }

  /// Calls `body` with the number of each column and its cell, which is valid as long as the record's text.
  package func forEach(
    of record: UnsafeBufferPointer<UInt8>, _ body: (_ column: Int, RecordCell) -> Void
  ) {
    guard let cells = JSONCells(record) else { return }
    found.withUnsafeMutableBufferPointer { found in
      guard let start = found.baseAddress else { return }
      finder.find(in: cells, start)
      for (column, cell) in found.enumerated() {
        let isJSON = isJSON[column] && cell.kind != 0
        body(column, isJSON ? .json(cells.bytes(of: cell)) : Self.value(of: cell, in: cells))
      }
    }
  }

  private static func value(of cell: JSONCell, in cells: JSONCells) -> RecordCell {
    switch cell.kind {
    case 0: .nothing
    case UInt8(ascii: "t"): .bool(true)
    case UInt8(ascii: "f"): .bool(false)
    case UInt8(ascii: "{"), UInt8(ascii: "["): .json(cells.bytes(of: cell))
    case UInt8(ascii: "\""):
      cell.hasEscapes
        ? .unescaped(WrittenText.withUnescaped(cells.bytes(of: cell)) { Array($0) })
        : .text(cells.inside(cell))
    default: .number(cells.bytes(of: cell))
    }
  }
}
