import StreamMap

/// The types of scalars, as mapping files name them.
package enum TypeName: String, CaseIterable, Sendable {
  case any, string, bool
  case int8, int16, int32, int64, uint8, uint16, uint32, uint64
  case number, float, double, decimal
  case url, uuid, date, json
  case `enum`

  /// What types have in common.
  enum Family {
    case number, string, bool, date, `enum`, other
  }

  var family: Family {
    switch self {
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .number, .float, .double,
      .decimal:
      .number
    case .string: .string
    case .bool: .bool
    case .date: .date
    case .enum: .enum
    case .any, .url, .uuid, .json: .other
    }
  }

  /// What of another kind can become one.
  var coercions: [ScalarSpec.Coercion] {
    switch family {
    case .number: [.string, .bool]
    case .string, .enum: [.number, .bool]
    case .bool: [.string, .number]
    case .date: [.string]
    case .other: []
    }
  }

  /// As in “expected …”.
  var expected: String {
    switch self {
    case .string: "a string"
    case .bool: "true or false"
    case .number: "a number"
    case .float, .double, .decimal: "a number (\(rawValue.capitalized))"
    case .int8, .int16, .int32, .int64: "an integer (\(rawValue.capitalized))"
    case .uint8, .uint16, .uint32, .uint64: "an integer (UInt\(rawValue.dropFirst(4)))"
    default: "a value of type \(rawValue)"
    }
  }

  /// The mapping of what is a value of the type as it is; an enum's needs its table.
  func mapping(schemes: [String]) -> OutputMapping {
    switch self {
    case .any: .any
    case .string, .enum: .string
    case .bool: .bool
    case .int8: .int8
    case .int16: .int16
    case .int32: .int32
    case .int64: .int64
    case .uint8: .uint8
    case .uint16: .uint16
    case .uint32: .uint32
    case .uint64: .uint64
    case .number: .number
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .url: .url(schemes: schemes)
    case .uuid: .uuid
    case .date: .date
    case .json: .raw
    }
  }
}
