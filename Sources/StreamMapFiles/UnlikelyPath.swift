import StreamMap

/// A text that is surely no path, though it could be the name of a member: a formula or a template of another language.
package enum UnlikelyPath {
  /// What is wrong with a path; nil if it may be one.
  package static func mistake(in text: String) -> String? {
    let quote = text.contains("'") ? "\"" : "'"
    return refusal(of: text).map { reason in
      "path '\(text)': \(reason); if it is a key, quote it, as in [\(quote)\(text)\(quote)]"
    }
  }

  private static let calls =
    "a path calls nothing: there are calc with its functions, text, list and count"

  /// What to write for a function after a path, as in `items.length()` and in `items | length`; nil if there is none.
  private static func change(after text: String) -> String? {
    let name: Substring
    if text.hasSuffix("()"), let dot = text.lastIndex(of: ".") {
      name = text[text.index(after: dot)...].dropLast(2)
    } else if let bar = text.lastIndex(of: "|"), !text.contains("'"), !text.contains("\""),
      !text.contains("[?")
    {
      name = text[text.index(after: bar)...].drop { $0 == " " }.prefix { $0 != "(" }
      guard functions.contains(ExactText(String(name))) else { return nil }
    } else {
      return nil
    }
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0 == "_" }) else { return nil }
    switch name.lowercased() {
    case "length", "size", "count", "len":
      return
        "a path counts nothing: count: true of a field counts elements, and calc: length(…) characters, too"
    case let name:
      return steps.first { $0.name == name }.map(\.step).map {
        "a path changes nothing: there is list, as in list: \($0)"
      } ?? calls
    }
  }

  private static let steps: [(name: String, step: String)] = [
    ("first", "first"), ("last", "last"), ("min", "min"), ("max", "max"), ("sort", "sort"),
    ("unique", "unique"), ("reverse", "reverse"), ("flatten", "flatten"), ("add", "sum"),
    ("sum", "sum"),
  ]

  /// What stands after a bar in jq and in templates: other names may belong to a key.
  private static let functions = Set(
    (steps.map(\.name) + [
      "length", "size", "count", "keys", "values", "tostring", "tonumber", "upper", "lower", "trim",
      "default", "map", "select", "join", "split", "ascii_downcase", "ascii_upcase", "fromjson",
      "tojson", "not", "type", "round", "floor", "todate", "to_entries", "from_entries",
    ]).map { ExactText($0) })

  /// What it rather is; nil if it may be a path.
  private static func refusal(of text: String) -> String? {
    if text.hasPrefix("/") { return nil }
    if let change = change(after: text) { return change }
    if text.contains("[") { return nil }
    if text.contains("->") { return "a member of a member is a.b" }
    if text.contains("'") { return nil }
    if text.contains("{"), text.contains("}") {
      return "braces are for template, as in template: \"{a}-{b}\""
    }
    if text.hasSuffix(")"), let open = text.firstIndex(of: "("), open > text.startIndex,
      text[..<open].allSatisfy({ $0.isLetter || $0 == "_" })
    {
      return calls
    }
    if text.hasSuffix("?"), text.count > 1 {
      return
        "a path alone may be absent, and a question mark belongs to a type, as in type: string?"
    }
    if text.contains(" as ") {
      return "the name in the output is on the left, as in b: a or --field b=a"
    }
    if text.contains(" ? ") { return "cases chooses one of several values" }
    if text.hasPrefix("@.") { return "a path begins without @." }
    if text.hasPrefix("^.") || text.hasPrefix("$parent") {
      return "what is around the records is a value of the file's context"
    }
    return nil
  }
}
