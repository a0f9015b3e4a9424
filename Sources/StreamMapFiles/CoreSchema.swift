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
    // PERF: few scalars can be numbers of another kind, and making a Regex takes longer than all else here.
    guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first) else {
      return .string(text)
    }
    let isNumber =
      text.wholeMatch(of: /[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?/) != nil
      || text.wholeMatch(of: /0o[0-7]+|0x[0-9a-fA-F]+/) != nil
      || text.wholeMatch(of: /[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)/) != nil
    return isNumber ? nil : .string(text)
  }

  /// The text of a string; nil for anything else.
  var string: String? {
    if case .string(let text)? = value { text } else { nil }
  }
}
