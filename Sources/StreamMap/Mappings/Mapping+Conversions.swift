import Foundation

extension Mapping {
  /// A value made from another one by a conversion, and taken back by it.
  ///
  /// ```swift
  /// let quantity: Mapping<Int> = .converted(from: .string, by: .number)
  /// ```
  ///
  /// A ``Conversion/mistake`` of the conversion is one of the mapping. With a one-way conversion there is no encoding.
  ///
  /// - Parameters:
  ///   - source: What the value is made from.
  ///   - conversion: Makes it; what it expected is in the error where it does not take a value.
  /// - Returns: The mapping of the value.
  public static func converted<Source>(
    from source: Mapping<Source>, by conversion: Conversion<Source, Value>
  ) -> Mapping {
    converted(from: source, by: conversion, known: [])
  }

  /// As ``converted(from:by:)``; `known` is what the conversion makes of some texts.
  private static func converted<Source>(
    from source: Mapping<Source>, by conversion: Conversion<Source, Value>,
    known: [(text: String, value: Value)]
  ) -> Mapping {
    if let mistake = conversion.mistake {
      return Mapping(
        Definition(
          .mistake(mistake), operations: ScalarOperations<Value>(), expected: conversion.name))
    }
    return .converted(
      from: source, conversion.forward, optionalReverse: conversion.reverse, known: known)
  }
}

// MARK: Dates

extension Mapping where Value == Date {
  /// A string that is a date in some text form: `.rfc822`, `.dotNet`, `.anyDate`, `.rfc3339`, ….
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
    format: String, timeZone: TimeZone = .gmt, locale: Locale = Locale(identifier: "en_US_POSIX")
  ) -> Mapping {
    .date(.dateFormat(format, timeZone: timeZone, locale: locale))
  }

  /// A number of units of time since 1970 began in UTC.
  ///
  /// ```swift
  /// field("created", \.created, .date(since1970: .milliseconds))
  /// ```
  public static func date(since1970 unit: TimeUnit) -> Mapping {
    .converted(from: .plainDouble, by: .date(since1970: unit))
  }

  /// A number of units of time since another date.
  public static func date(since reference: Date, unit: TimeUnit) -> Mapping {
    .converted(from: .plainDouble, by: .date(since: reference, unit: unit))
  }

  /// A string that is a date by RFC 3339, in .NET's form or by RFC 822: see ``Conversion/anyDate``.
  public static var anyDate: Mapping { .date(.anyDate) }
}

extension Mapping where Value == Double {
  /// A number that is written as an integer where it is one, for those who read integers: `1390186634595`, not with `.0`.
  fileprivate static var plainDouble: Mapping {
    .split(
      forward: .double,
      reverse: .converted(
        from: .json, { _ in throw OneWayConversion() },
        reverse: { number in
          let write = Conversion<String, Double>.number.reversed.forward
          return .number(try write(number))
        }))
  }
}

// MARK: URLs

extension Mapping where Value == URL {
  /// A string that is a URL in some form, `.url(.absoluteURL)`: one with a scheme, whichever.
  public static func url(_ form: Conversion<String, URL>) -> Mapping {
    .converted(from: .string, by: form)
  }
}

// MARK: Bytes

extension Mapping where Value == Data {
  /// A string of bytes in base64 (RFC 4648, section 4).
  public static var data: Mapping { .data(.base64) }

  /// A string of bytes in some text form: `.base64`, `.base64URL`.
  public static func data(_ form: Conversion<String, Data>) -> Mapping {
    .converted(from: .string, by: form)
  }
}

// MARK: Strings from numbers

extension Mapping where Value == String {
  /// The text of a whole number, `.string(from: .int)`.
  public static func string(from number: Mapping<Int>) -> Mapping {
    .converted(from: number, by: Conversion<String, Int>.number.reversed)
  }

  /// The text of a number, the shortest that gives it.
  public static func string(from number: Mapping<Double>) -> Mapping {
    .converted(from: number, by: Conversion<String, Double>.number.reversed)
  }

  /// The text of a number, with all its digits.
  public static func string(from number: Mapping<Decimal>) -> Mapping {
    .converted(from: number, by: Conversion<String, Decimal>.number.reversed)
  }
}

extension Mapping where Value == String {
  /// A value of any kind as a string: a string as it is, of anything else its JSON text.
  ///
  /// Numbers keep their digits as written, `1.50`. `null` is an error, as for a string.
  ///
  /// The reverse writes a string, whatever the value was; `.text.oneWay()` has none.
  public static var text: Mapping {
    let text = oneWay(from: .raw) { String(decoding: $0.bytes, as: UTF8.self) }
    return .split(
      forward: .dispatch(byKind: [
        .string: .string, .number: text, .boolean: text, .object: text, .array: text,
      ]), reverse: .string)
  }
}

// MARK: Booleans and tables

extension Mapping where Value == Bool {
  /// 0 or 1, `.bool(from: .int)`.
  public static func bool(from number: Mapping<Int>) -> Mapping {
    .converted(from: number, by: .boolFromNumber)
  }

  /// `true`, `1`, `yes`, `false`, `0` or `no` as a string, `.bool(from: .string)`.
  public static func bool(from text: Mapping<String>) -> Mapping {
    .converted(from: text, by: .boolFromString)
  }
}

extension Mapping where Value: Hashable & Sendable {
  /// A string that stands for a value: see ``Conversion/table(_:)``.
  ///
  /// ```swift
  /// field("st", \.status, .enumeration(["A": .active, "D": .deleted]))
  /// ```
  public static func enumeration(_ table: KeyValuePairs<String, Value>) -> Mapping {
    .enumeration(of: .string, table)
  }

  /// A value of any kind that stands for another, as in `.enumeration(of: .int, [1: .active])`.
  public static func enumeration<Source: Hashable & Sendable>(
    of source: Mapping<Source>, _ table: KeyValuePairs<Source, Value>
  ) -> Mapping {
    .converted(
      from: source, by: .table(table),
      known: table.compactMap { entry in (entry.key as? String).map { ($0, entry.value) } })
  }
}
