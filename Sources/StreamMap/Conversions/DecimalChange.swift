#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A number multiplied by another and rounded, exactly: over its decimal digits, however many there are.
///
/// A number that does not have to change keeps its text, except zeros beyond the kept places. A changed number is written with
/// as few digits as possible, without an exponent unless there would be more than forty zeros.
package struct DecimalChange: Sendable, Equatable {
  /// The longest factor.
  package static let mostDigits = 38
  /// The places to which a number can be rounded; negative ones are before the point.
  package static let possiblePlaces = -100...100

  let factor: ExactNumber?
  /// The places after the point that are kept; a half is rounded away from zero.
  let places: Int?
  /// The digits of the factor, 1 without one; nil if there are many.
  // PERF: nearly all factors are short.
  private let shortFactor: UInt64?

  /// - Parameters:
  ///   - factor: What numbers are multiplied by, if at all.
  ///   - places: What they are rounded to afterwards, if at all.
  package init(scale factor: ExactNumber?, places: Int?) {
    self.factor = factor
    self.places = places
    shortFactor = factor == nil ? 1 : factor?.integer
  }

  /// What is wrong with it; nil if it is right.
  package var mistake: String? {
    if let factor {
      if factor.digits.isEmpty { return "numbers cannot be scaled by 0" }
      if factor.digits.count > Self.mostDigits || abs(factor.magnitude) > 1000 {
        return "numbers can be scaled by at most \(Self.mostDigits) digits"
      }
    }
    if let places, !Self.possiblePlaces.contains(places) {
      return "numbers can be rounded to at most \(Self.possiblePlaces.upperBound) places"
    }
    return nil
  }

  /// In explanations.
  package var name: String {
    [factor.map { "scale by \($0)" }, places.map { "round to \($0) places" }]
      .compactMap(\.self).joined(separator: ", ")
  }

  /// Whether the way back is known.
  package var hasWayBack: Bool { places == nil }

  /// The change that undoes it; nil if it rounds, or if 1 divided by its factor has no end.
  package var inverted: DecimalChange? {
    guard places == nil else { return nil }
    guard let factor else { return self }
    // The inverse of 2^a · 5^b is 5^a · 2^b · 10^-(a+b).
    guard var left = UInt128(factor.digits.map { "\($0)" }.joined()), left > 0 else { return nil }
    var inverse: UInt128 = 1
    var exponent = factor.digits.count - factor.magnitude
    for (divisor, other) in [(UInt128(2), UInt128(5)), (5, 2)] {
      while left.isMultiple(of: divisor) {
        let (product, overflow) = inverse.multipliedReportingOverflow(by: other)
        if overflow { return nil }
        left /= divisor
        inverse = product
        exponent -= 1
      }
    }
    guard left == 1,
      let number = ExactNumber("\(factor.isNegative ? "-" : "")\(inverse)e\(exponent)")
    else { return nil }
    let change = DecimalChange(scale: number, places: nil)
    return change.mistake == nil ? change : nil
  }

  /// The changed number.
  ///
  /// - Parameters:
  ///   - text: A number by RFC 8259.
  ///   - room: For a new text.
  /// - Returns: The same text, or one in the room.
  /// - Throws: ``ConversionFailure`` if the exponent is too large to calculate with.
  /// - Complexity: O(*n*) in the digits; times those of the factor.
  func applied(to text: UnsafeBufferPointer<UInt8>, in room: TextRoom) throws(ConversionFailure)
    -> UnsafeBufferPointer<UInt8>
  {
    guard let number = SignificantDigits(text) else { return text }
    if number.isBeyondLimit, number.count > 0 {
      throw ConversionFailure(
        expected: "a number with an exponent of at most 15 digits", code: .numberOutOfRange)
    }
    let isRound = number.count == 0 || places.map { number.exponent >= 0 - $0 } ?? true
    if factor == nil, isRound, !hasNeedlessPlaces(text) { return text }
    let isNegative = number.isNegative != (factor?.isNegative ?? false)
    let changed = room.next()
    var exponent = number.exponent &+ (factor?.lastExponent ?? 0)
    if let shortFactor, let short = number.shortInteger {
      let (high, low) = short.multipliedFullWidth(by: shortFactor)
      var digits = UInt128(high) << 64 | UInt128(low)
      Self.round(&digits, &exponent, to: places)
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberToText.capacity) { room in
        guard let start = room.baseAddress else { return }
        let count = NumberToText.write(digits, into: start)
        let text = UnsafeBufferPointer(start: start, count: count)
        Self.write(isNegative, text, exponent, to: changed)
      }
      return changed.text
    }
    var digits = number.digits
    if let factor { digits = Self.product(digits, factor.digits) }
    Self.round(&digits, &exponent, to: places)
    digits.map { $0 + UInt8(ascii: "0") }
      .withUnsafeBufferPointer { Self.write(isNegative, $0, exponent, to: changed) }
    return changed.text
  }

  /// Whether there are zeros after the point beyond the places to which numbers are rounded.
  private func hasNeedlessPlaces(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let places, let point = text.firstIndex(of: UInt8(ascii: ".")) else { return false }
    // A number with an exponent is as it is written.
    return text.count - point - 1 > max(places, 0) && !text.contains { $0 | 0x20 == 0x65 }
  }

  /// The changed number, as a string.
  func applied(to text: String) throws -> String {
    var text = text
    let room = TextRoom()
    return try withExtendedLifetime(room) {
      try text.withUTF8 { String(decoding: try applied(to: $0, in: room), as: UTF8.self) }
    }
  }

  /// The changed number; nil if it has none, or more digits than a Decimal.
  fileprivate func applied(to number: Decimal) -> Decimal? {
    let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberToText.capacity) {
      room -> String? in
      guard let start = room.baseAddress, let count = NumberToText.write(number, into: start) else {
        return nil
      }
      return String(decoding: room[..<count], as: UTF8.self)
    }
    guard var changed = text.flatMap({ try? applied(to: $0) }) else { return nil }
    return changed.withUTF8 { NumberText.decimal($0) }
  }

  // MARK: Arithmetic

  private static func product(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    var sums = [Int](repeating: 0, count: a.count + b.count)
    for (i, x) in a.enumerated() {
      for (j, y) in b.enumerated() { sums[i + j + 1] += Int(x) * Int(y) }
    }
    for index in sums.indices.dropFirst().reversed() {
      sums[index - 1] += sums[index] / 10
      sums[index] %= 10
    }
    return sums.drop { $0 == 0 }.map { UInt8($0) }
  }

  private static func round(_ digits: inout UInt128, _ exponent: inout Int, to places: Int?) {
    guard let places else { return }
    let drop = 0 - places - exponent
    guard drop > 0 else { return }
    exponent = 0 - places
    // 2^128 has 39 digits, so that a half of the last place is more.
    guard drop <= 38 else {
      digits = 0
      return
    }
    var unit: UInt128 = 1
    for _ in 0..<drop { unit *= 10 }
    let (quotient, rest) = digits.quotientAndRemainder(dividingBy: unit)
    digits = quotient + (rest >= unit - rest ? 1 : 0)
  }

  private static func round(_ digits: inout [UInt8], _ exponent: inout Int, to places: Int?) {
    guard let places else { return }
    let drop = 0 - places - exponent
    guard drop > 0 else { return }
    exponent = 0 - places
    guard drop <= digits.count else {
      digits = []
      return
    }
    let isUp = digits[digits.count - drop] >= 5
    digits.removeLast(drop)
    guard isUp else { return }
    var index = digits.count
    while index > 0 {
      index -= 1
      if digits[index] < 9 {
        digits[index] += 1
        return
      }
      digits[index] = 0
    }
    digits.insert(1, at: 0)
  }

  // MARK: Text

  /// Writes ± digits × 10^exponent.
  private static func write(
    _ isNegative: Bool, _ written: UnsafeBufferPointer<UInt8>, _ exponent: Int,
    to text: TextRoom.Bytes
  ) {
    let zero = UInt8(ascii: "0")
    let point = UInt8(ascii: ".")
    var (first, end, exponent) = (0, written.count, exponent)
    while first < end, written[first] == zero { first += 1 }
    while first < end, written[end - 1] == zero {
      end -= 1
      exponent += 1
    }
    let digits = written.part(first, end)
    if digits.isEmpty { return text.append(zero) }
    if isNegative { text.append(UInt8(ascii: "-")) }
    // How many digits are before the point.
    let whole = digits.count + exponent
    if exponent > 40 || whole < -40 {
      text.append(digits.part(0, 1))
      if digits.count > 1 { text.append(point) }
      text.append(digits.part(1, digits.count))
      text.append(Array("e\(whole - 1)".utf8))
    } else if whole <= 0 {
      text.append(zero)
      text.append(point)
      text.append(zero, times: -whole)
      text.append(digits)
    } else if whole < digits.count {
      text.append(digits.part(0, whole))
      text.append(point)
      text.append(digits.part(whole, digits.count))
    } else {
      text.append(digits)
      text.append(zero, times: exponent)
    }
  }
}

