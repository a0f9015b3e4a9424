import Foundation
import StreamMapFoundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Hydrant's conversions of scalars, and its transformers of keys.
@Suite struct HydrantConversionTests {
  /// The date, to a microsecond, that a document is without any issue.
  private func date(_ mapping: Mapping<Date>, _ document: String) throws -> Date? {
    let outcome = try decode(mapping, document)
    #expect(outcome.isClean)
    return outcome.value.map { seconds(($0.timeIntervalSince1970 * 1e6).rounded() / 1e6) }
  }

  private func seconds(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  // MARK: Dates

  @Test func `a text that is not a date cannot become a date text (HYD-109)`() throws {
    let text: Mapping<String> = .converted(
      from: .string,
      by: Conversion<String, Date>.dateFormat("yyyy-MM-dd").then(
        Conversion.dateFormat("yyyy-MM-dd").reversed))
    let outcome = try decode(text, #""HI""#)
    #expect(outcome.value == nil && outcome.fatal == ["invalidValue $"])
    #expect(try decode(text, #""2026-11-21""#).value == "2026-11-21")
  }

  @Test func `a text for a number of milliseconds is a wrong type (HYD-113)`() throws {
    #expect(try decode(.date(since1970: .milliseconds), #""1000""#).fatal == ["wrongType $"])
  }

  @Test func `a number of hours since 1970 is a date (HYD-114)`() throws {
    #expect(try date(.date(since1970: .hours), "2") == seconds(7200))
    #expect(try encode(.date(since1970: .hours), Date(timeIntervalSince1970: 7200)) == "2")
  }

  private let instant = Date(timeIntervalSince1970: 1_390_186_634.595)

  @Test func `a dotNet date is read as its milliseconds (HYD-117)`() throws {
    #expect(try date(.date(.dotNet), #""/Date(1390186634595)/""#) == seconds(1_390_186_634.595))
  }

  @Test func `a dotNet date is written in UTC without an offset (HYD-121)`() throws {
    #expect(try encode(.date(.dotNet), instant) == #""/Date(1390186634595)/""#)
    #expect(
      try encode(.date(.dotNet), Date(timeIntervalSince1970: -5)) == #""/Date(-5000)/""#)
  }

  @Test(arguments: [(8, "+0800"), (-8, "-0800")])
  func `a dotNet date is written with its zone's offset (HYD-122)`(hours: Int, offset: String)
    throws
  {
    let zone = try #require(TimeZone(secondsFromGMT: hours * 3600))
    #expect(
      try encode(.date(.dotNet(timeZone: zone)), instant) == #""/Date(1390186634595\#(offset))/""#)
  }

  @Test func `any date takes RFC 3339 with fraction and offset (HYD-123)`() throws {
    let read = try #require(try date(.anyDate, #""2014-01-14T14:35:23.456-0800""#))
    #expect(abs(read.timeIntervalSince(seconds(1_389_738_923.456))) < 1e-6)
  }

  /// Otherwise: a later format that succeeds is no issue, for nothing is wrong.
  @Test func `any date takes a later form without an issue (HYD-125)`() throws {
    #expect(try date(.anyDate, #""/Date(1390186634595)/""#) == seconds(1_390_186_634.595))
    #expect(try date(.anyDate, #""Tue, 14 Jan 2014 14:35:32 GMT""#) == seconds(1_389_710_132))
    #expect(try decode(.anyDate, #""HI""#).fatal == ["invalidValue $"])
    #expect(try encode(.anyDate, instant) == #""2014-01-20T02:57:14.595Z""#)
  }

  /// Otherwise: one error that says what was expected, as HYD-125 has none for the forms before.
  @Test func `a text that is not a date in any form is one error (HYD-126)`() throws {
    let outcome = try decode(.anyDate, #""HI""#)
    #expect(outcome.value == nil && outcome.fatal == ["invalidValue $"])
    #expect(outcome.error?.underlying.isEmpty == true && outcome.error?.expected?.isEmpty == false)
  }

  // MARK: Numbers

  /// Otherwise: as HYD-023.
  @Test func `a text that is not a number is one error (HYD-111)`() throws {
    let english = NumberPunctuation.locale(Locale(identifier: "en_US"))
    let outcome = try decode(.decimal(from: .string, english), #""HI""#)
    #expect(outcome.value == nil && outcome.fatal == ["invalidValue $"])
    #expect(outcome.error?.underlying.isEmpty == true && outcome.error?.expected?.isEmpty == false)
  }

  @Test func `a grouped number is read by its locale and written back (HYD-110)`() throws {
    let english = NumberPunctuation.locale(Locale(identifier: "en_US"))
    let outcome = try decode(.decimal(from: .string, english), #""1,235,555""#)
    #expect(outcome.value == 1_235_555 && outcome.isClean)
    #expect(try encode(.decimal(from: .string, english), 1_235_555) == #""1,235,555""#)
    #expect(try decode(.decimal(from: .string), #""1,235,555""#).fatal == ["invalidValue $"])
  }

  // MARK: URLs and UUIDs

  @Test func `a URL is read and written as its text (HYD-127)`() throws {
    let outcome = try decode(.url, #""http://jeffhui.net""#)
    #expect(outcome.value == URL(string: "http://jeffhui.net") && outcome.isClean)
    #expect(try encode(.url, try #require(outcome.value)) == #""http://jeffhui.net""#)
  }

  /// Otherwise: the message says what a URL has to have; values of the feed are in no message.
  @Test func `a text that is not an absolute URL fails, naming the scheme (HYD-128)`() throws {
    let outcome = try decode(.url(.absoluteURL), #""!!""#)
    #expect(outcome.value == nil && outcome.fatal == ["invalidValue $"])
    #expect(outcome.error?.expected == "a URL with a scheme")
  }

  @Test func `a URL's scheme is taken in any case and kept (HYD-130)`() throws {
    let outcome = try decode(.url(schemes: ["http"]), #""HTTP://jeffhui.net/example.html""#)
    #expect(outcome.value?.absoluteString == "HTTP://jeffhui.net/example.html")
    #expect(outcome.isClean)
  }

  @Test func `a URL of another scheme fails, naming the accepted ones (HYD-131)`() throws {
    let outcome = try decode(.url(schemes: ["http", "lol"]), #""ftp://example.com""#)
    #expect(outcome.value == nil && outcome.fatal == ["invalidValue $"])
    #expect(outcome.error?.expected?.contains("http, lol") == true)
  }

  @Test func `a URL of another scheme is not written (HYD-132)`() throws {
    let url = try #require(URL(string: "ftp://example.com"))
    #expect(throws: MappingError.self) { try encode(.url(schemes: ["http"]), url) }
  }

  @Test func `a UUID is read and written as its text (HYD-133)`() throws {
    let text = #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#
    let outcome = try decode(.uuid, text)
    #expect(outcome.value?.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    #expect(outcome.isClean)
    #expect(try encode(.uuid, try #require(outcome.value)) == text)
  }

  @Test func `a text that is not a UUID fails and says so (HYD-134)`() throws {
    let outcome = try decode(.uuid, #""I am not a valid UUID""#)
    #expect(outcome.value == nil && outcome.fatal == ["invalidValue $"])
    #expect(outcome.error?.expected?.contains("UUID") == true)
  }

  // MARK: Formatters

  /// Fails with a text of its own.
  private final class NoCheese: Formatter {
    let calls: Calls

    init(_ calls: Calls) {
      self.calls = calls
      super.init()
    }

    required init?(coder: NSCoder) { nil }
  }

  private struct Failure: Error { let text: String }

  private func failing(_ calls: Calls = Calls()) -> Mapping<Int> {
    .converted(
      from: .string,
      by: Conversion(formatter: NoCheese(calls)) { formatter, _ in
        formatter.calls.add()
        throw Failure(text: "No cheese")
      })
  }

  @Test func `a formatter's own error is kept under the conversion's (HYD-140)`() throws {
    let outcome = try decode(failing(), #""Lo""#)
    #expect(outcome.value == nil && outcome.fatal == ["conversionFailed $"])
    #expect(outcome.error?.underlying.count == 1)
    #expect((outcome.error?.underlying.first as? Failure)?.text == "No cheese")
  }

  @Test func `a formatter is not called without a text (HYD-141)`() throws {
    let calls = Calls()
    #expect(try decode(.at("x", failing(calls)), "{}").fatal == ["missing $.x"])
    #expect(try decode(failing(calls), "7").fatal == ["wrongType $"])
    #expect(calls.count == 0)
  }

  // MARK: Keys

  @Test(arguments: [
    ("fooBar", "foo_bar"), ("fooBarLol", "foo_bar_lol"), ("YoDog", "yo_dog"), ("yodog", "yodog"),
  ])
  func `a camel-case key becomes snake case (HYD-163)`(camel: String, snake: String) {
    #expect(KeyCase.snakeCase.key(for: camel) == snake)
  }

  /// Otherwise: `_` at the start and the end stays, and does not divide words.
  @Test(arguments: [
    ("foo_bar", "FooBar"), ("Yo__Dog", "YoDog"), ("_yoDog", "_YoDog"), ("yoDog_", "YoDog_"),
  ])
  func `a snake-case key becomes upper camel case (HYD-165)`(snake: String, camel: String) {
    #expect(KeyCase.upperCamelCase.key(for: snake) == camel)
  }

  /// Otherwise: as HYD-165; and `camelCase` begins with a small letter.
  @Test(arguments: [
    ("foo_bar", "fooBar"), ("Yo__Dog", "yoDog"), ("_yoDog", "_yoDog"), ("yoDog_", "yoDog_"),
  ])
  func `a snake-case key becomes camel case with a small first letter (HYD-164)`(
    snake: String, camel: String
  ) {
    #expect(KeyCase.camelCase.key(for: snake) == camel)
  }

  @Test func `digits in a key are separated only where asked for (HYD-167)`() {
    #expect(KeyCase.snakeCase.separatingDigits.key(for: "address2Line") == "address_2_line")
    #expect(KeyCase.snakeCase.key(for: "address2Line") == "address2_line")
  }
}
