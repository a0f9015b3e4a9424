/// Pieces of JSON text.
enum JSONText {
  /// Appends a string with its quotes and the escapes it needs: `"`, `\` and what is below 0x20.
  ///
  /// Clean stretches are appended in one piece.
  static func append(quoted text: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) {
    output.append(UInt8(ascii: "\""))
    var start = 0
    var index = 0
    while true {
      index = cleanEnd(of: text, from: index)
      output.append(UnsafeBufferPointer(rebasing: text[start..<index]))
      if index == text.count { break }
      appendEscape(of: text[index], to: output)
      index += 1
      start = index
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Appends a string with its quotes and the escapes it needs.
  static func append(quoted text: String, to output: OutputBuffer) {
    var text = text
    text.withUTF8 { append(quoted: $0, to: output) }
  }

  /// The first index from `start` on whose byte needs an escape, or the end.
  private static func cleanEnd(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(text)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    var index = start
    while index + 8 <= text.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // A byte below n has its high bit set in (word - n) & ~word, a byte equal to c in that of (word ^ c) with
      // n = 1. Borrows reach only bytes above a hit, so "is there any" is exact.
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let hits =
        ((word &- ones &* 0x20) & ~word) | ((quote &- ones) & ~quote)
        | ((backslash &- ones) & ~backslash)
      if hits & highs != 0 { break }
      index += 8
    }
    while index < text.count {
      let byte = text[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      index += 1
    }
    return index
  }

  private static func appendEscape(of byte: UInt8, to output: OutputBuffer) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    default:
      output.append("u00")
      output.append(hexadecimal(byte >> 4))
      output.append(hexadecimal(byte & 15))
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + (digit - 10)
  }
}
