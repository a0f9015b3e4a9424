/// The kinds of JSON values.
public enum JSONKind: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean
  /// A number.
  case number
  /// A string.
  case string
  /// An object.
  case object
  /// An array.
  case array

  /// As in “found another string”.
  var noun: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .number: "number"
    case .string: "string"
    case .object: "object"
    case .array: "array"
    }
  }

  /// As in “expected a number”, “found a string”.
  var phrase: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .object: "an object"
    case .array: "an array"
    }
  }
}
