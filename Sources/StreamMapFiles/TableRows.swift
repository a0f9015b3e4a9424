import StreamMap

/// What is taken of the rows of a table.
struct TableColumns: Hashable {
  /// What stands between the texts of several columns: no key may have it, so that each has one meaning.
  static let separator = "\u{1F}"

  /// The columns whose texts are the key.
  let keys: [String]
  /// The columns with what stands for the key.
  let values: [String]
  /// Whether that is an object, and not the text of one column.
  let isObject: Bool

  /// The key of a row.
  func key(_ parts: [[UInt8]], _ line: Int) throws(LookupTable.Fault) -> [UInt8] {
    let separator = Array(Self.separator.utf8)
    if parts.count > 1, parts.contains(where: { $0.contains(separator[0]) }) {
      throw LookupTable.Fault(line: line, reason: "a key has the character U+001F")
    }
    return Array(parts.joined(separator: separator))
  }

  /// An object with a value for each column, which are JSON.
  func object(_ parts: [String]) -> [UInt8] {
    let members = zip(values, parts).map { "\(JSONValue.string($0).description):\($1)" }
    return Array("{\(members.joined(separator: ","))}".utf8)
  }
}

/// The rows of a table, one after the other.
protocol TableRows {
  /// The line that the last row began in.
  var line: Int { get }

  /// The next row; nil at the end.
  mutating func next() throws(LookupTable.Fault) -> (key: [UInt8], value: [UInt8])?
}

/// Rows that are known already.
struct EntryRows: TableRows {
  var entries: ArraySlice<(key: [UInt8], value: [UInt8])>

  var line: Int { entries.startIndex }

  mutating func next() throws(LookupTable.Fault) -> (key: [UInt8], value: [UInt8])? {
    entries.popFirst()
  }
}

/// The rows of a CSV file with a header.
struct CSVRows: TableRows {
  /// The most columns that a message names.
  private static let mostShown = 20

  private var lines: CSVReader
  private let columns: TableColumns
  private let count: Int
  private let keys: [Int]
  private let values: [Int]

  var line: Int { lines.line }

  init(_ bytes: [UInt8], _ columns: TableColumns) throws(LookupTable.Fault) {
    lines = CSVReader(bytes)
    self.columns = columns
    guard let header = try lines.next() else {
      throw LookupTable.Fault(reason: "the file is empty")
    }
    let names = header.map { String(decoding: $0, as: UTF8.self) }
    count = names.count
    keys = try Self.places(of: columns.keys, in: names)
    values = try Self.places(of: columns.values, in: names)
  }

  private static func places(of columns: [String], in names: [String]) throws(LookupTable.Fault)
    -> [Int]
  {
    var places: [Int] = []
    for column in columns { places.append(try place(of: column, in: names)) }
    return places
  }

  private static func place(of name: String, in names: [String]) throws(LookupTable.Fault) -> Int {
    let found = names.indices.filter { names[$0] == name }
    if found.count == 1 { return found[0] }
    let reason = found.isEmpty ? "there is no column '\(name)'" : "two columns are '\(name)'"
    // The file may be anything that a mapping file names; a text without columns is not shown.
    let shown = names.prefix(mostShown).map { "'\(ShownText.excerpt($0))'" }
    let more = names.count > shown.count ? ", …" : ""
    throw LookupTable.Fault(
      line: 1,
      reason: names.count == 1
        ? "\(reason): the file has one column, or is not CSV"
        : "\(reason); there are \(shown.joined(separator: ", "))\(more)")
  }

  mutating func next() throws(LookupTable.Fault) -> (key: [UInt8], value: [UInt8])? {
    guard let cells = try lines.next() else { return nil }
    guard cells.count == count else {
      throw LookupTable.Fault(
        line: line, reason: "there are \(cells.count) cells, and \(count) in the header")
    }
    let key = try columns.key(keys.map { cells[$0] }, line)
    guard columns.isObject else { return (key, cells[values[0]]) }
    let texts = values.map {
      JSONValue.string(String(decoding: cells[$0], as: UTF8.self)).description
    }
    return (key, columns.object(texts))
  }
}

/// The rows of a file with one object a line.
struct JSONRows: TableRows {
  private let lines: [ArraySlice<UInt8>]
  private let columns: TableColumns
  private(set) var line = 0

