/// A time as a calendar and a clock show it, in the proleptic Gregorian calendar, years 0 to 9999.
package struct CivilTime {
  // The default for parts that a pattern does not name.
  var year = 2000
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  var nanosecond = 0

  // MARK: To an instant

  /// The instant of this time if local time is `offset` seconds ahead of UTC; nil if no calendar and clock shows it.
  ///
  /// All parts are 0 or more, and the nanoseconds fewer than 10^9. A leap second is accepted where it can occur, at
  /// 23:59:60 UTC, and becomes the second after it: no form of a date counts leap seconds.
  @inline(__always)
  func instant(offset: Int) -> Instant? {
    guard isValid else { return nil }
    let minuteUTC = (hour &* 60 &+ minute) &* 60 &- offset
    // 23:59 UTC on the day before, on this day or on the next one.
    if second == 60, minuteUTC != 86340, minuteUTC != -60, minuteUTC != 172_740 { return nil }
    return Instant(
      Int64(daysSince1970 &* 86400 &+ minuteUTC &+ second),
      nanosecond: Int32(truncatingIfNeeded: nanosecond))
  }

  /// The instant of this time on the clocks of a time zone; nil if they never show it.
  ///
  /// If clocks show a time twice, because they are set back, it is the first of the two.
  func instant(in zone: some LocalClock) -> Instant? {
    guard isValid else { return nil }
    let local = Int64(daysSince1970 &* 86400 &+ (hour &* 60 &+ minute) &* 60 &+ min(second, 59))
    // The clocks of a zone are set at most once in two days.
    let before = zone.offset(at: local &- 86400)
    if zone.offset(at: local &- before) == before { return instant(offset: Int(before)) }
    let after = zone.offset(at: local &+ 86400)
    return zone.offset(at: local &- after) == after ? instant(offset: Int(after)) : nil
  }

  @inline(__always)
  private var isValid: Bool {
    year <= 9999 && month >= 1 && month <= 12 && day >= 1
      && day <= Self.dayCount(year: year, month: month) && hour <= 23 && minute <= 59
      && second <= 60
  }

  @inline(__always)
  var daysSince1970: Int { Self.daysSince1970(year: year, month: month, day: day) }

  /// 0 for Monday.
  var weekday: Int {
    // 1970 began on a Thursday.
    let rest = (daysSince1970 &+ 3) % 7
    return rest < 0 ? rest &+ 7 : rest
  }

  // MARK: From an instant

  init() {}

  /// What a calendar and a clock in UTC show.
  init(_ instant: Instant) {
    self.init(seconds: instant.seconds, nanosecond: instant.nanosecond)
  }

  /// What a calendar and a clock show that are so many seconds ahead of UTC; nil outside the years 0 to 9999 there.
  init?(_ instant: Instant, offset: Int64) {
    let seconds = instant.seconds &+ offset
    guard seconds >= Instant.firstSecond, seconds < Instant.endSecond else { return nil }
    self.init(seconds: seconds, nanosecond: instant.nanosecond)
  }

  private init(seconds: Int64, nanosecond: Int32) {
    let days = Int(seconds >= 0 ? seconds / 86400 : (seconds &- 86399) / 86400)
    let secondOfDay = Int(seconds) &- days &* 86400
    (year, month, day) = Self.civil(daysSince1970: days)
    hour = secondOfDay / 3600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
    self.nanosecond = Int(nanosecond)
  }

  // MARK: Calendar

  /// The days from 1970-01-01 to a day of the years 0 to 9999.
  ///
  /// A year of this count begins in March, so that the leap day is its last one. Source: Hinnant, "chrono-Compatible
  /// Low-Level Date Algorithms", `days_from_civil`.
  @inline(__always)
  package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
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
  static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
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

  /// The year of a calendar in UTC, so many seconds after 1970; outside the years 0 to 9999 the one beside them.
  package static func year(at seconds: Int64) -> Int {
    let seconds = min(max(seconds, Instant.firstSecond &- 86400), Instant.endSecond)
    return CivilTime(seconds: seconds, nanosecond: 0).year
  }

  /// The days from -400-03-01 to 1970-01-01.
  private static let epoch = 865_565

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
