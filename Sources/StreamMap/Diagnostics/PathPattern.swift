/// A path as users write it, which selects values of a document: JSONPath, as RFC 9535 has it.
///
/// The root `$` may be left out, and names may have `-` and other signs (`user.first-name`): RFC 9535 does not have this. JSON
/// Pointers (RFC 6901: `/user/name`) are also accepted.
///
/// A path selects each value once, in the order of the document, whatever the order of its selectors. Only a slice that
/// runs backwards (`[::-1]`) takes its array from the end.
///
/// ```swift
/// try PathPattern(parsing: "$.statuses[*]").steps  // [.key("statuses"), .wildcard]
/// try PathPattern(parsing: "$.users.*").steps      // [.key("users"), .wildcard]
/// try PathPattern(parsing: "a['b.c'][0]").steps    // [.key("a"), .key("b.c"), .index(0)]
/// try PathPattern(parsing: "$.rows[1:]").steps     // [.key("rows"), .elements(from: 1, to: nil, by: 1)]
/// try PathPattern(parsing: "$..item").steps        // [.descendants(.key("item"))]
/// try PathPattern(parsing: "$.rows[0,2]").steps    // [.key("rows"), .anyOf([.index(0), .index(2)])]
/// try PathPattern(parsing: "$.rows[?@.n > 3]").description  // $.rows[?@.n > 3]
/// try PathPattern(parsing: "a[")                   // throws: it ends inside [
/// ```
public struct PathPattern: Sendable, Hashable {
  /// One step of a pattern.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Step: Sendable, Hashable {
    /// The member with this key.
    case key(String)
    /// The element with this zero-based index; a negative one counts from the end: -1 is the last.
    case index(Int)
    /// Every element of an array, and every member of an object.
    case wildcard
    /// A slice: every so many elements from one index up to, but not including, another; without one, from the first or up to the
    /// last.
    ///
    /// Negative indices count from the end. A negative number of elements takes the array from its end. With 0, there are none.
    case elements(from: Int?, to: Int?, by: Int)
    /// The elements and members that a filter accepts.
    case filter(PathFilter)
    /// What at least one of several selectors selects, as in `[0,2]`.
    ///
    /// None of them is ``anyOf(_:)`` or ``descendants(_:)``.
    case anyOf([Step])
    /// What a selector, or several, select at any depth.
    indirect case descendants(Step)
  }

  /// The steps from the root inwards; without steps, the path is the root itself.
  public var steps: [Step]

  /// A pattern of these steps.
  public init(_ steps: [Step]) {
    self.steps = steps
  }

  /// Reads a path from its text.
  ///
  /// - Parameter text: A path in the notation above.
  /// - Throws: ``PathSyntaxError``, which says what is wrong and where.
  public init(parsing text: String) throws(PathSyntaxError) {
    if text.hasPrefix("/") {
      self.init(Self.pointerSteps(text))
    } else {
      var parser = PathParser(text)
      self.init(try parser.steps())
    }
  }

  /// Reads a path whose filters may match texts with patterns; see ``init(parsing:)``.
  package init(parsing text: String, patterns: TextPatterns) throws(PathSyntaxError) {
    if text.hasPrefix("/") {
      self.init(Self.pointerSteps(text))
    } else {
      var parser = PathParser(text, patterns: patterns)
      self.init(try parser.steps())
    }
  }

  /// RFC 6901: each `/` starts a token; `~1` is `/`, `~0` is `~`; a token of digits is an index.
  private static func pointerSteps(_ text: String) -> [Step] {
    // By bytes: what follows a slash may combine with it to one character of Swift.
    text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map
    {
      token in
      if !token.isEmpty, token.allSatisfy({ (0x30...0x39).contains($0) }),
        token.count == 1 || token.first != UInt8(ascii: "0"),
        let index = Int(String(decoding: token, as: UTF8.self))
      {
        return .index(index)
      }
      let key = Array(token).replacing("~1".utf8, with: "/".utf8).replacing(
        "~0".utf8, with: "~".utf8)
      return .key(String(decoding: key, as: UTF8.self))
    }
  }

  /// The path of one value, read from its text.
  ///
  /// - Throws: ``PathSyntaxError`` if the text is no path, or one that may select several values.
  static func single(parsing text: String) throws(PathSyntaxError) -> JSONPath {
    let steps: [Step]
    if text.hasPrefix("/") {
      steps = pointerSteps(text)
    } else {
      var parser = PathParser(text, isSingle: true)
      steps = try parser.steps()
    }
    return JSONPath(
      steps.compactMap { step in
        switch step {
        case .key(let key): .key(key)
        case .index(let index): .index(index)
        // The parser refuses them.
        case .wildcard, .elements, .filter, .anyOf, .descendants: nil
        }
      })
  }
}

