/// Pieces of JSON text.
enum JSONText {
  /// Appends a string with its quotes and the escapes that it needs: `"`, `\` and characters below 0x20.
  ///
  /// Runs that need no escape are copied while they are examined.
  @inline(__always)
  static func append(quoted text: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) {
    var clean = 0
    output.append(upTo: text.count + 2) { room in
      room[0] = UInt8(ascii: "\"")
      clean = copyClean(text, to: room + 1)
      guard clean == text.count else { return clean + 1 }
      room[clean + 1] = UInt8(ascii: "\"")
      return clean + 2
    }
    if clean < text.count { appendRest(of: text, from: clean, to: output) }
  }

  /// The text of a member's key, with its quotes and the colon.
  static func key(_ name: String) -> [UInt8] {
    let text = OutputBuffer()
    append(quoted: name, to: text)
    text.append(UInt8(ascii: ":"))
    return Array(text.bytes)
  }

  /// Appends the rest, from the first byte that needs an escape, and the closing quote.
  @inline(never)
  private static func appendRest(
    of text: UnsafeBufferPointer<UInt8>, from start: Int, to output: OutputBuffer
  ) {
    var index = start
    while index < text.count {
      appendEscape(of: text[index], to: output)
      let rest = UnsafeBufferPointer(rebasing: text[(index + 1)...])
      var clean = 0
      output.append(upTo: rest.count) { room in
        clean = copyClean(rest, to: room)
        return clean
      }
      index += 1 + clean
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Whether a string of a feed, with its quotes, surely has only the escapes that are written here.
  static func isWritten(_ string: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while let backslash = string.firstIndex(of: UInt8(ascii: "\\"), from: index) {
      guard backslash &+ 1 < string.count else { return false }
      switch string[backslash &+ 1] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        index = backslash &+ 2
      default: return false
      }
    }
    return true
  }

  /// Appends a string with its quotes and the escapes that it needs.
  static func append(quoted text: String, to output: OutputBuffer) {
    var text = text
    text.withUTF8 { append(quoted: $0, to: output) }
  }

  /// Copies bytes up to the first that needs an escape.
  ///
  /// - Parameters:
  ///   - text: The bytes to copy.
  ///   - target: Has room for all of them; bytes after those that were copied may be overwritten, too.
  /// - Returns: How many were copied.
  @inline(__always)
  private static func copyClean(
    _ text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    guard let start = text.baseAddress else { return 0 }
    let source = UnsafeRawPointer(start)
    let target = UnsafeMutableRawPointer(target)
    let count = text.count
    var index = 0
    while index &+ 16 <= count {
      let hits = copyWord(source, target, at: index) | copyWord(source, target, at: index &+ 8)
      guard hits == 0 else { return copyCleanBytes(source, target, index, count) }
      index &+= 16
    }
    if count >= 8 {
      // The last words overlap the bytes that are already there.
      var hits = copyWord(source, target, at: count &- 8)
      if count &- index > 8 { hits |= copyWord(source, target, at: index) }
      if hits == 0 { return count }
    }
    return copyCleanBytes(source, target, index, count)
  }

  /// Copies eight bytes; the result is not 0 if one of them needs an escape.
  @inline(__always)
  private static func copyWord(
    _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, at index: Int
  ) -> UInt64 {
    let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
    let ones: UInt64 = 0x0101_0101_0101_0101
    // A byte below n has its high bit set in (word - n) & ~word. Borrows reach only bytes above a hit, so the question
    // "is there any" is answered exactly. With bit 1 flipped, bytes below 0x20 stay there, and only '"' becomes 0x20.
    let quoteOrControl = (word ^ (ones &* 0x02)) &- (ones &* 0x21)
    let backslash = (word ^ (ones &* 0x5C)) &- ones
    return (quoteOrControl | backslash) & ~word & (ones &* 0x80)
  }

  private static func copyCleanBytes(
    _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ start: Int, _ count: Int
  ) -> Int {
    var index = start
    while index < count {
      let byte = source.load(fromByteOffset: index, as: UInt8.self)
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
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
