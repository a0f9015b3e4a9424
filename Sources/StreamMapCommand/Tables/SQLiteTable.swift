import StreamMap
import StreamMapFiles

/// A table of a SQLite database that rows are written to: made, or compared with the rows.
struct SQLiteTable {
  /// How a database gets the rows of a table.
  typealias WriteMode = MappingFile.Output.WriteMode

  let path: String
  let definition: TableDefinition
  let mode: WriteMode

  /// The statement that writes a row.
  var insertion: String {
    let dialect = definition.dialect
    let names = definition.columns.map(\.name)
    let verb = mode == .replace ? "INSERT OR REPLACE" : "INSERT"
    var text =
      "\(verb) INTO \(dialect.quoted(definition.name)) "
      + "(\(names.map(dialect.quoted).joined(separator: ", "))) "
      + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
    guard mode == .upsert else { return text }
    text += " ON CONFLICT (\(definition.key.map(dialect.quoted).joined(separator: ", "))) DO "
    let others = names.filter { !definition.key.contains($0) }.map(dialect.quoted)
    if others.isEmpty { return text + "NOTHING" }
    return text + "UPDATE SET " + others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
  }

  /// Makes the table where it is not there; else compares it.
  ///
  /// - Throws: ``SystemError``, ``ExitStatus`` if the table cannot take the rows.
  func prepare(in database: SQLiteDatabase) throws {
    let found = try database.rows(
      "SELECT type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')",
      definition.name)
    guard let first = found.first else { return try database.run(definition.statement) }
    var differences: [String] = []
    if first[0] == "view" {
      differences = ["it is a view, not a table"]
    } else {
      differences = try self.differences(in: database, sql: first[1] ?? "")
    }
    if differences.isEmpty { return }
    StandardError.write(
      "stream-map: the table '\(definition.name)' of \(path) cannot take these rows; nothing was written\n"
        + differences.map { "  \($0)" }.joined(separator: "\n"))
    throw ExitStatus.usage
  }

  // MARK: Tables that are there

  /// A column of a table that is there.
  private struct Column {
    let name: String
    let type: String
    let isNeeded: Bool
    let hasDefault: Bool
    /// Its place in the primary key, from 1 up; 0 outside it.
    let keyPlace: Int
    /// Whether it is calculated from others.
    let isGenerated: Bool
  }

  private func differences(in database: SQLiteDatabase, sql: String) throws(SystemError)
    -> [String]
  {
    let list = try database.rows(
      "SELECT strict FROM pragma_table_list(?) WHERE schema = 'main'", definition.name)
    let isStrict = (list.first?.first ?? nil) == "1"
    let columns = try database.rows(
      "SELECT name, type, \"notnull\", dflt_value IS NOT NULL, pk, hidden FROM pragma_table_xinfo(?)",
      definition.name
    ).map { row in
      Column(
        name: row[0] ?? "", type: row[1] ?? "", isNeeded: row[2] == "1", hasDefault: row[3] == "1",
        keyPlace: Int(row[4] ?? "") ?? 0, isGenerated: row[5] != "0")
    }
    var known: [ExactText: Column] = [:]
    for column in columns { known[definition.dialect.identity(of: column.name)] = column }
    var differences: [String] = []
    for column in definition.columns {
      let identity = definition.dialect.identity(of: column.name)
      if let there = known.removeValue(forKey: identity) {
        differences += self.differences(of: column, from: there, isStrict: isStrict)
      } else {
        differences.append("it has no column '\(column.name)'")
      }
    }
    for column in columns where known[definition.dialect.identity(of: column.name)] != nil {
      // The number of the row is made by SQLite.
      let isNumber = column.keyPlace == 1 && column.type.uppercased() == "INTEGER"
      if column.isNeeded, !column.hasDefault, !column.isGenerated, !isNumber {
        differences.append(
          "its column '\(column.name)' may not be null, and the mapping has no field for it")
      }
    }
    if !definition.key.isEmpty, try !isUnique(definition.key, columns, in: database) {
      let names = definition.key.map { "'\($0)'" }.joined(separator: ", ")
      differences.append(
        "it has no primary key and no unique index of exactly \(names), the key of the rows")
    }
    return differences
  }

  private func differences(of column: OutputColumn, from there: Column, isStrict: Bool) -> [String]
  {
    if there.isGenerated { return ["its column '\(column.name)' is generated from others"] }
    var differences: [String] = []
    let type = definition.dialect.name(of: column.type)
    if !Self.keeps(type, in: there.type, isStrict: isStrict) {
      let found = there.type.isEmpty ? "without a type" : there.type
      differences.append("its column '\(column.name)' is \(found), and the mapping writes \(type)")
    }
    if there.isNeeded, column.isNullable {
      differences.append(
        "its column '\(column.name)' may not be null, and the mapping may write null there")
    }
    return differences
  }

  /// Whether a column keeps values of one of our types as they are: SQLite changes what a column's type prefers.
  private static func keeps(_ type: String, in declared: String, isStrict: Bool) -> Bool {
    let declared = declared.uppercased()
    if isStrict {
      if declared == "ANY" { return true }
      return declared == type || (declared == "INT" && type == "INTEGER")
    }
    // The rules of SQLite's documentation, "Determination Of Column Affinity".
    if declared.contains("INT") { return type == "INTEGER" }
    if ["CHAR", "CLOB", "TEXT"].contains(where: declared.contains) { return type == "TEXT" }
    if declared.isEmpty || declared.contains("BLOB") { return true }
    if ["REAL", "FLOA", "DOUB"].contains(where: declared.contains) { return type == "REAL" }
    return type == "INTEGER" || type == "REAL"
  }

  /// Whether the columns tell rows apart, by the table's own rules.
  private func isUnique(_ key: [String], _ columns: [Column], in database: SQLiteDatabase)
    throws(SystemError) -> Bool
  {
    let wanted = Set(key.map(definition.dialect.identity))
    if Set(columns.filter { $0.keyPlace > 0 }.map { definition.dialect.identity(of: $0.name) })
      == wanted
    {
      return true
    }
    let indexes = try database.rows(
      "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND NOT partial", definition.name)
    for case .some(let index) in indexes.map(\.first) {
      let parts = try database.rows("SELECT name FROM pragma_index_info(?)", index ?? "")
      if Set(parts.map { definition.dialect.identity(of: $0[0] ?? "") }) == wanted { return true }
    }
    return false
  }
}
