#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts between bytes and their text by RFC 4648, sections 4 and 5, strictly: no white space, and one text per value.
struct Base64: Sendable {
  enum Padding: Sendable { case required, optional }

  /// The last two of the 64 characters.
  private let last: (UInt8, UInt8)
  private let padding: Padding

  /// `+` and `/`, with padding.
  static let standard = Base64(last: (UInt8(ascii: "+"), UInt8(ascii: "/")), padding: .required)
  /// `-` and `_`; padding may be absent when reading, and is not written.
  static let url = Base64(last: (UInt8(ascii: "-"), UInt8(ascii: "_")), padding: .optional)

  /// The bytes, or nil if the text differs from the text that would be written for them.
  func data(_ text: UnsafeBufferPointer<UInt8>) -> Data? {
    var length = text.count
    let pad = UInt8(ascii: "=")
    if length > 0, length % 4 == 0, text[length &- 1] == pad {
      length &-= text[length &- 2] == pad ? 2 : 1
    } else if padding == .required, length % 4 != 0 {
      return nil
    }
    let rest = length % 4
    guard rest != 1 else { return nil }
    var data = Data(capacity: length / 4 &* 3 &+ 2)
    var bits: UInt32 = 0
    for index in 0..<length {
      guard let value = value(text[index]) else { return nil }
      bits = bits &<< 6 | value
      if index & 3 == 3 {
        data.append(UInt8(truncatingIfNeeded: bits &>> 16))
        data.append(UInt8(truncatingIfNeeded: bits &>> 8))
        data.append(UInt8(truncatingIfNeeded: bits))
        bits = 0
      }
    }
    // The bits of the last character that belong to no byte must be 0.
    switch rest {
    case 2:
      guard bits & 0x0F == 0 else { return nil }
      data.append(UInt8(truncatingIfNeeded: bits &>> 4))
    case 3:
      guard bits & 0x03 == 0 else { return nil }
      data.append(UInt8(truncatingIfNeeded: bits &>> 10))
      data.append(UInt8(truncatingIfNeeded: bits &>> 2))
    default: break
    }
    return data
  }

  @inline(__always)
  private func value(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character &- 65)
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character &- 71)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character &+ 4)
    case last.0: 62
    case last.1: 63
    default: nil
    }
  }

  /// The text of the bytes.
  func text(_ data: Data) -> String {
    let standard = data.base64EncodedString()
    guard padding == .optional else { return standard }
    var text: [UInt8] = []
    text.reserveCapacity(standard.utf8.count)
    for byte in standard.utf8 {
      switch byte {
      case UInt8(ascii: "+"): text.append(last.0)
      case UInt8(ascii: "/"): text.append(last.1)
      case UInt8(ascii: "="): break
      default: text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
