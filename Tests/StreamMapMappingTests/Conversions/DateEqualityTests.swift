import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Dates are those that Foundation makes of the same digits, and come back from what is written of them.
@Suite struct DateEqualityTests {
  private func decoded(
    _ numbers: [String], _ strategy: JSONDecoder.DateDecodingStrategy
  ) throws -> [Date] {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = strategy
    return try decoder.decode([Date].self, from: Data("[\(numbers.joined(separator: ","))]".utf8))
  }

  private func mapped(_ numbers: [String], _ mapping: Mapping<Date>) throws -> [Date] {
    let mapper = try Mapper(Mapping.array(of: mapping))
    return try mapper.decode("[\(numbers.joined(separator: ","))]".utf8).get()
  }

  /// Numbers of seconds, with so many digits after the point, from the year 1800 to 2140.
  private func numbers(_ count: Int, digits: Int, seed: UInt64) -> [String] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let seconds = Int.random(in: -5_364_662_400...5_364_662_400, using: &random)
      let fraction = SlowDates.padded(
        Int.random(in: 0..<CivilTime.powerOfTen(digits), using: &random), digits)
      return digits == 0 ? "\(seconds)" : "\(seconds).\(fraction)"
    }
  }

  @Test(.long, arguments: [0, 1, 3, 6, 9])
  func `a number becomes the Date that JSONDecoder makes of it`(digits: Int) throws {
    let numbers = numbers(20_000, digits: digits, seed: 51)
    #expect(
      try mapped(numbers, .date(since1970: .seconds)) == decoded(numbers, .secondsSince1970))
    #expect(
      try mapped(numbers.map { $0 + "e3" }, .date(since1970: .milliseconds))
        == decoded(numbers.map { $0 + "e3" }, .millisecondsSince1970))
    // One instant is one Date, whether it is a number of seconds or of milliseconds.
    let seconds = self.numbers(20_000, digits: 3, seed: 52)
    let milliseconds = seconds.map { $0.replacing(".", with: "") }.map { text in
      text.hasPrefix("0") || text.hasPrefix("-0") ? "0" : text
    }
    let pairs = zip(seconds, milliseconds).filter { $1 != "0" }
    #expect(
      try mapped(pairs.map(\.1), .date(since1970: .milliseconds))
        == mapped(pairs.map(\.0), .date(since1970: .seconds)))
  }

  @Test(arguments: [
    TimeUnit.nanoseconds, .microseconds, .milliseconds, .seconds, .minutes, .hours, .days,
  ])
  func `a Date that a number became comes back from what is written`(unit: TimeUnit) throws {
    var random = SeededGenerator(seed: 53)
    let mapping = Mapping<Date>.date(since1970: unit)
    let mapper = try Mapper(Mapping.array(of: mapping))
    let whole = unit == .days ? 1 : max(1, Int(Double(unit.inNanoseconds) / 1e9))
    let numbers = (0..<10_000).map { _ in
      let seconds = Int.random(in: -2_000_000_000...4_000_000_000, using: &random)
      switch unit {
      case .nanoseconds: return "\(seconds)123456789"
      case .microseconds: return "\(seconds)123456"
      case .milliseconds: return "\(seconds)123"
      case .days: return "\(seconds / 86400)"
      default: return "\(seconds / whole)"
      }
    }
    let dates = try mapper.decode("[\(numbers.joined(separator: ","))]".utf8).get()
    let text = String(decoding: try mapper.encode(dates), as: UTF8.self)
    #expect(try mapper.decode(text.utf8).get() == dates)
    if unit != .nanoseconds { #expect(text == "[\(numbers.joined(separator: ","))]") }
    // Nanoseconds of our time are finer than a Date: its number is whole, and has no exponent.
    #expect(!text.contains("e") && !text.contains("."))
  }

  @Test func `every Date of ten thousand comes back from every form that holds it`() throws {
    var random = SeededGenerator(seed: 54)
    var dates: [Date] = []
    for _ in 0..<10_000 {
      // As programs make them of milliseconds, from clocks, and anywhere in the years 0 to 9999.
      let milliseconds = Int.random(in: -2_000_000_000_000...4_000_000_000_000, using: &random)
      dates.append(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
      dates.append(
        Date(timeIntervalSinceReferenceDate: Double.random(in: 8e8...9e8, using: &random)))
      dates.append(
        Date(
          timeIntervalSinceReferenceDate: Double.random(
            in: -63_145_526_400..<252_423_993_600, using: &random)))
    }
    // Within 97 days of 2001 a Date is finer than nine digits.
    dates.removeAll { abs($0.timeIntervalSinceReferenceDate) < 0x1p23 }
    #expect(dates.count > 29_000)
    let forms: [Conversion<String, Date>] = [
      .rfc3339, .rfc3339(fractionDigits: 9), .dateFormat("yyyy-MM-dd HH:mm:ss.SSSSSSSSS"),
      .dateFormat("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSXXX", timeZone: .gmt),
    ]
    for form in forms {
      for date in dates {
        let text = try #require(form.back(date))
        #expect(form.value(text) == date, "\(text)")
      }
    }
    // Those of milliseconds come back from milliseconds.
    for number in numbers(10_000, digits: 0, seed: 55) {
      let text = "/Date(\(number)007)/"
      let date = try #require(Conversion.dotNet.value(text))
      #expect(Conversion.dotNet.back(date) == text)
      let anyText = try #require(Conversion.anyDate.back(date))
      #expect(Conversion.anyDate.value(anyText) == date)
    }
  }

  @Test func `a form of milliseconds holds the Dates that Foundation makes of milliseconds`() throws
  {
    let dates = SlowDates()
    var random = SeededGenerator(seed: 57)
    for _ in 0..<20_000 {
      let milliseconds = Int64.random(in: -62_167_219_200_000..<253_402_300_800_000, using: &random)
      let instant = try #require(Instant(milliseconds: milliseconds))
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      let parts = dates.parts(instant)
      let clock = dates.time(parts) + "." + parts.fraction.prefix(3)
      let text = dates.day(parts) + "T" + clock + "Z"
      #expect(Conversion.rfc3339(fractionDigits: 3).back(date) == text)
      #expect(Conversion.anyDate.back(date) == text)
      #expect(Conversion.dateFormat("yyyy-MM-dd'T'HH:mm:ss.SSSX").back(date) == text)
      #expect(Conversion.dotNet.back(date) == "/Date(\(milliseconds))/")
      #expect(Conversion.rfc822.back(date)?.contains(dates.time(parts)) == true)
    }
  }

  @Test func `a Date is written with the fewest digits that are read as it`() throws {
    for (text, interval) in [
      ("2000-11-13T21:01:59.035Z", -4_157_880.965), ("2026-09-21T14:13:35.123Z", 811_692_815.123),
      ("2026-09-21T14:13:35.123456Z", 811_692_815.123456),
      ("2026-09-21T14:13:35.123456700Z", 811_692_815.1234567),
      ("9999-12-31T23:59:59.999970Z", 252_423_993_600.0.nextDown),
      ("2001-01-01T00:00:00Z", -1e-20), ("2001-01-01T00:00:00.000000001Z", 1e-9),
    ] {
      let date = Date(timeIntervalSinceReferenceDate: interval)
      #expect(Conversion.rfc3339.back(date) == text)
      #expect(try Mapper(Mapping<Date>.date).encode(date) == Array("\"\(text)\"".utf8))
    }
    // Patterns cut off what the shortest text has, and not the noise after it.
    let date = Date(timeIntervalSinceReferenceDate: 811_692_815.1234567)
    #expect(Conversion.dateFormat("yyyy ss.SSSSSSS").back(date) == "2026 35.1234567")
    #expect(Conversion.dateFormat("yyyy ss.SSS").back(date) == "2026 35.123")
    #expect(Conversion.rfc3339(fractionDigits: 7).back(date) == "2026-09-21T14:13:35.1234567Z")
  }

  @Test func `what is counted from another date is what Foundation adds to it`() throws {
    var random = SeededGenerator(seed: 56)
    let reference = Date(timeIntervalSince1970: 315_532_800)  // 1980
    for unit in TimeUnit.allCases {
      let conversion: Conversion<Double, Date> = .date(since: reference, unit: unit)
      let seconds = Double(unit.inNanoseconds) / 1e9
      for _ in 0..<1000 {
        let number = Double(Int.random(in: -1_000_000...1_000_000, using: &random))
        let date = try #require(conversion.value(number))
        let expected =
          seconds < 1
          ? Date(timeInterval: number / (1e9 / Double(unit.inNanoseconds)), since: reference)
          : Date(timeInterval: number * seconds, since: reference)
        #expect(date == expected)
        // A Date of 1980 holds microseconds, but not nanoseconds.
        if unit != .nanoseconds { #expect(conversion.back(date) == number) }
      }
    }
  }
}
