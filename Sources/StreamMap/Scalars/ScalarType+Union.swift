extension ScalarType {
  /// A type of this scalar, as wide as numbers without more being known of them usually are.
  init(of value: JSONValue) {
    switch value {
    case .string: self = .string
    case .bool: self = .bool
    case .number:
      self = [ScalarType.int64, .uint64, .decimal].first { $0.includes(value) } ?? .number
    case .null, .array, .object: self = .any
    }
  }

  /// Whether this is a value of the type.
  func includes(_ value: JSONValue) -> Bool {
    let text: String
    let kind: JSONKind
    switch value {
    case .string(let string): (text, kind) = (string, .string)
    case .number(let number): (text, kind) = (number, .number)
    case .bool: (text, kind) = ("", .boolean)
    case .null, .array, .object: return false
    }
    return includes(kind, text)
  }

  private func includes(_ kind: JSONKind, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      visit(by: InclusionVisitor(), Token(kind: kind, text: bytes)) == .made
    }
  }

  /// The narrowest type that includes both.
  func union(_ other: ScalarType) -> ScalarType {
    if self == other { return self }
    guard let kind, kind == other.kind else { return .any }
    guard kind == .number else { return .string }
    let types: Set = [self, other]
    if let range = integers, let another = other.integers {
      return Self.wholeNumbers.first { type in
        type.integers?.contains(both: range, another) == true
      } ?? .decimal
    }
    if types == [.float, .double] { return .double }
    let isExact = types.allSatisfy { $0 == .decimal || $0.integers != nil }
    return isExact ? .decimal : .number
  }

  /// From narrow to wide.
  private static let wholeNumbers: [ScalarType] = [
    .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64,
  ]

  /// The bits of a type of whole numbers, without that of the sign; nil for any other type.
  private var integers: IntegerRange? {
    switch self {
    case .int8: IntegerRange(bits: 7, isSigned: true)
    case .int16: IntegerRange(bits: 15, isSigned: true)
    case .int32: IntegerRange(bits: 31, isSigned: true)
    case .int64, .int: IntegerRange(bits: 63, isSigned: true)
    case .uint8: IntegerRange(bits: 8, isSigned: false)
    case .uint16: IntegerRange(bits: 16, isSigned: false)
    case .uint32: IntegerRange(bits: 32, isSigned: false)
    case .uint64, .uint: IntegerRange(bits: 64, isSigned: false)
    case .any, .string, .bool, .number, .float, .double, .decimal, .url, .uuid, .date: nil
    }
  }

  private struct IntegerRange {
    let bits: Int
    let isSigned: Bool

    func contains(both one: IntegerRange, _ other: IntegerRange) -> Bool {
      [one, other].allSatisfy { $0.bits <= bits && (isSigned || !$0.isSigned) }
    }
  }

  private struct InclusionVisitor: ScalarVisitor {
    func visit<Value: Scalar>(_ type: Value.Type, _ token: Token) -> Verdict {
      type.takes(token.kind) ? type.check(token, nil) : .wrongType
    }
  }
}
