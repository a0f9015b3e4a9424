import StreamMap

/// The types of scalars, as mapping files name them.
enum TypeName: String, CaseIterable {
  case any, string, bool
  case int8, int16, int32, int64, uint8, uint16, uint32, uint64
  case number, float, double, decimal
  case url, uuid, date, json

  func mapping(schemes: [String]) -> OutputMapping {
    switch self {
    case .any: .any
    case .string: .string
    case .bool: .bool
    case .int8: .integer(.int8)
    case .int16: .integer(.int16)
    case .int32: .integer(.int32)
    case .int64: .integer(.int64)
    case .uint8: .integer(.uint8)
    case .uint16: .integer(.uint16)
    case .uint32: .integer(.uint32)
    case .uint64: .integer(.uint64)
    case .number: .number
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .url: .url(schemes: schemes)
    case .uuid: .uuid
    case .date: .date
    case .json: .json
    }
  }
}
