#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// What comes as a string.

extension String: Scalar {
  @inline(__always)
  static var family: ScalarFamily { .string }
  static var expected: String { "a string" }
  @inline(__always)
  static var numbers: NumberFacts { .none }
  static var facts: ScalarFacts {
    ScalarFacts(
      swift: "String", integers: nil, row: .string, column: .kind(.string),
      sql: SQLTypes(postgres: "text", sqlite: "TEXT", duckdb: "VARCHAR"),
      schema: ScalarSchema("string"))
  }

  @inline(__always)
  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<String> {
    .value(StringText.string(token.text))
  }

  @inline(__always)
  static func check(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> Verdict { .made }

  @inline(__always)
  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    sink.string(self)
    return nil
  }
}

extension URL: Scalar {
  @inline(__always)
  static var family: ScalarFamily { .formed }
  static var expected: String { "a URL" }
  @inline(__always)
  static var numbers: NumberFacts { .none }
  static var facts: ScalarFacts {
    ScalarFacts(
      swift: "URL", integers: nil, row: nil, column: .kind(.string),
      sql: SQLTypes(postgres: "text", sqlite: "TEXT", duckdb: "VARCHAR"),
      schema: ScalarSchema("string", format: "uri"))
  }

  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<URL> {
    let text = StringText.string(token.text)
    guard let url = StringToURL.url(text, schemes: options.schemes) else { return .invalid }
    return .value(url)
  }

  static func check(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> Verdict {
    StringToURL.isURL(token.text, schemes: options.schemes) ? .made : .invalid
  }

  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    let text = StringToURL.text(self)
    guard StringToURL.hasScheme(text, among: options.schemes) else {
      return ScalarRefusal(found: "a URL of another scheme")
    }
    sink.string(text)
    return nil
  }
}

extension UUID: Scalar {
  @inline(__always)
  static var family: ScalarFamily { .formed }
  static var expected: String { "a UUID" }
  @inline(__always)
  static var numbers: NumberFacts { .none }
  static var facts: ScalarFacts {
    ScalarFacts(
      swift: "UUID", integers: nil, row: nil, column: .kind(.string),
      sql: SQLTypes(postgres: "uuid", sqlite: "TEXT", duckdb: "UUID"),
      schema: ScalarSchema("string", format: "uuid"))
  }

  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<UUID> {
    guard let uuid = UUIDText.parse(token.text) else { return .invalid }
    return .value(uuid)
  }

  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    sink.string(UnsafeBufferPointer(start: scratch, count: UUIDText.write(self, into: scratch)))
    return nil
  }
}

extension Date: Scalar {
  @inline(__always)
  static var family: ScalarFamily { .date }
  static var expected: String { "a date (RFC 3339)" }
  @inline(__always)
  static var numbers: NumberFacts { .none }
  static var facts: ScalarFacts {
    ScalarFacts(
      swift: "Date", integers: nil, row: nil, column: .timestamp,
      sql: SQLTypes(postgres: "timestamptz", sqlite: "TEXT", duckdb: "TIMESTAMPTZ"),
      schema: ScalarSchema("string", format: "date-time"))
  }

  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<Date> {
    guard let instant = RFC3339.parse(token.text) else { return .invalid }
    return .value(instant.date)
  }

  static func check(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> Verdict {
    RFC3339.parse(token.text) == nil ? .invalid : .made
  }

  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    guard let instant = Instant(self) else {
      return ScalarRefusal(expected: ConversionFailure.outOfYears.expected)
    }
    let count = RFC3339.write(instant, into: scratch)
    sink.string(UnsafeBufferPointer(start: scratch, count: count))
    return nil
  }
}
