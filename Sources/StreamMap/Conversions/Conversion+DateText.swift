import Foundation

// Between dates and their texts.

extension Conversion where Source == String, Target == Date {
  /// A date and time by RFC 3339, `2014-01-14T14:35:23.456-08:00`, with or without a fraction; and back in UTC.
  ///
  /// Offsets without a colon, `-0800`, are taken, too. The way back has the fewest of 0, 3, 6 and 9 digits of the
  /// fraction that are the same date.
  public static var rfc3339: Conversion {
    dateText("date (RFC 3339)", capacity: 30) {
      RFC3339.parseLeniently($0)
    } write: {
      RFC3339.write($0, into: $1)
    }
  }

  /// The same; the way back has this many digits of the fraction, 0 to 9, as a clock would show them.
  ///
  /// ```swift
  /// let conversion: Conversion<String, Date> = .rfc3339(fractionDigits: 3)
  /// try conversion.reverse?(Date(timeIntervalSince1970: 0))  // "1970-01-01T00:00:00.000Z"
  /// ```
  public static func rfc3339(fractionDigits digits: Int) -> Conversion {
    guard digits >= 0, digits <= 9 else {
      return Conversion(
        "date (RFC 3339)", mistake: "\(digits) digits of a second; there are 0 to 9")
    }
    return dateText("date (RFC 3339)", capacity: 30) {
      RFC3339.parseLeniently($0)
    } write: {
      RFC3339.write($0, digits: digits, into: $1)
    }
  }

  /// A date by RFC 822, 1123, 2822 or 5322, `Tue, 14 Jan 2014 14:35:32 GMT`; and back, with all parts, in UTC.
  ///
  /// Weekday, seconds and zone may be absent; without a zone the time is UTC. The year has four digits, or two, which
  /// are those of 1950 to 2049. A weekday that is not that of the date is an error.
  public static var rfc822: Conversion {
    rfc822(
      required: [], allowed: [.weekday, .seconds, .zone], written: [.weekday, .seconds, .zone])
  }

  /// The same with exactly these of its optional parts, both ways.
  public static func rfc822(_ parts: RFC822Parts) -> Conversion {
    rfc822(required: parts, allowed: parts, written: parts)
  }

  private static func rfc822(
    required: RFC822Parts, allowed: RFC822Parts, written: RFC822Parts
  ) -> Conversion {
    dateText("date (RFC 822)", capacity: 32) {
      RFC822.parse($0, required: required, allowed: allowed)
    } write: {
      RFC822.write($0, written, into: $1)
    }
  }

  /// A date as .NET's JSON serializers wrote it, `/Date(1390186634595+0800)/`; and back, in UTC.
  ///
  /// The number is of milliseconds since 1970 in UTC; the offset tells where it was written, and changes nothing. The
  /// way back is rounded to the nearest millisecond.
  public static var dotNet: Conversion { dotNet(timeZone: .gmt) }

  /// The same; the way back has the offset of a time zone, unless that is 0.
  public static func dotNet(timeZone: TimeZone) -> Conversion {
    dateText("date (.NET)", "a date (/Date(milliseconds)/)", capacity: 40) {
      DotNetDate.parse($0)
    } write: {
      DotNetDate.write($0, offset: timeZone.secondsFromGMT(for: $0), into: $1)
    }
  }

  /// A date in any of the forms of ``rfc3339``, ``dotNet`` and ``rfc822``; and back by RFC 3339 with milliseconds.
  ///
  /// No text is a date in two of them.
  public static var anyDate: Conversion {
    dateText("any date", "a date (RFC 3339, /Date(milliseconds)/ or RFC 822)", capacity: 30) {
      RFC3339.parseLeniently($0) ?? DotNetDate.parse($0)
        ?? RFC822.parse($0, required: [], allowed: [.weekday, .seconds, .zone])
    } write: {
      RFC3339.write($0, digits: 3, into: $1)
    }
  }

