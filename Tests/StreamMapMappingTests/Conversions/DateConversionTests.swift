import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct DateConversionTests {
  private func seconds(_ conversion: Conversion<String, Date>, _ text: String) -> Double? {
    conversion.value(text)?.timeIntervalSince1970
  }

  // MARK: Numbers

  @Test(arguments: [
    (TimeUnit.milliseconds, 1_390_186_634_595.0, 1_390_186_634.595), (.milliseconds, 0, 0),
    (.seconds, -1, -1), (.seconds, 1_390_186_634.595, 1_390_186_634.595), (.minutes, 2, 120),
    (.hours, 2, 7200), (.hours, -0.5, -1800), (.milliseconds, -1, -0.001),
    (.milliseconds, 253_402_300_799_999, 253_402_300_799.999),
  ])
  func `a number since 1970 becomes a date and comes back`(
    unit: TimeUnit, number: Double, seconds: Double
  ) throws {
    let conversion: Conversion<Double, Date> = .date(since1970: unit)
    let date = try #require(conversion.value(number))
    #expect(date == Date(timeIntervalSince1970: seconds))
    #expect(conversion.back(date) == number)
  }

  @Test func `numbers and dates beyond finite range are not converted`() {
    let hours: Conversion<Double, Date> = .date(since1970: .hours)
    for number in [.nan, .infinity, -.infinity, 1e305] as [Double] {
      #expect(hours.value(number) == nil)
    }
    for interval in [.nan, .infinity] as [Double] {
      let date = Date(timeIntervalSinceReferenceDate: interval)
      #expect(hours.back(date) == nil)
      #expect(Conversion<Int, Date>.date(since1970: .seconds).back(date) == nil)
      #expect(Conversion<Double, Date>.date(since: date, unit: .hours).mistake != nil)
      #expect(Conversion<Int, Date>.date(since: date, unit: .hours).mistake != nil)
    }
    let milliseconds: Conversion<Double, Date> = .date(since1970: .milliseconds)
    #expect(milliseconds.back(Date(timeIntervalSinceReferenceDate: 1e307)) == nil)
  }

  @Test func `a date becomes a whole number rounded and within its range`() {
    let milliseconds: Conversion<Int64, Date> = .date(since1970: .milliseconds)
    #expect(
      milliseconds.value(1_390_186_634_595) == Date(timeIntervalSince1970: 1_390_186_634.595))
    #expect(milliseconds.value(.max) != nil)
    #expect(milliseconds.back(Date(timeIntervalSince1970: 0.0006)) == 1)
    #expect(milliseconds.back(Date(timeIntervalSinceReferenceDate: 1e16)) == nil)
    let seconds: Conversion<Int32, Date> = .date(since1970: .seconds)
    #expect(seconds.back(Date(timeIntervalSince1970: 2_147_483_647)) == .max)
    #expect(seconds.back(Date(timeIntervalSince1970: 2_147_483_648)) == nil)
    let days: Conversion<UInt16, Date> = .date(
      since: Date(timeIntervalSinceReferenceDate: 0), unit: .hours)
    #expect(days.value(24) == Date(timeIntervalSinceReferenceDate: 86400))
    #expect(days.back(Date(timeIntervalSinceReferenceDate: -3600)) == nil)
  }

  @Test func `every count of milliseconds comes back from its date`() throws {
    var random = SeededGenerator(seed: 23)
    let milliseconds: Conversion<Double, Date> = .date(since1970: .milliseconds)
    let seconds: Conversion<Double, Date> = .date(since1970: .seconds)
    for _ in 0..<20_000 {
      let number = Double(Int.random(in: -4_000_000_000_000...8_000_000_000_000, using: &random))
      let date = try #require(milliseconds.value(number))
      #expect(milliseconds.back(date) == number)
      #expect(seconds.value(number / 1000) == date)
      #expect(seconds.back(date) == number / 1000)
    }
  }

  // MARK: RFC 3339

  @Test func `RFC 3339 dates are read strictly and written with chosen fraction digits`() {
    #expect(seconds(.rfc3339, "2014-01-14T14:35:23-0800") == 1_389_738_923)
    let date = Date(timeIntervalSinceReferenceDate: 411_431_723.456)
    #expect(Conversion.rfc3339.value("2014-01-14T14:35:23.456-08:00") == date)
    #expect(seconds(.rfc3339, "1970-01-02T15:04:05+0000") == 140_645)
    #expect(seconds(.rfc3339, "2014-04-01T09:34:45Z") == 1_396_344_885)
    for text in [
      "", "2014-01-14T14:35:23-08000", "2014-01-14T14:35:23-080", "2014-01-14T14:35:23-08:0",
      "2014-01-14T14:35:23+2400", "2014-01-14T14:35:23+0060", "2014-01-14T14:35:23 0000",
      "2014-01-14T14:35:23-08", "2014-01-14T14:35:23+00a0", "10000-01-01T00:00:00Z",
    ] {
      #expect(
        outcome(Conversion.rfc3339, text)
          == .failure(ConversionFailure(expected: "a date (RFC 3339)")))
    }
    #expect(Conversion.rfc3339.back(date) == "2014-01-14T22:35:23.456Z")
    let table = [
      0: "2014-01-14T22:35:23Z", 1: "2014-01-14T22:35:23.4Z", 3: "2014-01-14T22:35:23.456Z",
      9: "2014-01-14T22:35:23.456000000Z",
    ]
    for (digits, text) in table {
      #expect(Conversion.rfc3339(fractionDigits: digits).back(date) == text)
    }
    let last = Date(timeIntervalSinceReferenceDate: 252_423_993_600.0.nextDown)
    #expect(Conversion.rfc3339(fractionDigits: 0).back(last) == "9999-12-31T23:59:59Z")
    #expect(Conversion.rfc3339(fractionDigits: 3).back(last) == "9999-12-31T23:59:59.999Z")
    #expect(Conversion.rfc3339(fractionDigits: 3).back(Date(timeIntervalSince1970: 1e13)) == nil)
    #expect(Conversion.rfc3339(fractionDigits: 3).back(Date(timeIntervalSince1970: .nan)) == nil)
    #expect(Conversion<String, Date>.rfc3339(fractionDigits: 10).mistake != nil)
    #expect(Conversion<String, Date>.rfc3339(fractionDigits: -1).mistake != nil)
  }

  // MARK: RFC 822

  @Test(
    arguments: [
      ([], "14 Jan 2014 14:35", 1_389_710_100),
      ([.weekday], "Tue, 14 Jan 2014 14:35", 1_389_710_100),
      ([.weekday, .zone], "Tue, 14 Jan 2014 14:35 GMT", 1_389_710_100),
      ([.weekday, .seconds], "Tue, 14 Jan 2014 14:35:32", 1_389_710_132),
      ([.weekday, .seconds, .zone], "Tue, 14 Jan 2014 14:35:32 GMT", 1_389_710_132),
      ([.seconds], "14 Jan 2014 14:35:32", 1_389_710_132),
      ([.seconds, .zone], "14 Jan 2014 14:35:32 GMT", 1_389_710_132),
      ([.zone], "14 Jan 2014 14:35 GMT", 1_389_710_100),
    ] as [(RFC822Parts, String, Double)])
  func `each of the eight RFC 822 forms takes only its own text`(
    parts: RFC822Parts, text: String, seconds: Double
  ) throws {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(Conversion.rfc822(parts).value(text) == date)
    #expect(Conversion.rfc822(parts).back(date) == text)
    #expect(Conversion.rfc822.value(text) == date)
    #expect(Conversion.anyDate.value(text) == date)
    for other in UInt8(0)..<8 where RFC822Parts(rawValue: other) != parts {
      #expect(Conversion.rfc822(RFC822Parts(rawValue: other)).value(text) == nil)
    }
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("6 Nov 94 08:49:37 GMT", 784_111_777),
    ("sun, 6 NOV 1994 08:49:37 z", 784_111_777), ("6 Nov 1994 09:49:37 +0100", 784_111_777),
    ("6 Nov 1994 03:49:37 EST", 784_111_777), ("6 Nov 1994 00:49:37 PST", 784_111_777),
    ("6 Nov 1994 08:49:37 UT", 784_111_777), ("6 Nov 1994 08:49:37 utc", 784_111_777),
    ("6 Nov 1994 08:49:37 -0000", 784_111_777), ("29 Feb 2000 00:00", 951_782_400),
    ("1 Jan 00 00:00", 946_684_800), ("1 Jan 49 00:00", 2_493_072_000),
    ("1 Jan 50 00:00", -631_152_000), ("31 Dec 1990 23:59:60 GMT", 662_688_000),
    ("31 Dec 1990 15:59:60 PST", 662_688_000), ("1 Jan 0000 00:00", -62_167_219_200),
    ("31 Dec 9999 23:59:59", 253_402_300_799), ("Sat, 01 Jan 0000 00:00 GMT", -62_167_219_200),
  ])
  func `an RFC 822 date is read whatever its spelling, year or zone`(text: String, seconds: Double)
  {
    #expect(self.seconds(.rfc822, text) == seconds)
  }

  @Test(arguments: [
    "", "14", "14 Jan", "14 Jan 2014", "14 Jan 2014 14", "14 Jan 2014 14:", "14 Jan 2014 1:35",
    "Mon, 14 Jan 2014 14:35", "Tue 14 Jan 2014 14:35", "Tue,14 Jan 2014 14:35",
    "Tuesday, 14 Jan 2014 14:35", " 14 Jan 2014 14:35", "14 Jan 2014 14:35 ",
    "14  Jan 2014 14:35", "14 January 2014 14:35", "14 Jän 2014 14:35", "14 Jan 201 14:35",
    "14 Jan 20144 14:35", "0 Jan 2014 14:35", "32 Jan 2014 14:35", "29 Feb 2023 14:35",
    "30 Feb 2024 14:35", "14 Jan 2014 24:00", "14 Jan 2014 14:60", "14 Jan 2014 14:35:61",
    "14 Jan 2014 14:35:60", "14 Jan 2014 14:35:5", "14 Jan 2014 14:35 XYZ", "14 Jan 2014 14:35 A",
    "14 Jan 2014 14:35 +100", "14 Jan 2014 14:35 +01:00", "14 Jan 2014 14:35 +2400",
    "14 Jan 2014 14:35 +0160", "14 Jan 2014 14:35 GMTT", "14 Jan 2014 14:35 GMT+1",
    "１４ Jan 2014 14:35", "014 Jan 2014 14:35", "14 Jan 10000 14:35", "14-Jan-2014 14:35",
    "Tue, 14 Jan 2014 14:35:32 GMT\u{0}", "14 Jan -014 14:35", "14 13 2014 14:35",
    "Tue", "Tue,", "Tue, ", "14 J", "14 Jan 2014 14:35:32 G", "14 Jan 2014 14:35:32 +",
  ])
  func `a text that is not quite RFC 822 is no date`(text: String) {
    #expect(Conversion.rfc822.value(text) == nil)
    #expect(Conversion.anyDate.value(text) == nil)
  }

  @Test func `dates within four-digit years are written as RFC 822 and come back`() {
    let date = Date(timeIntervalSince1970: 784_111_777.999)
    #expect(Conversion.rfc822.back(date) == "Sun, 6 Nov 1994 08:49:37 GMT")
    #expect(
      Conversion.rfc822.back(Date(timeIntervalSince1970: -62_167_219_200))
        == "Sat, 1 Jan 0000 00:00:00 GMT")
    for seconds in [253_402_300_800, -62_167_219_201, .nan, .infinity, 1e300] as [Double] {
      #expect(Conversion.rfc822.back(Date(timeIntervalSince1970: seconds)) == nil)
    }
    var random = SeededGenerator(seed: 24)
    for _ in 0..<2000 {
      let date = Date(
        timeIntervalSince1970: Double(
          Int.random(in: -62_167_219_200..<253_402_300_800, using: &random)))
      #expect(Conversion.rfc822.back(date).flatMap(Conversion.rfc822.value) == date)
    }
  }

  // MARK: .NET

  @Test(arguments: [
    ("/Date(1390186634595)/", 411_879_434.595), ("/Date(1390186634595+0800)/", 411_879_434.595),
    ("/Date(1390186634595-0800)/", 411_879_434.595), ("/date(0)/", -978_307_200),
    ("/DATE(-5000)/", -978_307_205), ("/Date(-0)/", -978_307_200),
    ("/Date(007)/", -978_307_199.993),
  ])
  func `a dotNet date is read whatever its letter case and offset`(text: String, seconds: Double) {
    // Since 2001.
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(Conversion.dotNet.value(text) == date)
    #expect(Conversion.anyDate.value(text) == date)
  }

  @Test(arguments: [
    "", "/Date()/", "/Date(-)/", "/Date(1)", "Date(1)", "/Date(1)/ ", " /Date(1)/", "/Date(+1)/",
    "/Date(1.5)/", "/Date(1+800)/", "/Date(1+08:00)/", "/Date(1+2400)/", "/Date(1-)/",
    "/Date(1+0800/", "/Date(１)/", "/Date(9223372036854775808)/", "/Date(1 )/", "/Date(1Z)/",
    "x/Date(1)/", "/Date(1)//", "/Date(1000000000000000000)/", "\\/Date(1)\\/", "/Date(--1)/",
  ])
  func `a text that is not quite a dotNet date is refused`(text: String) {
    #expect(
      outcome(Conversion.dotNet, text)
        == .failure(ConversionFailure(expected: "a date (/Date(milliseconds)/)")))
  }

  @Test func `a dotNet date is written with the zone's offset and comes back`() throws {
    let date = Date(timeIntervalSince1970: 1_390_186_634.595)
    #expect(Conversion.dotNet.back(date) == "/Date(1390186634595)/")
    #expect(Conversion.dotNet.back(Date(timeIntervalSince1970: -5)) == "/Date(-5000)/")
    for (hours, text) in [(8, "+0800"), (-8, "-0800")] {
      let zone = try #require(TimeZone(secondsFromGMT: hours * 3600))
      #expect(Conversion.dotNet(timeZone: zone).back(date) == "/Date(1390186634595\(text))/")
    }
    let kathmandu = try #require(TimeZone(identifier: "Asia/Kathmandu"))
    #expect(Conversion.dotNet(timeZone: kathmandu).back(date) == "/Date(1390186634595+0545)/")
    for seconds in [.nan, .infinity, 1e16, -1e300] as [Double] {
      #expect(Conversion.dotNet.back(Date(timeIntervalSince1970: seconds)) == nil)
    }
    var random = SeededGenerator(seed: 25)
    for _ in 0..<5000 {
      let text =
        "/Date(\(Int.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)))/"
      #expect(Conversion.dotNet.value(text).flatMap(Conversion.dotNet.back) == text)
    }
  }

  @Test func `any date form is read, and RFC 3339 is written`() {
    #expect(
      Conversion.anyDate.value("2014-01-14T14:35:23.456-0800")
        == Date(timeIntervalSinceReferenceDate: 411_431_723.456))
    #expect(seconds(.anyDate, "2014-01-14T14:35:23-0800") == 1_389_738_923)
    #expect(
      Conversion.anyDate.back(Date(timeIntervalSince1970: 1_389_738_923))
        == "2014-01-14T22:35:23.000Z")
    #expect(
      outcome(Conversion.anyDate, "junk")
        == .failure(
          ConversionFailure(expected: "a date (RFC 3339, /Date(milliseconds)/ or RFC 822)")))
  }
}
