#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Conversions between dates and the number of time units since a reference date.

extension Conversion where Source == Double, Target == Date {
  /// A date as a number of time units since the beginning of 1970 in UTC.
  ///
  /// The reverse gives the shortest number for the same date.
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
      guard let number = scale.number(date), let whole = Source(exactly: number.rounded()) else {
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

/// Counts units of time since a date.
///
/// A Date holds seconds since the beginning of 2001. Numbers are first shifted to that origin in their own unit, which
/// is exact for the whole numbers in feeds, and only then divided; the result is therefore the nearest date.
struct TimeScale: Sendable {
  static let mistake = "the date that numbers are counted from is not finite"

  let name: String
  private let unit: TimeUnit
  /// The number for 2001-01-01.
  private let origin: Double

  init?(since reference: Date, unit: TimeUnit) {
    let interval = reference.timeIntervalSinceReferenceDate
    guard interval.isFinite else { return nil }
    self.unit = unit
    origin = -Self.units(interval, unit)
    let isEpoch = reference == Date(timeIntervalSince1970: 0)
    name = "date in \(unit) since \(isEpoch ? "1970" : "\(interval) s after 2001")"
  }

  @inline(__always)
  private static func units(_ seconds: Double, _ unit: TimeUnit) -> Double {
    switch unit {
    case .milliseconds: seconds * 1000
    default: seconds / Double(unit.milliseconds / 1000)
    }
  }

  /// Nil if the result is not finite.
  @inline(__always)
  func date(_ number: Double) -> Date? {
    let moved = number - origin
    let seconds =
      switch unit {
      case .milliseconds: moved / 1000
      default: moved * Double(unit.milliseconds / 1000)
      }
    return seconds.isFinite ? Date(timeIntervalSinceReferenceDate: seconds) : nil
  }

  /// Nil if the result is not finite.
  @inline(__always)
  func number(_ date: Date) -> Double? {
    let number = Self.units(date.timeIntervalSinceReferenceDate, unit) + origin
    return number.isFinite ? number : nil
  }

  /// The number for this date with the fewest of 0, 3 and 6 digits after the point.
  ///
  /// A Date may lie between two Doubles; then a neighbour of the nearest one is as good.
  func shortestNumber(_ date: Date) -> Double? {
    guard let number = number(date) else { return nil }
    let tolerance = self.date(number) == date ? 0 : number.ulp
    for unit in [1, 1e3, 1e6] {
      let short = (number * unit).rounded() / unit
      if self.date(short) == date || abs(short - number) <= tolerance { return short }
    }
    return number
  }
}
