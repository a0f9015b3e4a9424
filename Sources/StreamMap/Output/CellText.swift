/// How the text of one cell is written.
enum CellText {
  /// Appends text as a cell of CSV (RFC 4180): between quotes where it has to be, and where it is empty.
  static func appendCSV(_ text: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) {
    guard let start = text.baseAddress, text.count > 0 else { return output.append("\"\"") }
    let count = text.count
    output.append(upTo: 2 * count + 16) { room in
      copyPlain(start, count, to: room) ? count : copyQuoted(start, count, to: room)
    }
  }

  /// Copies text that needs no quotes; false if it does.
  @inline(__always)
  private static func copyPlain(
    _ text: UnsafePointer<UInt8>, _ count: Int, to room: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    var index = 0
    // PERF: eight bytes a step.
    while index &+ 8 <= count {
      let word = UnsafeRawPointer(text).loadUnaligned(fromByteOffset: index, as: UInt64.self)
      UnsafeMutableRawPointer(room).storeBytes(of: word, toByteOffset: index, as: UInt64.self)
      let hits =
        ByteWord.hits(of: UInt8(ascii: ","), in: word)
        | ByteWord.hits(of: UInt8(ascii: "\""), in: word)
        | ByteWord.hits(of: UInt8(ascii: "\n"), in: word)
        | ByteWord.hits(of: UInt8(ascii: "\r"), in: word)
      if hits != 0 { return false }
      index &+= 8
    }
    while index < count {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        return false
      default: room[index] = byte
      }
      index &+= 1
    }
    return true
  }

  private static func copyQuoted(
    _ text: UnsafePointer<UInt8>, _ count: Int, to room: UnsafeMutablePointer<UInt8>
  ) -> Int {
    room[0] = UInt8(ascii: "\"")
    var end = 1
    for index in 0..<count {
      let byte = text[index]
      room[end] = byte
      end &+= 1
      if byte == UInt8(ascii: "\"") {
        room[end] = byte
        end &+= 1
      }
    }
    room[end] = UInt8(ascii: "\"")
    return end &+ 1
  }

  /// Appends text with its tabs, line ends and backslashes as `\t`, `\n`, `\r`, `\\`.
  static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) {
    guard let start = text.baseAddress else { return }
    output.append(upTo: 2 * text.count) { room in
      var end = 0
      for index in 0..<text.count {
        let byte = start[index]
        var escape: Unicode.Scalar?
        if byte < 0x20 || byte == UInt8(ascii: "\\") {
          switch byte {
          case UInt8(ascii: "\\"): escape = "\\"
          case 0x09: escape = "t"
          case 0x0A: escape = "n"
          case 0x0D: escape = "r"
          default: break
          }
        }
        if let escape {
          room[end] = UInt8(ascii: "\\")
          room[end &+ 1] = UInt8(ascii: escape)
          end &+= 2
        } else {
          room[end] = byte
          end &+= 1
        }
      }
      return end
    }
  }

  /// Whether a spreadsheet may take a text for more than text: one that begins with a sign of formulas, also with the wide one of East
  /// Asian scripts, or with anything before it that a spreadsheet may leave out.
  static func looksLikeFormula(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first else { return false }
    // PERF: letters and digits begin most texts.
    if first > UInt8(ascii: "@"), first < 0x7F { return false }
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

  /// Appends the string that this text, without its quotes, stands for.
  ///
  /// The escapes are right: they were checked, or written by ourselves.
  static func appendDecoded(_ text: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) {
    output.append(upTo: text.count) { StringDecoder.decode(text, into: $0) ?? 0 }
  }
}
