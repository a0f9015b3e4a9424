import StreamMap
import StreamMapPlatform

/// Makes the values of a row from an output record.
struct TableRow {
  /// How numbers are kept; all else follows from its own text.
  private enum Numbers {
    /// As a number that is whole, or as one that is not.
    case whole, real
    /// As the text that was written: each digit counts.
    case text
    /// As a number where that loses nothing, else as a text.
    case exact
  }

  private let cells: RecordCells
  private let numbers: [Numbers]

  init(_ definition: TableDefinition) {
    cells = RecordCells(definition.columns)
    numbers = definition.columns.map { column in
      switch definition.dialect.name(of: column.type) {
      case "INTEGER": .whole
      case "REAL": .real
      case "TEXT": .text
      default: .exact
      }
    }
  }

  /// Binds the cells of a record, which has to stay until the statement has run.
  func bind(_ record: UnsafeBufferPointer<UInt8>, to statement: SQLiteStatement) {
    cells.forEach(of: record) { column, cell in
      switch cell {
      case .nothing: statement.bindNull(at: column)
      case .bool(let isTrue): statement.bind(isTrue ? 1 : Int64(0), at: column)
      case .number(let text): bind(number: text, to: statement, at: column)
      case .text(let text), .json(let text): statement.bind(staying: text, at: column)
      case .unescaped(let text): statement.bind(text, at: column)
      }
    }
  }

  private func bind(
    number cell: UnsafeBufferPointer<UInt8>, to statement: SQLiteStatement, at number: Int
  ) {
    let kind = numbers[number]
    if kind == .text { return statement.bind(staying: cell, at: number) }
    if kind != .real, let whole = Self.whole(cell) { return statement.bind(whole, at: number) }
    if let value = NumberText.double(cell) {
      if kind == .real { return statement.bind(value, at: number) }
      let digits = Self.digits(cell)
      // A Double gives back each of up to fifteen digits, but next to zero.
      if digits == 0 || digits <= 15 && value.isNormal {
        // As in 1e3.
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
          return statement.bind(whole, at: number)
        }
        return statement.bind(value, at: number)
      }
    }
    statement.bind(staying: cell, at: number)
  }

  /// The number of up to eighteen digits that a text is; nil for any other.
  private static func whole(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    let isNegative = text.first == UInt8(ascii: "-")
    var index = isNegative ? 1 : 0
    if text.count - index > 18 { return Int64(String(decoding: text, as: UTF8.self)) }
    var value: Int64 = 0
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      if digit > 9 { return nil }
      value = value &* 10 &+ Int64(digit)
      index += 1
    }
    return isNegative ? -value : value
  }

  /// How many digits a number has from the first one that is not zero.
  private static func digits(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    var digits = 0
    for byte in text {
      switch byte {
      case UInt8(ascii: "0") where digits == 0: break
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "e"), UInt8(ascii: "E"): return digits
      default: break
      }
    }
    return digits
  }
}