  init(_ bytes: [UInt8], _ columns: TableColumns) {
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    self.columns = columns
  }

  mutating func next() throws(LookupTable.Fault) -> (key: [UInt8], value: [UInt8])? {
    while line < lines.count {
      let text = lines[line]
      line += 1
      if text.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      return try row(text)
    }
    return nil
  }

  private func row(_ text: ArraySlice<UInt8>) throws(LookupTable.Fault) -> (
    key: [UInt8], value: [UInt8]
  ) {
    guard let value = (try? Mapper(JSONValue.self))?.decode(Array(text)).value,
      case .object = value
    else { throw LookupTable.Fault(line: line, reason: "it is not an object") }
    var keys: [[UInt8]] = []
    for name in columns.keys { keys.append(try scalar(name, of: value)) }
    let key = try columns.key(keys, line)
    guard columns.isObject else { return (key, try scalar(columns.values[0], of: value)) }
    return (key, columns.object(columns.values.map { (value[$0] ?? .null).description }))
  }

  /// The text of a member that is a scalar.
  private func scalar(_ name: String, of value: JSONValue) throws(LookupTable.Fault) -> [UInt8] {
    switch value[name] {
    case .string(let text)?, .number(let text)?: return Array(text.utf8)
    case .bool(let isTrue)?: return Array("\(isTrue)".utf8)
    case nil: throw LookupTable.Fault(line: line, reason: "'\(name)' is missing")
    case .null?:
      throw LookupTable.Fault(
        line: line,
        reason: columns.keys.contains(name)
          ? "'\(name)' is null, and a key is a text, a number, true or false"
          : "'\(name)' is null, and what stands for a key is a text, a number, true or false; without the line, otherwise: null stands for it, and with value: [\(name)] an object that has null"
      )
    case .array?, .object?:
      throw LookupTable.Fault(line: line, reason: "'\(name)' is not a scalar")
    }
  }
}

/// The lines of a CSV file: RFC 4180, with line feeds alone accepted, too.
private struct CSVReader {
  private let bytes: [UInt8]
  private var index = 0
  /// The line that the last row began in.
  private(set) var line = 0
  private var nextLine = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// The cells of the next row; nil at the end.
  mutating func next() throws(LookupTable.Fault) -> [[UInt8]]? {
    if index >= bytes.count { return nil }
    line = nextLine
    var cells: [[UInt8]] = []
    while true {
      cells.append(try cell())
      guard index < bytes.count else { return cells }
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: ",") { continue }
      // What ends a cell is a comma or the end of its line.
      if byte == UInt8(ascii: "\r") { index += 1 }
      nextLine += 1
      return cells
    }
  }

  private mutating func cell() throws(LookupTable.Fault) -> [UInt8] {
    var cell: [UInt8] = []
    if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
      let start = nextLine
      index += 1
      while true {
        guard index < bytes.count else {
          throw LookupTable.Fault(line: start, reason: "a quote is not closed")
        }
        let byte = bytes[index]
        index += 1
        if byte == UInt8(ascii: "\"") {
          guard index < bytes.count, bytes[index] == byte else { break }
          index += 1
        } else if byte == UInt8(ascii: "\n") {
          nextLine += 1
        }
        cell.append(byte)
      }
      if !isAtEndOfCell {
        throw LookupTable.Fault(
          line: nextLine, reason: "something follows the quote that closes a cell")
      }
    } else {
      while !isAtEndOfCell {
        if bytes[index] == UInt8(ascii: "\"") {
          throw LookupTable.Fault(
            line: nextLine, reason: "a cell with a quote in it has to be in quotes")
        }
        cell.append(bytes[index])
        index += 1
      }
    }
    let isPlain = cell.allSatisfy { $0 < 0x80 }
    guard isPlain || String(validating: cell, as: UTF8.self) != nil else {
      throw LookupTable.Fault(line: nextLine, reason: "not UTF-8")
    }
    return cell
  }

  private var isAtEndOfCell: Bool {
    guard index < bytes.count else { return true }
    switch bytes[index] {
    case UInt8(ascii: ","), UInt8(ascii: "\n"): return true
    case UInt8(ascii: "\r"):
      return index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
    default: return false
    }
  }
}
