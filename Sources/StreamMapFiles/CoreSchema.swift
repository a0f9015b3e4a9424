import StreamMap

/// What plain scalars mean: YAML's core schema and no more, so that `no`, `on` and `yes` stay
/// strings.
extension LocatedNode.Scalar {
  /// The scalar as JSON; nil if it is a number that JSON cannot write (`.inf`, `0x1F`, `007`).
  var value: JSONValue? {
    guard isPlain else { return .string(text) }
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: break
    }
    if NumberText.isNumber(text) { return .number(text) }
    return Self.isOtherNumber(text) ? nil : .string(text)
  }

  /// Whether the core schema has a number here that JSON cannot write.
  // PERF: without a Regex, which is built again for each text and takes longer than all else about it.
  private static func isOtherNumber(_ text: String) -> Bool {
    if [".nan", ".NaN", ".NAN"].contains(text) { return true }
    let digits = text.utf8.dropFirst(2)
    if text.hasPrefix("0o") {
      return !digits.isEmpty && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }
    }
    if text.hasPrefix("0x") {
      return !digits.isEmpty && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
    let isSigned = text.hasPrefix("+") || text.hasPrefix("-")
    if [".inf", ".Inf", ".INF"].contains(String(text.dropFirst(isSigned ? 1 : 0))) { return true }
    var text = text
    return text.withUTF8 {
      var cursor = ByteCursor($0)
      if !cursor.take("-") { _ = cursor.take("+") }
      let hasWhole = cursor.takeDigits()
      let hasFraction = cursor.take(".") && cursor.takeDigits()
      return (hasWhole || hasFraction) && cursor.takeExponent() && cursor.isAtEnd
    }
  }

  /// The text of a string; nil for anything else.
  var string: String? {
    if case .string(let text)? = value { text } else { nil }
  }
}
