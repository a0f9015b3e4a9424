import ArgumentParser
import StreamMap

/// What a database calls types and names.
enum SQLDialect: String, NamedChoice {
  case postgres, sqlite, duckdb

  /// The type of a column.
  func name(of type: OutputType) -> String {
    guard let scalar = type.scalar else {
      return switch self {
      case .postgres: "jsonb"
      case .sqlite: "TEXT"
      case .duckdb: "JSON"
      }
    }
    let (types, isDay) = (scalar.facts.sql, type == .day)
    return switch self {
    case .postgres: isDay ? "date" : types.postgres
    case .sqlite: types.sqlite
    case .duckdb: isDay ? "DATE" : types.duckdb
    }
  }

  // MARK: Names

  /// A name as it stands in a statement.
  func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

  /// What a name is compared by: these two do not tell capitals of ASCII from small letters.
  func identity(of name: String) -> ExactText {
    switch self {
    case .postgres: ExactText(name)
    case .sqlite, .duckdb: ExactText(ASCIIText.lowercased(name))
    }
  }

  /// Why a column cannot have a name; nil if it can.
  func mistake(inColumn name: String) -> String? {
    if self == .postgres, Self.systemColumns.contains(name) {
      return "PostgreSQL has a column '\(name)' of its own in each table"
    }
    return mistake(inName: name)
  }

  /// Why nothing can have a name; nil if something can.
  func mistake(inName name: String) -> String? {
    if name.isEmpty { return "a name in a database cannot be empty" }
    // Most databases cannot write them in a statement but as they are, and a terminal would obey them.
    if let control = name.unicodeScalars.first(where: { $0.properties.generalCategory == .control })
    {
      let code = String(control.value, radix: 16, uppercase: true)
      return "a name in a database cannot have the control character U+"
        + String(repeating: "0", count: 4 - code.count) + code
    }
    if self == .postgres, name.utf8.count > Self.longestName {
      return
        "'\(name)' has \(name.utf8.count) bytes; a name in PostgreSQL has at most \(Self.longestName)"
    }
    return nil
  }

  /// In bytes: PostgreSQL cuts off what is longer.
  private static let longestName = 63
  private static let systemColumns = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]
}
