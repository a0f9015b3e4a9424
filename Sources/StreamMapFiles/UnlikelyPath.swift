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

  /// What it rather is; nil if it may be a path.
  private static func refusal(of text: String) -> String? {
    if text.contains("[") || text.hasPrefix("/") { return nil }
    if text.contains("->") { return "a member of a member is a.b" }
    if text.contains("'") { return nil }
    if text.contains("{"), text.contains("}") {
      return "braces are for template, as in template: \"{a}-{b}\""
    }
    if text.hasSuffix(")"), let open = text.firstIndex(of: "("), open > text.startIndex,
      text[..<open].allSatisfy({ $0.isLetter || $0 == "_" })
    {
      return "a path calls nothing: there are calc with its functions, text, list and count"
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
