import Foundation

@testable import StreamMap

extension ReferenceInterpreter {
  static func verdict(
    _ json: NaiveJSON, _ type: ScalarType, _ options: ScalarOptions?
  ) -> ErrorCode? {
    func onText(_ takes: (String) -> Bool) -> ErrorCode? {
      guard case .string(let text) = json.value else { return .wrongType }
      return takes(text) ? nil : .invalidValue
    }
    func onNumber(_ fits: (String) -> Bool) -> ErrorCode? {
      guard case .number(let text) = json.value else { return .wrongType }
      return fits(text) ? nil : .numberOutOfRange
    }
    func onWhole<Value: FixedWidthInteger>(_: Value.Type) -> ErrorCode? {
      guard case .number(let text) = json.value else { return .wrongType }
      return integer(text, Value.self)
    }
    switch type {
    case .any:
      switch json.value {
      case .string, .number, .bool: return nil
      case .null, .array, .object: return .wrongType
      }
    case .bool: if case .bool = json.value { return nil } else { return .wrongType }
    case .string: return onText { _ in true }
    case .url: return onText { StringToURL.url($0, schemes: options?.schemes ?? []) != nil }
    case .uuid: return onText { UUID(uuidString: $0) != nil }
    case .date: return onText { date($0) != nil }
    case .number: return onNumber { _ in true }
    case .double: return onNumber { Double($0)?.isFinite == true }
    case .float: return onNumber { Float($0)?.isFinite == true }
    case .decimal: return onNumber(isHeldByDecimal)
    case .int, .int64: return onWhole(Int64.self)
    case .int8: return onWhole(Int8.self)
    case .int16: return onWhole(Int16.self)
    case .int32: return onWhole(Int32.self)
    case .uint, .uint64: return onWhole(UInt64.self)
    case .uint8: return onWhole(UInt8.self)
    case .uint16: return onWhole(UInt16.self)
    case .uint32: return onWhole(UInt32.self)
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

  private static func integer<Value: FixedWidthInteger>(_ text: String, _: Value.Type) -> ErrorCode?
  {
    guard let value = decimal(text) else {
      // Foundation does not hold it: far beyond each integer, or far below 1.
      return text.lowercased().contains("e-") ? .invalidValue : .numberOutOfRange
    }
    var rounded = Decimal()
    var source = value
    NSDecimalRound(&rounded, &source, 0, .plain)
    if rounded != value { return .invalidValue }
    let isInside =
      value >= Decimal(string: "\(Value.min)") ?? 0 && value <= Decimal(string: "\(Value.max)") ?? 0
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
    let text: String
    switch json.value {
    case .bool(let value): return type == .bool ? box(value) : nil
    case .string(let value), .number(let value): text = value
    case .null, .array, .object: return nil
    }
    switch type {
    // Those without a type in Swift, and what is no text.
    case .any, .number, .bool: return nil
    case .string: return box(text)
    case .url: return box(URL(string: text))
    case .uuid: return box(UUID(uuidString: text))
    case .date: return box(date(text))
    case .double: return box(Double(text))
    case .float: return box(Float(text))
    case .decimal: return box(Decimal(string: text))
    case .int: return box(whole(text, Int.self))
    case .int8: return box(whole(text, Int8.self))
    case .int16: return box(whole(text, Int16.self))
    case .int32: return box(whole(text, Int32.self))
    case .int64: return box(whole(text, Int64.self))
    case .uint: return box(whole(text, UInt.self))
    case .uint8: return box(whole(text, UInt8.self))
    case .uint16: return box(whole(text, UInt16.self))
    case .uint32: return box(whole(text, UInt32.self))
    case .uint64: return box(whole(text, UInt64.self))
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
    // The formatter also takes a text that only begins with a date.
    let form =
      /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})/
    guard text.wholeMatch(of: form) != nil else { return nil }
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions =
      text.contains(".")
      ? [.withInternetDateTime, .withFractionalSeconds] : [.withInternetDateTime]
    return formatter.date(from: text)
  }
}
