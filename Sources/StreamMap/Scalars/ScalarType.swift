#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The types that one token makes completely.
///
/// The raw values are the types' names in explanations and mapping files.
package enum ScalarType: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Any scalar as written; output records only.
  case any
  case string, bool
  case int, int8, int16, int32, int64
  case uint, uint8, uint16, uint32, uint64
  /// Any number as written; output records only.
  case number
  case float, double, decimal
  case url, uuid, date

  /// The longest text of a number, a date or a UUID; no other scalar is written by way of a text.
  static let longestText = 200

  /// Calls the visitor's code for the type.
  // PERF: inlined, so that the visitor's code for each type is called by one jump.
  @inline(__always)
  func visit<Visitor: ScalarVisitor>(by visitor: Visitor, _ input: Visitor.Input) -> Visitor.Output
  {
    switch self {
    case .any: visitor.visit(WrittenScalar.self, input)
    case .string: visitor.visit(String.self, input)
    case .bool: visitor.visit(Bool.self, input)
    case .int: visitor.visit(Int.self, input)
    case .int8: visitor.visit(Int8.self, input)
    case .int16: visitor.visit(Int16.self, input)
    case .int32: visitor.visit(Int32.self, input)
    case .int64: visitor.visit(Int64.self, input)
    case .uint: visitor.visit(UInt.self, input)
    case .uint8: visitor.visit(UInt8.self, input)
    case .uint16: visitor.visit(UInt16.self, input)
    case .uint32: visitor.visit(UInt32.self, input)
    case .uint64: visitor.visit(UInt64.self, input)
    case .number: visitor.visit(WrittenNumber.self, input)
    case .float: visitor.visit(Float.self, input)
    case .double: visitor.visit(Double.self, input)
    case .decimal: visitor.visit(Decimal.self, input)
    case .url: visitor.visit(URL.self, input)
    case .uuid: visitor.visit(UUID.self, input)
    case .date: visitor.visit(Date.self, input)
    }
  }

  /// The kind of the tokens that are its values; nil if all kinds of scalars are.
  package var kind: JSONKind? { visit(by: KindVisitor(), ()) }

  /// As in “expected …”.
  package var expected: String { visit(by: ExpectedVisitor(), ()) }

  /// The number that a text is, as it leaves.
  ///
  /// - Parameter text: A number by RFC 8259 and nothing else.
  /// - Returns: The number, for a type of numbers.
  /// - Throws: ``ConversionFailure`` for another text, and for a number that the type does not have.
  package func number(fromText text: String) throws(ConversionFailure) -> JSONValue {
    var (text, form) = (text, [UInt8]())
    let verdict = text.withUTF8 { bytes -> Verdict in
      guard NumberText.isNumber(bytes) else { return .wrongType }
      form = self.form(of: bytes)
      return visit(by: CheckVisitor(), Token(kind: .number, text: bytes))
    }
    switch verdict {
    case .made: return .number(String(decoding: form, as: UTF8.self))
    case .outOfRange:
      throw ConversionFailure(expected: "a text that is \(expected)", code: .numberOutOfRange)
    case .wrongType, .invalid: throw ConversionFailure(expected: "a text that is \(expected)")
    }
  }

  /// Whether a number's text is a value of the type.
  func verdict(onNumber text: UnsafeBufferPointer<UInt8>) -> Verdict {
    visit(by: CheckVisitor(), Token(kind: .number, text: text))
  }

  /// How many digits a whole number may have that is surely a value of the type, whatever they are; 0 if that is not known.
  var sureDigits: Int {
    switch self {
    case .int, .int64, .uint, .uint64: 18
    case .int32, .uint32: 9
    case .int16, .uint16: 4
    case .int8, .uint8: 2
    case .any, .number: .max
    case .double: 255
    case .float: 38
    case .decimal: 28
    case .bool, .string, .url, .uuid, .date: 0
    }
  }

  /// Whether a text is a whole number without a sign, and surely a value of the type.
  func surelyTakes(digits text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, first != UInt8(ascii: "0"), text.count <= sureDigits else {
      return false
    }
    for byte in text where byte &- UInt8(ascii: "0") > 9 { return false }
    return true
  }

  private struct KindVisitor: ScalarVisitor {
    func visit<Value: Scalar>(_ type: Value.Type, _ input: Void) -> JSONKind? { type.kind }
  }

  private struct ExpectedVisitor: ScalarVisitor {
    func visit<Value: Scalar>(_ type: Value.Type, _ input: Void) -> String { type.expected }
  }

  private struct CheckVisitor: ScalarVisitor {
    func visit<Value: Scalar>(_ type: Value.Type, _ token: Token) -> Verdict {
      type.takes(token.kind) ? type.check(token, nil) : .wrongType
    }
  }
}
