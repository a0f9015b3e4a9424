/// A moment of the years 0 to 9999 in UTC, exact to the nanosecond.
///
/// Every form of a date, text or number, is read as one and written from one, by arithmetic of integers. So what one form says,
/// another one says, too, as far as it has digits for it. A form that has fewer digits cuts the others off, as clocks do, and so
/// does reading with what is finer than a nanosecond. A Date is made of one, or gives one, only where a program asks for a Date
/// (`Instant+Date.swift`).
package struct Instant: Hashable, Comparable, Sendable {
  /// The whole seconds since 1970 began; before that, of the second that had begun.
  package let seconds: Int64
  /// 0 to 999,999,999, after the whole seconds.
  package let nanosecond: Int32

  /// 0000-01-01T00:00:00 and 10000-01-01T00:00:00.
  static let firstSecond: Int64 = -62_167_219_200
  static let endSecond: Int64 = 253_402_300_800

  /// Nil outside the years 0 to 9999.
  ///
  /// - Parameters:
  ///   - seconds: Since 1970.
  ///   - nanosecond: 0 to 999,999,999.
  @inline(__always)
  init?(_ seconds: Int64, nanosecond: Int32 = 0) {
    guard seconds >= Self.firstSecond, seconds < Self.endSecond else { return nil }
    self.seconds = seconds
    self.nanosecond = nanosecond
  }

  /// Reads RFC 3339, with an offset; nil if the text is none, or is outside the years 0 to 9999.
  package init?(rfc3339 text: UnsafeBufferPointer<UInt8>) {
    guard let instant = RFC3339.parseLeniently(text) else { return nil }
    self = instant
  }

  package static func < (a: Instant, b: Instant) -> Bool {
    a.seconds != b.seconds ? a.seconds < b.seconds : a.nanosecond < b.nanosecond
  }

  /// The fewest of 0, 3, 6 and 9 digits that the fraction of its second needs.
  var fractionDigits: Int {
    if nanosecond == 0 { return 0 }
    if nanosecond % 1_000_000 == 0 { return 3 }
    return nanosecond % 1000 == 0 ? 6 : 9
  }

  /// The fraction of its second, cut off after so many digits (0 to 9): those digits.
  func fraction(digits: Int) -> Int {
    Int(nanosecond) / CivilTime.powerOfTen(9 &- digits)
  }
}

extension ConversionFailure {
  /// The failure for a date that is no ``Instant``, in any form.
  package static let outOfYears = ConversionFailure(expected: "a date in the years 0 to 9999")

  /// The failure for a time that clocks leave out, because they are set forward.
  package static let neverShown = ConversionFailure(
    expected: "a time that the clocks of its zone show: they are set forward over this one")
}

extension Conversion where Source == String, Target == Instant {
  /// A form of dates.
  ///
  /// - Parameters:
  ///   - name: In messages, as in `date (RFC 3339)`.
  ///   - expected: What it reads; by default its name.
  ///   - read: Nil for what it does not read.
  ///   - write: Nil if it has no text for the date.
  ///   - isReadInUTC: Whether a text that is not read is a date where clocks show all times.
  init(
    form name: String, _ expected: String? = nil,
    read: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Instant?,
    write: @escaping @Sendable (Instant) -> String?,
    isReadInUTC: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Bool = { _ in false }
  ) {
    let failure = ConversionFailure(expected: expected ?? "a " + name)
    self.init(name) { text in
      var text = text
      guard let instant = text.withUTF8(read) else {
        throw text.withUTF8(isReadInUTC) ? ConversionFailure.neverShown : failure
      }
      return instant
    } reverse: { instant in
      guard let text = write(instant) else { throw ConversionFailure.outOfYears }
      return text
    }
  }
}
