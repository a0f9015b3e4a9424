#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Conversions between dates and their texts.

extension InstantForm {
  /// RFC 3339; it is written in UTC with the fewest of 0, 3, 6 and 9 digits of the fraction that are the same instant.
  package static var rfc3339: InstantForm { rfc3339(digits: nil) }

  fileprivate static func rfc3339(digits: Int?) -> InstantForm {
    InstantForm("date (RFC 3339)", capacity: RFC3339.capacity) {
      RFC3339.parseLeniently($0)
    } write: {
      RFC3339.write($0, digits: digits, into: $1)
    }
  }

  /// RFC 3339, or its date and time without an offset, on the clocks of a zone; a space may stand for the `T`.
  package static func rfc3339(local zone: some LocalClock) -> InstantForm {
    InstantForm(
      "date (RFC 3339)", "a date (RFC 3339, with or without an offset)",
      capacity: RFC3339.capacity
    ) {
      RFC3339.parse($0, local: zone)
    } write: {
      RFC3339.write($0, into: $1)
    } reason: {
      RFC3339.parse($0, local: TimeZone.gmt) == nil ? nil : .neverShown
    }
  }

  /// RFC 822 and its successors; all parts are written.
  package static var rfc822: InstantForm {
    rfc822(
      required: [], allowed: [.weekday, .seconds, .zone], written: [.weekday, .seconds, .zone])
  }

  fileprivate static func rfc822(
    required: RFC822Parts, allowed: RFC822Parts, written: RFC822Parts
  ) -> InstantForm {
    InstantForm("date (RFC 822)", capacity: RFC822.capacity) {
      RFC822.parse($0, required: required, allowed: allowed)
    } write: {
      RFC822.write($0, written, into: $1)
    }
  }

  /// .NET's form, written in UTC.
  package static var dotNet: InstantForm { dotNet(timeZone: .gmt) }

  /// .NET's form, written with the offset of a time zone unless it is 0.
  fileprivate static func dotNet(timeZone: TimeZone) -> InstantForm {
    InstantForm(
      "date (.NET)", "a date (/Date(milliseconds)/)", capacity: DotNetDate.capacity
    ) {
      DotNetDate.parse($0)
    } write: {
      DotNetDate.write($0, offset: timeZone.offset(at: $0.seconds), into: $1)
    }
  }

  fileprivate static var any: InstantForm {
    InstantForm(
      "any date", "a date (RFC 3339, /Date(milliseconds)/ or RFC 822)",
      capacity: RFC3339.capacity
    ) {
      RFC3339.parseLeniently($0) ?? DotNetDate.parse($0)
        ?? RFC822.parse($0, required: [], allowed: [.weekday, .seconds, .zone])
    } write: {
      RFC3339.write($0, digits: 3, into: $1)
    }
  }

  /// A pattern by Unicode; nil for one that makes no sense, or takes a `DateFormatter`.
  package static func pattern(
    _ pattern: String, timeZone: some LocalClock, isRead: Bool
  ) -> InstantForm? {
    guard
      case .pattern(let compiled) = DatePattern.compile(pattern, locale: nil, isRead: isRead)
    else { return nil }
    return InstantForm(pattern, compiled, timeZone)
  }

  fileprivate convenience init(_ pattern: String, _ compiled: DatePattern, _ zone: some LocalClock)
  {
    self.init(
      "date \(pattern)", "a date (\(pattern))", capacity: compiled.capacity,
      isPlain: compiled.isPlain
    ) {
      compiled.instant($0, in: zone)
    } write: {
      compiled.write($0, in: zone, into: $1)
    } reason: {
      compiled.instant($0, in: TimeZone.gmt) == nil ? nil : .neverShown
    }
  }
}

extension Conversion where Source == String, Target == Instant {
  /// A pattern by Unicode; one that makes no sense, or takes a `DateFormatter`, is a mistake.
  ///
  /// - Parameters:
  ///   - pattern: The format.
  ///   - timeZone: The zone of texts that do not say theirs, and of all that are written.
  ///   - locale: For the names of months and days; nil for English.
  ///   - isRead: Whether texts are read by it, and not only written.
  /// - Returns: The conversion.
  package static func instantFormat(
    _ pattern: String, timeZone: some LocalClock = TimeZone.gmt,
    locale: Locale? = nil, isRead: Bool = true
  ) -> Conversion {
    switch DatePattern.compile(pattern, locale: locale, isRead: isRead) {
    case .mistake(let reason), .foreign(let reason):
      Conversion("date \(pattern)", mistake: "date format '\(pattern)': \(reason)")
    case .pattern(let compiled): Conversion(InstantForm(pattern, compiled, timeZone))
    }
  }
}

