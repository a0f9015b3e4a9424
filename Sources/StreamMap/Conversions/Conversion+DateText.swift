#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Conversions between dates and their texts.

extension Conversion where Source == String, Target == Date {
  /// A date and time by RFC 3339, `2014-01-14T14:35:23.456-08:00`, with or without a fraction; the reverse writes UTC.
  ///
  /// Offsets without a colon, `-0800`, are also accepted. The reverse writes the fewest of 0, 3, 6 and 9 digits of the
  /// fraction that give the same date.
  public static var rfc3339: Conversion {
    dateText("date (RFC 3339)", capacity: 30) {
      RFC3339.parseLeniently($0)
    } write: {
      RFC3339.write($0, into: $1)
    }
  }

  /// Like ``rfc3339``, but the reverse writes this many digits of the fraction, 0 to 9, as a clock would show them.
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

  /// A date by RFC 822, 1123, 2822 or 5322, `Tue, 14 Jan 2014 14:35:32 GMT`; the reverse writes all parts, in UTC.
  ///
  /// Weekday, seconds and zone may be absent; without a zone the time is UTC. The year has four digits, or two digits
  /// that mean 1950 to 2049. A weekday that does not match the date is an error.
  public static var rfc822: Conversion {
    rfc822(
      required: [], allowed: [.weekday, .seconds, .zone], written: [.weekday, .seconds, .zone])
  }

  /// Like ``rfc822``, with exactly these optional parts, in both directions.
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

  /// A date as .NET's JSON serializers wrote it, `/Date(1390186634595+0800)/`; the reverse writes UTC.
  ///
  /// The number counts milliseconds since 1970 in UTC. The offset tells where the text was written, and does not change
  /// the date. The reverse rounds to the nearest millisecond.
  public static var dotNet: Conversion { dotNet(timeZone: .gmt) }

  /// Like ``dotNet``; the reverse writes the offset of a time zone, unless it is 0.
  public static func dotNet(timeZone: TimeZone) -> Conversion {
    dateText("date (.NET)", "a date (/Date(milliseconds)/)", capacity: 40) {
      DotNetDate.parse($0)
    } write: {
      DotNetDate.write($0, offset: timeZone.secondsFromGMT(for: $0), into: $1)
    }
  }

  /// A date in any form of ``rfc3339``, ``dotNet`` and ``rfc822``; the reverse writes RFC 3339 with milliseconds.
  ///
  /// No text is a date in two of these forms.
  public static var anyDate: Conversion {
    dateText("any date", "a date (RFC 3339, /Date(milliseconds)/ or RFC 822)", capacity: 30) {
      RFC3339.parseLeniently($0) ?? DotNetDate.parse($0)
        ?? RFC822.parse($0, required: [], allowed: [.weekday, .seconds, .zone])
    } write: {
      RFC3339.write($0, digits: 3, into: $1)
    }
  }

  /// A date in the format of a Unicode pattern (UTS #35), such as `yyyy-MM-dd HH:mm`, in both directions.
  ///
  /// The whole text must have the format, and the day and time must exist: `2023-02-29` is an error. Two letters are
  /// two digits, `dd`; one letter is one or two digits, `d`. Parts that the pattern does not name are those of
  /// 2000-01-01 00:00. Years are those of the Gregorian calendar, 0 to 9999; `yy` is 1950 to 2049. The reverse cuts off
  /// anything finer than the pattern, as a clock does.
  ///
  /// Patterns that make no sense are a ``mistake``, which names what is possible: `YYYY` without a week, `mm` without
  /// an hour, `hh` without `a`, `DD` with a month.
  ///
  /// A zone, `z`, is read as in RFC 822, and written as `GMT` or `+0100`.
  ///
  /// The letters are `y M d E H h a m s S Z X x z`, in English, and in any other language where they stand only for numbers.
  /// Others are a ``mistake``: `localizedDateFormat`, of the product `StreamMapFoundation`, knows all of them, in any language.
  ///
  /// - Parameters:
  ///   - pattern: The format.
  ///   - timeZone: The zone of the texts, unless the pattern has an offset or a zone; the reverse always uses it. A
  ///     time that its clocks never show, because they are set forward, is an error; of a time that they show twice,
  ///     the first is taken.
  ///   - locale: For the names of months and days.
  /// - Returns: The conversion.
  public static func dateFormat(
    _ pattern: String, timeZone: TimeZone = .gmt, locale: Locale = Locale(identifier: "en_US_POSIX")
  ) -> Conversion {
    knownDateFormat(pattern, timeZone: timeZone, locale: locale)
      ?? Conversion(
        "date \(pattern)",
        mistake: "date format '\(pattern)': it needs a DateFormatter, which "
          + "localizedDateFormat(_:timeZone:locale:) of StreamMapFoundation uses")
  }

  /// The conversion of ``dateFormat(_:timeZone:locale:)``, or one with a mistake; nil where it takes a `DateFormatter`.
  package static func knownDateFormat(
    _ pattern: String, timeZone: TimeZone, locale: Locale
  ) -> Conversion? {
    let name = "date \(pattern)"
    let expected = "a date (\(pattern))"
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
        guard let text = pattern.text(date, in: timeZone) else {
          throw ConversionFailure(expected: "a date in the years 0 to 9999")
        }
        return text
      }
    case .foundation: return nil
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
