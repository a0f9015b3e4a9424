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
    return text.withUTF8 { verdict(on: Token(kind: kind, text: $0)) == .made }
  }

  /// The narrowest type that includes both.
  func union(_ other: ScalarType) -> ScalarType {
    if self == other { return self }
    if family.kind == other.family.kind {
      switch family {
      case .any: return .any
      case .string, .formed, .date: return .string
      case .boolean: return .bool
      case .number: return unionOfNumbers(other)
      }
    }
    return .any
  }

  private func unionOfNumbers(_ other: ScalarType) -> ScalarType {
    let (range, another) = (facts.integers, other.facts.integers)
    if let range, let another {
      return Self.wholeNumbers.first { type in
        type.facts.integers?.contains(both: range, another) == true
      } ?? .decimal
    }
    let types: Set = [self, other]
    if types == [.float, .double] { return .double }
    let isExact = types.allSatisfy { $0 == .decimal || $0.isWhole }
    return isExact ? .decimal : .number
  }

  /// From narrow to wide.
  private static let wholeNumbers: [ScalarType] = sized.filter(\.isWhole)
    .sorted { ($0.facts.integers?.bits ?? 0) < ($1.facts.integers?.bits ?? 0) }
}
