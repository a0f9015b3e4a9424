/// What types of scalars have in common.
package enum ScalarFamily: Sendable, BitwiseCopyable {
  /// Scalars of all kinds.
  case any
  /// Strings, whatever they say.
  case string
  /// Strings of a form, which leave as they came: a URL, a UUID.
  case formed
  case number, boolean
  /// Strings that are dates; mapping files know other forms of them.
  case date

  /// The kind of the tokens that are values; nil if all kinds of scalars are.
  @inline(__always)
  var kind: JSONKind? {
    switch self {
    case .any: nil
    case .string, .formed, .date: .string
    case .number: .number
    case .boolean: .boolean
    }
  }
}

/// What numbers a scalar type has, as far as code for each value asks.
struct NumberFacts: BitwiseCopyable {
  /// How they leave.
  let form: NumberForm
  /// How many digits a whole number may have that is surely a value of the type, whatever they are; 0 where that is not known.
  let sureDigits: Int
  /// Whether every exact decimal is a value, as it is written.
  let takesDecimals: Bool

  /// The facts of a type without numbers.
  static var none: NumberFacts {
    NumberFacts(form: .written, sureDigits: 0, takesDecimals: false)
  }
}

/// What a scalar type is called, and where it goes, outside of the engine.
///
/// All must be said of a new type: nothing has a default.
package struct ScalarFacts: Sendable {
  /// The type of its values in Swift code.
  package let swift: String
  /// The range of a type of whole numbers; nil for any other type.
  let integers: IntegerRange?
  /// How C writes the values that are surely of the type; nil leaves them to Swift.
  let row: RowProgram.Scalar?
  /// What a column of it holds.
  let column: ScalarColumn
  package let sql: SQLTypes
  package let schema: ScalarSchema
}

/// The column of a scalar type.
enum ScalarColumn: Sendable {
  case kind(ColumnLayout.Kind)
  /// Decimals of 128 bits, with as many digits after the point as the caller says.
  case decimal
  /// Times, with as many digits of a second as the caller says.
  case timestamp
}

/// The types of columns in databases.
package struct SQLTypes: Sendable {
  package let postgres: String
  /// In a STRICT table: what is of no one type, and numbers that no type of SQLite has exactly, are kept as they come.
  package let sqlite: String
  package let duckdb: String
}

/// A type as JSON Schema tells it.
package struct ScalarSchema: Sendable {
  /// The names of its types; more than one where any of them will do.
  package let types: [String]
  package let format: String?
  /// The least and the greatest number.
  package let range: (least: String, most: String)?

  init(
    _ types: String..., format: String? = nil, range: (least: String, most: String)? = nil
  ) {
    self.types = types
    self.format = format
    self.range = range
  }
}

/// The range of a type of whole numbers.
struct IntegerRange: Sendable {
  /// Without that of the sign.
  let bits: Int
  let isSigned: Bool

  /// How many digits the longest of its numbers has.
  var digits: Int { bits * 30_103 / 100_000 + 1 }

  func contains(both one: IntegerRange, _ other: IntegerRange) -> Bool {
    [one, other].allSatisfy { $0.bits <= bits && (isSigned || !$0.isSigned) }
  }
}
