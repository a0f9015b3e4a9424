/// How the text of a number looks, as in `#,##0.00`: digits in groups, and so many places after the sign before the fraction.
///
/// The number is rounded exactly, a half away from zero. It has all places, and no exponent.
package struct NumberFormat: Sendable, Hashable {
  /// The most places, and the most digits before the fraction.
  package static let mostPlaces = 100
  private static let mostDigits = 400
  /// What texts are formats (ECMA-262), but for one whose two signs are the same.
  package static let pattern = "^(#[^0-9#-]##)?0([^0-9#-]0{1,\(mostPlaces)})?$"

  /// As it is written: `0`, `0.00`, `#,##0`, `#,##0.00`; with any other signs, as in `#.##0,00`.
  private let text: String
  private let group: [UInt8]
  private let decimal: [UInt8]
  private let places: Int

  /// - Returns: nil if the text is no format.
  package init?(_ text: String) {
    self.text = text
    let scalars = Array(text.unicodeScalars)
    var index = 0
    func take(_ expected: Unicode.Scalar...) -> Bool {
      guard scalars[index...].starts(with: expected) else { return false }
      index += expected.count
      return true
    }
    func sign() -> Unicode.Scalar? {
      guard index < scalars.count else { return nil }
      let scalar = scalars[index]
      if scalar == "-" || scalar == "#" || scalar.properties.numericType != nil { return nil }
      index += 1
      return scalar
    }
    var (group, decimal): (Unicode.Scalar?, Unicode.Scalar?)
    if take("#") {
      guard let found = sign(), take("#", "#") else { return nil }
      group = found
    }
    guard take("0") else { return nil }
    let start = index
    if index < scalars.count {
      guard let found = sign(), found != group else { return nil }
      decimal = found
      while take("0") {}
    }
    places = max(0, index - start - 1)
    guard index == scalars.count, decimal == nil || 1...Self.mostPlaces ~= places else {
      return nil
    }
    self.group = group.map { Array(String($0).utf8) } ?? []
    self.decimal = decimal.map { Array(String($0).utf8) } ?? []
  }

  /// The step that makes such a text of one that is a number by RFC 8259.
  package var step: TextStep {
    .function(
      TextFunction("number format \(ValueList.text(text))") {
        [self] text, room throws(ConversionFailure) in
        let result = room.next()
        try write(text, to: result)
        return result.text
      })
  }

  private func write(_ text: UnsafeBufferPointer<UInt8>, to result: TextRoom.Bytes)
    throws(ConversionFailure)
  {
    guard NumberText.isNumber(text), let number = SignificantDigits(text) else {
      throw ConversionFailure(expected: "a number")
    }
    // A zero has no digits, whatever its exponent.
    let magnitude = number.count == 0 ? 0 : number.magnitude
    if magnitude > Self.mostDigits {
      throw ConversionFailure(
        expected: "a number of at most \(Self.mostDigits) digits before the fraction")
    }
    let point = 1 + max(0, magnitude)
    let end = point + places
    // One more place decides how the last one is rounded; further ones change nothing.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: end + 1) { digits in
      digits.initialize(repeating: 0)
      Self.round(number, magnitude, to: digits)
      let digits = digits.dropLast()
      let isNegative = number.isNegative && digits.contains { $0 > 0 }
      if isNegative { result.append(UInt8(ascii: "-")) }
      let start = digits.prefix(point - 1).prefix { $0 == 0 }.count
      for index in start..<end {
        if index == point { result.append(decimal) }
        if index > start, index < point, (point - index).isMultiple(of: 3) { result.append(group) }
        result.append(UInt8(ascii: "0") + digits[index])
      }
    }
  }

  /// Writes the digits, rounded.
  ///
  /// The last one is only there to round the others; the first one is a zero, for what is carried.
  private static func round(
    _ number: SignificantDigits, _ magnitude: Int, to digits: UnsafeMutableBufferPointer<UInt8>
  ) {
    let last = digits.count - 1
    // The zeros after the point.
    var index = 1 + min(max(0, 0 - magnitude), last)
    number.forEachDigit(limit: digits.count - min(index, digits.count)) {
      digits[index] = $0
      index += 1
    }
    if digits[last] < 5 { return }
    index = last - 1
    while digits[index] == 9, index > 0 {
      digits[index] = 0
      index -= 1
    }
    digits[index] += 1
  }
}
