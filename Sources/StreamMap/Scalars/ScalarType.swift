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

  /// All but those whose size depends on the machine.
  package static let sized = allCases.filter { $0 != .int && $0 != .uint }

  package var family: ScalarFamily { visit(by: FamilyVisitor(), ()) }

  /// The kind of the tokens that are its values; nil if all kinds of scalars are.
  package var kind: JSONKind? { family.kind }

  package var facts: ScalarFacts { visit(by: FactsVisitor(), ()) }

  /// Whether its values are whole numbers.
  package var isWhole: Bool { facts.integers != nil }

  @inline(__always)
  var numbers: NumberFacts { visit(by: NumberVisitor(), ()) }

  /// As in “expected …”.
  package var expected: String { visit(by: ExpectedVisitor(), ()) }

  /// The text, if it has the form of the type.
  ///
  /// - Parameters:
  ///   - text: What may be a value of the type.
  ///   - schemes: Of a URL; any will do where there are none.
  /// - Returns: The text as a value, for a type of strings.
  /// - Throws: ``ConversionFailure`` for another text.
  package func string(fromText text: String, schemes: [String]) throws(ConversionFailure)
    -> JSONValue
  {
    let options = ScalarOptions(schemes: schemes)
    let isMade = withExtendedLifetime(options) {
      var text = text
      return text.withUTF8 { bytes in
        let token = Token(kind: .string, text: bytes)
        return visit(by: CheckVisitor(options: options.map(Unmanaged.passUnretained)), token)
          == .made
      }
    }
    guard isMade else { throw ConversionFailure(expected: expected(with: options)) }
    return .string(text)
  }

  /// As in “expected …”, with what is asked besides the type.
  func expected(with options: ScalarOptions?) -> String {
    expected + (options.map { " " + $0.description } ?? "")
  }

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
    verdict(on: Token(kind: .number, text: text))
  }

  /// Whether a token is a value of the type.
  func verdict(on token: Token) -> Verdict { visit(by: CheckVisitor(), token) }

  /// Whether a text is a whole number without a sign, and surely a value of the type.
  func surelyTakes(digits text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, text.count <= numbers.sureDigits,
      first != UInt8(ascii: "0") || text.count == 1
    else { return false }
    for byte in text where byte &- UInt8(ascii: "0") > 9 { return false }
    return true
  }

  private struct FamilyVisitor: ScalarVisitor {
    @inline(__always)
    func visit<Value: Scalar>(_ type: Value.Type, _ input: Void) -> ScalarFamily { type.family }
  }

  private struct NumberVisitor: ScalarVisitor {
    @inline(__always)
    func visit<Value: Scalar>(_ type: Value.Type, _ input: Void) -> NumberFacts { type.numbers }
  }

  private struct FactsVisitor: ScalarVisitor {
    func visit<Value: Scalar>(_ type: Value.Type, _ input: Void) -> ScalarFacts { type.facts }
  }

  private struct ExpectedVisitor: ScalarVisitor {
    func visit<Value: Scalar>(_ type: Value.Type, _ input: Void) -> String { type.expected }
  }

  /// Whether a token is a value of the type.
  private struct CheckVisitor: ScalarVisitor {
    var options: Unmanaged<ScalarOptions>?

    func visit<Value: Scalar>(_ type: Value.Type, _ token: Token) -> Verdict {
      type.takes(token.kind) ? type.check(token, options) : .wrongType
    }
  }
}
