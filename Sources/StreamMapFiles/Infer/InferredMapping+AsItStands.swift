import StreamMap

extension InferredMapping {
  /// A mapping of the same members that takes their values as they stand, also those of types that the sample does not show.
  ///
  /// Objects are opened, so that their members become columns. Keys that the sample does not have are reported.
  package var asItStands: InferredMapping {
    asItStands(foldsCase: false)
  }

  /// The same with names of columns that differ in more than their capitals.
  ///
  /// - Parameter foldsCase: Whether names that differ in capitals alone are one name, as in SQLite.
  /// - Returns: The mapping.
  package func asItStands(foldsCase: Bool) -> InferredMapping {
    var columns = ColumnNames(of: record, foldsCase: foldsCase)
    let type = columns.named(record.asItStands.type, inside: [])
    return InferredMapping(self, record: InferredValue(type, isNullable: record.isNullable))
  }

  /// The keys that lead to each value but objects, in the order of the fields.
  package var columns: [[String]] { record.columns }
}

extension InferredValue {
  fileprivate var asItStands: InferredValue {
    switch type {
    case .object(let fields):
      InferredValue(.object(fields.map { $0.with($0.value.asItStands) }), isNullable: true)
    case .scalar, .date, .unsureDate, .url, .cases: InferredValue(.scalar(.any), isNullable: true)
    case .array, .dictionary, .json: InferredValue(.json, isNullable: true)
    }
  }

  fileprivate var columns: [[String]] {
    guard case .object(let fields) = type else { return [[]] }
    return fields.flatMap { field in field.value.columns.map { [field.key] + $0 } }
  }
}

/// Sees to it that no two columns have one name: `{"a.b":1,"a":{"b":2}}` has two members that would be `a.b`.
private struct ColumnNames {
  /// What stands between the names of a column's fields.
  private static let separator = "."

  private let foldsCase: Bool
  /// The names that columns have by their keys, and those that are given.
  private var known: Set<ExactText> = []
  private var given: Set<ExactText> = []

  init(of record: InferredValue, foldsCase: Bool) {
    self.foldsCase = foldsCase
    for keys in record.columns { known.insert(column(keys)) }
  }

  private func column(_ names: [String]) -> ExactText {
    let name = names.joined(separator: Self.separator)
    // As SQLite does.
    return ExactText(
      foldsCase ? String(decoding: name.utf8.map(Self.small), as: UTF8.self) : name)
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  mutating func named(_ type: InferredType, inside outer: [String]) -> InferredType {
    guard case .object(let fields) = type else { return type }
    let names = Set(InferredMapping.named(fields).map { ExactText($0.name) })
    return .object(
      InferredMapping.named(fields).map { name, field in
        var field = field
        if case .object = field.value.type {
          let inner = named(field.value.type, inside: outer + [name])
          return field.with(InferredValue(inner, isNullable: field.value.isNullable))
        }
        var other = name
        while given.contains(column(outer + [other]))
          || other != name
            && (known.contains(column(outer + [other])) || names.contains(ExactText(other)))
        {
          other += "_"
        }
        given.insert(column(outer + [other]))
        if other != name { field.name = other }
        return field
      })
  }
}
