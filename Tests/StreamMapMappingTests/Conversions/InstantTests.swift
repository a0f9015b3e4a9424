import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Instants in every form, held against dates that are counted.
@Suite struct InstantTests {
  /// A form of dates: how it is read and written, what its text is, and the nanoseconds of what it can say.
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let conversion: Conversion<String, Instant>
    let unit: Int
    let text: @Sendable (SlowDates, Instant) -> String

    init(
      _ name: String, _ conversion: Conversion<String, Instant>?, unit: Int = 1,
      _ text: @escaping @Sendable (SlowDates, Instant) -> String
    ) {
      testDescription = name
      self.conversion = conversion ?? Conversion("none", mistake: "it is none")
      self.unit = unit
      self.text = text
    }

    init(_ unit: TimeUnit) {
      self.init("number of \(unit)", Conversion(.number(since1970: unit))) {
        $0.number($1, unit: Int(unit.inNanoseconds))
      }
    }

    /// What is left of an instant in the form.
    func held(_ instant: Instant) -> Instant? {
      let nanosecond = Int(instant.nanosecond)
      return Instant(instant.seconds, nanosecond: Int32(nanosecond - nanosecond % unit))
    }
  }

  static let second = 1_000_000_000

  static let forms: [Form] =
    TimeUnit.allCases.map { Form($0) } + [
      Form("RFC 3339", Conversion(.rfc3339)) { $0.rfc3339($1) },
      Form("pattern", .instantFormat("yyyy-MM-dd HH:mm:ss.SSSSSSSSS")) {
        let parts = $0.parts($1)
        return $0.day(parts) + " " + $0.time(parts) + "." + parts.fraction
      },
      Form("pattern with milliseconds", .instantFormat("yyyyMMdd'T'HHmmss.SSS"), unit: 1_000_000) {
        let parts = $0.parts($1)
        return ($0.day(parts) + "T" + $0.time(parts)).filter { $0 != "-" && $0 != ":" } + "."
          + parts.fraction.prefix(3)
      },
      Form("RFC 822", Conversion(.rfc822), unit: second) { dates, instant in
        let parts = dates.parts(instant)
        let months = [
          "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        // From a Thursday long before, which is a number of weeks before 1970.
        let weekday = (Int(instant.seconds) + 7 * 200_000 * 86400) / 86400 % 7
        return "\(days[weekday]), \(parts.day) \(months[parts.month - 1]) "
          + "\(SlowDates.padded(parts.year, 4)) \(dates.time(parts)) GMT"
      },
      Form(".NET", Conversion(.dotNet), unit: 1_000_000) { dates, instant in
        let short = Instant(
          instant.seconds, nanosecond: instant.nanosecond - instant.nanosecond % 1_000_000)
        return "/Date(\(dates.number(short ?? instant, unit: 1_000_000)))/"
      },
    ]

  /// Instants of all years and of ours, near 1970 and 2001, and on whole seconds, milliseconds and microseconds.
  struct Instants {
    var random: SeededGenerator

    mutating func next() -> Instant? {
      let range: ClosedRange<Int64> =
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: Instant.firstSecond...Instant.endSecond - 1
        case 2: -100_000...100_000
        case 3: 978_307_200 - 10_000_000...978_307_200 + 10_000_000
        case 4:
          Int.random(in: 0..<2, using: &random) == 0
            ? Instant.firstSecond...Instant.firstSecond + 9
            : Instant.endSecond - 9...Instant.endSecond - 1
        default: 0...4_000_000_000
        }
      let unit =
        [1, 1, 10, 1000, 1_000_000, InstantTests.second].randomElement(using: &random) ?? 1
      let fraction = Int.random(in: 0..<InstantTests.second, using: &random)
      return Instant(
        Int64.random(in: range, using: &random), nanosecond: Int32(fraction - fraction % unit))
    }
  }

  private func check(_ form: Form, _ count: Int, seed: UInt64) throws {
    let dates = SlowDates()
    var instants = Instants(random: SeededGenerator(seed: seed))
    var failures = 0
    for _ in 0..<count {
      let next = instants.next()
      let instant = try #require(next)
      let held = form.held(instant)
      let text = form.text(dates, instant)
      let written = form.conversion.back(instant)
      let read = form.conversion.value(text)
      if written != text || read != held {
        failures += 1
        if failures < 4 {
          Issue.record("\(instant): \(written ?? "-"), not \(text), read as \(read as Any)")
        }
      }
    }
    #expect(failures == 0)
  }

  @Test(arguments: forms)
  func `twenty thousand instants are written as counted and come back`(form: Form) throws {
    try check(form, 20_000, seed: 41)
  }

  @Test(.long, arguments: forms)
  func `many instants are written as counted and come back`(form: Form) throws {
    try check(form, TestExtent.isLong ? 1_000_000 : 60_000, seed: 42)
  }

  @Test func `every form says the same of one instant`() throws {
    var instants = Instants(random: SeededGenerator(seed: 43))
    for _ in 0..<2000 {
      let next = instants.next()
      let instant = try #require(next)
      for from in Self.forms where from.unit == 1 {
        let text = try #require(from.conversion.back(instant))
        #expect(from.conversion.value(text) == instant, "\(text)")
      }
    }
  }

  @Test(arguments: [
    // Fractions, exponents, long numbers and ones beyond 2^53.
    ("1792180841.136758", TimeUnit.seconds, "2026-10-16T20:00:41.136758Z"),
    ("1790000015.123", .seconds, "2026-09-21T14:13:35.123Z"),
    ("1790000015123", .milliseconds, "2026-09-21T14:13:35.123Z"),
    ("1790000015123.4567", .milliseconds, "2026-09-21T14:13:35.123456700Z"),
    ("1790000015123456", .microseconds, "2026-09-21T14:13:35.123456Z"),
    ("1790000015123456789", .nanoseconds, "2026-09-21T14:13:35.123456789Z"),
    ("9007199254740993", .microseconds, "2255-06-05T23:47:34.740993Z"),
    ("1.79e9", .seconds, "2026-09-21T14:13:20Z"), ("179E7", .seconds, "2026-09-21T14:13:20Z"),
    ("17900000151234567890123456789e-19", .seconds, "2026-09-21T14:13:35.123456789Z"),
    ("20717", .days, "2026-09-21T00:00:00Z"), ("20717.5", .days, "2026-09-21T12:00:00Z"),
    ("-719528", .days, "0000-01-01T00:00:00Z"), ("2932896", .days, "9999-12-31T00:00:00Z"),
    ("0.000000000011574074074074074074", .days, "1970-01-01T00:00:00.000000999Z"),
    ("0.00000000001157407407407407407408", .days, "1970-01-01T00:00:00.000001Z"),
    ("-0", .hours, "1970-01-01T00:00:00Z"), ("0.5", .hours, "1970-01-01T00:30:00Z"),
    ("1.00000000099999999999999999999999999", .seconds, "1970-01-01T00:00:01Z"),
    ("0.9999999999", .seconds, "1970-01-01T00:00:00.999999999Z"),
    // Cut off as by a clock: the nanosecond that has begun.
    ("-0.0000000001", .seconds, "1969-12-31T23:59:59.999999999Z"),
    ("-1e-400", .seconds, "1969-12-31T23:59:59.999999999Z"),
    ("-1.0000000005", .seconds, "1969-12-31T23:59:58.999999999Z"),
    ("1e-400", .seconds, "1970-01-01T00:00:00Z"),
    ("253402300799.9999999999", .seconds, "9999-12-31T23:59:59.999999999Z"),
    ("-62167219200", .seconds, "0000-01-01T00:00:00Z"),
    ("0.000000000000000000000000000000e99999999999999999999", .days, "1970-01-01T00:00:00Z"),
  ])
  func `a number is read by its digits`(number: String, unit: TimeUnit, text: String) throws {
    let instant = try #require(
      Conversion<String, Instant>(.number(since1970: unit)).value(number))
    #expect(Conversion<String, Instant>(.rfc3339).back(instant) == text)
  }

  @Test(arguments: [
    ("9223372036854775807", TimeUnit.seconds), ("1790000015123", .seconds),
    ("253402300800", .seconds), ("-62167219200.0000000001", .seconds), ("1e400", .nanoseconds),
    ("-1e400", .days), ("99999999999999999999999999999999999999999", .nanoseconds),
    ("2932897", .days), ("1e13", .hours), ("1000000000000000000e5", .days),
    ("1e99999999999999999999", .nanoseconds),
  ])
  func `a number beyond the years 0 to 9999 is no date`(number: String, unit: TimeUnit) {
    #expect(
      outcome(Conversion<String, Instant>(.number(since1970: unit)), number)
        == .failure(ConversionFailure(expected: "a date in the years 0 to 9999")))
  }

  @Test(arguments: ["", "-", "007", "+1", " 1", "1 ", "1.", ".5", "1e", "0x1", "1_0", "nan", "１"])
  func `what is not a number by JSON is no date`(text: String) {
    #expect(
      outcome(Conversion<String, Instant>(.number(since1970: .seconds)), text)
        == .failure(ConversionFailure(expected: "a number of seconds")))
  }

  @Test func `an offset cannot lead out of the years 0 to 9999`() {
    let rfc3339 = Conversion<String, Instant>(.rfc3339)
    #expect(rfc3339.value("0000-01-01T00:00:00+00:01") == nil)
    #expect(rfc3339.value("9999-12-31T23:59:59.9-00:01") == nil)
    #expect(rfc3339.value("9999-12-31T23:59:60Z") == nil)
    #expect(rfc3339.value("9999-12-31T23:59:59.999999999Z") != nil)
    #expect(Conversion<String, Instant>(.dotNet).value("/Date(253402300800000)/") == nil)
    #expect(Conversion<String, Instant>(.dotNet).value("/Date(-62167219200001)/") == nil)
  }
}
