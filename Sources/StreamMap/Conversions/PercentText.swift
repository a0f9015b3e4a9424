/// Percent-encoding (RFC 3986).
package enum PercentText {
  /// The bytes that a text stands for; nil if a percent sign has no two digits after it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - plusIsSpace: Whether a plus sign is a space, as in the query of a form.
  /// - Returns: The bytes, which may be anything.
  package static func decoded(_ text: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < text.count, let high = HexDigit.value(text[index + 1]),
          let low = HexDigit.value(text[index + 2])
        else { return nil }
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    return bytes
  }
}

/// Hexadecimal digits.
package enum HexDigit {
  package static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The digit of a value up to 15, in lower case.
  package static func lower(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// The digit of a value up to 15, in upper case.
  package static func upper(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
