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
    case (.decimal, .number(let text)):
      let digits = text.prefix { !"eE".contains($0) }.filter(\.isNumber).drop { $0 == "0" }
      return digits.count <= 38 ? nil : .numberOutOfRange
    case (.url, .string(let text)):
      return StringToURL.url(text, schemes: options?.schemes ?? []) == nil ? .invalidValue : nil
    case (.uuid, .string(let text)): return UUID(uuidString: text) == nil ? .invalidValue : nil
    case (.date, .string(let text)):
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions =
        text.contains(".")
        ? [.withInternetDateTime, .withFractionalSeconds] : [.withInternetDateTime]
      return formatter.date(from: text) == nil ? .invalidValue : nil
    case (_, .number(let text)): return integer(text, type)
    default: return .wrongType
    }
  }

  private static func integer(_ text: String, _ type: ScalarType) -> ErrorCode? {
    guard type.rawValue.contains("int") else { return .wrongType }
    guard let value = Decimal(string: text) else { return .invalidValue }
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

  static func text(_ json: NaiveJSON) -> String {
    switch json.value {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .number(let text): return text
    case .string(let text): return JSONValue.string(text).description
    case .array(let elements): return "[" + elements.map(text).joined(separator: ",") + "]"
    case .object(let members):
      return "{"
        + members.map { "\(JSONValue.string($0.key)):\(text($0.value))" }.joined(separator: ",")
        + "}"
    }
  }
}
