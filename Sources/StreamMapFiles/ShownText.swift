import StreamMap

/// Text of a feed in messages: a terminal must not take it for commands.
package enum ShownText {
  package static func of(_ text: String) -> String {
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

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
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
