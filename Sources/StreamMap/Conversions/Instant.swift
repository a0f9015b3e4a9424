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

/// A form of dates: what reads and writes their UTF-8.
// PERF: a class, since a struct of functions and texts is retained part by part for each date.
package final class InstantForm: Sendable {
  typealias Bytes = UnsafeBufferPointer<UInt8>
  /// Writes the text of an instant, and returns the number of bytes; nil if it has none.
  typealias Write = @Sendable (Instant, UnsafeMutablePointer<UInt8>) -> Int?

  /// In messages, as in `date (RFC 3339)`.
  let name: String
  /// What it reads.
  let expected: String
  /// The most bytes of a text.
  let capacity: Int
  /// Whether a text may stand between quotes as it is.
  package let isPlain: Bool
  private let read: @Sendable (Bytes) -> Instant?
  private let write: Write
  private let reason: @Sendable (Bytes) -> ConversionFailure?

  /// A form; without another word, what it reads is called by its name.
  ///
  /// The reason is what is wrong with a text that has the form, and is not read.
  init(
    _ name: String, _ expected: String? = nil, capacity: Int, isPlain: Bool = true,
    read: @escaping @Sendable (Bytes) -> Instant?, write: @escaping Write,
    reason: @escaping @Sendable (Bytes) -> ConversionFailure? = { _ in nil }
  ) {
    self.name = name
    self.expected = expected ?? "a " + name
    self.capacity = capacity
    self.isPlain = isPlain
    self.read = read
    self.write = write
    self.reason = reason
  }

  /// The instant that a text means; nil if it is not in the form.
  package func instant(_ text: UnsafeBufferPointer<UInt8>) -> Instant? { read(text) }

  /// Why a text is not read, if it has the form.
  ///
  /// - Parameter text: The text.
  /// - Returns: Nil if it does not have the form.
  package func failure(_ text: UnsafeBufferPointer<UInt8>) -> ConversionFailure? { reason(text) }

  /// Appends the text of an instant.
  ///
  /// - Parameters:
  ///   - instant: The instant.
  ///   - text: Where it goes.
  /// - Returns: False, with nothing appended, if it has none.
  package func append(_ instant: Instant, to text: TextRoom.Bytes) -> Bool {
    var isWritten = false
    text.append(upTo: capacity) { room in
      let count = write(instant, room)
      isWritten = count != nil
      return count ?? 0
    }
    return isWritten
  }

  /// The text of an instant.
  ///
  /// - Parameter instant: The instant.
  /// - Returns: Nil if it has none.
  package func text(_ instant: Instant) -> String? {
    var isWritten = false
    let text = String(unsafeUninitializedCapacity: capacity) { room in
      let count = room.baseAddress.flatMap { write(instant, $0) }
      isWritten = count != nil
      return count ?? 0
    }
    return isWritten ? text : nil
  }
}

extension Conversion where Source == String, Target == Instant {
  /// The texts of a form of dates.
  package init(_ form: InstantForm) {
    let failure = ConversionFailure(expected: form.expected)
    self.init(form.name) { text in
      var text = text
      guard let instant = text.withUTF8({ form.instant($0) }) else {
        throw text.withUTF8({ form.failure($0) }) ?? failure
      }
      return instant
    } reverse: { instant in
      guard let text = form.text(instant) else { throw ConversionFailure.outOfYears }
      return text
    }
  }
}
