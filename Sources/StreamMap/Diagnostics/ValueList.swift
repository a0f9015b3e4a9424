/// Lists of values in messages: `one of 'A', 'D'`.
enum ValueList {
  /// More values than this are counted, not listed.
  private static let longest = 20

  /// The text of a value in a message, with strings in quotes.
  static func text<Value>(_ value: Value) -> String {
    value is any StringProtocol ? "'\(value)'" : "\(value)"
  }

  /// One value as it is, several values as `one of …`.
  static func text<Value>(oneOf values: [Value]) -> String {
    guard values.count != 1 else { return text(values[0]) }
    let listed = values.prefix(longest).map { text($0) }.joined(separator: ", ")
    let rest = values.count - longest
    return "one of " + listed + (rest > 0 ? " and \(rest) more" : "")
  }
}