extension PathPattern: CustomStringConvertible {
  /// The pattern from the root `$`.
  public var description: String {
    steps.reduce("$") { $0 + $1.description }
  }
}

extension PathPattern.Step: CustomStringConvertible {
  /// The step as it is written in a path: `.name`, `['a.b']`, `[0]`, `[*]` (also for `.*`), `[1:3]`, `[?@.a]`, `[0,2]`, `..name`.
  public var description: String {
    switch self {
    case .key(let key): String(JSONPath([.key(key)]).description.dropFirst())
    case .index, .wildcard, .elements, .filter, .anyOf: "[\(selector)]"
    case .descendants(let step):
      (step.description.hasPrefix(".") ? "." : "..") + step.description
    }
  }

  /// The step as it is written in brackets.
  private var selector: String {
    switch self {
    case .key(let key): return JSONPath.quoted(key)
    case .index(let index): return "\(index)"
    case .wildcard: return "*"
    case .elements(let first, let end, let by):
      let ends = [first, end].map { $0.map { "\($0)" } ?? "" }.joined(separator: ":")
      return by == 1 ? ends : "\(ends):\(by)"
    case .filter(let filter): return "?\(filter)"
    case .anyOf(let steps): return steps.map(\.selector).joined(separator: ",")
    case .descendants(let step): return step.selector
    }
  }
}

extension PathPattern.Step {
  /// Whether the step may select several values of one document.
  package var meansSeveral: Bool {
    switch self {
    case .key, .index: false
    case .wildcard, .elements, .filter, .anyOf, .descendants: true
    }
  }

  /// Why the step cannot be in a path to one value of a record; nil if it can.
  package var refusalInField: String? {
    if case .index(let index) = self, index < 0 { return Self.fromTheEnd }
    return meansSeveral ? "\(self) means several values here" : nil
  }

  /// Why the step cannot be in a path to the values of a record; nil if it can.
  package var refusalInRecord: String? {
    asksForRoot
      ? "in a field a filter looks at the values that it chooses from, and not at $" : nil
  }

  // A record is mapped while it is read, so the length of an array is not known yet.
  static var fromTheEnd: String {
    "an array is read from its start, so an index cannot count from its end"
  }

  /// Whether the key or the index of a value tells alone whether the step leads there, and at one level.
  package var isFixed: Bool {
    switch self {
    case .key, .wildcard: true
    case .index(let index): index >= 0
    case .elements(_, _, let by): by == 1 && !countsFromEnd
    case .filter, .anyOf, .descendants: false
    }
  }

  /// Whether the step needs to know the length of its array.
  var countsFromEnd: Bool {
    switch self {
    case .key, .wildcard, .filter: false
    case .index(let index): index < 0
    case .elements(let first, let end, let by): first ?? 0 < 0 || end ?? 0 < 0 || by < 0
    case .anyOf(let steps): steps.contains(where: \.countsFromEnd)
    case .descendants(let step): step.countsFromEnd
    }
  }

  /// Whether the step looks at values of the whole document, from its root `$`.
  var asksForRoot: Bool {
    switch self {
    case .key, .index, .wildcard, .elements: false
    case .filter(let filter): filter.asksForRoot
    case .anyOf(let steps): steps.contains(where: \.asksForRoot)
    case .descendants(let step): step.asksForRoot
    }
  }

  /// What the step is made of.
  var segment: PathSegment {
    switch self {
    case .key, .index, .wildcard, .elements, .filter: PathSegment(selectors: [self])
    case .anyOf(let steps): PathSegment(selectors: steps)
    case .descendants(let step):
      PathSegment(selectors: step.segment.selectors, isDescendant: true)
    }
  }
}

/// A step of a path, taken apart.
struct PathSegment: Sendable, Hashable {
  /// What one of these selects is selected: keys, indices, slices, filters and `*`.
  let selectors: [PathPattern.Step]
  /// Whether at any depth.
  var isDescendant = false
}

/// A path that cannot be read.
///
/// ```swift
/// "\(PathSyntaxError(path: "a.", offset: 2, reason: "a name is missing"))"
/// // path 'a.': a name is missing (at character 3)
/// ```
public struct PathSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path as it was written.
  public let path: String
  /// The place of the mistake: a zero-based offset in Unicode scalars.
  public let offset: Int
  /// What is wrong.
  public let reason: String

  /// The path, its mistake, and the place of the mistake.
  public var description: String { "path '\(path)': \(reason) (at character \(offset + 1))" }
}
