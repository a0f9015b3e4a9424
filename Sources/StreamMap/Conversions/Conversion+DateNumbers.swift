#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Conversions between Dates and the number of time units since a reference date, as Foundation makes them.

extension Conversion where Source == Double, Target == Date {
  /// A date as a number of time units since the beginning of 1970 in UTC.
  ///
  /// The result is the Date that Foundation makes of the same number, as with JSONDecoder's `secondsSince1970` and
  /// `millisecondsSince1970`. The reverse gives the shortest number that reads as the same Date. A Date counts seconds since 2001,
  /// with which Dates of our time can be closer together than numbers of seconds since 1970 are; then it gives the nearest one.
  ///
  /// ```swift
  /// let date: Conversion<Double, Date> = .date(since1970: .milliseconds)
  /// try date.forward(1_390_186_634_595)  // 2014-01-20T02:57:14.595Z
  /// ```
  public static func date(since1970 unit: TimeUnit) -> Conversion {
    date(since: Date(timeIntervalSince1970: 0), unit: unit)
  }

  /// A date as a number of time units since another date; negative numbers are dates before it.
  ///
  /// - Parameters:
  ///   - reference: The date of the number 0.
  ///   - unit: What the number counts.
  /// - Returns: The conversion; a number or a date that is not finite is an error.
  public static func date(since reference: Date, unit: TimeUnit) -> Conversion {
    counting(unit, since: reference) {
      $0
    } write: { date, scale in
      guard let number = scale.shortestNumber(date) else {
        throw ConversionFailure(expected: "a date that a number of \(unit) can express")
      }
      return number
    }
  }
}

extension Conversion where Source: FixedWidthInteger & Sendable, Target == Date {
  /// A date as a whole number of time units since the beginning of 1970 in UTC.
  ///
  /// In the reverse, a date between two units becomes the nearer one.
  public static func date(since1970 unit: TimeUnit) -> Conversion {
    date(since: Date(timeIntervalSince1970: 0), unit: unit)
  }

  /// A date as a whole number of time units since another date; negative numbers are dates before it.
  ///
  /// - Parameters:
  ///   - reference: The date of the number 0.
  ///   - unit: What the number counts; in the reverse, a date between two units becomes the nearer one.
  /// - Returns: The conversion; a date whose number does not fit is an error.
  public static func date(since reference: Date, unit: TimeUnit) -> Conversion {
    counting(unit, since: reference) {
      Double($0)
    } write: { date, scale in
      guard let number = scale.shortestNumber(date),
        let whole = Source(exactly: number.rounded())
      else {
        throw ConversionFailure(
          expected: "a date that a number of \(unit) (\(typeName(Source.self))) can express",
          code: .numberOutOfRange)
      }
      return whole
    }
  }
}

extension Conversion where Target == Date {
  /// What the conversions of all kinds of numbers have in common.
  ///
  /// `write` makes the number of a date, or throws where there is none.
  fileprivate static func counting(
    _ unit: TimeUnit, since reference: Date, read: @escaping @Sendable (Source) -> Double,
    write: @escaping @Sendable (Date, TimeScale) throws -> Source
  ) -> Conversion {
    guard let scale = TimeScale(since: reference, unit: unit) else {
      return Conversion("date", mistake: TimeScale.mistake)
    }
    return Conversion(scale.name) { number in
      guard let date = scale.date(read(number)) else {
        throw ConversionFailure(expected: "a number of \(unit)", code: .numberOutOfRange)
      }
      return date
    } reverse: {
      try write($0, scale)
    }
  }
}

/// Counts units of time since a date, in Foundation's arithmetic: the number is made one of seconds, and these are added to the date.
struct TimeScale: Sendable {
  static let mistake = "the date that numbers are counted from is not finite"

  let name: String
  private let unit: TimeUnit
  private let reference: Date

  init?(since reference: Date, unit: TimeUnit) {
    let interval = reference.timeIntervalSinceReferenceDate
    guard interval.isFinite else { return nil }
    self.unit = unit
    self.reference = reference
    let isEpoch = reference == Date(timeIntervalSince1970: 0)
    name = "date in \(unit) since \(isEpoch ? "1970" : "\(interval) s after 2001")"
  }

  // Only one of the two is not 1, and each is exact.
  private var unitsInSecond: Double { max(1, 1e9 / Double(unit.inNanoseconds)) }
  private var secondsInUnit: Double { max(1, Double(unit.inNanoseconds) / 1e9) }

  /// Nil if the result is not finite.
  @inline(__always)
  func date(_ number: Double) -> Date? {
    let date = Date(timeInterval: number / unitsInSecond * secondsInUnit, since: reference)
    return date.timeIntervalSinceReferenceDate.isFinite ? date : nil
  }

  /// Nil if the result is not finite.
  @inline(__always)
  private func number(_ date: Date) -> Double? {
    let number = date.timeIntervalSince(reference) * unitsInSecond / secondsInUnit
    return number.isFinite ? number : nil
  }

  /// The number with the fewest digits after the point, of those that have this date, or else the nearest one.
  func shortestNumber(_ date: Date) -> Double? {
    guard let number = number(date) else { return nil }
    var unit = 1.0
    // Beyond that, numbers have no more digits.
    while (number * unit).magnitude < 0x1p53, unit <= 1e15 {
      let short = (number * unit).rounded() / unit
      if self.date(short) == date { return short }
      unit *= 10
    }
    return [number, number.nextUp, number.nextDown].first { self.date($0) == date } ?? number
  }
}
