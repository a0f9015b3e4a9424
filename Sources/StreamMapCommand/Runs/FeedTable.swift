import StreamMap
import StreamMapFiles

/// A few records as a table for people.
struct FeedTable {
  private static let widestTable = 100
  private static let widestCell = 24

  /// The table; its last line names the columns that there was no room for.
  let text: String

  /// A table of records.
  ///
  /// - Parameters:
  ///   - columns: The keys that lead to each column's values.
  ///   - records: The records.
  init(_ columns: [[String]], of records: [JSONValue]) {
    var lines = Array(repeating: "", count: records.count + 1)
    var width = 0
    var shown = 0
    for column in columns {
      let cells =
        [Self.cell(column.isEmpty ? "value" : column.joined(separator: "."))]
        + records.map { Self.cell($0, column) }
      let wide = cells.map(\.unicodeScalars.count).max() ?? 0
      if shown > 0, width + wide > Self.widestTable { break }
      for (number, cell) in cells.enumerated() {
        lines[number] += cell + String(repeating: " ", count: wide - cell.unicodeScalars.count + 2)
      }
      width += wide + 2
      shown += 1
    }
    let rows = lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    let rest = columns.count - shown
    let more = rest == 0 ? [] : ["and \(rest) more \(rest == 1 ? "column" : "columns")"]
    text = (rows + more).joined(separator: "\n")
  }

  private static func cell(_ record: JSONValue, _ column: [String]) -> String {
    var value: JSONValue? = record
    for key in column { value = value?[key] }
    switch value {
    case nil, .null?: return ""
    case .string(let text)?: return cell(text)
    case let value?: return cell(value.description)
    }
  }

  private static func cell(_ text: String) -> String { ShownText.excerpt(text, widestCell) }
}