extension ExactNumber {
  /// The power of ten of the last digit.
  fileprivate var lastExponent: Int { magnitude - digits.count }

  /// The digits as an integer; nil if they need more than 64 bits.
  fileprivate var integer: UInt64? {
    digits.count > 19 ? nil : digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
  }
}

// MARK: Conversions

extension Conversion where Source == Decimal, Target == Decimal {
  /// A number multiplied by another, exactly; the reverse divides.
  ///
  /// A result that has more than 38 digits is an error, in the reverse, too.
  ///
  /// ```swift
  /// let seconds: Mapping<Decimal> = .converted(from: .decimal, by: .scaled(by: Decimal(sign: .plus, exponent: -3, significand: 1)))
  /// // 1500  →  1.5
  /// ```
  ///
  /// - Parameter factor: Not 0, which is a ``mistake``.
  /// - Returns: The conversion.
  public static func scaled(by factor: Decimal) -> Conversion {
    let name = "scale by \(factor)"
    if factor.isZero || factor.isNaN {
      return Conversion(name, mistake: "numbers cannot be scaled by \(factor)")
    }
    let failure = ConversionFailure(
      expected: "a number whose result has at most 38 digits", code: .numberOutOfRange)
    let change = ExactNumber("\(factor)").map { DecimalChange(scale: $0, places: nil) }
    @Sendable func product(_ number: Decimal) throws -> Decimal {
      guard let product = change?.applied(to: number) else { throw failure }
      return product
    }
    return Conversion(name) {
      try product($0)
    } reverse: { value in
      let result = value / factor
      guard !result.isNaN, try product(result) == value else { throw failure }
      return result
    }
  }

