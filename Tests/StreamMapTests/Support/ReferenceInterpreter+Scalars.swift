import Foundation

@testable import StreamMap

extension ReferenceInterpreter {
  static func verdict(_ json: NaiveJSON, _ kind: ScalarKind) -> ErrorCode? {
    switch (kind, json.value) {
    case (.any, .string), (.any, .number), (.any, .bool), (.string, .string), (.bool, .bool),
      (.number, .number):
      return nil
    case (.integer(let kind), .number(let text)): return integer(text, kind)
    case (.double, .number(let text)):
      return Double(text)?.isFinite == true ? nil : .numberOutOfRange
    case (.float, .number(let text)): return Float(text)?.isFinite == true ? nil : .numberOutOfRange
    case (.decimal, .number(let text)):
      let digits = text.prefix { !"eE".contains($0) }.filter(\.isNumber).drop { $0 == "0" }
      return digits.count <= 38 ? nil : .numberOutOfRange
    case (.url(let schemes), .string(let text)):
      return StringToURL.url(text, schemes: schemes) == nil ? .invalidValue : nil
    case (.uuid, .string(let text)): return UUID(uuidString: text) == nil ? .invalidValue : nil
    case (.date, .string(let text)):
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions =
        text.contains(".")
        ? [.withInternetDateTime, .withFractionalSeconds] : [.withInternetDateTime]
      return formatter.date(from: text) == nil ? .invalidValue : nil
    default: return .wrongType
    }
  }

  private static func integer(_ text: String, _ kind: IntegerKind) -> ErrorCode? {
    guard let value = Decimal(string: text) else { return .invalidValue }
    var rounded = Decimal()
    var source = value
    NSDecimalRound(&rounded, &source, 0, .plain)
    if rounded != value { return .invalidValue }
    func fits<Value: FixedWidthInteger>(_: Value.Type) -> Bool {
      value >= Decimal(string: "\(Value.min)") ?? 0 && value <= Decimal(string: "\(Value.max)") ?? 0
    }
    let isInside =
      switch kind {
      case .int, .int64: fits(Int64.self)
      case .int8: fits(Int8.self)
      case .int16: fits(Int16.self)
      case .int32: fits(Int32.self)
      case .uint, .uint64: fits(UInt64.self)
      case .uint8: fits(UInt8.self)
      case .uint16: fits(UInt16.self)
      case .uint32: fits(UInt32.self)
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
