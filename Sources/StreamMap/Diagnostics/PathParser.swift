/// Reads the text of a path, except for JSON Pointers.
struct PathParser {
  let text: String
  let scalars: [Unicode.Scalar]
  var position = 0
  /// Whether a step that means several values, or counts from the end, is a mistake.
  private let isSingle: Bool
  /// What makes the patterns of filters; nil if there are none.
  let patterns: TextPatterns?
  /// How many filters, parentheses and functions are open.
  var depth = 0
  /// Whether the path is one of a filter.
  var isInFilter = false

  init(_ text: String, isSingle: Bool = false, patterns: TextPatterns? = nil) {
    self.text = text
    self.isSingle = isSingle
    self.patterns = patterns
    self.scalars = Array(text.unicodeScalars)
  }

  mutating func steps() throws(PathSyntaxError) -> [PathPattern.Step] {
    guard let first = scalars.first else {
      throw fault("it is empty; the value itself is written $")
    }
    if first.isPathSpace { throw fault("white space stands before the path") }
    if first == ".", !isAt(".", ".") { throw fault(Self.leadingDot(text)) }
    var steps: [PathPattern.Step] = []
    if isAtRoot {
      position = 1
    } else if first != "[", !isAt(".", ".") {
      steps.append(try nameOrWildcard())
      try check(steps, from: 0)
    }
    try readSegments(into: &steps)
    if position == scalars.count { return steps }
    throw fault(
      scalars[position].isPathSpace
        ? "white space stands after the path" : "a dot or [ is missing")
  }

  /// Whether a `$` is the root, and not a part of a name.
  private var isAtRoot: Bool {
    guard scalars[0] == "$" else { return false }
    guard scalars.count > 1 else { return true }
    return scalars[1] == "." || scalars[1] == "[" || scalars[1].isPathSpace
  }

  /// Reads segments as long as there are any.
  mutating func readSegments(into steps: inout [PathPattern.Step]) throws(PathSyntaxError) {
    while true {
      let before = position
      skipSpace()
      let start = position
      if isAt(".", ".") {
        position += 2
        steps.append(.descendants(try descendant()))
      } else if isAt(".") {
        position += 1
        steps.append(try nameOrWildcard())
      } else if isAt("[") {
        steps.append(try bracket())
      } else {
        position = before
        return
      }
      try check(steps, from: start)
    }
  }

  private func check(_ steps: [PathPattern.Step], from start: Int) throws(PathSyntaxError) {
    guard isSingle, !isInFilter, let reason = steps.last?.refusalInField else { return }
    throw PathSyntaxError(path: text, offset: start, reason: reason)
  }

  /// What to write instead of a path of jq.
  private static func leadingDot(_ text: String) -> String {
    let rest = String(text.dropFirst()).replacing("[]", with: "[*]")
    let meant = rest.isEmpty ? "$" : rest.hasPrefix("[") ? "$\(rest)" : rest
    let isPath = !meant.hasPrefix(".") && (try? PathPattern(parsing: meant)) != nil
    return "a path does not start with a dot" + (isPath ? "; write \(meant)" : "")
  }

  func isAt(_ expected: Unicode.Scalar...) -> Bool {
    scalars[position...].starts(with: expected)
  }

  mutating func skipSpace() {
    while position < scalars.count, scalars[position].isPathSpace { position += 1 }
  }

  // MARK: Names

  /// What follows `..`.
  private mutating func descendant() throws(PathSyntaxError) -> PathPattern.Step {
    isAt("[") ? try bracket() : try nameOrWildcard()
  }

  /// A name, or the `*` that stands for all.
  private mutating func nameOrWildcard() throws(PathSyntaxError) -> PathPattern.Step {
    if position < scalars.count, scalars[position].isPathSpace {
      throw fault("white space stands before a name")
    }
    guard isAt("*") else { return .key(try name()) }
    position += 1
    if isInFilter || isNameOver { return .wildcard }
    position -= 1
    return .key(try name())
  }

  /// Whether a name ends here: white space belongs to it only if more of it follows.
  private var isNameOver: Bool {
    if isInFilter {
      return position == scalars.count || !JSONPath.isName(String(scalars[position]))
    }
    let next = scalars[position...].first { !$0.isPathSpace }
    return next == nil || next == "[" || next == "."
  }

