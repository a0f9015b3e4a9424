import CText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A time as a calendar and a clock show it, in the proleptic Gregorian calendar, years 0 to 9999.
struct CivilTime {
  // The default for parts that a pattern does not name.
  var year = 2000
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  var nanosecond = 0

  // MARK: To a date

  /// The date of this time if local time is `offset` seconds ahead of UTC; nil if no calendar and clock shows it.
  ///
  /// All parts are 0 or more, and the nanoseconds fewer than 10^9. A leap second is accepted where it can occur, at
  /// 23:59:60 UTC, and becomes the second after it: a Date does not count leap seconds.
  @inline(__always)
  func date(offset: Int) -> Date? {
    guard isValid else { return nil }
    let minuteUTC = (hour &* 60 &+ minute) &* 60 &- offset
    // 23:59 UTC on the day before, on this day or on the next one.
    if second == 60, minuteUTC != 86340, minuteUTC != -60, minuteUTC != 172_740 { return nil }
    return Self.date(
      seconds: daysSince2001 &* 86400 &+ minuteUTC &+ second, nanoseconds: nanosecond)
  }

  /// The date of this time on the clocks of a time zone; nil if they never show it.
  ///
  /// If clocks show a time twice, because they are set back, the date is the first of the two.
  func date(in zone: TimeZone) -> Date? {
    guard isValid else { return nil }
    let local = daysSince2001 &* 86400 &+ (hour &* 60 &+ minute) &* 60 &+ min(second, 59)
    func offset(at seconds: Int) -> Int {
      zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(seconds)))
    }
    // The clocks of a zone are set at most once in two days.
    let before = offset(at: local &- 86400)
    if offset(at: local &- before) == before { return date(offset: before) }
    let after = offset(at: local &+ 86400)
    return offset(at: local &- after) == after ? date(offset: after) : nil
  }

  @inline(__always)
  private var isValid: Bool {
    year <= 9999 && month >= 1 && month <= 12 && day >= 1
      && day <= Self.dayCount(year: year, month: month) && hour <= 23 && minute <= 59
      && second <= 60
  }

  @inline(__always)
  var daysSince2001: Int { Self.daysSince2001(year: year, month: month, day: day) }

  /// 0 for Monday.
  var weekday: Int {
    // 2001 began on a Monday.
    let rest = daysSince2001 % 7
    return rest < 0 ? rest &+ 7 : rest
  }

  /// The nearest Date.
  ///
  /// The nanoseconds are fewer than 10^9, the seconds within ±10^12.
  @inline(__always)
  static func date(seconds: Int, nanoseconds: Int) -> Date {
    guard nanoseconds != 0 else { return Date(timeIntervalSinceReferenceDate: Double(seconds)) }
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow2) = whole.addingReportingOverflow(nanoseconds)
    guard !overflow, !overflow2 else {
      // Three hundred years away, a Double is so coarse that rounding the fraction first changes nothing.
      return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(nanoseconds) / 1e9)
    }
    let interval = sm_double(UInt64(sum.magnitude), -9)
    return Date(timeIntervalSinceReferenceDate: sum < 0 ? -interval : interval)
  }

  // MARK: From a date

  init() {}

  /// The calendar and clock time `seconds` after 2001 began there; nil outside the years 0 to 9999.
  init?(secondsSince2001 seconds: Int, nanosecond: Int) {
    guard seconds >= Int(Self.firstSecond), seconds < Int(Self.endSecond) else { return nil }
    let days = seconds >= 0 ? seconds / 86400 : (seconds &- 86399) / 86400
    let secondOfDay = seconds &- days &* 86400
    (year, month, day) = Self.civil(daysSince2001: days)
    hour = secondOfDay / 3600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
    self.nanosecond = nanosecond
  }

  /// The time that clocks with this many digits of a second's fraction (0 to 9) show at a date: they never run ahead.
  ///
  /// But a date that is the nearest Date to such a fraction is shown as that fraction, even if the date is slightly
  /// above or below it. Nil outside the years 0 to 9999 (of UTC, give or take a day).
  static func seconds(of date: Date, digits: Int) -> (seconds: Int, nanosecond: Int)? {
    let interval = date.timeIntervalSinceReferenceDate
    guard interval >= firstSecond - 86400, interval < endSecond + 86400 else { return nil }
    let floor = interval.rounded(.down)
    let fraction = interval - floor
    let seconds = Int(floor)
    guard fraction > 0 else { return (seconds, 0) }
    // A Date is no finer than some nanoseconds, so first check whether it is a whole microsecond.
    for digits in [min(digits, 6), digits] {
      let unit = powerOfTen(digits)
      let nearest = Int((fraction * Double(unit)).rounded())
      let time =
        nearest == unit ? (seconds &+ 1, 0) : (seconds, nearest &* powerOfTen(9 &- digits))
      if Self.date(seconds: time.0, nanoseconds: time.1) == date { return time }
    }
    let unit = powerOfTen(digits)
    return (seconds, min(Int(fraction * Double(unit)), unit &- 1) &* powerOfTen(9 &- digits))
  }

  /// 0000-01-01T00:00:00 and 10000-01-01T00:00:00.
  static let firstSecond = -63_145_526_400.0
  static let endSecond = 252_423_993_600.0

  // MARK: Calendar

  /// The days from 2001-01-01, where a Date begins to count, to a day of the years 0 to 9999.
  ///
  /// A year of this count begins in March, so that the leap day is its last one. Source: Hinnant, "chrono-Compatible
  /// Low-Level Date Algorithms", `days_from_civil`.
  @inline(__always)
  private static func daysSince2001(year: Int, month: Int, day: Int) -> Int {
    // Adding 400 years, an era, keeps all divisions among positive numbers.
    let year = year &+ 400 &- (month <= 2 ? 1 : 0)
    let era = year / 400
    let yearOfEra = year &- era &* 400
    let dayOfYear =
      (153 &* (month > 2 ? month &- 3 : month &+ 9) &+ 2) / 5 &+ day &- 1
    let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
    return era &* 146_097 &+ dayOfEra &- epoch
  }

  /// The reverse, Hinnant's `civil_from_days`.
  static func civil(daysSince2001 days: Int) -> (year: Int, month: Int, day: Int) {
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
    // 30 plus one bit of the month; the bit is inverted after July.
    return 30 | (month ^ (month &>> 3)) & 1
  }

  @inline(__always)
  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// 10^exponent, for an exponent from 0 to 9.
  @inline(__always)
  static func powerOfTen(_ exponent: Int) -> Int {
    var value = 1
    for _ in 0..<exponent { value &*= 10 }
    return value
  }
}
