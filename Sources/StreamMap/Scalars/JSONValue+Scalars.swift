#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// What a program asks of a value that it did not map.

extension JSONValue {
  /// The kind of the value.
  public var kind: JSONKind {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// The text of a string; nil for a value of another kind.
  public var stringValue: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// A boolean; nil for a value of another kind.
  public var boolValue: Bool? {
    guard case .bool(let flag) = self else { return nil }
    return flag
  }

  /// A whole number that fits; nil for another one, and for a value of another kind.
  ///
  /// `1.0` and `1e3` are whole numbers, too, as for ``Mapping/int``.
  public var intValue: Int? {
    guard case .number(var text) = self,
      case .value(let value) = text.withUTF8({ NumberText.integer($0, as: Int.self) })
    else { return nil }
    return value
  }

  /// A number, correctly rounded; nil for one that is too large, and for a value of another kind.
  public var doubleValue: Double? {
    guard case .number(var text) = self else { return nil }
    return text.withUTF8 { NumberText.double($0) }
  }

  /// A number with all its digits; nil for one that a Decimal does not hold exactly, and for a value of another kind.
  public var decimalValue: Decimal? {
    guard case .number(var text) = self else { return nil }
    return text.withUTF8 { NumberText.decimal($0) }
  }
}

extension JSONValue: ExpressibleByFloatLiteral {
  /// A number, in the shortest form that is read back as the same; `null` for a literal beyond all Doubles, which JSON does not have.
  public init(floatLiteral value: Double) { self = value.isFinite ? .number("\(value)") : .null }
}
