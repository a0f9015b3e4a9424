import StreamMap

/// The types of scalars, as mapping files name them.
package enum TypeName: RawRepresentable, CaseIterable, Hashable, Sendable {
  case scalar(ScalarType)
  case json
  case `enum`

  /// All but those whose size depends on the machine.
  package static var allCases: [TypeName] {
    ScalarType.allCases.filter { $0 != .int && $0 != .uint }.map { .scalar($0) } + [.json, .enum]
  }

  package init?(rawValue: String) {
    guard let type = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = type
  }

  package var rawValue: String {
    switch self {
    case .scalar(let type): type.rawValue
    case .json: "json"
    case .enum: "enum"
    }
  }

  /// What types have in common.
  enum Family {
    case number, string, bool, date, `enum`, other
  }

  var family: Family {
    switch self {
    case .scalar(.string): .string
    case .scalar(.date): .date
    case .enum: .enum
    case .scalar(let type) where type.kind == .number: .number
    case .scalar(let type) where type.kind == .boolean: .bool
    case .scalar, .json: .other
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

  /// As in “expected …”; of an enum its table tells it.
  var expected: String {
    switch self {
    case .scalar(let type): type.expected
    case .json, .enum: "a JSON value"
    }
  }

  /// The mapping of what is a value of the type as it is; an enum's needs its table.
  func mapping(schemes: [String]) -> OutputMapping {
    switch self {
    case .scalar(let type): OutputMapping(scalar: type, schemes: schemes)
    case .enum: .string
    case .json: .raw
    }
  }
}
