// Filters: RFC 9535, section 2.3.5.
extension PathParser {
  /// A part of a filter, before it is known what it is for.
  private enum Term {
    /// A path: as a condition, it asks whether there is something.
    case query(PathFilter.Query)
    case value(PathFilter.Operand)
    case test(PathFilter.Test)
  }

  /// How deep filters, parentheses and functions may be inside each other: they are read, and evaluated, by calls inside each other.
  private static let mostDepth = 32

  private mutating func deeper<Read>(
    _ read: (inout PathParser) throws(PathSyntaxError) -> Read
  ) throws(PathSyntaxError) -> Read {
    guard depth < Self.mostDepth else {
      throw fault("filters, parentheses and functions are more than \(Self.mostDepth) deep")
    }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  /// A mistake in a filter: it ends with what stands here for an operator or a word of another language.
  private func misread(_ reason: String) -> PathSyntaxError {
    let advice = OtherOperators.advice(at: position, in: scalars, .filter)
    return fault(advice.map { "\(reason): \($0)" } ?? reason)
  }

  /// Checks that what follows a filter ends it.
  func checkEnd() throws(PathSyntaxError) {
    guard position < scalars.count, !isAt(")"), !isAt("]"), !isAt(",") else { return }
    if OtherOperators.advice(at: position, in: scalars, .filter) != nil {
      throw misread("the filter should end here, or continue with && or ||")
    }
  }

  /// What follows `?`.
  mutating func filter() throws(PathSyntaxError) -> PathFilter.Test {
    let isOutside = !isInFilter
    isInFilter = true
    defer { if isOutside { isInFilter = false } }
    return try deeper { parser throws(PathSyntaxError) in try parser.alternatives() }
  }

  private mutating func alternatives() throws(PathSyntaxError) -> PathFilter.Test {
    var tests = [try conjunction()]
    while goesOn(with: "|", "|") { tests.append(try conjunction()) }
    return tests.count == 1 ? tests[0] : .any(tests)
  }

  private mutating func conjunction() throws(PathSyntaxError) -> PathFilter.Test {
    var tests = [try condition()]
    while goesOn(with: "&", "&") { tests.append(try condition()) }
    return tests.count == 1 ? tests[0] : .all(tests)
  }

  /// Takes an operator, and white space before it, if it comes next.
  private mutating func goesOn(with first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
    let before = position
    skipSpace()
    guard isAt(first, second) else {
      position = before
      return false
    }
    position += 2
    return true
  }

  private mutating func condition() throws(PathSyntaxError) -> PathFilter.Test {
    skipSpace()
    if isAt("!") {
      position += 1
      skipSpace()
      if isAt("(") { return .not(try inParentheses()) }
      let start = position
      return .not(try test(try term(), from: start))
    }
    if isAt("(") { return try inParentheses() }
    let start = position
    let left = try term()
    let end = position
    skipSpace()
    guard let comparison = comparison() else {
      position = end
      return try test(left, from: start)
    }
    let operand = try self.operand(left, from: start)
    skipSpace()
    let other = position
    return .compares(operand, comparison, try self.operand(try term(), from: other))
  }

  private mutating func inParentheses() throws(PathSyntaxError) -> PathFilter.Test {
    position += 1
    let test = try deeper { parser throws(PathSyntaxError) in try parser.alternatives() }
    skipSpace()
    try checkEnd()
    guard isAt(")") else { throw fault(") is missing") }
    position += 1
    return test
  }

  private mutating func comparison() -> PathFilter.Comparison? {
    // The longer operators come first.
    let comparison = PathFilter.Comparison.allCases.first {
      scalars[position...].starts(with: $0.rawValue.unicodeScalars)
    }
    position += comparison?.rawValue.utf8.count ?? 0
    return comparison
  }

  /// A term as a condition.
  private func test(_ term: Term, from start: Int) throws(PathSyntaxError) -> PathFilter.Test {
    switch term {
    case .query(let query): return .exists(query)
    case .test(let test): return test
    case .value:
      throw PathSyntaxError(
        path: text, offset: start, reason: "a value alone is no condition; compare it, as in == 1")
    }
  }

  /// A term as one value.
  private func operand(_ term: Term, from start: Int) throws(PathSyntaxError)
    -> PathFilter.Operand
  {
    let reason: String
    switch term {
    case .value(let operand): return operand
    case .query(let query):
      if query.isSingular { return .query(query) }
      reason = "\(query) may select several values; count(…) and value(…) make one of them"
    case .test(let test): reason = "\(test) is true or false; only values are compared"
    }
    throw PathSyntaxError(path: text, offset: start, reason: reason)
  }

  // MARK: Terms

  private mutating func term() throws(PathSyntaxError) -> Term {
    guard position < scalars.count else { throw fault("it ends inside a filter") }
    switch scalars[position] {
    case "@", "$": return .query(try query())
    case "'", "\"": return .value(.text(try quoted()))
    case "0"..."9", "-": return .value(.number(try number()))
    case "a"..."z": return try named()
    default: throw misread("a path from @ or $, a value or a function must stand here")
    }
  }

  private mutating func query() throws(PathSyntaxError) -> PathFilter.Query {
    let isFromRoot = isAt("$")
    position += 1
    var steps: [PathPattern.Step] = []
    try readSegments(into: &steps)
    return PathFilter.Query(isFromRoot: isFromRoot, steps)
  }

  /// A number as JSON has it.
  private mutating func number() throws(PathSyntaxError) -> String {
    let start = position
    if isAt("-") { position += 1 }
    let isZero = isAt("0")
    var isNumber = isAtDigit
    let first = position
    skipDigits()
    if isZero, position > first + 1 { isNumber = false }
    if isAt(".") {
      position += 1
      isNumber = isNumber && isAtDigit
      skipDigits()
    }
    if isAt("e") || isAt("E") {
      position += 1
      if isAt("+") || isAt("-") { position += 1 }
      isNumber = isNumber && isAtDigit
      skipDigits()
    }
    let number = String(String.UnicodeScalarView(scalars[start..<position]))
    if isNumber { return number }
    position = start
    throw fault("not a number")
  }

  private mutating func skipDigits() { while isAtDigit { position += 1 } }

  /// `true`, `false`, `null` or a function.
  private mutating func named() throws(PathSyntaxError) -> Term {
    let start = position
    var name = ""
    while position < scalars.count, scalars[position].isFunctionName {
      name.unicodeScalars.append(scalars[position])
      position += 1
    }
    guard isAt("(") else {
      switch name {
      case "true", "false": return .value(.bool(name == "true"))
      case "null": return .value(.null)
      default:
        position = start
        throw misread("'\(name)' is no value; a path starts with @ or $, a text has quotes")
      }
    }
    guard let function = Function(rawValue: name) else {
      position = start
      let all = Function.allCases.map(\.rawValue).joined(separator: ", ")
      throw misread("there is no function '\(name)'; there are \(all)")
    }
    position += 1
    let term = try deeper { parser throws(PathSyntaxError) in try parser.call(function) }
    skipSpace()
    guard isAt(")") else { throw fault(") is missing") }
    position += 1
    return term
  }

  private enum Function: String, CaseIterable {
    case length, count, match, search, value
  }

  private mutating func call(_ function: Function) throws(PathSyntaxError) -> Term {
    switch function {
    case .length: return .value(.length(try argument()))
    case .count: return .value(.count(try paths(of: "count")))
    case .value: return .value(.value(try paths(of: "value")))
    case .match, .search:
      let subject = try argument()
      skipSpace()
      guard isAt(",") else { throw fault("a comma and a pattern are missing") }
      position += 1
      return .test(.matches(subject, try pattern(), isWhole: function == .match))
    }
  }

  private mutating func argument() throws(PathSyntaxError) -> PathFilter.Operand {
    skipSpace()
    let start = position
    return try operand(try term(), from: start)
  }

  private mutating func paths(of function: String) throws(PathSyntaxError) -> PathFilter.Query {
    skipSpace()
    let start = position
    if case .query(let query) = try term() { return query }
    position = start
    throw fault("\(function) takes a path from @ or $")
  }

  private mutating func pattern() throws(PathSyntaxError) -> PathFilter.Pattern {
    skipSpace()
    let start = position
    guard let patterns else {
      throw fault("match and search are for mapping files and the command: they need RE2")
    }
    let operand = try argument()
    guard case .text(let written) = operand else {
      return PathFilter.Pattern(operand: operand, patterns: patterns, prepared: nil)
    }
    do {
      return PathFilter.Pattern(
        operand: operand, patterns: patterns, prepared: try patterns.make(written))
    } catch {
      position = start
      throw fault("\(error)")
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isFunctionName: Bool {
    ("a"..."z").contains(self) || ("0"..."9").contains(self) || self == "_"
  }
}
