/// A value that a mapping lets through and PostgreSQL cannot hold.
typealias UnheldValue = RecordForm.Unheld

extension UnheldValue {
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

  /// Whether `numeric` has too few digits for a number.
  static func isLong(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let digits = SignificantDigits(text) else { return false }
    // Zeros at the end count as places.
    let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }.count
    let places = max(mantissa.count - whole - 1, 0) - digits.writtenExponent
    return digits.magnitude > mostDigits || places > mostPlaces
  }
}
