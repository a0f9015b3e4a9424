/// A number by its text, compared exactly whatever its size and precision.
struct ExactNumber: Comparable, Hashable, Sendable, CustomStringConvertible {
  let description: String
  private let isNegative: Bool
  /// Its digits without zeros at either end; none for 0.
  private let digits: [UInt8]
  /// The number is 0.digits × 10^magnitude.
  private let magnitude: Int

  /// Of an exponent beyond this only its sign counts: a number has at most some thousand digits.
  private static let largestExponent = 1 << 40

  /// Nil where the text is no number by RFC 8259.
  init?(_ text: String) {
    guard
      let parts = text.wholeMatch(of: /(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?/)
    else { return nil }
    description = text
    let whole = parts.2.utf8
    let significant = (Array(whole) + Array((parts.3 ?? "").utf8)).drop { $0 == 0x30 }
    let zeros = whole.count + (parts.3?.utf8.count ?? 0) - significant.count
    guard let end = significant.lastIndex(where: { $0 != 0x30 }) else {
      (isNegative, digits, magnitude) = (false, [], 0)
      return
    }
    isNegative = !parts.1.isEmpty
    digits = Array(significant[...end])
    magnitude = whole.count - zeros + Self.exponent(parts.4 ?? "0")
  }

  private static func exponent(_ text: Substring) -> Int {
    let saturated = text.hasPrefix("-") ? -largestExponent : largestExponent
    guard let exponent = Int(text) else { return saturated }
    return min(max(exponent, -largestExponent), largestExponent)
  }

  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

  static func < (a: ExactNumber, b: ExactNumber) -> Bool {
    if a.sign != b.sign { return a.sign < b.sign }
    return a.isNegative ? b.isCloserToZero(than: a) : a.isCloserToZero(than: b)
  }

  private func isCloserToZero(than other: ExactNumber) -> Bool {
    magnitude != other.magnitude
      ? magnitude < other.magnitude : digits.lexicographicallyPrecedes(other.digits)
  }

  static func == (a: ExactNumber, b: ExactNumber) -> Bool {
    a.isNegative == b.isNegative && a.magnitude == b.magnitude && a.digits == b.digits
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(isNegative)
    hasher.combine(magnitude)
    hasher.combine(digits)
  }
}
