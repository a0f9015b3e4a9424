/// A filter of a path, as RFC 9535, section 2.3.5 has it: it accepts values, which it calls `@`.
///
/// ```swift
/// try PathPattern(parsing: "$.items[?@.active == true && @.n > 3]")
/// try PathPattern(parsing: "$.items[?!@.deleted]")
/// ```
///
/// There are comparisons of single values, tests whether a path finds something, `&&`, `||`, `!`, and the functions `length`,
/// `count` and `value`. Numbers are compared exactly, and texts by code points. `match` and `search` need RE2: mapping
/// files and the command have them. Filters are made by reading a path.
public struct PathFilter: Sendable, Hashable {
  /// What is true or false of a value.
  indirect enum Test: Sendable, Hashable {
    case any([Test])
    case all([Test])
    case not(Test)
    /// A path selects something.
    case exists(Query)
    case compares(Operand, Comparison, Operand)
    /// A text matches a pattern: the whole text, or a part of it.
    case matches(Operand, Pattern, isWhole: Bool)
  }

  enum Comparison: String, Sendable, CaseIterable {
    case equal = "=="
    case unequal = "!="
    case atMost = "<="
    case atLeast = ">="
    case less = "<"
    case greater = ">"
  }

  /// One value, or nothing.
  indirect enum Operand: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number, as it is written.
    case number(String)
    case text(String)
    /// What is at a path to one value.
    case query(Query)
    /// The characters of a text, the elements of an array, or the members of an object.
    case length(Operand)
    /// How many values a path selects.
    case count(Query)
    /// What a path selects, if that is one value.
    case value(Query)
  }

  /// A path from the value that is asked about, or from the root of the document.
  struct Query: Sendable, Hashable {
    let isFromRoot: Bool
    let steps: [PathPattern.Step]
    let segments: [PathSegment]

    init(isFromRoot: Bool, _ steps: [PathPattern.Step]) {
      self.isFromRoot = isFromRoot
      self.steps = steps
      segments = steps.map(\.segment)
    }

    /// Whether it selects at most one value.
    var isSingular: Bool { !steps.contains(where: \.meansSeveral) }
  }

  /// The pattern that texts are matched with.
  struct Pattern: Sendable, Hashable {
    let operand: Operand
    let patterns: TextPatterns
    /// The pattern itself, where the path says it.
    let prepared: (any TextPattern)?

    static func == (a: Pattern, b: Pattern) -> Bool { a.operand == b.operand }
    func hash(into hasher: inout Hasher) { hasher.combine(operand) }
  }

  let test: Test
}

/// A pattern of RFC 9485 (I-Regexp) that texts can be matched with.
package protocol TextPattern: AnyObject, Sendable {
  /// Whether a text of UTF-8 matches: all of it, or any part.
  func matches(_ text: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> Bool
}

/// Makes patterns; the library itself has none.
package struct TextPatterns: Sendable {
  /// The pattern of a text; throws what is wrong with it.
  package let make: @Sendable (String) throws -> any TextPattern

  package init(_ make: @escaping @Sendable (String) throws -> any TextPattern) {
    self.make = make
  }
}

extension PathFilter {
  /// Whether it looks at the document from its root.
  var asksForRoot: Bool { test.asksForRoot }
}

extension PathFilter.Test {
  fileprivate var asksForRoot: Bool {
    switch self {
    case .any(let tests), .all(let tests): tests.contains(where: \.asksForRoot)
    case .not(let test): test.asksForRoot
    case .exists(let query): query.asksForRoot
    case .compares(let left, _, let right): left.asksForRoot || right.asksForRoot
    case .matches(let text, let pattern, _): text.asksForRoot || pattern.operand.asksForRoot
    }
  }
}

extension PathFilter.Operand {
  fileprivate var asksForRoot: Bool {
    switch self {
    case .null, .bool, .number, .text: false
    case .query(let query), .count(let query), .value(let query): query.asksForRoot
    case .length(let operand): operand.asksForRoot
    }
  }
}

extension PathFilter.Query {
  fileprivate var asksForRoot: Bool { isFromRoot || steps.contains(where: \.asksForRoot) }
}

// MARK: As text

extension PathFilter: CustomStringConvertible {
  /// The filter as it is written after `?`.
  public var description: String { test.description }
}

extension PathFilter.Test: CustomStringConvertible {
  var description: String {
    switch self {
    case .any(let tests): tests.map(\.description).joined(separator: " || ")
    case .all(let tests): tests.map(\.grouped).joined(separator: " && ")
    case .not(let test): "!\(test.negated)"
    case .exists(let query): query.description
    case .compares(let left, let comparison, let right):
      "\(left) \(comparison.rawValue) \(right)"
    case .matches(let text, let pattern, let isWhole):
      "\(isWhole ? "match" : "search")(\(text), \(pattern.operand))"
    }
  }

  /// As a part of `&&`.
  private var grouped: String {
    if case .any = self { "(\(self))" } else { description }
  }

  /// After `!`.
  private var negated: String {
    switch self {
    case .exists, .matches: description
    case .any, .all, .not, .compares: "(\(self))"
    }
  }
}

extension PathFilter.Operand: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): text
    case .text(let text): JSONPath.quoted(text)
    case .query(let query): query.description
    case .length(let operand): "length(\(operand))"
    case .count(let query): "count(\(query))"
    case .value(let query): "value(\(query))"
    }
  }
}

extension PathFilter.Query: CustomStringConvertible {
  var description: String { steps.reduce(isFromRoot ? "$" : "@") { $0 + $1.description } }
}
