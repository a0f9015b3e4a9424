import Foundation
import StreamMapFoundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct DatePatternTests {
  private func seconds(_ pattern: String, _ text: String, _ zone: TimeZone = .gmt) -> Double? {
    Conversion.dateFormat(pattern, timeZone: zone).value(text)?.timeIntervalSince1970
  }

  private func isOwn(_ pattern: String, _ locale: String = "en_US_POSIX") -> Bool {
    if case .pattern = DatePattern.compile(pattern, locale: Locale(identifier: locale)) {
      true
    } else {
      false
    }
  }

  @Test(arguments: [
    ("yyyy-MM-dd", "2014-04-01", 1_396_310_400),
    ("yyyyMMddHHmmss", "20140114143523", 1_389_710_123),
    ("yyyy-MM-dd HH:mm:ss Z", "2011-07-14 19:43:37 +0100", 1_310_669_017),
    ("yyyy-MM-dd'T'HH:mm:ssZZZZZ", "2014-01-14T14:35:23Z", 1_389_710_123),
    ("yyyy-MM-dd'T'HH:mm:ss.SSSZZZZZ", "2014-01-14T14:35:23.500+00:00", 1_389_710_123.5),
    ("dd/MM/yyyy HH:mm", "14/01/2014 14:35", 1_389_710_100), ("d.M.yy", "1.4.14", 1_396_310_400),
    ("EEE, d MMM yyyy HH:mm:ss zzz", "Tue, 14 Jan 2014 14:35:32 GMT", 1_389_710_132),
    ("EEEE, MMMM d, yyyy h:mm a", "Tuesday, January 14, 2014 2:35 PM", 1_389_710_100),
    ("hh a dd MM yyyy", "12 AM 01 04 2014", 1_396_310_400),
    ("hh a dd MM yyyy", "12 PM 01 04 2014", 1_396_353_600),
    ("yyyy-MM-dd HH X", "2014-04-01 02 +02", 1_396_310_400),
    ("yyyy-MM-dd HH:mm X", "2014-04-01 05:30 +0530", 1_396_310_400),
    ("yyyy-MM-dd HH xx", "2014-04-01 02 +0200", 1_396_310_400),
    ("yyyy HH:mm", "2000 01:00", 946_688_400),
    ("yyyy", "0000", -62_167_219_200), ("yyyy", "9999", 253_370_764_800),
    ("'o''clock' HH, dd.MM.yyyy", "o'clock 01, 01.01.1970", 3600),
    ("y-MM", "7-01", -61_946_294_400),
    ("yyyy年M月d日", "1970年1月2日", 86400),
    ("yyyy-MM-dd HH:mm:ss.SSSSSSSSS", "1970-01-01 00:00:00.000000001", 1e-9),
  ])
  func `a pattern reads its text and writes what it reads again`(
    pattern: String, text: String, seconds: Double
  ) throws {
    #expect(isOwn(pattern))
    let value = try #require(self.seconds(pattern, text))
    #expect(abs(value - seconds) < 1e-6)
    let conversion = Conversion.dateFormat(pattern)
    #expect(conversion.name == "date " + pattern)
    // What is written is read as the same date.
    let date = Date(timeIntervalSince1970: value)
    #expect(conversion.back(date).flatMap(conversion.value) == date)
  }

  @Test(arguments: [
    ("yyyy-MM-dd", ""), ("yyyy-MM-dd", "2014-4-01"), ("yyyy-MM-dd", "2014-13-01"),
    ("yyyy-MM-dd", "2014-00-01"), ("yyyy-MM-dd", "2023-02-29"), ("yyyy-MM-dd", "2014-04-31"),
    ("yyyy-MM-dd", "10000-01-01"), ("yyyy-MM-dd", "2014-04-01 "), ("yyyy-MM-dd", " 2014-04-01"),
    ("yyyy-MM-dd", "2014-04-01T00:00:00Z"), ("yyyy-MM-dd", "-014-04-01"),
    ("yyyy-MM-dd", "２０１４-04-01"),
    ("yyyy-MM-dd", "2014-04-0"), ("yyyy-MM-dd", "٢٠١٤-٠٤-٠١"), ("yyyy-MM-dd", "2014/04/01"),
    ("y HH:mm", "2000 24:00"), ("y HH:mm", "2000 12:60"), ("y HH:mm:ss", "2000 12:30:60"),
    ("y h a", "2000 0 AM"), ("y h a", "2000 13 PM"),
    ("EEE yyyy-MM-dd", "Mon 2014-01-14"), ("yyyy-MM-dd Z", "2014-01-14 +2400"),
    ("yyyy-MM-dd Z", "2014-01-14 Z"), ("yyyy-MM-dd XXX", "2014-01-14 +0100"),
    ("d.M.yyyy", "001.4.2014"),
    ("d MMM yyyy", "1 Foo 2014"), ("d MMM yyyy", "1 January 2014"), ("y ss.SSS", "2000 01.5"),
    ("y HH a", "2000 13 AM"),
    ("yyyy-MM-dd Z", "2014-01-14 "), ("yyyy-MM-dd'T'", "2014-01-14t"),
  ])
  func `a text that does not fit its pattern exactly is refused`(pattern: String, text: String) {
    #expect(isOwn(pattern))
    #expect(
      outcome(Conversion.localizedDateFormat(pattern), text)
        == .failure(ConversionFailure(expected: "a date (\(pattern))")))
  }

  @Test func `a date without offset is read in the conversion's time zone`() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let pattern = "yyyy-MM-dd HH:mm"
    #expect(seconds(pattern, "2024-01-01 01:00", berlin) == 1_704_067_200)
    #expect(seconds(pattern, "2024-07-01 02:00", berlin) == 1_719_792_000)
    // Never shown, and shown twice.
    #expect(seconds(pattern, "2024-03-31 02:30", berlin) == nil)
    #expect(seconds(pattern, "2024-03-31 01:59", berlin) == 1_711_846_740)
    #expect(seconds(pattern, "2024-03-31 03:00", berlin) == 1_711_846_800)
    #expect(seconds(pattern, "2024-10-27 02:30", berlin) == 1_729_989_000)
    // An offset in the text counts, not the zone.
    #expect(seconds(pattern + " Z", "2024-01-01 00:00 +0000", berlin) == 1_704_067_200)
    let zoned = Conversion.dateFormat(pattern + " ZZZZZ", timeZone: berlin)
    #expect(zoned.back(Date(timeIntervalSince1970: 1_719_792_000)) == "2024-07-01 02:00 +02:00")
    let named = Conversion.dateFormat(pattern + " z", timeZone: berlin)
    #expect(named.back(Date(timeIntervalSince1970: 1_719_792_000)) == "2024-07-01 02:00 +0200")
  }

  @Test func `a written date is cut off and never rounded up`() {
    let date = Date(timeIntervalSince1970: 1_396_396_799.9996)
    #expect(Conversion.dateFormat("yyyy-MM-dd").back(date) == "2014-04-01")
    #expect(Conversion.dateFormat("y HH:mm:ss").back(date) == "2014 23:59:59")
    #expect(Conversion.dateFormat("y HH:mm:ss.SSS").back(date) == "2014 23:59:59.999")
    #expect(
      Conversion.dateFormat("y ss.SSS").back(Date(timeIntervalSinceReferenceDate: 411_431_723.456))
        == "2014 23.456")
    for seconds in [253_402_300_800, -62_167_219_201, .nan, .infinity, -1e300] as [Double] {
      #expect(Conversion.dateFormat("yyyy").back(Date(timeIntervalSince1970: seconds)) == nil)
      #expect(
        Conversion.localizedDateFormat("D yyyy").back(Date(timeIntervalSince1970: .nan)) == nil)
    }
  }

  @Test(arguments: [
    ("", "it has no part of a date, such as yyyy, MM or dd"),
    ("'yyyy'", "it has no part of a date, such as yyyy, MM or dd"),
    ("yyyy-MM-dd'T", "a quote ' is not closed"),
    ("YYYY-MM-dd", "Y is the year of a week; for the calendar year write y"),
    ("yyyy-MM-DD", "D is the day of the year; for the day of the month write d"),
    ("yyyy-mm-dd", "m is the minute, and the pattern has no hour; for the month write M"),
    ("HH:mm", "it has no year (y), and a date that is read needs one"),
    ("d. MMMM", "it has no year (y), and a date that is read needs one"),
    (
      "yyyy-MM-dd hh:mm",
      "h is the hour of a 12-hour clock and needs a (AM or PM); for the 24-hour clock write H"
    ),
  ])
  func `a pattern that cannot be meant is a mistake with its reason`(
    pattern: String, reason: String
  ) {
    #expect(Conversion.dateFormat(pattern).mistake == "date format '\(pattern)': \(reason)")
  }

  @Test(arguments: [
    ("D yyyy", "'D' is not one of its parts, whose letters are y M d E H h a m s S Z X x z"),
    (
      "yyyy-MMMMM", "'MMMMM' is not one of its parts, whose letters are y M d E H h a m s S Z X x z"
    ),
    ("dd dd yyyy", "it has the same part of a date twice"),
    ("MM MMM yyyy", "it has the same part of a date twice"),
    (
      "dMyyyy",
      "it does not tell where a number ends: write two letters, as in dd, or something between them"
    ),
  ])
  func `where no formatter is at hand, a pattern that takes one is a mistake with its reason`(
    pattern: String, reason: String
  ) {
    #expect(
      Conversion<String, Instant>.instantFormat(pattern).mistake
        == "date format '\(pattern)': \(reason)")
  }

  @Test func `a pattern beyond the own parser is read strictly by Foundation`() {
    for pattern in ["D yyyy", "yyyy-MM-dd ZZZZ", "dd dd MM yyyy", "dMyyyy", "G yyyy"] {
      #expect(!isOwn(pattern))
      #expect(
        Conversion.dateFormat(pattern).mistake
          == "date format '\(pattern)': it needs a DateFormatter, which "
          + "localizedDateFormat(_:timeZone:locale:) of StreamMapFoundation uses")
    }
    #expect(!isOwn("d MMMM yyyy", "de_DE"))
    #expect(!isOwn("dd.MM.yyyy", "ar_EG"))
    #expect(isOwn("dd.MM.yyyy", "de_DE"))
    let german = Conversion.localizedDateFormat("d. MMMM yyyy", locale: Locale(identifier: "de_DE"))
    #expect(german.value("1. März 2014") == Date(timeIntervalSince1970: 1_393_632_000))
    #expect(german.value("1. März 2014x") == nil)
    #expect(german.value("1. März 2014\u{1F}") == nil)
    #expect(german.value("31. Februar 2014") == nil)
    #expect(german.value("") == nil)
    #expect(german.back(Date(timeIntervalSince1970: 1_393_632_000)) == "1. März 2014")
    let day = Conversion.localizedDateFormat("D yyyy").value("60 1970")
    #expect(day?.timeIntervalSince1970 == 5_097_600)
    // What the own parser knows, it reads here, too.
    #expect(
      Conversion.localizedDateFormat("yyyy-MM-dd").value("1970-01-02")?.timeIntervalSince1970
        == 86400)
    #expect(Conversion.localizedDateFormat("YYYY-MM-dd").mistake != nil)
  }

  @Test func `dates are written and read as by Foundation's DateFormatter`() throws {
    var random = SeededGenerator(seed: 26)
    let zones = try ["UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"].map {
      try #require(TimeZone(identifier: $0))
    }
    for pattern in [
      "yyyy-MM-dd HH:mm:ss", "EEEE, d MMMM yy h:mm:ss a XXX", "dd.MM.yyyy HH:mm:ss Z",
    ] {
      for zone in zones {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = pattern
        let conversion = Conversion.dateFormat(pattern, timeZone: zone)
        for _ in 0..<300 {
          // From 1970 to 2033.
          let date = Date(
            timeIntervalSince1970: Double(Int.random(in: 0..<2_000_000_000, using: &random)))
          let text = formatter.string(from: date)
          #expect(conversion.back(date) == text)
          // In the hour that the clocks show twice the two may choose differently.
          let read = try #require(conversion.value(text))
          #expect(formatter.string(from: read) == text)
        }
      }
    }
  }

  @Test func `one date format serves many threads at once`() async {
    let conversion = Conversion.localizedDateFormat(
      "d. MMMM yyyy", locale: Locale(identifier: "de_DE"))
    await withTaskGroup(of: Bool.self) { group in
      for day in 1...28 {
        group.addTask {
          (0..<20).allSatisfy { _ in
            conversion.value("\(day). Mai 2014").flatMap(conversion.back) == "\(day). Mai 2014"
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