  private mutating func name() throws(PathSyntaxError) -> String {
    var name = String.UnicodeScalarView()
    while !isNameOver {
      guard scalars[position] != "]" else { throw fault("] without [") }
      name.append(scalars[position])
      position += 1
    }
    guard !name.isEmpty else { throw fault("a name is missing") }
    let text = String(name)
    if let operation = Self.operation(in: text) {
      position -= name.count - operation
      throw fault(
        "this is a calculation, not a path: see calc in mapping files;"
          + " if it is a key, quote it: \(JSONPath([.key(text)]).description.dropFirst())")
    }
    return text
  }

  /// Where a name has an operator after its first part, as in `ms * 2`: this is hardly meant as a key.
  private static func operation(in name: String) -> Int? {
    let words = name.split(separator: " ", omittingEmptySubsequences: false)
    let operators = [
      "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "|", "||", "&&", "??", "//",
    ]
    guard let word = words.dropFirst().firstIndex(where: { operators.contains(String($0)) })
    else { return nil }
    return words[..<word].reduce(0) { $0 + $1.unicodeScalars.count + 1 }
  }

  // MARK: Brackets

  private mutating func bracket() throws(PathSyntaxError) -> PathPattern.Step {
    position += 1
    var selectors: [PathPattern.Step] = []
    repeat {
      if !selectors.isEmpty { position += 1 }
      skipSpace()
      selectors.append(try selector(isFirst: selectors.isEmpty))
      skipSpace()
    } while isAt(",")
    guard isAt("]") else { throw fault("] is missing") }
    position += 1
    return selectors.count == 1 ? selectors[0] : .anyOf(selectors)
  }

  private mutating func selector(isFirst: Bool) throws(PathSyntaxError) -> PathPattern.Step {
    guard position < scalars.count else { throw fault("it ends inside [") }
    switch scalars[position] {
    case "*":
      position += 1
      return .wildcard
    case "'", "\"": return .key(try quoted())
    case "0"..."9", "-", ":": return try indices()
    case "?":
      position += 1
      let test = try filter()
      skipSpace()
      try checkEnd()
      return .filter(PathFilter(test: test))
    case "]": throw fault(isFirst ? "for every element write [*]" : "nothing follows the comma")
    default: throw fault("an index, a slice, *, ? or a quoted key must follow [")
    }
  }

  /// An index, or a slice.
  private mutating func indices() throws(PathSyntaxError) -> PathPattern.Step {
    let first = isAt(":") ? nil : try index()
    let end = position
    skipSpace()
    guard isAt(":") else {
      position = end
      // There is no index without digits, and a slice has a colon.
      return .index(first ?? 0)
    }
    let to = try part()
    skipSpace()
    let by = isAt(":") ? try part() ?? 1 : 1
    return .elements(from: first ?? (by > 0 ? 0 : nil), to: to, by: by)
  }

  /// The index after a colon of a slice, if there is one.
  private mutating func part() throws(PathSyntaxError) -> Int? {
    position += 1
    skipSpace()
    return isAt("-") || isAtDigit ? try index() : nil
  }

  var isAtDigit: Bool {
    position < scalars.count && ("0"..."9").contains(scalars[position])
  }

  /// The indices that RFC 9535 allows: those that a `Double` holds exactly.
  private static let largestIndex = 1 << 53 - 1

  private mutating func index() throws(PathSyntaxError) -> Int {
    let start = position
    var digits = isAt("-") ? "-" : ""
    position += digits.utf8.count
    while isAtDigit {
      digits.unicodeScalars.append(scalars[position])
      position += 1
    }
    guard let index = Int(digits), index.magnitude <= UInt(Self.largestIndex), digits == "\(index)"
    else {
      position = start
      throw fault("not an index")
    }
    return index
  }

  mutating func quoted() throws(PathSyntaxError) -> String {
    do throws(QuotedText.Fault) {
      let quoted = try QuotedText(scalars, at: position)
      position = quoted.end
      return quoted.text
    } catch {
      position = error.offset
      throw fault(error.reason)
    }
  }

  func fault(_ reason: String) -> PathSyntaxError {
    PathSyntaxError(path: text, offset: position, reason: reason)
  }
}

extension Unicode.Scalar {
  /// The white space of RFC 9535.
  var isPathSpace: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }
}
