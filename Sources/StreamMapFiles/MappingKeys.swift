import StreamMap

/// The keys of a mapping file, as its reader knows them and its schema (`Schemas/mapping-file.schema.json`) lists them.
enum MappingKeys {
  static let file = [
    "streammap", "name", "input", "context", "args", "record", "rest", "drop", "value", "where",
    "use", "errors", "output",
  ]
  static let input = ["format", "records", "duplicate_keys", "unknown", "limits"]
  static let limits = Limits.Name.allCases.map(\.word)
  static let errors = ["mode", "rejects", "max", "max_ratio"]
  static let output = [
    "format", "nulls", "header", "nested", "arrays", "safe", "file", "table", "key", "mode",
  ]
  static let arrays = ["joined"]

  /// Where a value comes from.
  static let sources = ["from", "first_of", "join"]
  /// What takes a field's place altogether.
  static let fixed = ["const", "meta", "context", "arg"]
  /// What makes a value of others.
  static let made = ["calc", "cases"]
  /// What a value is.
  static let kinds = ["type", "object", "each", "map", "use", "dispatch"]
  /// Those that are not scalars.
  static let containers = kinds.filter { $0 != "type" }
  /// The substitute for a value.
  static let policies = ["nullable", "required", "default", "optionally"]
  /// What belongs to one of the others.
  static let companions = [
    "with", "schemes", "format", "zone", "values", "coerce", "on_item_error", "validate", "redact",
    "rest", "drop", "where",
  ]
  /// Changes of a text before it becomes a value, and of the value.
  static let changes = [
    "text", "extract", "lookup", "otherwise", "scale", "round", "as", "as_zone",
  ]
  /// The other form that a value gets.
  static let shapes = ["split", "parse", "entries", "from_entries", "joined", "count"]
  static let lookup = ["file", "key", "value"]
  /// An element, a dictionary's value, a case, an alternative.
  static let element =
    sources + made + kinds + policies + companions + changes + shapes
  static let field = element + fixed
  static let context =
    [
      "from", "type", "schemes", "format", "zone", "values", "coerce", "validate", "redact", "late",
    ] + policies + changes
  static let argument = ["type", "schemes", "format", "zone", "values", "validate", "default"]
  static let `case` = ["when"] + field
  static let dispatch = ["on", "cases", "otherwise"]

  static let validate = RuleName.allCases.map(\.rawValue)
  static let condition = ["all", "any", "not"] + subjects
  /// What a condition looks at.
  static let subjects = ["field", "from", "calc"]
  /// What a condition on a value has.
  static let comparison =
    subjects + ["exists", "equals", "kind"]
    + RuleName.allCases.filter(\.isComparison).map(\.rawValue)

  /// The maps inside others, by the keys that they stand under.
  private static let inner: [ExactText: [String]] = [
    "input": input, "limits": limits, "errors": errors, "output": output, "validate": validate,
    "dispatch": dispatch,
  ]

  /// Where a key belongs that stands beside others: a level deeper, or at the top.
  static func owner(of key: String, beside keys: [String]) -> String? {
    if let owner = keys.first(where: { inner[ExactText($0)]?.contains(key) == true }) {
      return "under '\(owner)'"
    }
    if keys.contains("input"), limits.contains(key) { return "under 'limits' of 'input'" }
    let isOfFile = ["input", "where", "errors", "output"].contains(key)
    return isOfFile && !keys.contains("input") ? "at the top of the file" : nil
  }
}
