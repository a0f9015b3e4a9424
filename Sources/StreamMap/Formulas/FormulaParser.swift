/// Reads a formula, and checks the kinds of its parts as far as they are known from its text.
///
/// Paths are values of any kind: whether these fit is known when a record comes. From the loosest to the closest:
/// `or`, `and`, `not`, comparisons (which cannot be chained), `+ -`, `* / %`, the sign, `??`.
struct FormulaParser {
  /// What a part may be.
  private struct Kinds: OptionSet {
    let rawValue: UInt8
    static let number = Kinds(rawValue: 1)
    static let string = Kinds(rawValue: 2)
    static let boolean = Kinds(rawValue: 4)
    static let container = Kinds(rawValue: 8)
    /// Absent or null.
    static let missing = Kinds(rawValue: 16)
    static let any: Kinds = [.number, .string, .boolean, .container, .missing]

    /// As in “a number or a string”.
    var phrase: String {
      var words: [String] = []
      if contains(.number) { words.append("a number") }
      if contains(.string) { words.append("a string") }
      if contains(.boolean) { words.append("true or false") }
      if contains(.container) { words.append("an array or an object") }
      if contains(.missing), words.isEmpty { words.append("null") }
      return words.joined(separator: " or ")
    }
  }

  private struct Part {
    var kinds: Kinds
    /// An offset.
    let start: Int
    var isNull = false
  }

  /// How deep parentheses, signs and functions may be inside each other.
  static let mostDepth = 64

  private var scanner: FormulaScanner
  private var code: FormulaCode
  private let arguments: [ExactText: JSONValue]
  private let context: [ExactText: Int]
  private var depth = 0

  /// Adds a formula's steps to the code.
  ///
  /// - Parameters:
  ///   - formula: The formula.
  ///   - isCondition: Whether it has to be true or false.
  ///   - code: What the steps are added to.
  /// - Throws: ``FormulaSyntaxError``.
  static func parse(
    _ formula: FormulaText, isCondition: Bool, into code: inout FormulaCode
  ) throws(FormulaSyntaxError) {
    code.begin(formula.text)
    var parser = FormulaParser(
      scanner: try FormulaScanner(formula.text), code: code, formula)
    if parser.scanner.token == .end { throw parser.scanner.fault("the formula is empty") }
    let whole = try parser.alternative()
    guard parser.scanner.token == .end else {
      throw parser.scanner.fault("an operator is missing, or there is something extra")
    }
    if isCondition { try parser.check(whole, is: .boolean, "a condition") }
    if let places = formula.places {
      try parser.check(whole, is: .number, "round")
      parser.code.add(.round, places, takes: 1, at: whole.start)
    }
    code = parser.code
  }

  private init(scanner: FormulaScanner, code: FormulaCode, _ formula: FormulaText) {
    self.scanner = scanner
    self.code = code
    arguments = formula.arguments
    context = formula.context
  }

  private func check(_ part: Part, is kinds: Kinds, _ owner: String) throws(FormulaSyntaxError) {
    guard part.kinds.isDisjoint(with: kinds) else { return }
    throw FormulaSyntaxError(
      scanner.text, part.start, "\(owner) takes \(kinds.phrase); here is \(part.kinds.phrase)")
  }

  // MARK: Logic

  private mutating func alternative() throws(FormulaSyntaxError) -> Part {
    try joined(by: "or", .skipIfTrue) { parser throws(FormulaSyntaxError) in
      try parser.conjunction()
    }
  }

  private mutating func conjunction() throws(FormulaSyntaxError) -> Part {
    try joined(by: "and", .skipIfFalse) { parser throws(FormulaSyntaxError) in
      try parser.negation()
    }
  }

  private mutating func joined(
    by word: String, _ skip: FormulaStep.Operation,
    _ part: (inout FormulaParser) throws(FormulaSyntaxError) -> Part
  ) throws(FormulaSyntaxError) -> Part {
    let first = try part(&self)
    guard scanner.token == .word(word) else { return first }
    try check(first, is: .boolean, word)
    var skips: [Int] = []
    while try scanner.take(word: word) {
      skips.append(code.addSkip(skip, at: first.start))
      let next = try part(&self)
      try check(next, is: .boolean, word)
      code.add(.boolean, takes: 1, at: next.start)
    }
    for skip in skips { code.land(skip) }
    return Part(kinds: .boolean, start: first.start)
  }

