#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Mapping {
  /// A value made from another value by a conversion, which also encodes it.
  ///
  /// ```swift
  /// let quantity: Mapping<Int> = .converted(from: .string, by: .number)
  /// ```
  ///
  /// If the conversion has a ``Conversion/mistake``, compiling the mapping throws. With a one-way conversion, the value
  /// cannot be encoded.
  ///
  /// - Parameters:
  ///   - source: Maps the value that is converted.
  ///   - conversion: Makes the value; for a value that it does not accept, the error says what it expected.
  /// - Returns: The mapping of the value.
  public static func converted<Source>(
    from source: Mapping<Source>, by conversion: Conversion<Source, Value>
  ) -> Mapping {
    converted(from: source, by: conversion, known: [])
  }

  /// Like ``converted(from:by:)``; `known` are texts for which the result is known.
  private static func converted<Source>(
    from source: Mapping<Source>, by conversion: Conversion<Source, Value>,
    known: [(text: String, value: Value)]
  ) -> Mapping {
    if let mistake = conversion.mistake { return .mistaken(mistake, name: conversion.name) }
    return .converted(
      from: source, conversion.forward, optionalReverse: conversion.reverse, known: known)
  }

  /// A mapping by a conversion with a mistake: compiling it throws.
  static func mistaken(_ mistake: String, name: String) -> Mapping {
    Mapping(Definition(.mistake(mistake), operations: ScalarOperations<Value>(), expected: name))
  }
}

// MARK: Dates

extension Mapping where Value == Date {
  /// A string that is a date in a certain form: `.rfc822`, `.dotNet`, `.anyDate`, `.rfc3339`, ….
  ///
  /// ```swift
  /// field("published", \.published, .date(.rfc822))
  /// ```
  public static func date(_ form: Conversion<String, Date>) -> Mapping {
    .converted(from: .string, by: form)
  }

  /// A string that is a date in the format of a Unicode pattern: see ``Conversion/dateFormat(_:timeZone:locale:)``.
  ///
  /// ```swift
  /// field("born", \.born, .date(format: "yyyy-MM-dd"))
  /// ```
  public static func date(
    format: String, timeZone: TimeZone = .gmt, locale: Locale? = nil
  ) -> Mapping {
    .date(.dateFormat(format, timeZone: timeZone, locale: locale))
  }

  /// A date as a number of seconds, milliseconds or other units since the start of 1970 in UTC.
  ///
  /// It is the Date that JSONDecoder makes of the same number (`secondsSince1970`, `millisecondsSince1970`). Encoding writes the
  /// shortest number that decodes as the same Date: see ``Conversion/date(since1970:)-4twju``.
  ///
  /// ```swift
  /// field("created", \.created, .date(since1970: .milliseconds))
  /// ```
  public static func date(since1970 unit: TimeUnit) -> Mapping {
    .converted(from: .plainDouble, by: .date(since1970: unit))
  }

  /// A date as a number of units of time since another date.
  public static func date(since reference: Date, unit: TimeUnit) -> Mapping {
    .converted(from: .plainDouble, by: .date(since: reference, unit: unit))
  }

  /// A string that is a date by RFC 3339, by RFC 822 or in .NET's form: see ``Conversion/anyDate``.
  public static var anyDate: Mapping { .date(.anyDate) }
}

extension Mapping where Value == Double {
  /// A number that is encoded without a fraction if it is whole, for readers of integers: `1390186634595`, without `.0`.
  fileprivate static var plainDouble: Mapping {
    .decoding(
      .double,
      encoding: .converted(
        from: .json, { _ in throw OneWayConversion() },
        reverse: { number in
          // A count of nanoseconds is too large for what writes numbers without an exponent.
          if let whole = Int64(exactly: number) { return .number("\(whole)") }
          let write = Conversion<String, Double>.number.reversed.forward
          return .number(try write(number))
        }))
  }
}

// MARK: URLs

extension Mapping where Value == URL {
  /// A string that is a URL in a certain form: `.url(.absoluteURL)` is any URL with a scheme.
  public static func url(_ form: Conversion<String, URL>) -> Mapping {
    .converted(from: .string, by: form)
  }
}

// MARK: Bytes

extension Mapping where Value == Data {
  /// Bytes as a string in base64 (RFC 4648, section 4).
  public static var data: Mapping { .data(.base64) }

  /// Bytes as a string in a certain form: `.base64`, `.base64URL`.
  public static func data(_ form: Conversion<String, Data>) -> Mapping {
    .converted(from: .string, by: form)
  }
}

// MARK: Strings from numbers

extension Mapping where Value == String {
  /// A whole number as text: `.string(from: .int)`.
  public static func string(from number: Mapping<Int>) -> Mapping {
    .converted(from: number, by: Conversion<String, Int>.number.reversed)
  }

  /// A number as the shortest text that reads as the same `Double`.
  public static func string(from number: Mapping<Double>) -> Mapping {
    .converted(from: number, by: Conversion<String, Double>.number.reversed)
  }

  /// A number as text, with all its digits.
  public static func string(from number: Mapping<Decimal>) -> Mapping {
    .converted(from: number, by: Conversion<String, Decimal>.number.reversed)
  }
}

extension Mapping where Value == String {
  /// A value of any kind as a string: a string as it is, any other value as its JSON text.
  ///
  /// Numbers keep their digits as written, `1.50`. `null` is an error, as for a string.
  ///
  /// Encoding writes a string, whatever the value was. To forbid encoding, write `.text.oneWay()`.
  public static var text: Mapping {
    let text = oneWay(from: .raw) { String(decoding: $0.bytes, as: UTF8.self) }
    return .decoding(
      .dispatch(byKind: [
        .string: .string, .number: text, .boolean: text, .object: text, .array: text,
      ]), encoding: .string)
  }
}

// MARK: Booleans and tables

extension Mapping where Value == Bool {
  /// 0 or 1 as a boolean: `.bool(from: .int)`.
  public static func bool(from number: Mapping<Int>) -> Mapping {
    .converted(from: number, by: .boolFromNumber)
  }

  /// A string that is `true`, `1`, `yes`, `false`, `0` or `no`: `.bool(from: .string)`.
  public static func bool(from text: Mapping<String>) -> Mapping {
    .converted(from: text, by: .boolFromString)
  }
}

extension Mapping where Value: Hashable & Sendable {
  /// A value for each of several strings: see ``Conversion/table(_:)``.
  ///
  /// ```swift
  /// field("st", \.status, .enumeration(["A": .active, "D": .deleted]))
  /// ```
  public static func enumeration(_ table: KeyValuePairs<String, Value>) -> Mapping {
    .enumeration(of: .string, table)
  }

  /// A value for each of several other values: `.enumeration(of: .int, [1: .active])`.
  public static func enumeration<Source: Hashable & Sendable>(
    of source: Mapping<Source>, _ table: KeyValuePairs<Source, Value>
  ) -> Mapping {
    .converted(
      from: source, by: .table(table),
      known: table.compactMap { entry in (entry.key as? String).map { ($0, entry.value) } })
  }
}
