import CText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The one place where an instant becomes a Date, and a Date an instant. A Date is a Double of seconds since 2001.

extension Instant {
  /// The seconds from 1970 to 2001.
  private static let secondsTo2001: Int64 = 978_307_200

  /// The nearest Date.
  package var date: Date {
    Date(timeIntervalSinceReferenceDate: interval(since: Self.secondsTo2001))
  }

  /// The Date that Foundation makes of the number of seconds since 1970.
  ///
  /// That number is rounded before it is one of seconds since 2001, so this Date may be beside the nearest one.
  private var dateOfNumber: Date { Date(timeIntervalSince1970: interval(since: 0)) }

  /// The nearest number of seconds since another second.
  private func interval(since other: Int64) -> Double {
    let whole = seconds &- other
    guard nanosecond != 0 else { return Double(whole) }
    let (product, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow2) = product.addingReportingOverflow(Int64(nanosecond))
    // Three hundred years away, a Double is so coarse that rounding the fraction first changes nothing.
    guard !overflow, !overflow2 else { return Double(whole) + Double(nanosecond) / 1e9 }
    let interval = sm_double(sum.magnitude, -9)
    return sum < 0 ? -interval : interval
  }

  /// The instant with the fewest digits of a second that has this Date; nil outside the years 0 to 9999.
  ///
  /// A Date within 97 days of 2001 may be finer than a nanosecond, and then has the nearest one.
  ///
  /// - Parameters:
  ///   - date: The Date.
  ///   - most: The digits of the form that is to be written (0 to 9). A Date that Foundation makes of a number with no more digits
  ///     is that number there, even if it is a little less.
  package init?(_ date: Date, digits most: Int = 9) {
    let interval = date.timeIntervalSinceReferenceDate
    guard interval >= Double(Self.firstSecond - Self.secondsTo2001),
      interval < Double(Self.endSecond - Self.secondsTo2001)
    else { return nil }
    let floor = interval.rounded(.down)
    let fraction = interval - floor
    let seconds = Int64(floor) + Self.secondsTo2001
    func instant(_ digits: Int) -> Instant? {
      let unit = CivilTime.powerOfTen(digits)
      let nearest = Int((fraction * Double(unit)).rounded())
      if nearest == unit { return Instant(seconds + 1) }
      return Instant(
        seconds, nanosecond: Int32(nearest * CivilTime.powerOfTen(9 - digits)))
    }
    if most < 9, fraction != 0, let short = instant(most), short.dateOfNumber == date {
      self = short
      return
    }
    // Dates are closer together than milliseconds, and until 2136 than microseconds: fewer digits would be the same ones.
    var digits = fraction == 0 ? 9 : 3
    while digits < 9 {
      if let short = instant(digits), short.date == date {
        self = short
        return
      }
      digits += digits == 3 && abs(interval) < 0x1p32 ? 3 : 1
    }
    guard let nearest = instant(9) else { return nil }
    self = nearest
  }

  /// The nearest millisecond: all that formatters of Foundation read.
  package init?(roundedToMilliseconds date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard abs(milliseconds) < 1e15 else { return nil }
    self.init(milliseconds: Int64(milliseconds))
  }

  /// A Date in the middle of its millisecond, which is this one for a formatter of Foundation however that rounds.
  package var dateInMillisecond: Date {
    Date(timeIntervalSince1970: (Double(milliseconds) + 0.5) / 1000)
  }
}

extension TimeZone: LocalClock {
  package func offset(at seconds: Int64) -> Int64 {
    // A whole number of seconds is exact.
    Int64(secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
  }
}

extension Conversion where Source == String, Target == Instant {
  /// The same form for Dates: it reads the nearest Date, and writes the shortest text that reads as the same Date.
  ///
  /// If the form holds fewer than nine digits of a second, the others are cut off.
  package func dates(digits: Int = 9) -> Conversion<String, Date> {
    let (read, write) = (forward, reverse)
    var back: (@Sendable (Date) throws -> String)?
    if let write {
      back = { date in
        guard let instant = Instant(date, digits: digits) else {
          throw ConversionFailure.outOfYears
        }
        return try write(instant)
      }
    }
    return Conversion<String, Date>(
      name: name, forward: { try read($0).date }, reverse: back, mistake: mistake)
  }
}
