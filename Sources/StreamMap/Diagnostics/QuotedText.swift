/// Reads a quoted text with its escapes, as paths and formulas have it.
struct QuotedText {
  /// What is wrong with one.
  struct Fault: Error {
    /// Where, in Unicode scalars of the whole.
    let offset: Int
    let reason: String
  }

  /// What it stands for.
  let text: String
  /// Where it ends: after the closing quote.
  let end: Int

  /// Reads the text whose opening quote is at `start`.
  init(_ scalars: [Unicode.Scalar], at start: Int) throws(Fault) {
    let quote = scalars[start]
    var text = String.UnicodeScalarView()
    var index = start + 1
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar == quote {
        self.text = String(text)
        end = index + 1
        return
      }
      if scalar == "\\" {
        text.append(try Self.escape(scalars, &index))
      } else {
        text.append(scalar)
        index += 1
      }
    }
    throw Fault(offset: start, reason: "the quote that opens here is not closed")
  }

  /// The scalar that an escape stands for, and continues after it.
  private static func escape(_ scalars: [Unicode.Scalar], _ index: inout Int) throws(Fault)
    -> Unicode.Scalar
  {
    let start = index
    // At the end, the quote is missing, too: that is found next.
    guard start + 1 < scalars.count else {
      index += 1
      return "\\"
    }
    index += 2
    switch scalars[start + 1] {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "\\", "'", "\"", "/": return scalars[start + 1]
    case "u":
      guard let unit = unit(scalars, &index) else { throw notOneCharacter(start) }
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // The first half of a character: the other half follows.
      guard UTF16.isLeadSurrogate(unit), scalars[index...].starts(with: ["\\", "u"]) else {
        throw notOneCharacter(start)
      }
      index += 2
      guard let other = self.unit(scalars, &index), UTF16.isTrailSurrogate(other) else {
        throw notOneCharacter(start)
      }
      let value = 0x10000 + UInt32(unit & 0x3FF) << 10 + UInt32(other & 0x3FF)
      guard let scalar = Unicode.Scalar(value) else { throw notOneCharacter(start) }
      return scalar
    default:
      throw Fault(
        offset: start,
        reason: "not an escape; there are \\n \\r \\t \\b \\f \\\\ \\/ \\' \\\" \\u0000")
    }
  }

  /// The four hexadecimal digits of an escape.
  private static func unit(_ scalars: [Unicode.Scalar], _ index: inout Int) -> UInt16? {
    let digits = String(String.UnicodeScalarView(scalars[index...].prefix(4)))
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit) else { return nil }
    index += 4
    return UInt16(digits, radix: 16)
  }

  private static func notOneCharacter(_ start: Int) -> Fault {
    Fault(offset: start, reason: "four hexadecimal digits of one character must follow \\u")
  }
}
