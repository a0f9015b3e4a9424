/// A value of any type that is compared as text is: a String or a list of Strings by code points, all else by its own `==`.
struct ExactValue<Value: Hashable>: Hashable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }

  static func == (a: ExactValue, b: ExactValue) -> Bool { isSame(a.value, b.value) }

  // Equal values have equal hashes: Swift's `==` of Strings says yes wherever their code points are equal.
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension ExactValue: Sendable where Value: Sendable {}

/// Whether two values are the same: see ``ExactValue``.
func isSame<Value: Equatable>(_ a: Value, _ b: Value) -> Bool {
  guard a == b else { return false }
  if let a = a as? String, let b = b as? String { return a == b }
  if Value.self == [String].self, let a = a as? [String], let b = b as? [String] { return a == b }
  return true
}

/// Whether two texts are equal in Swift's way: é as one code point or as two.
func isCanonicallySame(_ a: String, _ b: String) -> Bool {
  func isEqual<Value: Equatable>(_ a: Value, _ b: Value) -> Bool { a == b }
  return isEqual(a, b)
}
