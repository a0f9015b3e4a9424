import Foundation

/// Between an RFC 3339 date-time and a Date, without a formatter, a calendar or a locale.
///
/// The calendar is the proleptic Gregorian one, as RFC 3339 and ISO 8601 have it.
enum RFC3339 {
  // MARK: Text to date

  /// The date that the text denotes, or nil when it is not a date-time of RFC 3339, section 5.6.
  ///
  /// `T` and `Z` may be in lower case. The first nine digits of a fraction count, the rest is
  /// ignored. A leap second is taken where it can be, at 23:59:60 UTC, and is the second after it:
  /// a Date does not count leap seconds.
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    // The shortest is 2001-02-03T04:05:06Z.
    guard text.count >= 20 else { return nil }
    guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] | 0x20 == UInt8(ascii: "t"), text[13] == UInt8(ascii: ":"),
      text[16] == UInt8(ascii: ":")
    else { return nil }
    let century = twoDigits(at: 0, of: text)
    let yearOfCentury = twoDigits(at: 2, of: text)
    let month = twoDigits(at: 5, of: text)
    let day = twoDigits(at: 8, of: text)
    let hour = twoDigits(at: 11, of: text)
    let minute = twoDigits(at: 14, of: text)
    let second = twoDigits(at: 17, of: text)
    // What is not two digits is larger than any limit.
    guard century <= 99, yearOfCentury <= 99, hour <= 23, minute <= 59, second <= 60 else {
      return nil
    }
    let year = century &* 100 &+ yearOfCentury
    guard month >= 1, month <= 12, day >= 1, day <= dayCount(year: year, month: month) else {
      return nil
    }

    var index = 19
    var nanoseconds = 0
    if text[index] == UInt8(ascii: ".") {
      index &+= 1
      let start = index
      while index < text.count {
        let digit = text[index] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        if index &- start < 9 { nanoseconds = nanoseconds &* 10 &+ Int(digit) }
        index &+= 1
      }
      guard index > start else { return nil }
      nanoseconds = nanoseconds &* powersOfTen(max(0, 9 &- (index &- start)))
    }

    guard let offset = offset(of: text, from: index) else { return nil }
    let minuteOfDay = hour &* 60 &+ minute &- offset
    // 23:59 UTC, on the day before, on this or on the next one.
    if second == 60, minuteOfDay != 1439, minuteOfDay != -1, minuteOfDay != 2879 { return nil }
    let days = daysSince2001(year: year, month: month, day: day)
    return date(seconds: days &* 86400 &+ minuteOfDay &* 60 &+ second, nanoseconds: nanoseconds)
  }

  /// The minutes by which local time is ahead of UTC, from the text that ends with them.
  @inline(__always)
  private static func offset(of text: UnsafeBufferPointer<UInt8>, from index: Int) -> Int? {
    guard index < text.count else { return nil }
    let sign = text[index]
    if sign | 0x20 == UInt8(ascii: "z") { return text.count == index &+ 1 ? 0 : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), text.count == index &+ 6,
      text[index &+ 3] == UInt8(ascii: ":")
    else { return nil }
    let hours = twoDigits(at: index &+ 1, of: text)
    let minutes = twoDigits(at: index &+ 4, of: text)
    guard hours <= 23, minutes <= 59 else { return nil }
    let offset = hours &* 60 &+ minutes
    return sign == UInt8(ascii: "-") ? 0 &- offset : offset
  }

  /// The value of two digits, or more than 99 where there are none.
  @inline(__always)
  private static func twoDigits(at index: Int, of text: UnsafeBufferPointer<UInt8>) -> Int {
    let tens = text[index] &- UInt8(ascii: "0")
    let ones = text[index &+ 1] &- UInt8(ascii: "0")
    return tens < 10 && ones < 10 ? Int(tens) &* 10 &+ Int(ones) : 100
  }

  /// The nearest Date.
  ///
  /// The nanoseconds are fewer than 10^9, the seconds within ±10^12.
  @inline(__always)
  private static func date(seconds: Int, nanoseconds: Int) -> Date {
    guard nanoseconds != 0 else { return Date(timeIntervalSinceReferenceDate: Double(seconds)) }
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow2) = whole.addingReportingOverflow(nanoseconds)
    guard !overflow, !overflow2 else {
      // Three hundred years away, a Double is so coarse that rounding the fraction first changes
      // nothing.
      return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(nanoseconds) / 1e9)
    }
    let interval = DecimalToBinary.double(mantissa: UInt64(sum.magnitude), exponent: -9)
    return Date(timeIntervalSinceReferenceDate: sum < 0 ? -interval : interval)
  }

  // MARK: Date to text

  /// Writes the date in UTC, `2001-02-03T04:05:06.789Z`, and gives the count of bytes, at most 30.
  ///
  /// The fraction has the fewest of 0, 3, 6 and 9 digits that `parse` reads back as the same date;
  /// what is finer than a nanosecond is rounded to nine. Outside the years 0 to 9999 there is no
  /// text: nil.
  static func write(_ date: Date, into buffer: UnsafeMutablePointer<UInt8>) -> Int? {
    let interval = date.timeIntervalSinceReferenceDate
    guard interval >= firstSecond, interval < endSecond else { return nil }
    let floor = interval.rounded(.down)
    var seconds = Int(floor)
    let fraction = interval - floor

    var fractionDigits = 0
    var value = 0
    if fraction > 0 {
      for digits in [3, 6, 9] {
        fractionDigits = digits
        let unit = powersOfTen(digits)
        value = Int((fraction * Double(unit)).rounded())
        let isNextSecond = value == unit
        let nanoseconds = isNextSecond ? 0 : value &* powersOfTen(9 &- digits)
        let text = Self.date(seconds: seconds &+ (isNextSecond ? 1 : 0), nanoseconds: nanoseconds)
        if text == date { break }
      }
      if value == powersOfTen(fractionDigits) {
        seconds &+= 1
        value = 0
      }
      if value == 0 { fractionDigits = 0 }
    }

    let days = seconds >= 0 ? seconds / 86400 : (seconds &- 86399) / 86400
    let secondOfDay = seconds &- days &* 86400
    let (year, month, day) = civil(daysSince2001: days)
    func put(_ value: Int, digits: Int, at index: Int, then separator: Unicode.Scalar) {
      NumberToText.write(
        digitsOf: UInt64(truncatingIfNeeded: value), count: digits, into: buffer + index)
      buffer[index &+ digits] = UInt8(ascii: separator)
    }
    put(year, digits: 4, at: 0, then: "-")
    put(month, digits: 2, at: 5, then: "-")
    put(day, digits: 2, at: 8, then: "T")
    put(secondOfDay / 3600, digits: 2, at: 11, then: ":")
    put(secondOfDay / 60 % 60, digits: 2, at: 14, then: ":")
    put(secondOfDay % 60, digits: 2, at: 17, then: fractionDigits == 0 ? "Z" : ".")
    guard fractionDigits > 0 else { return 20 }
    put(value, digits: fractionDigits, at: 20, then: "Z")
    return 21 &+ fractionDigits
  }

  /// 0000-01-01T00:00:00Z and 10000-01-01T00:00:00Z.
  private static let firstSecond = -63_145_526_400.0
  private static let endSecond = 252_423_993_600.0

  // MARK: Calendar

  /// The days from 2001-01-01, where a Date begins to count, to a day of the years 0 to 9999.
  ///
  /// A year of this count begins in March, so that the leap day is its last one. Source: Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
  @inline(__always)
  private static func daysSince2001(year: Int, month: Int, day: Int) -> Int {
    // 400 years more, an era, keep all divisions among positive numbers.
    let year = year &+ 400 &- (month <= 2 ? 1 : 0)
    let era = year / 400
    let yearOfEra = year &- era &* 400
    let dayOfYear =
      (153 &* (month > 2 ? month &- 3 : month &+ 9) &+ 2) / 5 &+ day &- 1
    let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
    return era &* 146_097 &+ dayOfEra &- epoch
  }

  /// The reverse, Hinnant's `civil_from_days`.
  private static func civil(daysSince2001 days: Int) -> (year: Int, month: Int, day: Int) {
    let days = days &+ epoch
    let era = days / 146_097
    let dayOfEra = days &- era &* 146_097
    let yearOfEra =
      (dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36524 &- dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
    let day = dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1
    let month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
    return (yearOfEra &+ (era &- 1) &* 400 &+ (month <= 2 ? 1 : 0), month, day)
  }

  /// The days from -400-03-01 to 2001-01-01, where a Date begins to count.
  private static let epoch = 876_888

  @inline(__always)
  private static func dayCount(year: Int, month: Int) -> Int {
    if month == 2 { return isLeap(year) ? 29 : 28 }
    // Thirty and a bit of the month, the bit changing sides after July.
    return 30 | (month ^ (month &>> 3)) & 1
  }

  @inline(__always)
  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// 10^exponent, for an exponent from 0 to 9.
  @inline(__always)
  private static func powersOfTen(_ exponent: Int) -> Int {
    var value = 1
    for _ in 0..<exponent { value &*= 10 }
    return value
  }
}
