import Foundation

@testable import StreamMap

extension ReferenceInterpreter {
  static func verdict(
    _ json: NaiveJSON, _ type: ScalarType, _ options: ScalarOptions?
  ) -> ErrorCode? {
    switch (type, json.value) {
    case (.any, .string), (.any, .number), (.any, .bool), (.string, .string), (.bool, .bool),
      (.number, .number):
      return nil
    case (.double, .number(let text)):
      return Double(text)?.isFinite == true ? nil : .numberOutOfRange
    case (.float, .number(let text)): return Float(text)?.isFinite == true ? nil : .numberOutOfRange
    case (.decimal, .number(let text)): return isHeldByDecimal(text) ? nil : .numberOutOfRange
    case (.url, .string(let text)):
      return StringToURL.url(text, schemes: options?.schemes ?? []) == nil ? .invalidValue : nil
    case (.uuid, .string(let text)): return UUID(uuidString: text) == nil ? .invalidValue : nil
    case (.date, .string(let text)):
      return date(text) == nil ? .invalidValue : nil
    case (_, .number(let text)): return integer(text, type)
    default: return .wrongType
    }
  }

  /// Whether a number has at most 38 digits from the first to the last that is not zero, and a Decimal's power of ten in the last one.
  private static func isHeldByDecimal(_ text: String) -> Bool {
    let parts = text.split { "eE".contains($0) }
    let fraction = parts[0].split(separator: ".").dropFirst().first?.count ?? 0
    var digits = parts[0].filter(\.isNumber).drop { $0 == "0" }
    // A power that is no Int is far beyond.
    var power = parts.count > 1 ? Int(parts[1]) ?? 1_000_000 : 0
    power -= fraction
    while digits.last == "0" {
      digits.removeLast()
      power += 1
    }
    return digits.isEmpty || digits.count <= 38 && (-128...127).contains(power)
  }

  private static func integer(_ text: String, _ type: ScalarType) -> ErrorCode? {
    guard type.rawValue.contains("int") else { return .wrongType }
    guard let value = decimal(text) else { return .invalidValue }
    var rounded = Decimal()
    var source = value
    NSDecimalRound(&rounded, &source, 0, .plain)
    if rounded != value { return .invalidValue }
    func fits<Value: FixedWidthInteger>(_: Value.Type) -> Bool {
      value >= Decimal(string: "\(Value.min)") ?? 0 && value <= Decimal(string: "\(Value.max)") ?? 0
    }
    let isInside: Bool
    switch type {
    case .int, .int64: isInside = fits(Int64.self)
    case .int8: isInside = fits(Int8.self)
    case .int16: isInside = fits(Int16.self)
    case .int32: isInside = fits(Int32.self)
    case .uint, .uint64: isInside = fits(UInt64.self)
    case .uint8: isInside = fits(UInt8.self)
    case .uint16: isInside = fits(UInt16.self)
    case .uint32: isInside = fits(UInt32.self)
    default: return .wrongType
    }
    return isInside ? nil : .numberOutOfRange
  }

  /// The value of a scalar that ``verdict(_:_:_:)`` lets through, made by the standard library and Foundation.
  static func scalar(_ json: NaiveJSON, _ type: ScalarType, _ definition: Definition) -> Made? {
    guard let operations = definition.typedOperations else {
      return .text(written(json, type))
    }
    func box<Value>(_ value: Value?) -> Made? {
      value.map { .typed(TypedBox(holding: $0, operations)) }
    }
    switch (type, json.value) {
    case (.bool, .bool(let value)): return box(value)
    case (.string, .string(let text)): return box(text)
    case (.url, .string(let text)): return box(URL(string: text))
    case (.uuid, .string(let text)): return box(UUID(uuidString: text))
    case (.date, .string(let text)): return box(date(text))
    case (.double, .number(let text)): return box(Double(text))
    case (.float, .number(let text)): return box(Float(text))
    case (.decimal, .number(let text)): return box(Decimal(string: text))
    case (.int, .number(let text)): return box(whole(text, Int.self))
    case (.int8, .number(let text)): return box(whole(text, Int8.self))
    case (.int16, .number(let text)): return box(whole(text, Int16.self))
    case (.int32, .number(let text)): return box(whole(text, Int32.self))
    case (.int64, .number(let text)): return box(whole(text, Int64.self))
    case (.uint, .number(let text)): return box(whole(text, UInt.self))
    case (.uint8, .number(let text)): return box(whole(text, UInt8.self))
    case (.uint16, .number(let text)): return box(whole(text, UInt16.self))
    case (.uint32, .number(let text)): return box(whole(text, UInt32.self))
    case (.uint64, .number(let text)): return box(whole(text, UInt64.self))
    default: return nil
    }
  }

  /// How a scalar leaves: whole numbers as integers, and what a binary type has zero for as that zero.
  static func written(_ json: NaiveJSON, _ type: ScalarType) -> String {
    guard case .number(let text) = json.value else { return json.written }
    func binary(_ isZero: Bool) -> String {
      let digits = text.prefix { $0 != "e" && $0 != "E" }
      guard isZero, digits.contains(where: { "123456789".contains($0) }) else { return text }
      return text.hasPrefix("-") ? "-0.0" : "0.0"
    }
    switch type {
    case .int, .int8, .int16, .int32, .int64: return whole(text, Int64.self).map { "\($0)" } ?? text
    case .uint, .uint8, .uint16, .uint32, .uint64:
      return whole(text, UInt64.self).map { "\($0)" } ?? text
    case .double: return binary(Double(text) == 0)
    case .float: return binary(Float(text) == 0)
    case .any, .string, .bool, .number, .decimal, .url, .uuid, .date: return json.written
    }
  }

  /// A whole number, whose text may have a point and an exponent.
  private static func whole<Value: FixedWidthInteger>(_ text: String, _: Value.Type) -> Value? {
    decimal(text).flatMap { Value("\($0)") }
  }

  /// Foundation has no zero with a large exponent.
  private static func decimal(_ text: String) -> Decimal? {
    let digits = text.prefix { $0 != "e" && $0 != "E" }
    return digits.contains { "123456789".contains($0) } ? Decimal(string: text) : 0
  }

  private static func date(_ text: String) -> Date? {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions =
      text.contains(".")
      ? [.withInternetDateTime, .withFractionalSeconds] : [.withInternetDateTime]
    return formatter.date(from: text)
  }
}
