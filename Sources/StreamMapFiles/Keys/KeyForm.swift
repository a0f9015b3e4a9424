import StreamMap

/// What a value in a mapping file looks like, as far as a JSON Schema can say it.
indirect enum KeyForm {
  /// A text of so many characters (Unicode scalars).
  case text(atLeast: Int = 0, atMost: Int? = nil)
  /// A text that a pattern matches (ECMA-262).
  case pattern(String)
  case flag
  /// One of these values.
  case values(() -> [JSONValue])
  case scalar
  case number(ClosedRange<Int>? = nil)
  case whole(atLeast: Int? = nil, atMost: Int? = nil)
  case any
  case notNull
  case list(of: KeyForm, atLeast: Int = 0, atMost: Int? = nil)
  /// A list with as many elements as there are forms.
  case tuple([KeyForm])
  /// One, or a list of them.
  case oneOrList(of: KeyForm, atLeast: Int = 0)
  /// A map with any keys.
  case map(of: KeyForm, atLeast: Int = 0)
  case either([KeyForm])
  /// What has a name of its own in the schema.
  case part(MappingPart)

  /// One of the names of an enumeration.
  static func choice<Name: CaseIterable & RawRepresentable<String>>(_: Name.Type) -> KeyForm {
    .values { Name.allCases.map { .string($0.rawValue) } }
  }

  /// The names that it may be, if it is one of some.
  var names: [String] {
    switch self {
    case .values(let values): values().compactMap(\.string)
    case .either(let forms): forms.flatMap(\.names)
    default: []
    }
  }

  // MARK: Schema

  /// The form as a JSON Schema.
  var schema: JSONValue { .object(members) }

  /// The members of that schema.
  var members: [JSONValue.Member] {
    switch self {
    case .text(let least, let most):
      [.init("type", "string")] + Self.bound("minLength", least)
        + (most.map { Self.bound("maxLength", $0) } ?? [])
    case .pattern(let pattern):
      [.init("type", "string"), .init("pattern", .string(pattern))]
    case .flag: [.init("type", "boolean")]
    case .values(let values): Self.members(of: values())
    case .scalar: [.init("type", ["string", "number", "boolean", "null"])]
    case .number(let range):
      [.init("type", "number")]
        + (range.map { Self.limits($0.lowerBound, $0.upperBound) } ?? [])
    case .whole(let least, let most): [.init("type", "integer")] + Self.limits(least, most)
    case .any: []
    case .notNull: [.init("type", ["string", "number", "boolean", "array", "object"])]
    case .list(let element, let least, let most):
      [.init("type", "array")] + Self.bound("minItems", least)
        + (most.map { Self.bound("maxItems", $0) } ?? []) + [.init("items", element.schema)]
    case .tuple(let forms):
      [.init("type", "array")] + Self.bound("minItems", forms.count)
        + Self.bound("maxItems", forms.count)
        + [.init("prefixItems", .array(forms.map(\.schema)))]
    case .oneOrList(let element, let least):
      KeyForm.either([element, .list(of: element, atLeast: least)]).members
    case .map(let value, let least):
      [.init("type", "object")] + Self.bound("minProperties", least)
        + [.init("additionalProperties", value.schema)]
    case .either(let forms): [.init("anyOf", .array(forms.map(\.schema)))]
    case .part(let part): [.init("$ref", .string("#/$defs/\(part)"))]
    }
  }

  private static func members(of values: [JSONValue]) -> [JSONValue.Member] {
    values.count == 1 ? [.init("const", values[0])] : [.init("enum", .array(values))]
  }

  private static func bound(_ keyword: String, _ count: Int) -> [JSONValue.Member] {
    count == 0 ? [] : [.init(keyword, .number("\(count)"))]
  }

  private static func limits(_ least: Int?, _ most: Int?) -> [JSONValue.Member] {
    [("minimum", least), ("maximum", most)].compactMap { keyword, limit in
      limit.map { .init(keyword, .number("\($0)")) }
    }
  }
}
