/// Strings and keys of JSON as they are written in its text.
package enum EscapedText {
  /// The string after unescaping.
  ///
  /// The escapes were checked before; an escape that is cut off or unknown does not change.
  ///
  /// - Complexity: O(*n*) in the bytes.
  static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var isDecoded = true
    let text = String(unsafeUninitializedCapacity: bytes.count) { room in
      let count = room.baseAddress.flatMap { StringDecoder.decode(bytes, into: $0) }
      isDecoded = count != nil
      return count ?? 0
    }
    return isDecoded ? text : decoded(String(decoding: bytes, as: UTF8.self))
  }

  /// The string that this text with escapes stands for.
  package static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var units: [UInt16] = []
    let text = Array(text.utf16)
    var index = 0
    while index < text.count {
      let unit = text[index]
      index += 1
      guard unit == UInt16(UInt8(ascii: "\\")), index < text.count else {
        units.append(unit)
        continue
      }
      let escape = text[index]
      index += 1
      switch escape {
      case 0x62: units.append(0x08)
      case 0x66: units.append(0x0C)
      case 0x6E: units.append(0x0A)
      case 0x72: units.append(0x0D)
      case 0x74: units.append(0x09)
      case 0x75:
        let digits = String(decoding: text[index..<min(index + 4, text.count)], as: UTF16.self)
        index = min(index + 4, text.count)
        units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
      default: units.append(escape)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
