/// What a spreadsheet takes for more than text.
enum SpreadsheetFormula {
  /// How many bytes are looked at.
  private static let most = 64

  /// Whether a text may be a formula: one that begins with a sign of formulas, also with the wide one of East Asian scripts, or with
  /// anything before it that is not seen, and that a spreadsheet may leave out.
  static func isBegun(by text: UnsafeBufferPointer<UInt8>) -> Bool {
    if text.isEmpty { return false }
    for scalar in String(decoding: beginning(of: text), as: UTF8.self).unicodeScalars {
      switch scalar {
      case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{2212}", "\t",
        "\n", "\r":
        return true
      case _ where isUnseen(scalar): continue
      default: return false
      }
    }
    // Nothing but what is left out, so far.
    return text.count > most
  }

  /// The first bytes, up to the end of a character.
  private static func beginning(of text: UnsafeBufferPointer<UInt8>)
    -> Slice<UnsafeBufferPointer<UInt8>>
  {
    if text.count <= most { return text[...] }
    let end = (0...most).last { text[$0] & 0xC0 != 0x80 }
    return text[..<(end ?? most)]
  }

  private static let unseen: Set<Unicode.GeneralCategory> = [
    .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator,
  ]

  /// Whether a character is drawn as nothing, or as white space.
  ///
  /// Its category says so, or its property Default_Ignorable_Code_Point, which fillers, joiners and variation selectors have.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    // A braille pattern without dots and a note without a head are the last two: only their names say it.
    return unseen.contains(properties.generalCategory) || properties.isDefaultIgnorableCodePoint
      || scalar == "\u{2800}" || scalar == "\u{1D159}"
  }
}
