/// Takes a formula's text apart.
struct FormulaScanner {
  enum Token: Equatable {
    case number(String)
    case string(String)
    /// A word without a quoted part: a key, `null`, `round`.
    case word(String)
    case path(JSONPath, String)
    /// A name after `$`.
    case argument(String)
    case symbol(String)
    case end
  }

  /// The most bytes of a formula.
  static let mostBytes = 4096

  let text: String
  private let scalars: [Unicode.Scalar]
  private var position = 0
  /// Where the token at hand starts.
  private(set) var start = 0
  private(set) var token = Token.end

  init(_ text: String) throws(FormulaSyntaxError) {
    self.text = text
    guard text.utf8.count <= Self.mostBytes else {
      throw FormulaSyntaxError(
        String(text.prefix(40)) + "…", 0, "it is longer than \(Self.mostBytes) bytes")
    }
    scalars = Array(text.unicodeScalars)
    try advance()
  }

  func fault(_ reason: String) -> FormulaSyntaxError { FormulaSyntaxError(text, start, reason) }

  /// Whether the symbol is next; then it is passed.
  mutating func take(_ symbol: String) throws(FormulaSyntaxError) -> Bool {
    guard token == .symbol(symbol) else { return false }
    try advance()
    return true
  }

  /// Whether the word is next; then it is passed.
  mutating func take(word: String) throws(FormulaSyntaxError) -> Bool {
    guard token == .word(word) else { return false }
    try advance()
    return true
  }

  mutating func advance() throws(FormulaSyntaxError) {
    while position < scalars.count, Self.isSpace(scalars[position]) { position += 1 }
    start = position
    guard position < scalars.count else {
      token = .end
      return
    }
    let scalar = scalars[position]
    switch scalar {
    case "0"..."9": token = try number()
    case "'", "\"": token = .string(try quoted())
    case "$": token = try rooted()
    case "[": token = try path(from: position)
    default:
      if Self.isNameStart(scalar) {
        token = try word()
      } else {
        token = try symbol()
      }
    }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r"
  }

  // MARK: Names and paths

  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.value > 0x7F || ("a"..."z").contains(scalar)
      || ("A"..."Z").contains(scalar)
  }

  private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
    isNameStart(scalar) || ("0"..."9").contains(scalar)
  }

  private mutating func name() -> String {
    let first = position
    while position < scalars.count, Self.isInName(scalars[position]) { position += 1 }
    return text(first..<position)
  }

  private func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  private var isAtStep: Bool {
    position < scalars.count && (scalars[position] == "." || scalars[position] == "[")
  }

  private mutating func word() throws(FormulaSyntaxError) -> Token {
    let name = name()
    return isAtStep ? try path(from: start) : .word(name)
  }

  private mutating func rooted() throws(FormulaSyntaxError) -> Token {
    position += 1
    if position < scalars.count, Self.isNameStart(scalars[position]) { return .argument(name()) }
    return try path(from: start)
  }

  /// A path; what is before `position` belongs to it.
  private mutating func path(from first: Int) throws(FormulaSyntaxError) -> Token {
    while isAtStep {
      if scalars[position] == "." {
        position += 1
        if name().isEmpty {
          start = position
          throw fault("a name is missing; what is not a name is quoted: ['x-y']")
        }
      } else {
        try passBracket()
      }
    }
    let written = text(first..<position)
    do throws(PathSyntaxError) {
      return .path(try PathPattern.single(parsing: written), written)
    } catch {
      throw FormulaSyntaxError(text, first + error.offset, error.reason)
    }
  }

  private mutating func passBracket() throws(FormulaSyntaxError) {
    position += 1
    if position < scalars.count, scalars[position] == "'" || scalars[position] == "\"" {
      _ = try quoted()
    }
    while position < scalars.count, scalars[position] != "]" { position += 1 }
    guard position < scalars.count else { throw fault("the path ends inside [") }
    position += 1
  }

  // MARK: Literals

  private mutating func number() throws(FormulaSyntaxError) -> Token {
    let first = position
    func isDigit(_ index: Int) -> Bool {
      index < scalars.count && ("0"..."9").contains(scalars[index])
    }
    while isDigit(position) { position += 1 }
    if position < scalars.count, scalars[position] == ".", isDigit(position + 1) {
      position += 1
      while isDigit(position) { position += 1 }
    }
    if position < scalars.count, scalars[position] == "e" || scalars[position] == "E" {
      var end = position + 1
      if end < scalars.count, scalars[end] == "-" || scalars[end] == "+" { end += 1 }
      if isDigit(end) {
        position = end
        while isDigit(position) { position += 1 }
      }
    }
    let number = text(first..<position)
    guard NumberText.isNumber(number),
      position == scalars.count || !Self.isInName(scalars[position])
    else { throw fault("not a number; a key that starts with a digit is quoted: ['1x']") }
    return .number(number)
  }

  private mutating func quoted() throws(FormulaSyntaxError) -> String {
    do throws(QuotedText.Fault) {
      let quoted = try QuotedText(scalars, at: position)
      position = quoted.end
      return quoted.text
    } catch {
      throw FormulaSyntaxError(text, error.offset, error.reason)
    }
  }

  // MARK: Symbols

  private mutating func symbol() throws(FormulaSyntaxError) -> Token {
    let two = text(position..<min(position + 2, scalars.count))
    if ["==", "!=", "<=", ">=", "??"].contains(two) {
      position += 2
      return .symbol(two)
    }
    let one = String(scalars[position])
    if "+-*/%<>(),".contains(one) {
      position += 1
      return .symbol(one)
    }
    switch two {
    case "&&": throw fault("&& is written and")
    case "||": throw fault("|| is written or")
    default: break
    }
    switch one {
    case "=": throw fault("= is written ==")
    case "!": throw fault("! is written not")
    default: throw fault("'\(one)' has no meaning here")
    }
  }
}
