#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How people write numbers: the sign between groups of digits, and the sign before the fraction.
///
/// It applies only where it is given; without it, the text of a number is in JSON's notation. `StreamMapFoundation` adds those of
/// languages, `.locale(Locale(identifier: "de_DE"))`.
///
/// ```swift
/// let price: Conversion<String, Decimal> = .number(.grouped(by: ".", decimal: ","))
/// try price.forward("1.235,50")  // 1235.5
/// let count: Conversion<String, Int> = .number(.grouped(by: ","))
/// try count.reverse?(1_235_555)  // "1,235,555"
/// ```
///
/// In texts that are read, groups are optional; if there are groups, they must be right: `1,23` is an error, not 123.
/// An exponent or a plus sign is not accepted. Written texts have groups, and all digits of the fraction.
public struct NumberPunctuation: Sendable, Hashable {
  private let group: [Unicode.Scalar]
  private let decimal: [Unicode.Scalar]
  private let minus: [Unicode.Scalar]
  /// The digit 0; 1 to 9 follow it.
  private let zero: UInt32
  /// The number of digits in the last group, and in all other groups.
  private let groupSize: Int
  private let otherGroupSize: Int
  let name: String
  let mistake: String?

  /// Groups of three digits.
  ///
  /// - Parameters:
  ///   - group: The sign between groups.
  ///   - decimal: The sign before the fraction. It must differ from `group`, and neither may be a digit or `-`.
  /// - Returns: The punctuation.
  public static func grouped(by group: Character, decimal: Character = ".") -> NumberPunctuation {
    NumberPunctuation(
      group: "\(group)", decimal: "\(decimal)", minus: "-", zero: "0", groupSize: 3,
      otherGroupSize: 3, name: "grouped by '\(group)'")
  }

  /// Any notation; `zero` begins with the digit 0, which 1 to 9 follow.
  package init(
    group: String, decimal: String, minus: String, zero: String, groupSize: Int,
    otherGroupSize: Int, name: String
  ) {
    self.group = Array(group.unicodeScalars)
    self.decimal = Array(decimal.unicodeScalars)
    self.minus = Array(minus.unicodeScalars)
    self.zero = zero.unicodeScalars.first.map(\.value) ?? 0x30
    self.groupSize = groupSize
    self.otherGroupSize = otherGroupSize
    self.name = name
    func isSign(_ text: String) -> Bool {
      text.isEmpty || text == "-"
        || text.unicodeScalars.contains { $0.properties.numericType != nil }
    }
    mistake =
      group == decimal || isSign(group) || isSign(decimal)
      ? "'\(group)' between groups and '\(decimal)' before the fraction cannot be told apart from "
        + "each other, a digit or '-'"
      : nil
  }

  // MARK: Reading

  /// The number in JSON's notation, or nil if the text is not a number.
  func json(_ text: String) -> String? {
    let scalars = Array(text.unicodeScalars)
    var index = 0
    var json = ""
    if let end = end(of: minus, in: scalars, at: 0) ?? end(of: ["-"], in: scalars, at: 0) {
      index = end
      json = "-"
    }
    guard let whole = wholePart(scalars, &index) else { return nil }
    json += whole
    guard index < scalars.count else { return json }
    guard let fractionStart = end(of: decimal, in: scalars, at: index) else { return nil }
    index = fractionStart
    let fraction = digits(scalars, &index)
    guard !fraction.isEmpty, index == scalars.count else { return nil }
    return json + "." + fraction
  }

  /// The digits before the fraction, without the signs between groups; nil if these signs are in wrong places.
  private func wholePart(_ scalars: [Unicode.Scalar], _ index: inout Int) -> String? {
    var groups = [digits(scalars, &index)]
    while let next = endOfGroupSign(scalars, at: index) {
      index = next
      groups.append(digits(scalars, &index))
    }
    let first = groups[0]
    guard !first.isEmpty, first == "0" ? groups.count == 1 : !first.hasPrefix("0") else {
      return nil
    }
    guard groups.count > 1 else { return first }
    guard first.utf8.count <= otherGroupSize, groups[groups.count - 1].utf8.count == groupSize,
      groups.dropFirst().dropLast().allSatisfy({ $0.utf8.count == otherGroupSize })
    else { return nil }
    return groups.joined()
  }

  /// The digits from an index on, as ASCII.
  private func digits(_ scalars: [Unicode.Scalar], _ index: inout Int) -> String {
    var digits = ""
    while index < scalars.count {
      let value = scalars[index].value
      let own = value &- zero
      let ascii = value &- 0x30
      guard own < 10 || ascii < 10 else { break }
      digits += "\(own < 10 ? own : ascii)"
      index += 1
    }
    return digits
  }

  private func endOfGroupSign(_ scalars: [Unicode.Scalar], at index: Int) -> Int? {
    if let end = end(of: group, in: scalars, at: index) { return end }
    let spaces: [Unicode.Scalar] = [" ", "\u{A0}", "\u{202F}"]
    guard group.count == 1, spaces.contains(group[0]), index < scalars.count,
      spaces.contains(scalars[index])
    else { return nil }
    return index + 1
  }

  private func end(of sign: [Unicode.Scalar], in scalars: [Unicode.Scalar], at index: Int) -> Int? {
    scalars[min(index, scalars.count)...].starts(with: sign) ? index + sign.count : nil
  }

  // MARK: Writing

  /// A number in JSON's notation, as people write it.
  func text(json: String) -> String {
    var text = String.UnicodeScalarView()
    var digits: [UInt8] = []
    var point: Int?
    var exponent = 0
    let end = json.firstIndex(of: "e") ?? json.endIndex
    for byte in json[..<end].utf8 {
      if byte == UInt8(ascii: "-") {
        text.append(contentsOf: minus)
      } else if byte == UInt8(ascii: ".") {
        point = digits.count
      } else {
        digits.append(byte &- UInt8(ascii: "0"))
      }
    }
    if end < json.endIndex { exponent = Int(json[json.index(after: end)...]) ?? 0 }
    // The place of the point among the digits, without an exponent; zeros fill the gap up to it.
    let whole = (point ?? digits.count) + exponent
    func digit(_ index: Int) -> UInt8 { digits.indices.contains(index) ? digits[index] : 0 }
    let first = min(whole - 1, digits.firstIndex { $0 != 0 } ?? whole - 1)
    for index in first..<whole {
      let left = whole - index
      append(digit(index), to: &text)
      if left > groupSize, (left - 1 - groupSize) % otherGroupSize == 0 {
        text.append(contentsOf: group)
      }
    }
    if whole < digits.count {
      text.append(contentsOf: decimal)
      for index in whole..<digits.count { append(digit(index), to: &text) }
    }
    return String(text)
  }

  private func append(_ digit: UInt8, to text: inout String.UnicodeScalarView) {
    if let scalar = Unicode.Scalar(zero + UInt32(digit)) { text.append(scalar) }
  }
}
