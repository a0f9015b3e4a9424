import Foundation
import Testing

/// Dates of mapping files: exact in every form, whatever way the records take.
@Suite struct DateFieldTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  /// What a date with these keys makes of each value; rejected ones are their messages.
  private func dates(_ keys: String, _ values: String...) throws -> [String] {
    try command.outcomes(ofValues: values, by: "{ from: x, type: date, \(keys) }", \.message)
  }

  private let outOfYears = "expected a date in the years 0 to 9999, found another number"

  @Test(.long) func `a number has all its digits in every form`() throws {
    #expect(
      try dates("format: unix_s", "1792180841.136758", "1790000015.123", "1.79e9", "-0.000001")
        == [
          "\"2026-10-16T20:00:41.136758Z\"", "\"2026-09-21T14:13:35.123Z\"",
          "\"2026-09-21T14:13:20Z\"", "\"1969-12-31T23:59:59.999999Z\"",
        ])
    #expect(
      try dates("format: unix_s, as: 'HH:mm:ss.SSS'", "1790000015.123", "1790000015.1239")
        == ["\"14:13:35.123\"", "\"14:13:35.123\""])
    #expect(
      try dates("format: unix_us", "1790000015123456", "9007199254740993")
        == ["\"2026-09-21T14:13:35.123456Z\"", "\"2255-06-05T23:47:34.740993Z\""])
    #expect(
      try dates("format: unix_ns, as: unix_s", "1790000015123456789", "9007199254740993")
        == ["1790000015.123456789", "9007199.254740993"])
    #expect(
      try dates("as: unix_ms", "\"2001-01-01T00:00:09.999999Z\"", "\"1969-12-31T23:59:59.9Z\"")
        == ["978307209999.999", "-100"])
    #expect(
      try dates("format: days", "20717", "-1", "20717.25")
        == [
          "\"2026-09-21T00:00:00Z\"", "\"1969-12-31T00:00:00Z\"", "\"2026-09-21T06:00:00Z\"",
        ])
    #expect(
      try dates("as: days", "\"2026-09-21T00:00:00Z\"", "\"2026-09-21T06:00:00Z\"")
        == ["20717", "20717.25"])
    #expect(
      try dates(
        "format: unix_s, coerce: string, as: unix_ns", "\"1790000015.123456789\"", "\"007\"")
        == ["1790000015123456789", "expected a date (unix_s), found another string"])
  }

  @Test(.long) func `names are English, and zones those of the system`() throws {
    #expect(
      try dates(
        "format: unix_s, as: 'EEEE, d MMM yyyy HH:mm z', as_zone: Europe/Berlin", "1790000015",
        "4000000000")
        == ["\"Monday, 21 Sep 2026 16:13 +0200\"", "\"Tuesday, 2 Oct 2096 09:06 +0200\""])
    #expect(
      try dates(
        "format: 'd MMMM yyyy HH:mm', zone: America/New_York", "\"4 July 2026 12:00\"",
        "\"8 March 2026 02:30\"", "\"4 Juli 2026 12:00\"")
        == [
          "\"2026-07-04T16:00:00Z\"",
          "expected a time that the clocks of its zone show: they are set forward over this one, found another string",
          "expected a date (d MMMM yyyy HH:mm), found another string",
        ])
    #expect(
      try dates("zone: Europe/Berlin", "\"2026-03-29T02:30:00\"", "\"2026-03-29T02:30\"")
        == [
          "expected a time that the clocks of its zone show: they are set forward over this one, found another string",
          "expected a date (rfc3339), found another string",
        ])
    #expect(
      try dates("format: unix_s, as: 'HH:mm', as_zone: UTC+05:45", "1790000015") == ["\"19:58\""])
  }

  @Test(.long) func `what is finer than a form is cut off in all forms alike`() throws {
    for (form, text) in [
      ("rfc3339", "\"1969-12-31T23:59:59.999999999Z\""), ("unix_s", "-0.000000001"),
      ("unix_ns", "-1"), ("dotnet", "\"/Date(-1)/\""),
      ("rfc822", "\"Wed, 31 Dec 1969 23:59:59 GMT\""), ("'yyyy ss.SSSSSS'", "\"1969 59.999999\""),
    ] {
      #expect(
        try dates("format: rfc3339, as: \(form)", "\"1969-12-31T23:59:59.9999999999Z\"") == [text])
      #expect(try dates("format: unix_s, as: \(form)", "-0.0000000001") == [text])
    }
  }

  @Test(.long) func `the first format in which it is a date is taken`() throws {
    #expect(
      try dates("format: [unix_s, unix_ms, unix_us]", "1790000015", "1790000015123", "1e15", "1e30")
        == [
          "\"2026-09-21T14:13:35Z\"", "\"2026-09-21T14:13:35.123Z\"",
          "\"2001-09-09T01:46:40Z\"", outOfYears,
        ])
    #expect(
      try dates(
        "format: [dd.MM.yyyy, unix_s, yyyyMMdd, unix_ms, rfc3339], coerce: string, as: yyyy-MM-dd",
        "\"21.09.2026\"", "1790000015", "1790000015123", "\"1790000015123\"", "\"20260921\"",
        "\"2026-09-21T14:13:35Z\"", "\"soon\"")
        == [
          "\"2026-09-21\"", "\"2026-09-21\"", "\"2026-09-21\"", "\"2026-09-21\"",
          "\"1970-08-23\"", "\"2026-09-21\"",
          "expected a date (dd.MM.yyyy, unix_s, yyyyMMdd, unix_ms, rfc3339), found another string",
        ])
    #expect(try dates("format: unix_s, as: unix_ms", "9007199254740993") == [outOfYears])
    #expect(
      try dates("format: [unix_h, days], as: yyyy, as_zone: Asia/Tokyo", "70389527", "2932896")
        == [outOfYears, "\"2304\""])
  }

  @Test(.long) func `a pattern that is read has a year, and one that is written need not`() throws {
    #expect(
      try dates("as: 'HH:mm', as_zone: Europe/Berlin", "\"2026-09-21T14:13:35Z\"")
        == ["\"16:13\""])
    #expect(
      try dates("text: [{ prefix: '2026-' }], format: yyyy-MM-dd", "\"09-21\"")
        == ["\"2026-09-21T00:00:00Z\""])
    #expect(
      try dates("format: yyyy", "\"2026\"") == ["\"2026-01-01T00:00:00Z\""])
    for pattern in ["HH:mm", "dd/MM", "d", "EEE d MMM"] {
      try command.write(
        "streammap: 1\nrecord: { f: { from: x, type: date, format: [unix_s, '\(pattern)'] } }\n",
        to: "m.yaml")
      let result = try command.run("check", "m.yaml")
      #expect(result.status == 3)
      #expect(
        result.errors.contains(
          "m.yaml:2:54: error: date format '\(pattern)': it has no year (y), and a date that is read needs one: join the text with one"
        ), "\(result.errors)")
    }
    try command.write(
      "streammap: 1\nrecord: { f: { from: x, type: date, as: 'HH:mm' } }\n", to: "m.yaml")
    let reversed = try command.run("reverse", "-m", "m.yaml", input: "")
    #expect(reversed.status == 3)
    #expect(reversed.errors.contains("'HH:mm' does not give the year"), "\(reversed.errors)")
  }

  @Test(.long) func `numbers of every unit come back by the reverse`() throws {
    let units = ["unix_ns", "unix_us", "unix_ms", "unix_s", "unix_min", "unix_h", "days"]
    for format in units {
      let numbers = ["0", "20717", "-719.5", "1.25"]
      let feed = numbers.map { "{\"x\":\($0)}\n" }.joined()
      for form in units + ["rfc3339"] {
        try command.write(
          "streammap: 1\nrecord: { f: { from: x, type: date, format: \(format), as: \(form) } }\n",
          to: "m.yaml")
        let there = try command.run("-m", "m.yaml", "--from", "ndjson", input: feed)
        let back = try command.run("reverse", "-m", "m.yaml", input: there.output)
        // There are no fractions of a nanosecond.
        let expected =
          format == "unix_ns"
          ? feed.replacing("-719.5", with: "-720").replacing("1.25", with: "1") : feed
        #expect(back.output == expected, "\(format) \(form): \(there.output)\(back.errors)")
      }
    }
  }

  @Test func `rules compare dates by all their digits`() throws {
    #expect(
      try dates(
        "validate: { min: 2026-09-21T14:13:35.123456782Z }", "\"2026-09-21T14:13:35.123456781Z\"",
        "\"2026-09-21T14:13:35.123456782Z\"")
        == [
          "expected at least 2026-09-21T14:13:35.123456782Z",
          "\"2026-09-21T14:13:35.123456782Z\"",
        ])
  }
}
