import StreamMap

/// Text of a feed or of a file in messages: a terminal must not take it for commands.
package enum ShownText {
  package static func of(_ text: String) -> String {
    if isPlain(text) { return text }
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if isHidden(scalar) {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// Whether a text has only what ASCII shows, and perhaps another byte.
  // PERF: nearly all text is plain, and the tables of Unicode are large.
  private static func isPlain(_ text: String, or other: UInt8 = UInt8(ascii: " ")) -> Bool {
    text.utf8.allSatisfy { 0x20..<0x7F ~= $0 || $0 == other }
  }

  /// Text of several lines, whose line feeds stay.
  package static func ofLines(_ text: String) -> String {
    if isPlain(text, or: UInt8(ascii: "\n")) { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { of(String($0)) }
      .joined(separator: "\n")
  }

  /// As much of a text as a message has room for.
  package static func excerpt(_ text: String, _ most: Int = 60) -> String {
    let shown = text.unicodeScalars.prefix(most)
    return of(String(shown)) + (shown.endIndex < text.unicodeScalars.endIndex ? "…" : "")
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
    default: false
    }
  }

  /// A path in a record, as a field's path is written: without the root.
  package static func relative(_ path: PathPattern) -> String {
    let text = path.description.unicodeScalars.dropFirst()
    let isName = text.first == "." && text.dropFirst().first != "."
    return of(String(String.UnicodeScalarView(isName ? text.dropFirst() : text)))
  }

  /// A path of a document.
  package static func of(_ path: PathPattern) -> String { of(path.description) }
}