  private mutating func negation() throws(FormulaSyntaxError) -> Part {
    let start = scanner.start
    guard try scanner.take(word: "not") else { return try comparison() }
    let inner = try deeper { parser throws(FormulaSyntaxError) in try parser.negation() }
    try check(inner, is: .boolean, "not")
    code.add(.not, takes: 1, at: start)
    return Part(kinds: .boolean, start: start)
  }

  private static let comparisons: [(String, FormulaStep.Operation)] = [
    ("==", .equal), ("!=", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual),
    ("<", .less), (">", .greater),
  ]

  private mutating func comparison() throws(FormulaSyntaxError) -> Part {
    let left = try sum()
    guard let (symbol, operation) = comparison(by: scanner.token) else { return left }
    try scanner.advance()
    let right = try sum()
    if let (next, _) = comparison(by: scanner.token) {
      throw scanner.fault("comparisons are joined by and: a < b and b \(next) c")
    }
    let isEquality = operation == .equal || operation == .notEqual
    let mayMiss = isEquality && (left.isNull || right.isNull)
    if !mayMiss {
      let kinds: Kinds = isEquality ? [.number, .string, .boolean] : [.number, .string]
      try check(left, is: kinds, symbol)
      try check(right, is: left.kinds.intersection(kinds), "\(symbol) with that on its left")
    }
    code.add(operation, mayMiss ? 1 : 0, takes: 2, at: left.start)
    return Part(kinds: .boolean, start: left.start)
  }

  private func comparison(by token: FormulaScanner.Token) -> (String, FormulaStep.Operation)? {
    guard case .symbol(let symbol) = token else { return nil }
    return Self.comparisons.first { $0.0 == symbol }
  }

  // MARK: Arithmetic

  private mutating func sum() throws(FormulaSyntaxError) -> Part {
    try calculated([("+", .add), ("-", .subtract)]) { parser throws(FormulaSyntaxError) in
      try parser.product()
    }
  }

  private mutating func product() throws(FormulaSyntaxError) -> Part {
    try calculated([("*", .multiply), ("/", .divide), ("%", .remainder)]) {
      parser throws(FormulaSyntaxError) in try parser.signed()
    }
  }

  private mutating func calculated(
    _ signs: [(String, FormulaStep.Operation)],
    _ part: (inout FormulaParser) throws(FormulaSyntaxError) -> Part
  ) throws(FormulaSyntaxError) -> Part {
    var left = try part(&self)
    while let (symbol, operation) = signs.first(where: { scanner.token == .symbol($0.0) }) {
      try scanner.advance()
      let right = try part(&self)
      try check(left, is: .number, symbol)
      try check(right, is: .number, symbol)
      code.add(operation, takes: 2, at: left.start)
      left = Part(kinds: .number, start: left.start)
    }
    return left
  }

  private mutating func signed() throws(FormulaSyntaxError) -> Part {
    let start = scanner.start
    guard try scanner.take("-") else { return try withSubstitute() }
    let inner = try deeper { parser throws(FormulaSyntaxError) in try parser.signed() }
    try check(inner, is: .number, "-")
    code.add(.negate, takes: 1, at: start)
    return Part(kinds: .number, start: start)
  }

  /// A value with what stands in where it is absent or null.
  private mutating func withSubstitute() throws(FormulaSyntaxError) -> Part {
    var part = try primary()
    var skips: [Int] = []
    while scanner.token == .symbol("??") {
      guard part.kinds.contains(.missing) else {
        throw scanner.fault("what is before ?? is never absent; put ?? after the path that may be")
      }
      try scanner.advance()
      skips.append(code.addSkip(.skipIfThere, at: part.start))
      let next = try primary()
      part.kinds = part.kinds.subtracting(.missing).union(next.kinds)
      part.isNull = false
    }
    for skip in skips { code.land(skip) }
    return part
  }

  // MARK: Values

  private mutating func primary() throws(FormulaSyntaxError) -> Part {
    let start = scanner.start
    switch scanner.token {
    case .number(let text):
      guard ExactDecimal.isNumber(text) else {
        throw scanner.fault(
          "a number has at most 38 digits, and 10^-128 to 10^127 for its last one")
      }
      return try literal(.number(text), .number)
    case .string(let text): return try literal(.string(text), .string)
    case .path(let path, _):
      try scanner.advance()
      code.add(.path(path), at: start)
      return Part(kinds: .any, start: start)
    case .argument(let name):
      if let number = context[ExactText(name)] {
        try scanner.advance()
        code.add(.outside(.context(number, name)), at: start)
        return Part(kinds: .any, start: start)
      }
      guard let value = arguments[ExactText(name)] else { throw unknownArgument(name) }
      return try literal(value, Self.kinds(of: value))
    case .word(let word): return try self.word(word)
    case .symbol("("):
      try scanner.advance()
      let inner = try deeper { parser throws(FormulaSyntaxError) in try parser.alternative() }
      try close()
      return inner
    case .symbol("-"): return try signed()
    case .symbol(let symbol): throw scanner.fault("a value is missing before '\(symbol)'")
    case .end: throw scanner.fault("a value is missing at the end")
    }
  }

