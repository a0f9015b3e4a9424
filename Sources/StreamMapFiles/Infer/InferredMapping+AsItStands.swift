import StreamMap

extension InferredMapping {
  /// A mapping of the same members that takes their values as they stand, also those of types that the sample does not show.
  ///
  /// Objects are opened, so that their members become columns. Keys that the sample does not have are reported.
  package var asItStands: InferredMapping {
    InferredMapping(
      self, record: InferredValue(record.asItStands.type, isNullable: record.isNullable))
  }

  /// The keys that lead to each value but objects, in the order of the fields.
  package var columns: [[String]] { record.columns }
}

extension InferredValue {
  fileprivate var asItStands: InferredValue {
    switch type {
    case .object(let fields):
      InferredValue(.object(fields.map { $0.with($0.value.asItStands) }), isNullable: true)
    case .scalar, .date, .url, .cases: InferredValue(.scalar(.any), isNullable: true)
    case .array, .dictionary, .json: InferredValue(.json, isNullable: true)
    }
  }

  fileprivate var columns: [[String]] {
    guard case .object(let fields) = type else { return [[]] }
    return fields.flatMap { field in field.value.columns.map { [field.key] + $0 } }
  }
}
