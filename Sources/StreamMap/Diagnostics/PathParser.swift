/// Reads the text of a path, except for JSON Pointers.
struct PathParser {
  private let text: String
  private let scalars: [Unicode.Scalar]
  private var position = 0
  /// Whether a step that means several values is a mistake.
  private let isSingle: Bool

  init(_ text: String, isSingle: Bool = false) {
    self.text = text
    self.isSingle = isSingle
    self.scalars = Array(text.unicodeScalars)
  }

  mutating func steps() throws(PathSyntaxError) -> [PathPattern.Step] {
    var steps: [PathPattern.Step] = []
    guard !scalars.isEmpty else { throw fault("it is empty; the value itself is written $") }
    if scalars[0] == ".", !isAt(".", ".") { throw fault(Self.leadingDot(text)) }
    if scalars[0] == "$" && (scalars.count == 1 || scalars[1] == "." || scalars[1] == "[") {
      position = 1
    } else if scalars[0] != "[", !isAt(".", ".") {
      steps.append(try nameOrWildcard())
      try check(steps, from: 0)
    }
    while position < scalars.count {
      let start = position
      if isAt(".", ".") {
        position += 2
        steps.append(.descendants(try descendant()))
      } else if scalars[position] == "." {
        position += 1
        steps.append(try nameOrWildcard())
      } else if scalars[position] == "[" {
        position += 1
        steps.append(try bracket())
      } else {
        throw fault("a dot or [ is missing")
      }
      try check(steps, from: start)
    }
    return steps
  }

  private func check(_ steps: [PathPattern.Step], from start: Int) throws(PathSyntaxError) {
    guard isSingle, let step = steps.last, step.meansSeveral else { return }
    throw PathSyntaxError(path: text, offset: start, reason: "\(step) means several values here")
  }

  /// What to write instead of a path of jq.
  private static func leadingDot(_ text: String) -> String {
    let rest = String(text.dropFirst()).replacing("[]", with: "[*]")
    let meant = rest.isEmpty ? "$" : rest.hasPrefix("[") ? "$\(rest)" : rest
    let isPath = !meant.hasPrefix(".") && (try? PathPattern(parsing: meant)) != nil
    return "a path does not start with a dot" + (isPath ? "; write \(meant)" : "")
  }

  private func isAt(_ expected: Unicode.Scalar...) -> Bool {
    scalars[position...].starts(with: expected)
  }

  /// The name after `..`.
  private mutating func descendant() throws(PathSyntaxError) -> String {
    if isAt("*") { throw fault("a name must follow ..") }
    guard isAt("[") else { return try name() }
    let start = position
    position += 1
    if case .key(let key) = try bracket() { return key }
    position = start
    throw fault("a name must follow ..")
  }

  /// A name, or the `*` that stands for all.
  private mutating func nameOrWildcard() throws(PathSyntaxError) -> PathPattern.Step {
    guard isAt("*") else { return .key(try name()) }
    let next = position + 1
    guard next == scalars.count || scalars[next] == "." || scalars[next] == "[" else {
      return .key(try name())
    }
    position = next
    return .wildcard
  }

  private mutating func name() throws(PathSyntaxError) -> String {
    var name = String.UnicodeScalarView()
    while position < scalars.count, scalars[position] != ".", scalars[position] != "[" {
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

  /// Where a name has an operator between two parts, as in `ms * 2`: this is hardly meant as a key.
  private static func operation(in name: String) -> Int? {
    let words = name.split(separator: " ", omittingEmptySubsequences: false)
    let operators = [
      "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "|", "||", "&&", "??", "//",
    ]
    guard
      let word = words.dropFirst().dropLast().firstIndex(where: { operators.contains(String($0)) })
    else { return nil }
    return words[..<word].reduce(0) { $0 + $1.unicodeScalars.count + 1 }
  }

  private mutating func bracket() throws(PathSyntaxError) -> PathPattern.Step {
    guard position < scalars.count else { throw fault("it ends inside [") }
    let step: PathPattern.Step
    switch scalars[position] {
    case "*":
      position += 1
      step = .wildcard
    case "'", "\"":
      step = .key(try quoted())
    case "0"..."9", ":": step = try indices()
    case "-": throw fault(Self.fromTheEnd)
    case "]": throw fault("for every element write [*]")
    case "?": throw fault("a path has no filters; records are chosen by where in mapping files")
    default:
      throw fault("an index, a slice, * or a quoted key must follow [")
    }
    guard position < scalars.count, scalars[position] == "]" else { throw fault("] is missing") }
    position += 1
    return step
  }

  // The length of an array is known only at its end, when its records are already gone.
  private static var fromTheEnd: String {
    "an array is read from its start, so an index cannot count from its end"
  }

  /// An index, or both indices of a slice.
  private mutating func indices() throws(PathSyntaxError) -> PathPattern.Step {
    let start = position
    let first = scalars[position] == ":" ? 0 : try index()
    guard isAt(":") else { return .index(first) }
    position += 1
    if isAt("-") { throw fault(Self.fromTheEnd) }
    let end = isAtDigit ? try index() : nil
    if isAt(":") {
      position += 1
      if !isAt("]"), !isAt("1", "]") {
        throw fault(
          "a slice cannot have a step; it takes every element from the first index to before the second"
        )
      }
      if isAt("1") { position += 1 }
    }
    if let end, end <= first {
      position = start
      throw fault("the slice from \(first) to before \(end) is empty")
    }
    return .elements(from: first, to: end)
  }

  private var isAtDigit: Bool {
    position < scalars.count && ("0"..."9").contains(scalars[position])
  }

  private mutating func index() throws(PathSyntaxError) -> Int {
    let start = position
    var digits = ""
    while position < scalars.count, ("0"..."9").contains(scalars[position]) {
      digits.unicodeScalars.append(scalars[position])
      position += 1
    }
    guard let index = Int(digits), index < .max, digits == "0" || digits.first != "0" else {
      position = start
      throw fault("not an index")
    }
    return index
  }

  private mutating func quoted() throws(PathSyntaxError) -> String {
    do throws(QuotedText.Fault) {
      let quoted = try QuotedText(scalars, at: position)
      position = quoted.end
      return quoted.text
    } catch {
      position = error.offset
      throw fault(error.reason)
    }
  }

  private func fault(_ reason: String) -> PathSyntaxError {
    PathSyntaxError(path: text, offset: position, reason: reason)
  }
}