  private static func kinds(of value: JSONValue) -> Kinds {
    switch value {
    case .null: .missing
    case .bool: .boolean
    case .number: .number
    case .string: .string
    case .array, .object: .container
    }
  }

  private func unknownArgument(_ name: String) -> FormulaSyntaxError {
    FormulaSyntaxError(
      scanner.text, scanner.start,
      "there is no argument or context value '\(name)'; a key that starts with $ is quoted: ['$\(name)']",
      name: name, names: (arguments.keys.map(\.text) + context.keys.map(\.text)).sorted())
  }

  private mutating func literal(_ value: JSONValue, _ kinds: Kinds) throws(FormulaSyntaxError)
    -> Part
  {
    let start = scanner.start
    code.add(literal: value, at: start)
    try scanner.advance()
    return Part(kinds: kinds, start: start, isNull: value == .null)
  }

  private mutating func word(_ word: String) throws(FormulaSyntaxError) -> Part {
    let start = scanner.start
    switch word {
    case "true": return try literal(.bool(true), .boolean)
    case "false": return try literal(.bool(false), .boolean)
    case "null": return try literal(.null, .missing)
    case "and", "or", "not":
      throw scanner.fault("a value is missing before '\(word)'; a key of that name is ['\(word)']")
    default: break
    }
    try scanner.advance()
    guard scanner.token == .symbol("(") else {
      code.add(.path(JSONPath([.key(word)])), at: start)
      return Part(kinds: .any, start: start)
    }
    guard let function = Function(rawValue: word) else {
      throw FormulaSyntaxError(
        scanner.text, start,
        "there is no function '\(word)'; there are \(Function.allCases.map(\.rawValue).joined(separator: ", "))",
        name: word, names: Function.allCases.map(\.rawValue))
    }
    try scanner.advance()
    return try deeper { parser throws(FormulaSyntaxError) in
      try parser.call(function, start: start)
    }
  }

  // MARK: Functions

  private enum Function: String, CaseIterable {
    case round, floor, abs, min, max, length, number

    var takes: Kinds {
      switch self {
      case .round, .floor, .abs, .min, .max: .number
      case .length: [.string, .container]
      case .number: [.number, .string]
      }
    }
  }

  private mutating func call(_ function: Function, start: Int) throws(FormulaSyntaxError) -> Part {
    let owner = function.rawValue
    let first = try alternative()
    try check(first, is: function.takes, owner)
    switch function {
    case .round: code.add(.round, try places(), takes: 1, at: start)
    case .floor: code.add(.floor, takes: 1, at: start)
    case .abs: code.add(.magnitude, takes: 1, at: start)
    case .length: code.add(.length, takes: 1, at: start)
    case .number: code.add(.read, takes: 1, at: start)
    case .min, .max:
      var count = 1
      while try scanner.take(",") {
        try check(try alternative(), is: .number, owner)
        count += 1
      }
      code.add(function == .min ? .least : .greatest, count, takes: count, at: start)
    }
    try close()
    return Part(kinds: .number, start: start)
  }

  /// How many digits after the point stay.
  private mutating func places() throws(FormulaSyntaxError) -> Int {
    guard try scanner.take(",") else { return 0 }
    let isNegative = try scanner.take("-")
    guard case .number(let text) = scanner.token, let count = Int(text), count <= 38 else {
      throw scanner.fault("round takes a whole number of decimal places, from -38 to 38")
    }
    try scanner.advance()
    return isNegative ? 0 - count : count
  }

  private mutating func close() throws(FormulaSyntaxError) {
    guard try scanner.take(")") else { throw scanner.fault(") is missing") }
  }

  private mutating func deeper(
    _ body: (inout FormulaParser) throws(FormulaSyntaxError) -> Part
  ) throws(FormulaSyntaxError) -> Part {
    guard depth < Self.mostDepth else {
      throw scanner.fault("it is nested deeper than \(Self.mostDepth) levels")
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }
}

extension ExactDecimal {
  /// Whether the text is a number that it can hold.
  static func isNumber(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { ExactDecimal($0) != nil }
  }
}
