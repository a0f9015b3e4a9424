import StreamMap
import StreamMapFiles

/// A table for the records of a mapping.
struct TableDefinition {
  let dialect: SQLDialect
  let name: String
  let columns: [OutputColumn]
  /// The columns that tell rows apart, if any do.
  let key: [String]

  /// The table for the records of a mapping file, as it says itself how they become rows.
  ///
  /// - Throws: ``DefinitionError`` if they cannot become rows.
  init(_ dialect: SQLDialect, of file: MappingFile) throws(DefinitionError) {
    self.dialect = dialect
    name = file.output.table ?? file.name ?? "records"
    key = file.output.key
    let rows = file.output.rows
    let plain = OutputColumns(file.record, separator: rows.separator)
    // Values that cannot become rows say so; columns of one name are reported at their fields.
    columns = try plain.isOpen ? rows.columns(of: file.record) : plain.columns
  }

  /// All that keeps the records of a mapping file from being rows of a table.
  static func problems(of file: MappingFile, for dialect: SQLDialect) -> [FieldProblem] {
    do throws(DefinitionError) {
      return try TableDefinition(dialect, of: file).problems
    } catch {
      return error.mistakes.map { FieldProblem(keys: [], reason: $0.reason) }
    }
  }

  /// The statement that makes the table.
  var statement: String {
    var lines = columns.map { column in
      "  \(dialect.quoted(column.name)) \(dialect.name(of: column.type))"
        + (column.isNullable ? "" : " NOT NULL")
    }
    if !key.isEmpty {
      lines.append("  PRIMARY KEY (\(key.map(dialect.quoted).joined(separator: ", ")))")
    }
    return "CREATE TABLE \(dialect.quoted(name)) (\n\(lines.joined(separator: ",\n"))\n)"
      + (dialect == .sqlite ? " STRICT" : "")
  }

  /// All that keeps the table from being made.
  var problems: [FieldProblem] {
    var problems: [FieldProblem] = []
    if let mistake = dialect.mistake(inName: name) {
      problems.append(FieldProblem(keys: [], reason: "the table: \(mistake)"))
    }
    if columns.isEmpty {
      problems.append(
        FieldProblem(keys: [], reason: "a table needs a column, and there is no field"))
    }
    var first: [ExactText: OutputColumn] = [:]
    for column in columns {
      if let mistake = dialect.mistake(inColumn: column.name) {
        problems.append(FieldProblem(keys: column.keys, reason: mistake))
      }
      let identity = dialect.identity(of: column.name)
      if let other = first[identity] {
        problems.append(FieldProblem(keys: column.keys, reason: clash(column, other)))
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
      + "\(dialect.rawValue), which takes capitals and small letters for the same: rename one of them"
  }

  /// What is wrong with the key; nil if it can be one.
  var keyMistake: String? {
    for name in key {
      guard let column = columns.first(where: { $0.name == name }) else {
        let hint = Suggestion.nearest(to: name, among: columns.map(\.name))
        return "there is no column '\(name)'" + (hint.map { Suggestion.hint($0) } ?? "")
      }
      if column.isNullable {
        return "the column '\(name)' may be null, and a key must not be: make the field required"
      }
    }
    return nil
  }
}
