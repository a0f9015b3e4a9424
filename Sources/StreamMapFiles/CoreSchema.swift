import StreamMap

/// What plain scalars mean: YAML's core schema and no more, so that `no`, `on` and `yes` stay
/// strings.
extension LocatedNode.Scalar {
  /// The scalar as JSON; nil where it is a number that JSON cannot write (`.inf`, `0x1F`, `007`).
  var value: JSONValue? {
    guard isPlain else { return .string(text) }
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: break
    }
    if JSONValue.isNumber(text) { return .number(text) }
    return Self.isOtherNumber(text) ? nil : .string(text)
  }

  /// Whether the core schema has a number here that JSON cannot write.
  // PERF: without a Regex, which is made anew for each text and takes longer than all else about it.
  private static func isOtherNumber(_ text: String) -> Bool {
    var rest = text.utf8[...]
    func skip(_ bytes: String) -> Bool {
      guard let first = rest.first, bytes.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    func skipDigits() -> Bool {
      let count = rest.count
      rest = rest.drop { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      return rest.count < count
    }
    switch text {
    case ".nan", ".NaN", ".NAN": return true
    default: break
    }
    if text.hasPrefix("0o") {
      return rest.count > 2
        && rest.dropFirst(2).allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }
    }
    if text.hasPrefix("0x") {
      return rest.count > 2
        && rest.dropFirst(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
    _ = skip("+-")
    if [".inf", ".Inf", ".INF"].contains(String(Substring(rest))) { return true }
    if skip(".") {
      guard skipDigits() else { return false }
    } else {
      guard skipDigits() else { return false }
      if skip(".") { _ = skipDigits() }
    }
    if skip("eE") {
      _ = skip("+-")
      guard skipDigits() else { return false }
    }
    return rest.isEmpty
  }

  /// The text of a string; nil for anything else.
  var string: String? {
    if case .string(let text)? = value { text } else { nil }
  }
}
