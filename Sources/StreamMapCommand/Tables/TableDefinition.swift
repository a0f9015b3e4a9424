import StreamMap
import StreamMapFiles

/// A table for the records of a mapping.
struct TableDefinition {
  /// What is wrong with a column, and the keys that lead to its field.
  struct Problem {
    let keys: [String]
    let reason: String
  }

  let dialect: SQLDialect
  let name: String
  let columns: OutputColumns
  /// The columns that tell rows apart, if any do.
  var key: [String] = []

  /// What stands in for a table's name that nobody gave.
  static let defaultName = "records"

  /// The statement that makes the table.
  var statement: String {
    var lines = columns.columns.map { column in
      let isNeeded = !column.isNullable
      return "  \(dialect.quoted(column.name)) \(dialect.name(of: column.type))"
        + (isNeeded ? " NOT NULL" : "")
    }
    if !key.isEmpty {
      lines.append("  PRIMARY KEY (\(key.map(dialect.quoted).joined(separator: ", ")))")
    }
    return "CREATE TABLE \(dialect.quoted(name)) (\n\(lines.joined(separator: ",\n"))\n)"
      + (dialect == .sqlite ? " STRICT" : "")
  }

  /// All that keeps the table from being made.
  var problems: [Problem] {
    var problems: [Problem] = []
    if columns.isOpen {
      problems.append(
        Problem(
          keys: [],
          reason: "rest: keep has members that only the feed knows, and a table has fixed columns: "
            + "name them as fields, or collect them in one (unknown: collect:others)"))
    }
    if columns.columns.isEmpty {
      problems.append(Problem(keys: [], reason: "a table needs a column, and there is no field"))
    }
    var first: [String: OutputColumn] = [:]
    for column in columns.columns {
      if let mistake = dialect.mistake(inColumn: column.name) {
        problems.append(Problem(keys: column.keys, reason: mistake))
      }
      let identity = dialect.identity(of: column.name)
      if let other = first[identity] {
        problems.append(Problem(keys: column.keys, reason: clash(column, other)))
      } else {
        first[identity] = column
      }
    }
    return problems
  }

  private func clash(_ column: OutputColumn, _ other: OutputColumn) -> String {
    if column.name == other.name {
      return "two fields become the column '\(column.name)': rename one of them"
    }
    return "the columns '\(other.name)' and '\(column.name)' are one for "
      + "\(dialect.rawValue), which does not tell capitals from small letters: rename one of them"
  }

  /// What is wrong with the key; nil where it can be one.
  var keyMistake: String? {
    for name in key {
      guard let column = columns.columns.first(where: { $0.name == name }) else {
        let hint = Suggestion.nearest(to: name, among: columns.columns.map(\.name))
        return "there is no column '\(name)'" + (hint.map { Suggestion.hint($0) } ?? "")
      }
      if column.isNullable {
        return "the column '\(name)' may be null, and a key must not be: make the field required"
      }
    }
    return nil
  }
}
