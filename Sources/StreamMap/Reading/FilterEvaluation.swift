/// Asks the filters of paths about the parts of a value that is held.
final class FilterEvaluation {
  /// What a comparison compares.
  private enum Value {
    case nothing
    case null
    case bool(Bool)
    /// As it is written.
    case number(String)
    case text(String)
    /// An object or an array, by its first token.
    case container(Int)
  }

  let value: HeldValue
  /// What paths from the root select: the same for every value that is asked about.
  private var fromRoot: [PathFilter.Query: [Int]] = [:]

  init(_ value: HeldValue) {
    self.value = value
  }

  /// Says that the value is another one.
  func forget() {
    if !fromRoot.isEmpty { fromRoot.removeAll() }
  }

  /// Whether a filter accepts a value.
  ///
  /// The parser bounds how deep these calls are.
  func holds(_ test: PathFilter.Test, at token: Int) -> Bool {
    switch test {
    case .any(let tests): tests.contains { holds($0, at: token) }
    case .all(let tests): tests.allSatisfy { holds($0, at: token) }
    case .not(let test): !holds(test, at: token)
    case .exists(let query): exists(query, token)
    case .compares(let left, let comparison, let right):
      compares(self.value(of: left, token), comparison, self.value(of: right, token))
    case .matches(let text, let pattern, let isWhole): matches(text, pattern, isWhole, token)
    }
  }

  // MARK: Paths

  private func exists(_ query: PathFilter.Query, _ token: Int) -> Bool {
    if query.isSingular { return only(query, token) != nil }
    if query.isFromRoot { return !all(query, token).isEmpty }
    return !selected(query, token, stopsAtFirst: true).isEmpty
  }

  /// What is at a path to one value.
  private func only(_ query: PathFilter.Query, _ token: Int) -> Int? {
    var place = query.isFromRoot ? 0 : token
    for step in query.steps {
      guard let part = value.part(of: place, step) else { return nil }
      place = part
    }
    return place
  }

  /// All that a path selects.
  private func all(_ query: PathFilter.Query, _ token: Int) -> [Int] {
    guard query.isFromRoot else { return selected(query, token) }
    if let known = fromRoot[query] { return known }
    let found = selected(query, 0)
    fromRoot[query] = found
    return found
  }

  private func selected(_ query: PathFilter.Query, _ token: Int, stopsAtFirst: Bool = false)
    -> [Int]
  {
    var walk = PathWalk(self, [query.segments], stopsAtFirst: stopsAtFirst)
    walk.run(from: token, [PathPosition(0)])
    return walk.matches.map(\.token)
  }

  // MARK: Values

  private func value(of operand: PathFilter.Operand, _ token: Int) -> Value {
    switch operand {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .number(let text): return .number(text)
    case .text(let text): return .text(text)
    case .query(let query): return only(query, token).map { value(at: $0) } ?? .nothing
    case .count(let query): return .number("\(all(query, token).count)")
    case .value(let query):
      let found = all(query, token)
      return found.count == 1 ? value(at: found[0]) : .nothing
    case .length(let operand):
      switch value(of: operand, token) {
      case .text(let text): return .number("\(text.unicodeScalars.count)")
      case .container(let token): return .number("\(value.partCount(of: token))")
      case .nothing, .null, .bool, .number: return .nothing
      }
    }
  }

  private func value(at token: Int) -> Value {
    let text = value.text(token)
    if text.first == UInt8(ascii: "\"") { return .text(EscapedText.decoded(Token.inside(text))) }
    guard let scalar = Token(written: text) else { return .container(token) }
    switch scalar.kind {
    case .boolean: return .bool(scalar.isTrue)
    case .number: return .number(String(decoding: text, as: UTF8.self))
    case .null, .string, .object, .array: return .null
    }
  }

  private func matches(
    _ operand: PathFilter.Operand, _ pattern: PathFilter.Pattern, _ isWhole: Bool, _ token: Int
  ) -> Bool {
    guard case .text(var text) = value(of: operand, token) else { return false }
    var prepared = pattern.prepared
    if prepared == nil, case .text(let written) = value(of: pattern.operand, token) {
      // What the feed has is no pattern: RFC 9535 takes that for no match.
      prepared = try? pattern.patterns.make(written)
    }
    guard let prepared else { return false }
    return text.withUTF8 { prepared.matches($0, isWhole: isWhole) }
  }

  // MARK: Comparisons

  private func compares(_ a: Value, _ comparison: PathFilter.Comparison, _ b: Value) -> Bool {
    switch comparison {
    case .equal: isEqual(a, b)
    case .unequal: !isEqual(a, b)
    case .less: isLess(a, b)
    case .greater: isLess(b, a)
    case .atMost: isLess(a, b) || isEqual(a, b)
    case .atLeast: isLess(b, a) || isEqual(a, b)
    }
  }

  private func isLess(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.number(let a), .number(let b)): Self.order(of: a, to: b) < 0
    case (.text(let a), .text(let b)): a < b
    case (.nothing, _), (.null, _), (.bool, _), (.container, _), (.number, _), (.text, _): false
    }
  }

  /// Less than 0 if the first number is less, 0 if they are equal, else more than 0.
  private static func order(of a: String, to b: String) -> Int {
    var (a, b) = (a, b)
    return a.withUTF8 { a in b.withUTF8 { ExactNumber.order(of: a, to: $0) } }
  }

  private func isEqual(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.nothing, .nothing), (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): Self.order(of: a, to: b) == 0
    case (.text(let a), .text(let b)): a == b
    case (.container(let a), .container(let b)): areEqual(a, b)
    case (.nothing, _), (.null, _), (.bool, _), (.number, _), (.text, _), (.container, _): false
    }
  }

  private func areEqual(_ a: Int, _ b: Int) -> Bool {
    // Containers inside each other that have to be equal, too: they may be as deep as the feed's limit.
    var open = [(a, b)]
    while let (a, b) = open.popLast() {
      if a == b { continue }
      guard let parts = parts(of: a, b) else { return false }
      for (a, b) in parts {
        if case (.container(let a), .container(let b)) = (value(at: a), value(at: b)) {
          open.append((a, b))
        } else if !isEqual(value(at: a), value(at: b)) {
          return false
        }
      }
    }
    return true
  }

  /// The parts of two containers that have to be equal; nil if the containers differ.
  private func parts(of a: Int, _ b: Int) -> [(Int, Int)]? {
    if value.isArray(a), value.isArray(b) {
      let (left, right) = (value.elements(of: a), value.elements(of: b))
      return left.count == right.count ? left.indices.map { (left[$0], right[$0]) } : nil
    }
    guard value.isObject(a), value.isObject(b) else { return nil }
    let (left, right) = (value.members(of: a), value.members(of: b))
    guard left.count == right.count else { return nil }
    var pairs: [(Int, Int)] = []
    for (key, token) in left {
      guard let other = right[key] else { return nil }
      pairs.append((token, other))
    }
    return pairs
  }
}

extension HeldValue {
  /// How many members an object has, or elements an array.
  fileprivate func partCount(of token: Int) -> Int {
    isObject(token) ? members(of: token).count : elements(of: token).count
  }

  /// The members of an object; the first of those with the same key.
  fileprivate func members(of token: Int) -> [ExactText: Int] {
    var members: [ExactText: Int] = [:]
    var next = token + 1
    let end = last(of: token)
    while next < end {
      let key = ExactText(EscapedText.decoded(key(next)))
      if members[key] == nil { members[key] = next + 1 }
      next = last(of: next + 1) + 1
    }
    return members
  }
}
