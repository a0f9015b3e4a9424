import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct RFC3339Tests {
  private func text(_ date: Date) -> String? {
    Instant(date).flatMap { InstantForm.rfc3339.text($0) }
  }

  private func date(_ text: String) -> Date? { convert(text, RFC3339.parse)?.date }

  /// Seconds since 1970.
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2001-01-01T00:00:00Z", 978_307_200),
    ("1985-04-12T23:20:50.52Z", 482_196_050.52), ("1996-12-19T16:39:57-08:00", 851_042_397),
    ("1990-12-31T23:59:60Z", 662_688_000), ("1990-12-31T15:59:60-08:00", 662_688_000),
    ("1991-01-01T05:29:60+05:30", 662_688_000), ("1990-12-31T23:59:60.25Z", 662_688_000.25),
    ("1937-01-01T12:00:27.87+00:20", -1_041_337_172.13), ("2000-02-29t12:00:00z", 951_825_600),
    ("2024-02-29T00:00:00Z", 1_709_164_800), ("0000-01-01T00:00:00Z", -62_167_219_200),
    ("9999-12-31T23:59:59Z", 253_402_300_799), ("2024-01-01T00:00:00+23:59", 1_703_980_860),
    ("2024-01-01T00:00:00-23:59", 1_704_153_540), ("2024-01-01T00:00:00-00:00", 1_704_067_200),
    ("1969-12-31T23:59:59.999Z", -0.001), ("0000-02-29T00:00:00Z", -62_162_121_600),
    ("2024-01-01T00:00:00.1234567890123456789Z", 1_704_067_200.123456789),
  ])
  func `a valid RFC 3339 text is read as its moment`(text: String, seconds: Double) throws {
    let date = try #require(self.date(text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
  }

  @Test(arguments: [
    "", "2024", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01 00:00:00Z",
    "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z",
    "2024-01-32T00:00:00Z", "2024-04-31T00:00:00Z", "2023-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z", "2024-02-30T00:00:00Z", "2024-01-01T24:00:00Z",
    "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z", "2024-01-01T00:00:60Z",
    "2024-12-31T23:59:60-08:00", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00,5Z",
    "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+00:60", "2024-01-01T00:00:00+0000",
    "2024-01-01T00:00:00+00", "2024-01-01T00:00:00ZZ", "2024-01-01T00:00:00Z ",
    " 2024-01-01T00:00:00Z", "2024-1-01T00:00:00Z", "+2024-01-01T00:00:00Z",
    "2024-01-01T00:00:0aZ", "2024-01-01T00:00:00.12a3Z", "2024/01/01T00:00:00Z",
    "-001-01-01T00:00:00Z", "２024-01-01T00:00:00Z", "2024-01-01T00:00:00+1:000",
    "2024-01-01T00:00:00.123456789", "2024-01-01T00:00Z",
  ])
  func `a text that breaks RFC 3339 is no date`(text: String) {
    #expect(self.date(text) == nil)
  }

  @Test(arguments: [
    "2001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z", "2024-02-29T23:59:59.999Z", "2000-12-31T23:59:59.500Z",
    "1985-04-12T23:20:50.520Z", "2001-01-01T00:00:00.000001Z", "2000-12-31T23:59:59.999999999Z",
    "2024-05-06T07:08:09.123456Z", "1600-03-01T00:00:00.001Z", "9999-12-31T23:59:59.999Z",
  ])
  func `a date is written as the text it was read from`(text: String) throws {
    #expect(self.text(try #require(self.date(text))) == text)
  }

  @Test func `dates beyond the years 0 to 9999 have no text`() {
    for interval in [
      -63_145_526_401, 252_423_993_600, -63_145_526_400.1, .nan, .infinity, -.infinity, 1e300,
    ] {
      #expect(text(Date(timeIntervalSinceReferenceDate: interval)) == nil)
    }
    #expect(text(Date(timeIntervalSinceReferenceDate: -1e-20)) == "2001-01-01T00:00:00Z")
    let last = Date(timeIntervalSinceReferenceDate: 252_423_993_600.0.nextDown)
    #expect(text(last) == "9999-12-31T23:59:59.999970Z")
    // Rounded up to the next second, minute, hour, day, month and year.
    let nearly = Date(timeIntervalSinceReferenceDate: 31_536_000.0.nextDown)
    #expect(text(nearly) == "2001-12-31T23:59:59.999999996Z")
    #expect(text(Date(timeIntervalSinceReferenceDate: -1e-12)) == "2001-01-01T00:00:00Z")
  }

  @Test func `every day of four hundred years is written and read right`() {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var seconds = 0.0
    for year in 2001..<2401 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for month in 1...12 {
        for day in 1...(lengths[month - 1] + (month == 2 && isLeap ? 1 : 0)) {
          let expected =
            "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)T00:00:00Z"
          let date = Date(timeIntervalSinceReferenceDate: seconds)
          if text(date) != expected || self.date(expected) != date {
            Issue.record("\(expected)")
          }
          seconds += 86400
        }
      }
    }
  }

  @Test func `random dates are written as Foundation reads them`() throws {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<5000 {
      // From 1601 to 9999; before 1582 Foundation's calendar is the Julian one.
      let milliseconds = Int.random(in: -12_600_000_000_000...252_423_993_599_999, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
      let text = try #require(self.text(date))
      let foundation = try style.parse(text.count == 20 ? text.dropLast() + ".000Z" : text)
      #expect(abs(foundation.timeIntervalSince(date)) < 0.0006, "\(text)")
      #expect(self.date(text) == date, "\(text)")
    }
  }

  @Test func `any date of our time comes back from its text`() throws {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<20_000 {
      let date = Date(
        timeIntervalSinceReferenceDate: Double.random(in: 1e8...2e9, using: &random)
          * (Bool.random(using: &random) ? 1 : -1))
      #expect(self.date(try #require(text(date))) == date)
    }
  }
}
