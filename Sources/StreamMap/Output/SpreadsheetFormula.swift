/// What a spreadsheet takes for more than text.
enum SpreadsheetFormula {
  /// Whether a text may be a formula: one that begins with a sign of formulas, also with the wide one of East Asian scripts, or with
  /// anything before it that a spreadsheet may leave out.
  static func isBegun(by text: UnsafeBufferPointer<UInt8>) -> Bool {
    if text.isEmpty { return false }
    for scalar in String(decoding: text.prefix(64), as: UTF8.self).unicodeScalars {
      switch scalar {
      case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{2212}", "\t",
        "\n", "\r":
        return true
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: continue
        default: return false
        }
      }
    }
    // Nothing but what is left out, so far.
    return text.count > 64
  }
}
