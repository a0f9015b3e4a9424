#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts between a text and a URL.
///
/// The text must be a URI reference of RFC 3986, absolute or relative, and not empty. In addition, characters outside
/// ASCII may replace their percent-encoded UTF-8, and in a host their IDNA form. If the list of schemes is not empty,
/// the URL must be absolute and have one of these schemes, ignoring case.
///
/// Nothing else is repaired: a space, a quote or a `%` that encodes nothing is a mistake.
enum StringToURL {
  // MARK: Text to URL

  static func url(_ text: String, schemes: [String] = []) -> URL? {
    var text = text
    let encoded: Encoded? = text.withUTF8 { bytes in
      guard !bytes.isEmpty, hasScheme(bytes, among: schemes), !hasColonWithoutScheme(bytes),
        IPLiteral.isGood(host: bytes, hostRange(bytes))
      else { return nil }
      return bytes.allSatisfy { $0 < 0x80 } ? Encoded(text: nil) : encode(bytes)
    }
    guard let encoded else { return nil }
    guard let skeleton = encoded.skeleton else {
      return URL(string: encoded.text ?? text, encodingInvalidCharacters: false)
    }
    // Foundation converts a host only if it may also repair everything else, so first check that there is nothing to
    // repair.
    guard URL(string: skeleton, encodingInvalidCharacters: false) != nil else { return nil }
    return URL(string: encoded.text ?? text, encodingInvalidCharacters: true)
  }

  /// Whether `url` would return a URL for this text, in nearly all cases without building one.
  static func isURL(_ text: UnsafeBufferPointer<UInt8>, schemes: [String] = []) -> Bool {
    guard !text.isEmpty, hasScheme(text, among: schemes) else { return false }
    return isPlain(text) || url(StringText.string(text), schemes: schemes) != nil
  }

  /// The text of a URL.
  static func text(_ url: URL) -> String { url.absoluteString }

  // MARK: Scheme

  /// Whether a URL's text has one of these schemes; without schemes, every URL has.
  static func hasScheme(_ text: String, among schemes: [String]) -> Bool {
    var text = text
    return text.withUTF8 { hasScheme($0, among: schemes) }
  }

  private static func hasScheme(
    _ text: UnsafeBufferPointer<UInt8>, among schemes: [String]
  ) -> Bool {
    schemes.isEmpty
      || schemes.contains { scheme in
        let scheme = scheme.utf8
        return text.count > scheme.count && text[scheme.count] == UInt8(ascii: ":")
          && zip(scheme, text).allSatisfy { lowercase($0) == lowercase($1) }
      }
  }

  /// Whether the first segment has a colon that no scheme is before: neither a URI nor a relative reference has that.
  private static func hasColonWithoutScheme(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let end = text.firstIndex { byte in
      byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
        || byte == UInt8(ascii: "#")
    }
    guard let end, text[end] == UInt8(ascii: ":") else { return false }
    let isScheme =
      end > 0 && lowercase(text[0]) &- UInt8(ascii: "a") < 26
      && text[..<end].allSatisfy { ASCIISet.scheme.contains($0) }
    return !isScheme
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  // MARK: Characters outside ASCII

  private struct Encoded {
    /// The text with everything but the host percent-encoded; nil if nothing needed encoding.
    var text: String?
    /// The same text with an ASCII host in place of one that is not ASCII.
    var skeleton: String?
  }

  private static func encode(_ text: UnsafeBufferPointer<UInt8>) -> Encoded {
    let host = hostRange(text)
    var encoded: [UInt8] = []
    var skeleton: [UInt8] = []
    var hostIsASCII = true
    for (index, byte) in text.enumerated() {
      if byte < 0x80 {
        encoded.append(byte)
        skeleton.append(byte)
      } else if host.contains(index) {
        hostIsASCII = false
        encoded.append(byte)
        skeleton.append(UInt8(ascii: "x"))
      } else {
        let escape = [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0x0F)]
        encoded.append(contentsOf: escape)
        skeleton.append(contentsOf: escape)
      }
    }
    return Encoded(
      text: String(decoding: encoded, as: UTF8.self),
      skeleton: hostIsASCII ? nil : String(decoding: skeleton, as: UTF8.self))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") &- 10)
  }

  /// The range of host and port: after `//`, which is at the start or after the scheme, and after the user.
  private static func hostRange(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let slash = UInt8(ascii: "/")
    func isEnd(_ byte: UInt8) -> Bool {
      byte == slash || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
    var start = 0
    if let colon = text.firstIndex(where: { $0 == UInt8(ascii: ":") || isEnd($0) }),
      text[colon] == UInt8(ascii: ":")
    {
      start = colon &+ 1
    }
    guard text.count >= start &+ 2, text[start] == slash, text[start &+ 1] == slash else {
      return 0..<0
    }
    start &+= 2
    let end = text[start...].firstIndex(where: isEnd) ?? text.count
    if let at = text[start..<end].lastIndex(of: UInt8(ascii: "@")) { start = at &+ 1 }
    return start..<end
  }

  // MARK: The fast check

  /// Whether this is `scheme://host:port/path?query#fragment` in the plainest characters.
  ///
  /// Every parser accepts such a text. A text that is not so plain may still be a URL.
  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    func skip(_ set: ASCIISet) {
      while index < text.count, set.contains(text[index]) { index &+= 1 }
    }
    func take(_ byte: UInt8) -> Bool {
      guard index < text.count, text[index] == byte else { return false }
      index &+= 1
      return true
    }

    guard let first = text.first, lowercase(first) &- UInt8(ascii: "a") < 26 else { return false }
    skip(.scheme)
    guard take(UInt8(ascii: ":")), take(UInt8(ascii: "/")), take(UInt8(ascii: "/")) else {
      return false
    }
    let host = index
    skip(.host)
    guard index > host else { return false }
    if take(UInt8(ascii: ":")) { skip(.digits) }
    guard index < text.count else { return true }
    guard take(UInt8(ascii: "/")) || take(UInt8(ascii: "?")) || text[index] == UInt8(ascii: "#")
    else { return false }

    var hasFragment = false
    while true {
      skip(.rest)
      guard index < text.count else { return true }
      if take(UInt8(ascii: "%")) {
        let digits = index
        while index < text.count, index &- digits < 2, ASCIISet.hexDigits.contains(text[index]) {
          index &+= 1
        }
        guard index &- digits == 2 else { return false }
      } else if !hasFragment, take(UInt8(ascii: "#")) {
        hasFragment = true
      } else {
        return false
      }
    }
  }
}

/// A set of ASCII characters, one bit each.
private struct ASCIISet {
  private let low: UInt64
  private let high: UInt64

  private init(_ characters: StaticString) {
    var low: UInt64 = 0
    var high: UInt64 = 0
    characters.withUTF8Buffer { bytes in
      for byte in bytes {
        if byte < 64 { low |= 1 &<< UInt64(byte) } else { high |= 1 &<< UInt64(byte &- 64) }
      }
    }
    self.low = low
    self.high = high
  }

  func contains(_ byte: UInt8) -> Bool {
    byte < 0x80 && (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1
  }

  static let digits = ASCIISet("0123456789")
  static let hexDigits = ASCIISet("0123456789abcdefABCDEF")
  static let scheme = ASCIISet(
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-.")
  static let host = ASCIISet("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-.")
  /// The characters that path, query and fragment have in common.
  static let rest = ASCIISet(
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._~!$&'()*+,;=:@/?")
}
