#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension String: Mappable {
  /// ``Mapping/string``.
  public static var mapping: Mapping<String> { .string }
}

extension Bool: Mappable {
  /// ``Mapping/bool``.
  public static var mapping: Mapping<Bool> { .bool }
}

extension Int: Mappable {
  /// ``Mapping/int``.
  public static var mapping: Mapping<Int> { .int }
}

extension Int8: Mappable {
  /// ``Mapping/int8``.
  public static var mapping: Mapping<Int8> { .int8 }
}

extension Int16: Mappable {
  /// ``Mapping/int16``.
  public static var mapping: Mapping<Int16> { .int16 }
}

extension Int32: Mappable {
  /// ``Mapping/int32``.
  public static var mapping: Mapping<Int32> { .int32 }
}

extension Int64: Mappable {
  /// ``Mapping/int64``.
  public static var mapping: Mapping<Int64> { .int64 }
}

extension UInt: Mappable {
  /// ``Mapping/uint``.
  public static var mapping: Mapping<UInt> { .uint }
}

extension UInt8: Mappable {
  /// ``Mapping/uint8``.
  public static var mapping: Mapping<UInt8> { .uint8 }
}

extension UInt16: Mappable {
  /// ``Mapping/uint16``.
  public static var mapping: Mapping<UInt16> { .uint16 }
}

extension UInt32: Mappable {
  /// ``Mapping/uint32``.
  public static var mapping: Mapping<UInt32> { .uint32 }
}

extension UInt64: Mappable {
  /// ``Mapping/uint64``.
  public static var mapping: Mapping<UInt64> { .uint64 }
}

extension Float: Mappable {
  /// ``Mapping/float``.
  public static var mapping: Mapping<Float> { .float }
}

extension Double: Mappable {
  /// ``Mapping/double``.
  public static var mapping: Mapping<Double> { .double }
}

extension Decimal: Mappable {
  /// ``Mapping/decimal``.
  public static var mapping: Mapping<Decimal> { .decimal }
}

extension URL: Mappable {
  /// ``Mapping/url``.
  public static var mapping: Mapping<URL> { .url }
}

extension UUID: Mappable {
  /// ``Mapping/uuid``.
  public static var mapping: Mapping<UUID> { .uuid }
}

extension Date: Mappable {
  /// ``Mapping/date``.
  public static var mapping: Mapping<Date> { .date }
}

extension JSONValue: Mappable {
  /// ``Mapping/json``.
  public static var mapping: Mapping<JSONValue> { .json }
}

extension RawJSON: Mappable {
  /// ``Mapping/raw``.
  public static var mapping: Mapping<RawJSON> { .raw }
}

extension Int128: Mappable {
  /// A whole number that fits the type; `1.0` and `1e3` are whole numbers, too.
  public static var mapping: Mapping<Int128> { .integer }
}

extension UInt128: Mappable {
  /// A whole number that fits the type; `1.0` and `1e3` are whole numbers, too.
  public static var mapping: Mapping<UInt128> { .integer }
}

extension Substring: Mappable {
  /// A JSON string.
  public static var mapping: Mapping<Substring> {
    .converted(from: .string, { Substring($0) }, reverse: { String($0) })
  }
}

extension Data: Mappable {
  /// ``Mapping/data``: a string in base64.
  public static var mapping: Mapping<Data> { .data }
}

extension Duration: Mappable {
  /// ``Mapping/duration``: a number of seconds.
  public static var mapping: Mapping<Duration> { .duration }
}

extension Mapping where Value: FixedWidthInteger & Sendable {
  /// A whole number of up to 128 bits, from its text.
  fileprivate static var integer: Mapping {
    .converted(
      from: .accepting(.number, .json),
      { number in
        guard case .number(var text) = number else { throw ConversionFailure(expected: "a number") }
        switch text.withUTF8({ NumberText.integer($0, as: Value.self) }) {
        case .value(let value): return value
        case .outOfRange:
          throw ConversionFailure(
            expected: "a number from \(Value.min) to \(Value.max)", code: .numberOutOfRange)
        case .invalid: throw ConversionFailure(expected: "an integer")
        }
      }, reverse: { .number("\($0)") })
  }
}

extension Optional: Mappable where Wrapped: Mappable {
  /// The wrapped type's mapping; nil for `null` and for an absent value.
  ///
  /// Two Optionals differ: the outer one is nil for an absent value, and the inner one for `null`: see ``Mapping/nullable(_:when:)``.
  @inlinable
  public static var mapping: Mapping<Wrapped?> { .nullable(.declared) }
}

extension Array: Mappable where Element: Mappable {
  /// An array whose elements map as their type declares.
  @inlinable
  public static var mapping: Mapping<[Element]> { .array(of: .declared) }
}

extension Set: Mappable where Element: Mappable {
  /// An array whose elements are all different, and map as their type declares.
  public static var mapping: Mapping<Set<Element>> { .set(of: .declared) }
}

extension Dictionary: Mappable where Key == String, Value: Mappable {
  /// An object whose members all map as the value type declares.
  @inlinable
  public static var mapping: Mapping<[String: Value]> { .dictionary(of: .declared) }
}

extension Mappable where Self: RawRepresentable, RawValue: Mappable {
  /// The raw value's mapping; a raw value without a case is an error.
  public static var mapping: Mapping<Self> { .enumeration(of: .declared) }
}
