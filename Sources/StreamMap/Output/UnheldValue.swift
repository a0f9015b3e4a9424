/// A value that a mapping lets through and PostgreSQL cannot hold.
enum UnheldValue {
  /// A text with U+0000.
  case zeroCharacter
  /// A number with more digits before or after its point than `numeric` has.
  case number
  /// A date in the year 0, which is 1 BC.
  case date

  /// The digits of `numeric` before the point, and after it.
  private static let mostDigits = 131_072
  private static let mostPlaces = 16_383

  /// As in “expected …”.
  var expected: String {
    switch self {
    case .zeroCharacter: "texts without U+0000, which PostgreSQL cannot hold"
    case .number:
      "numbers of at most \(Self.mostDigits) digits and \(Self.mostPlaces) places, as PostgreSQL has them"
    case .date: "dates from the year 1 on, as PostgreSQL reads them"
    }
  }

  /// As in “found … in the column”.
  var found: String {
    switch self {
    case .zeroCharacter, .number: "one"
    case .date: "the year 0"
    }
  }

  static func date(_ text: UnsafeBufferPointer<UInt8>) -> UnheldValue? {
    text.starts(with: "0000-".utf8) ? .date : nil
  }

  static func number(_ text: UnsafeBufferPointer<UInt8>) -> UnheldValue? {
    // PERF: a number without an exponent is not that long, nearly always.
    let last = text.suffix(8)
    if text.count <= mostPlaces, !last.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }),
      last.count == text.count || !text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") })
    {
      return nil
    }
    guard let digits = SignificantDigits(text) else { return nil }
    // Zeros at the end count as places.
    let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }.count
    let places = max(mantissa.count - whole - 1, 0) - digits.writtenExponent
    return digits.magnitude > mostDigits || places > mostPlaces ? .number : nil
  }

  /// The first such value in JSON text: `jsonb` has the same texts and numbers.
  static func inJSON(_ text: UnsafeBufferPointer<UInt8>) -> UnheldValue? {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\"") {
        index &+= 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
          if text[index] == UInt8(ascii: "\\") {
            if text[index...].prefix(6).elementsEqual("\\u0000".utf8) { return .zeroCharacter }
            index &+= 1
          }
          index &+= 1
        }
        index &+= 1
      } else if byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 {
        let start = index
        while index < text.count, isOfNumber(text[index]) { index &+= 1 }
        let number = UnsafeBufferPointer(rebasing: text[start..<index])
        if let value = self.number(number) { return value }
      } else {
        index &+= 1
      }
    }
    return nil
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || byte | 0x20 == UInt8(ascii: "e")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
  }
}