  /// A number rounded to some places after the point, a half away from zero; one-way.
  ///
  /// Negative places are before the point.
  public static func rounded(toPlaces places: Int) -> Conversion {
    let change = DecimalChange(scale: nil, places: places)
    // A value that is not a number does not change.
    return rounding(places) { change.applied(to: $0) ?? $0 }
  }
}

extension Conversion where Source == Double, Target == Double {
  /// A number rounded to some places after the point, a half away from zero; one-way.
  ///
  /// It rounds the shortest decimal text of the number, which people see: 2.675 becomes 2.68, although the Double is a little
  /// less. A number that is not finite does not change. Negative places are before the point.
  public static func rounded(toPlaces places: Int) -> Conversion {
    let change = DecimalChange(scale: nil, places: places)
    return rounding(places) { number in
      guard number.isFinite else { return number }
      // The exponent of a Double is a short one.
      return (try? change.applied(to: "\(number)")).flatMap(Double.init) ?? number
    }
  }
}

extension Conversion where Source == Target {
  fileprivate static func rounding(
    _ places: Int, _ round: @escaping @Sendable (Source) -> Source
  ) -> Conversion {
    let change = DecimalChange(scale: nil, places: places)
    if let mistake = change.mistake { return Conversion(change.name, mistake: mistake) }
    return Conversion(change.name, round)
  }
}