extension Conversion where Source == String, Target == Date {
  /// A date and time by RFC 3339, `2014-01-14T14:35:23.456-08:00`, with or without a fraction; the reverse writes UTC.
  ///
  /// Offsets without a colon, `-0800`, are also accepted. The result is the Date nearest to the text; nine digits of its
  /// fraction count. The reverse writes the fewest of 0, 3, 6 and 9 digits that read as the same Date. Only a Date within 97
  /// days of 2001-01-01 can be finer than nine digits; it is written as its nearest nanosecond.
  ///
  /// Foundation rounds a number of seconds since 1970, so its Date may differ from that of a text by up to 0.2 microseconds.
  /// Such a Date needs nine digits here. Where milliseconds are meant, ``rfc3339(fractionDigits:)`` writes them.
  public static var rfc3339: Conversion {
    Conversion<String, Instant>(.rfc3339).dates()
  }

  /// Like ``rfc3339``, but the reverse writes this many digits of the fraction, 0 to 9, as a clock would show them.
  ///
  /// The others are cut off, so fewer than nine digits do not hold every Date. A Date that Foundation makes of a number with no more
  /// digits is that number.
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
    return Conversion<String, Instant>(.rfc3339(digits: digits)).dates(digits: digits)
  }

  /// A date by RFC 822, 1123, 2822 or 5322, `Tue, 14 Jan 2014 14:35:32 GMT`; the reverse writes all parts, in UTC.
  ///
  /// Weekday, seconds and zone may be absent; without a zone the time is UTC. The year has four digits, or two digits
  /// that mean 1950 to 2049. A weekday that does not match the date is an error. The form holds whole seconds: the reverse cuts a
  /// fraction off.
  public static var rfc822: Conversion {
    Conversion<String, Instant>(.rfc822).dates(digits: 0)
  }

  /// Like ``rfc822``, with exactly these optional parts, in both directions.
  public static func rfc822(_ parts: RFC822Parts) -> Conversion {
    Conversion<String, Instant>(.rfc822(required: parts, allowed: parts, written: parts))
      .dates(digits: 0)
  }

  /// A date as .NET's JSON serializers wrote it, `/Date(1390186634595+0800)/`; the reverse writes UTC.
  ///
  /// The number counts milliseconds since 1970 in UTC. The offset says where the text was written, and does not change the
  /// date. The form holds whole milliseconds: the reverse cuts off finer digits.
  public static var dotNet: Conversion { dotNet(timeZone: .gmt) }

  /// Like ``dotNet``; the reverse writes the offset of a time zone, unless it is 0.
  public static func dotNet(timeZone: TimeZone) -> Conversion {
    Conversion<String, Instant>(.dotNet(timeZone: timeZone)).dates(digits: 3)
  }

  /// A date in any form of ``rfc3339``, ``dotNet`` and ``rfc822``; the reverse writes RFC 3339 with milliseconds.
  ///
  /// No text is a date in two of these forms. The reverse cuts off digits finer than a millisecond.
  public static var anyDate: Conversion { Conversion<String, Instant>(.any).dates(digits: 3) }

  /// A date in the format of a Unicode pattern (UTS #35), such as `yyyy-MM-dd HH:mm`, in both directions.
  ///
  /// The whole text must have the format, and the day and time must exist: `2023-02-29` is an error. Two letters are
  /// two digits, `dd`; one letter is one or two digits, `d`. A pattern has a year. Other parts that it does not name are those of
  /// 1 January, 00:00. Years are those of the Gregorian calendar, 0 to 9999; `yy` is 1950 to 2049. The reverse cuts off
  /// anything finer than the pattern, as a clock does: a pattern without nine digits of a second does not hold every Date.
  ///
  /// Patterns that make no sense are a ``mistake``, which names what is possible: `YYYY` without a week, `mm` without
  /// an hour, `hh` without `a`, `DD` with a month, no year.
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
  ///   - locale: For the names of months and days; nil for English.
  /// - Returns: The conversion.
  public static func dateFormat(
    _ pattern: String, timeZone: TimeZone = .gmt, locale: Locale? = nil
  ) -> Conversion {
    knownDateFormat(pattern, timeZone: timeZone, locale: locale)
      ?? Conversion(
        "date \(pattern)",
        mistake: "date format '\(pattern)': it needs a DateFormatter, which "
          + "localizedDateFormat(_:timeZone:locale:) of StreamMapFoundation uses")
  }

  /// The conversion of ``dateFormat(_:timeZone:locale:)``, or one with a mistake; nil if it takes a `DateFormatter`.
  package static func knownDateFormat(
    _ pattern: String, timeZone: TimeZone, locale: Locale?
  ) -> Conversion? {
    let digits: Int
    switch DatePattern.compile(pattern, locale: locale) {
    case .pattern(let compiled): digits = compiled.fractionDigits
    case .mistake: digits = 9
    case .foreign: return nil
    }
    return Conversion<String, Instant>.instantFormat(pattern, timeZone: timeZone, locale: locale)
      .dates(digits: digits)
  }
}
