/// A filter of a path that is asked about rows, without taking their values apart.
///
/// It looks for a few members by their keys, and compares them with what the path says, or with each other. Where that does not tell, as
/// in texts with escapes and in containers that are compared, ``FilterEvaluation`` has to be asked. The answers are the same.
struct RowFilter {
  private indirect enum Test {
    case any([Test])
    case all([Test])
    case not(Test)
    case exists(Query)
    case compares(Query, PathFilter.Comparison, Literal)
    case comparesValues(Query, PathFilter.Comparison, Query)
  }

  /// The keys to a value, as they are written, from the value that is asked about.
  private struct Query {
    let keys: [[UInt8]]
  }

  private enum Literal {
    case null
    case bool(Bool)
    case number(ExactNumber)
    case text([UInt8])
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  /// What is found in a row.
  private enum Value {
    case nothing
    case null
    case bool(Bool)
    case number(Bytes)
    /// Without its quotes; it has no escapes.
    case text(Bytes)
    case container
  }

  /// How two values stand to each other; values of two kinds are unrelated.
  private enum Relation {
    case less, equal, greater, unrelated

    init(_ order: Int) { self = order < 0 ? .less : order == 0 ? .equal : .greater }

    func satisfies(_ comparison: PathFilter.Comparison) -> Bool {
      switch comparison {
      case .equal: self == .equal
      case .unequal: self != .equal
      case .less: self == .less
      case .greater: self == .greater
      case .atMost: self == .less || self == .equal
      case .atLeast: self == .greater || self == .equal
      }
    }
  }

  private let test: Test

  /// Nil for a filter that asks more: functions, patterns, the root, elements, paths to several values, and keys that need escapes.
  init?(_ filter: PathFilter) {
    guard let test = Self.test(filter.test) else { return nil }
    self.test = test
  }

  private static func test(_ test: PathFilter.Test) -> Test? {
    switch test {
    case .any(let tests): return all(tests).map { .any($0) }
    case .all(let tests): return all(tests).map { .all($0) }
    case .not(let inner): return self.test(inner).map { .not($0) }
    case .exists(let query): return self.query(query).map { .exists($0) }
    case .compares(.query(let left), let comparison, .query(let right)):
      guard let left = query(left), let right = query(right) else { return nil }
      return .comparesValues(left, comparison, right)
    case .compares(.query(let query), let comparison, let operand):
      guard let query = self.query(query), let literal = literal(operand) else { return nil }
      return .compares(query, comparison, literal)
    case .compares(let operand, let comparison, .query(let query)):
      guard let query = self.query(query), let literal = literal(operand) else { return nil }
      return .compares(query, comparison.turned, literal)
    case .compares, .matches: return nil
    }
  }

  private static func all(_ tests: [PathFilter.Test]) -> [Test]? {
    let known = tests.compactMap(test)
    return known.count == tests.count ? known : nil
  }

  private static func query(_ query: PathFilter.Query) -> Query? {
    if query.isFromRoot { return nil }
    var keys: [[UInt8]] = []
    for step in query.steps {
      guard case .key(let key) = step,
        !key.utf8.contains(where: {
          $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
        })
      else { return nil }
      keys.append([UInt8(ascii: "\"")] + key.utf8 + [UInt8(ascii: "\"")])
    }
    return Query(keys: keys)
  }

  private static func literal(_ operand: PathFilter.Operand) -> Literal? {
    switch operand {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let text): ExactNumber(text).map { .number($0) }
    case .text(let text): .text(Array(text.utf8))
    case .query, .length, .count, .value: nil
    }
  }

  // MARK: Asking

  /// Whether the filter accepts the value of a row; nil if that cannot be said here.
  ///
  /// - Complexity: O(*n*) in the tokens of the row, for each path of the filter.
  func holds(for row: RecordRow) -> Bool? { holds(test, row) }

  // The parser bounds how deep these calls are.
  private func holds(_ test: Test, _ row: RecordRow) -> Bool? {
    switch test {
    case .any(let tests):
      for test in tests {
        guard let isTrue = holds(test, row) else { return nil }
        if isTrue { return true }
      }
      return false
    case .all(let tests):
      for test in tests {
        guard let isTrue = holds(test, row) else { return nil }
        if !isTrue { return false }
      }
      return true
    case .not(let test): return holds(test, row).map { !$0 }
    case .exists(let query):
      guard let value = value(of: query, in: row) else { return nil }
      if case .nothing = value { return false }
      return true
    case .compares(let query, let comparison, let literal):
      guard let value = value(of: query, in: row) else { return nil }
      return relation(of: value, to: literal).satisfies(comparison)
    case .comparesValues(let left, let comparison, let right):
      guard let left = value(of: left, in: row), let right = value(of: right, in: row),
        let relation = relation(of: left, to: right)
      else { return nil }
      return relation.satisfies(comparison)
    }
  }

  /// What is at a path; nil if that cannot be said here.
  private func value(of query: Query, in row: RecordRow) -> Value? {
    var cell = row.cells.pointee
    if cell.kind.isContainer {
      let place = row.place
      cell = RowCell(start: place.start, end: place.end, kind: cell.kind, isClosed: true)
    }
    for key in query.keys {
      guard cell.isClosed else { return .nothing }
      guard let member = row.member(key, in: RecordRow.Place(cell)) else { return nil }
      cell = member
    }
    switch cell.kind {
    case .absent: return .nothing
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .object, .array: return .container
    case .string:
      return cell.hasEscapes ? nil : .text(row.bytes(cell.start &+ 1, cell.end &- 1))
    default: return cell.kind.isNumber ? .number(row.bytes(cell.start, cell.end)) : nil
    }
  }

  private func relation(of value: Value, to literal: Literal) -> Relation {
    switch (value, literal) {
    case (.null, .null): .equal
    case (.bool(let value), .bool(let other)): value == other ? .equal : .unrelated
    case (.number(let text), .number(let number)): Relation(number.order(of: text))
    case (.text(let text), .text(let other)):
      other.withUnsafeBufferPointer { Relation(Self.order(of: text, to: $0)) }
    case (.nothing, _), (.null, _), (.bool, _), (.number, _), (.text, _), (.container, _):
      .unrelated
    }
  }

  /// Nil for two containers.
  private func relation(of value: Value, to other: Value) -> Relation? {
    switch (value, other) {
    case (.nothing, .nothing), (.null, .null): .equal
    case (.bool(let value), .bool(let other)): value == other ? .equal : .unrelated
    case (.number(let text), .number(let other)):
      Relation(ExactNumber.order(of: text, to: other))
    case (.text(let text), .text(let other)): Relation(Self.order(of: text, to: other))
    case (.container, .container): nil
    case (.nothing, _), (.null, _), (.bool, _), (.number, _), (.text, _), (.container, _):
      .unrelated
    }
  }

  /// The order by Unicode scalars: in UTF-8, it is that of the bytes.
  private static func order(of a: Bytes, to b: Bytes) -> Int {
    for (a, b) in zip(a, b) where a != b { return a < b ? -1 : 1 }
    return a.count - b.count
  }
}

extension PathFilter.Comparison {
  /// The same with its sides exchanged.
  fileprivate var turned: PathFilter.Comparison {
    switch self {
    case .equal, .unequal: self
    case .atMost: .atLeast
    case .atLeast: .atMost
    case .less: .greater
    case .greater: .less
    }
  }
}
