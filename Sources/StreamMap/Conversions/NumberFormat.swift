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
    if number.count > 0, number.magnitude > Self.mostDigits {
      throw ConversionFailure(
        expected: "a number of at most \(Self.mostDigits) digits before the fraction")
    }
    let digits = rounded(number)
    if number.isNegative, digits.contains(where: { $0 > 0 }) { result.append(UInt8(ascii: "-")) }
    let whole = digits.count - places
    for (index, digit) in digits.enumerated() {
      if index == whole { result.append(decimal) }
      if index > 0, index < whole, (whole - index).isMultiple(of: 3) { result.append(group) }
      result.append(UInt8(ascii: "0") + digit)
    }
  }

  /// The digits with all places, and at least one before them.
  private func rounded(_ number: SignificantDigits) -> [UInt8] {
    // A zero before them, for what is carried.
    var digits: [UInt8] = [0]
    let zeros = number.count == 0 ? 0 : max(0, 0 - number.magnitude)
    // Beyond the places and one more, only zeros change nothing.
    digits += Array(repeating: 0, count: min(zeros, places + 1))
    if zeros <= places + 1 { number.forEachDigit { digits.append($0) } }
    let point = 1 + max(0, number.magnitude)
    let end = point + places
    if digits.count > end {
      let roundsUp = digits[end] >= 5
      digits.removeSubrange(end...)
      if roundsUp {
        var index = end - 1
        while digits[index] == 9, index > 0 {
          digits[index] = 0
          index -= 1
        }
        digits[index] += 1
      }
    }
    digits += Array(repeating: 0, count: max(0, end - digits.count))
    let leading = digits.prefix { $0 == 0 }.count
    return Array(digits[min(leading, point - 1)...])
  }
}
