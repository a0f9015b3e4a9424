#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Mapping where Value == String {
  /// A JSON string.
  public static var string: Mapping { Mapping(scalar: .string) }
}

extension Mapping where Value == Bool {
  /// `true` or `false`.
  public static var bool: Mapping { Mapping(scalar: .bool) }
}

extension Mapping where Value == Int {
  /// A whole number that fits the type; `1.0` and `1e3` are whole numbers, too.
  public static var int: Mapping { Mapping(scalar: .int) }
}

extension Mapping where Value == Int8 {
  /// A whole number that fits the type; `1.0` and `1e2` are whole numbers, too.
  public static var int8: Mapping { Mapping(scalar: .int8) }
}

extension Mapping where Value == Int16 {
  /// A whole number that fits the type; `1.0` and `1e3` are whole numbers, too.
  public static var int16: Mapping { Mapping(scalar: .int16) }
}

extension Mapping where Value == Int32 {
  /// A whole number that fits the type; `1.0` and `1e3` are whole numbers, too.
  public static var int32: Mapping { Mapping(scalar: .int32) }
}

extension Mapping where Value == Int64 {
  /// A whole number that fits the type; `1.0` and `1e3` are whole numbers, too.
  public static var int64: Mapping { Mapping(scalar: .int64) }
}

extension Mapping where Value == UInt {
  /// A whole number that fits the type; `1.0` and `1e3` are whole numbers, too.
  public static var uint: Mapping { Mapping(scalar: .uint) }
}

extension Mapping where Value == UInt8 {
  /// A whole number that fits the type; `1.0` and `1e2` are whole numbers, too.
  public static var uint8: Mapping { Mapping(scalar: .uint8) }
}

extension Mapping where Value == UInt16 {
  /// A whole number that fits the type; `1.0` and `1e3` are whole numbers, too.
  public static var uint16: Mapping { Mapping(scalar: .uint16) }
}

extension Mapping where Value == UInt32 {
  /// A whole number that fits the type; `1.0` and `1e3` are whole numbers, too.
  public static var uint32: Mapping { Mapping(scalar: .uint32) }
}

extension Mapping where Value == UInt64 {
  /// A whole number that fits the type; `1.0` and `1e3` are whole numbers, too.
  public static var uint64: Mapping { Mapping(scalar: .uint64) }
}

extension Mapping where Value == Float {
  /// A number, correctly rounded; a number outside the range is an error.
  public static var float: Mapping { Mapping(scalar: .float) }
}

extension Mapping where Value == Double {
  /// A number, correctly rounded; a number outside the range is an error.
  public static var double: Mapping { Mapping(scalar: .double) }
}

extension Mapping where Value == Decimal {
  /// A number of up to 38 significant digits, exactly; a number with more digits is an error.
  public static var decimal: Mapping { Mapping(scalar: .decimal) }
}

extension Mapping where Value == URL {
  /// A string that is a URL (RFC 3986).
  ///
  /// Characters outside ASCII are percent-encoded.
  public static var url: Mapping { Mapping(scalar: .url) }

  /// A string that is a URL with one of these schemes, compared without regard to case.
  public static func url(schemes: [String]) -> Mapping {
    Mapping(scalar: .url, ScalarOptions(schemes: schemes))
  }
}

extension Mapping where Value == UUID {
  /// A string that is a UUID in its canonical form (RFC 9562), in either case.
  public static var uuid: Mapping { Mapping(scalar: .uuid) }
}

extension Mapping where Value == Date {
  /// A string that is a date and time by RFC 3339, such as `2026-11-21T09:30:00.250Z`.
  public static var date: Mapping { Mapping(scalar: .date) }
}

extension Mapping where Value == JSONValue {
  /// Any value, unchanged, `null` included; bounded by ``Limits/capturedValue``.
  public static var json: Mapping {
    Mapping(
      Definition(
        .json(.value), policy: Policy(null: .take(isSaid: false)),
        operations: ScalarOperations<JSONValue>(),
        expected: "a JSON value"))
  }
}

extension Mapping where Value == RawJSON {
  /// Any value as JSON text, `null` included; bounded by ``Limits/capturedValue``.
  public static var raw: Mapping {
    Mapping(
      Definition(
        .json(.raw), policy: Policy(null: .take(isSaid: false)),
        operations: ScalarOperations<RawJSON>(),
        expected: "a JSON value"))
  }
}
