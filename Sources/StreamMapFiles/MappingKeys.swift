/// The keys of a mapping file, as its reader knows them and its schema (`Schemas/mapping-file.schema.json`) lists them.
enum MappingKeys {
  static let file = [
    "streammap", "name", "input", "context", "record", "where", "use", "errors", "output",
  ]
  static let input = ["format", "records", "duplicate_keys", "unknown", "limits"]
  static let limits = [
    "depth", "string", "number", "key", "members", "elements", "errors", "captured", "replayed",
    "record",
  ]
  static let errors = ["mode", "rejects", "max", "max_ratio"]
  static let output = ["format", "nulls"]

  /// Where a value comes from.
  static let sources = ["from", "first_of", "join"]
  /// What takes a field's place altogether.
  static let fixed = ["const", "meta", "context"]
  /// What a value is.
  static let kinds = ["type", "object", "each", "map", "use", "dispatch"]
  /// What stands in for a value.
  static let policies = ["nullable", "required", "default", "optionally"]
  /// What belongs to one of the others.
  static let companions = [
    "with", "schemes", "format", "zone", "values", "coerce", "on_item_error", "validate", "redact",
  ]
  /// What is done with a text before it becomes a value, and with the value.
  static let changes = [
    "text", "extract", "lookup", "otherwise", "scale", "round", "as", "as_zone",
  ]
  /// The other form that a value gets.
  static let shapes = ["split", "parse", "entries", "from_entries", "joined", "count"]
  static let lookup = ["file", "key", "value"]
  /// An element, a dictionary's value, a case, an alternative.
  static let element = sources + kinds + policies + companions + changes + shapes
  static let field = element + fixed
  static let context =
    [
      "from", "type", "schemes", "format", "zone", "values", "coerce", "validate", "redact", "late",
    ] + policies + changes
  static let dispatch = ["on", "cases", "otherwise"]

  static let validate = RuleName.allCases.map(\.rawValue)
  static let condition = ["all", "any", "not", "field"]
  /// What may stand beside `field` in a condition.
  static let comparison =
    ["field", "exists", "equals"] + RuleName.allCases.filter(\.isComparison).map(\.rawValue)
}
