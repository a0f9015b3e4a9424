/// Why a record has no rows.
enum RowFailure {
  /// They are more bytes than a record may have.
  case tooLarge
  /// A value that the database cannot hold.
  case unheld(UnheldValue, column: String)
  /// Its columns cannot have it.
  case column(RecordColumns.Failure)

  /// Whether it only has no place after what is there.
  var isFull: Bool { if case .column(.full) = self { true } else { false } }
}

extension RowFailure {
  /// The error of a record.
  func error<Value>(of record: Record<Value>, _ limits: Limits) -> MappingError {
    let number = record.number > 0 ? record.number : nil
    func error(_ code: ErrorCode, expected: String?, found: String?) -> MappingError {
      MappingError(
        code, position: record.position, record: number, expected: expected, found: found)
    }
    switch self {
    case .tooLarge:
      return error(
        .limitExceeded, expected: Limits.message(.record, limits.record),
        found: "more bytes of rows")
    case .unheld(let value, let column):
      return error(
        .invalidValue, expected: value.expected, found: "\(value.found) in the column '\(column)'")
    case .column(.wrong(let column)):
      return error(
        .wrongType, expected: "a value that the column '\(column)' can hold", found: "another")
    case .column(.range(let column)):
      return error(
        .numberOutOfRange, expected: "a value that the column '\(column)' can hold",
        found: "one beyond its range")
    case .column(.full):
      return error(
        .limitExceeded, expected: "a record with less than 2 GiB in each column", found: "more")
    case .column(.memory): return error(.io, expected: nil, found: "out of memory")
    }
  }
}
