/// Reads a text from its start to its end, byte by byte; nothing is read twice, and nothing is allocated.
package struct ByteCursor {
  private let text: UnsafeBufferPointer<UInt8>
  private(set) var index = 0

  @inline(__always)
  package init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  @inline(__always)
  package var isAtEnd: Bool { index == text.count }

  @inline(__always)
  var next: UInt8? { index < text.count ? text[index] : nil }

  /// Whether the next byte is this one; if so, the cursor moves past it.
  @inline(__always)
  package mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    index &+= 1
    return true
  }

  /// Whether the next bytes are these; if so, the cursor moves past them.
  mutating func take(_ bytes: [UInt8]) -> Bool {
    guard text.count &- index >= bytes.count else { return false }
    for offset in 0..<bytes.count where text[index &+ offset] != bytes[offset] { return false }
    index &+= bytes.count
    return true
  }

  /// Like `take(_:)` for ASCII letters, whatever their case; `letters` is in lower case.
  mutating func take(letters: StaticString) -> Bool {
    let count = letters.utf8CodeUnitCount
    guard text.count &- index >= count else { return false }
    for offset in 0..<count
    where ASCIIText.lowercase(text[index &+ offset]) != letters.utf8Start[offset] { return false }
    index &+= count
    return true
  }

  /// The position in a list of the name that comes next, whatever its case; the names are in lower case.
  mutating func position(in names: [StaticString]) -> Int? {
    for (position, name) in names.enumerated() where take(letters: name) { return position }
    return nil
  }

  /// The value of the next digits, which must be at least `minimum`; at most `maximum` are taken, and these must fit
  /// into an Int: at most 18.
  @inline(__always)
  mutating func number(_ minimum: Int, _ maximum: Int) -> Int? {
    let start = index
    var value = 0
    while index < text.count, index &- start < maximum {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ Int(digit)
      index &+= 1
    }
    return index &- start >= minimum ? value : nil
  }

  /// Whether digits come next, at least one; if so, the cursor moves past them.
  package mutating func takeDigits() -> Bool {
    let start = index
    while index < text.count, text[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
    return index > start
  }

  /// Moves past the exponent of a number, if there is one; false if it has no digits.
  package mutating func takeExponent() -> Bool {
    guard take("e") || take("E") else { return true }
    if !take("-") { _ = take("+") }
    return takeDigits()
  }

  /// `hhmm`, `hh:mm` or `hh` after a sign: the number of seconds by which local time is ahead of UTC.
  mutating func offset(colon: Bool, minutes: OffsetMinutes = .required) -> Int? {
    let isNegative = next == UInt8(ascii: "-")
    guard take("-") || take("+"), let hours = number(2, 2), hours <= 23 else { return nil }
    var seconds = hours &* 3600
    let hasMinutes =
      switch minutes {
      case .required: true
      case .optional: colon ? next == UInt8(ascii: ":") : next.map { $0 &- 0x30 < 10 } ?? false
      }
    if hasMinutes {
      if colon, !take(":") { return nil }
      guard let minutes = number(2, 2), minutes <= 59 else { return nil }
      seconds &+= minutes &* 60
    }
    return isNegative ? 0 &- seconds : seconds
  }

  enum OffsetMinutes: Sendable { case required, optional }
}

/// ASCII, without regard to locales.
package enum ASCIIText {
  @inline(__always)
  static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  /// The text with its ASCII letters in lower case.
  package static func lowercased(_ text: String) -> String {
    String(decoding: text.utf8.map(lowercase), as: UTF8.self)
  }
}
