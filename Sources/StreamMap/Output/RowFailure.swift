/// Why a record has no rows.
enum RowFailure {
  /// They are more bytes than a record may have.
  case tooLarge
  /// A value that the database cannot hold.
  case unheld(UnheldValue, column: String)
}

extension RowFailure {
  /// The error of a record.
  func error<Value>(of record: Record<Value>, _ limits: Limits) -> MappingError {
    let number = record.number > 0 ? record.number : nil
    switch self {
    case .tooLarge:
      return MappingError(
        .limitExceeded, position: record.position, record: number,
        expected: Limits.message(.record, limits.record), found: "more bytes of rows")
    case .unheld(let value, let column):
      return MappingError(
        .invalidValue, position: record.position, record: number, expected: value.expected,
        found: "\(value.found) in the column '\(column)'")
    }
  }
}
