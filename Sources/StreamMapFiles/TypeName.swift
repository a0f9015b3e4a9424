import StreamMap

/// The types of scalars, as mapping files name them.
package enum TypeName: RawRepresentable, CaseIterable, Hashable, Sendable {
  case scalar(ScalarType)
  case json
  case `enum`

  /// All but those whose size depends on the machine.
  package static var allCases: [TypeName] {
    ScalarType.sized.map { .scalar($0) } + [.json, .enum]
  }

  package init?(rawValue: String) {
    guard let type = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = type
  }

  /// Other names for types, as other programs have them.
  package static let aliases: [(name: String, type: TypeName)] = [
    ("int", .scalar(.int64)), ("str", .scalar(.string)), ("boolean", .scalar(.bool)),
    ("datetime", .scalar(.date)), ("float32", .scalar(.float)), ("float64", .scalar(.double)),
  ]

  /// The names and aliases of the types that are wanted, for the schema of mapping files.
  static func schemaNames(_ isWanted: (TypeName) -> Bool) -> [JSONValue] {
    names(isWanted).map { .string($0) }
  }

  private static func names(_ isWanted: (TypeName) -> Bool) -> [String] {
    allCases.filter(isWanted).map(\.rawValue)
      + aliases.filter { isWanted($0.type) }.map(\.name)
  }

  /// A pattern of the names with a question mark, for values that may be null.
  static func nullablePattern(_ isWanted: (TypeName) -> Bool) -> KeyForm {
    .pattern("^(\(names(isWanted).joined(separator: "|")))\\?$")
  }

  /// Whether its name says all of it, and it is a scalar.
  var isPlain: Bool { self != .json && self != .enum }

  /// The type of this name or alias.
  package init?(named name: String) {
    guard let type = Self.aliases.first(where: { $0.name == name })?.type ?? Self(rawValue: name)
    else { return nil }
    self = type
  }

  /// What is wrong with a name that no type has, and what to write instead.
  package static func mistake(about name: String) -> (message: String, suggestion: String?) {
    let message = "there is no type '\(name)'"
    switch name {
    case "object", "struct", "record", "map", "dict":
      return ("\(message); an object is 'object: { … }', a dictionary 'map: string'", nil)
    case "array", "list": return ("\(message); an array is 'each: string'", nil)
    case "null", "nullable", "optional", "none", "nil":
      return ("\(message); a question mark after a type takes null, too, as in 'string?'", nil)
    default: break
    }
    let names = allCases.map(\.rawValue)
    let known = names + aliases.map(\.name)
    let (plain, isNullable) = plainName(name)
    if TypeName(named: plain) != nil { return (message, isNullable ? "\(plain)?" : plain) }
    if let near = Suggestion.nameMeant(by: plain, among: known) {
      return (message, isNullable ? "\(near)?" : near)
    }
    return ("\(message); types are \(names.joined(separator: ", "))", nil)
  }

  /// The name in what other languages write around it, and whether they say that it may be null: `numeric(10,2)`, `string|null`,
  /// `Optional[int]`, `Nullable(Int64)`.
  private static func plainName(_ text: String) -> (name: String, isNullable: Bool) {
    let parts = text.split(separator: "|").map { $0.filter { !$0.isWhitespace } }
    let types = parts.filter { !["null", "none", "nil", "undefined"].contains($0.lowercased()) }
    if parts.count == 2, types.count == 1 { return (types[0], true) }
    guard let open = text.firstIndex(where: { "([<".contains($0) }),
      ")]>".contains(text.last ?? " ")
    else { return (text, false) }
    let outer = text[..<open].filter { !$0.isWhitespace }
    if ["optional", "nullable", "maybe", "option"].contains(outer.lowercased()) {
      return (String(text[text.index(after: open)...].dropLast()).lowercased(), true)
    }
    return (outer, false)
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
    case .enum: .enum
    case .json: .other
    case .scalar(let type):
      switch type.family {
      case .number: .number
      case .string: .string
      case .boolean: .bool
      case .date: .date
      case .any, .formed: .other
      }
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
