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
      let digits = String(String.UnicodeScalarView(scalars[index...].prefix(4)))
      guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
        let value = UInt32(digits, radix: 16),
        let decoded = Unicode.Scalar(value)
      else {
        throw Fault(
          offset: start, reason: "four hexadecimal digits of one character must follow \\u")
      }
      index += 4
      return decoded
    default:
      throw Fault(
        offset: start,
        reason: "not an escape; there are \\n \\r \\t \\b \\f \\\\ \\/ \\' \\\" \\u0000")
    }
  }
}