  /// A date in the format of a pattern by Unicode (UTS #35), such as `yyyy-MM-dd HH:mm`; and back.
  ///
  /// The whole text has to be in the format, and a day and time that exist: `2023-02-29` is an error. Two letters are
  /// two digits, `dd`; one letter is one or two, `d`. What the pattern does not name is that of 2000-01-01 00:00. Years
  /// are those of the Gregorian calendar, 0 to 9999; `yy` is 1950 to 2049. What is finer than the pattern is cut off on
  /// the way back, as a clock does.
  ///
  /// Patterns that cannot be meant are a ``mistake`` that names what may be: `YYYY` without a week, `mm` without an
  /// hour, `hh` without `a`, `DD` with a month.
  ///
  /// A zone, `z`, is read as RFC 822 has it, and written as `GMT` or `+0100`.
  ///
  /// The letters `y M d E H h a m s S Z X x z` in English, and in any other language where only numbers come of them,
  /// are read by a parser of their own; for all else a `DateFormatter` is asked, which is many times slower and may
  /// take a little more than the pattern says.
  ///
  /// - Parameters:
  ///   - pattern: The format.
  ///   - timeZone: Of the texts, unless the pattern has an offset or a zone; on the way back always. A time that its
  ///     clocks never show, when they are set forward, is an error; of one that they show twice it is the first.
  ///   - locale: For names of months and days.
  /// - Returns: The conversion.
  public static func dateFormat(
    _ pattern: String, timeZone: TimeZone = .gmt, locale: Locale = Locale(identifier: "en_US_POSIX")
  ) -> Conversion {
    let name = "date \(pattern)"
    let expected = "a date (\(pattern))"
    let unwritten = ConversionFailure(expected: "a date in the years 0 to 9999")
    switch DatePattern.compile(pattern, locale: locale) {
    case .mistake(let reason):
      return Conversion(name, mistake: "date format '\(pattern)': \(reason)")
    case .pattern(let pattern):
      return Conversion(name) { text in
        var text = text
        guard let date = text.withUTF8({ pattern.date($0, in: timeZone) }) else {
          throw ConversionFailure(expected: expected)
        }
        return date
      } reverse: { date in
        guard let text = pattern.text(date, in: timeZone) else { throw unwritten }
        return text
      }
    case .foundation:
      let formatter = StrictDateFormatter(pattern, timeZone: timeZone, locale: locale)
      return Conversion(name) { text in
        guard let date = formatter.date(text) else { throw ConversionFailure(expected: expected) }
        return date
      } reverse: { date in
        guard let text = formatter.text(date) else { throw unwritten }
        return text
      }
    }
  }

  private static func dateText(
    _ name: String, _ expected: String? = nil, capacity: Int,
    read: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Date?,
    write: @escaping @Sendable (Date, UnsafeMutablePointer<UInt8>) -> Int?
  ) -> Conversion {
    let expected = expected ?? "a " + name
    return Conversion(name) { text in
      var text = text
      guard let date = text.withUTF8(read) else { throw ConversionFailure(expected: expected) }
      return date
    } reverse: { date in
      let text = String(unsafeUninitializedCapacity: capacity) { buffer in
        buffer.baseAddress.flatMap { write(date, $0) } ?? 0
      }
      guard !text.isEmpty else {
        throw ConversionFailure(expected: "a date in the years 0 to 9999")
      }
      return text
    }
  }
}

/// A `DateFormatter` that takes whole texts only, and one thread at a time.
///
/// Invariant: the formatter is not changed once it is made, and used with the lock held.
private final class StrictDateFormatter: @unchecked Sendable {
  // A sign at the end of both the pattern and the text: what is left over in a text stands before it.
  private static let end = "\u{1F}"
  private let formatter = DateFormatter()
  private let lock = NSLock()

  init(_ pattern: String, timeZone: TimeZone, locale: Locale) {
    formatter.locale = locale
    formatter.timeZone = timeZone
    formatter.isLenient = false
    formatter.dateFormat = pattern + "'" + Self.end + "'"
  }

  func date(_ text: String) -> Date? {
    lock.withLock { formatter.date(from: text + Self.end) }
  }

  func text(_ date: Date) -> String? {
    guard date.timeIntervalSinceReferenceDate.magnitude < 1e12 else { return nil }
    return lock.withLock { String(formatter.string(from: date).dropLast()) }
  }
}
