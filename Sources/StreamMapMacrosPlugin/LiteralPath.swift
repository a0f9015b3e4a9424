import SwiftDiagnostics
import SwiftSyntax

/// A path that stands as a literal in an attribute: its mistake is told where it is written, before anything runs.
///
/// It accepts what the library's `FieldSource.path` accepts; their tests share a table, Tests/FieldPaths.tsv. A plugin that depended on the
/// library would have it compiled twice.
struct LiteralPath {
  /// What is wrong with a path, and where: a zero-based offset in Unicode scalars.
  struct Mistake: Error, Equatable {
    let offset: Int
    let reason: String
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0

  private init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The mistake of a path; nil if it has none.
  static func mistake(in text: String) -> Mistake? {
    // Each JSON Pointer is one.
    guard text.unicodeScalars.first != "/" else { return nil }
    var path = LiteralPath(text)
    do throws(Mistake) {
      try path.check()
      return nil
    } catch {
      return error
    }
  }

  /// Reports the mistake of a path that is a literal, at its character.
  static func check(_ expression: ExprSyntax, _ notes: Notes) {
    guard let literal = expression.as(StringLiteralExprSyntax.self),
      let text = expression.literalText, let mistake = mistake(in: text)
    else { return }
    guard !text.isEmpty else {
      notes.error(mistake.reason, at: expression)
      return
    }
    // The compiler shows the start of a node: so the message has the character, too.
    notes.error(
      "\(mistake.reason) (at character \(mistake.offset + 1))",
      at: literal.segments.first.map(Syntax.init) ?? Syntax(literal),
      position: literal.position(ofScalar: mistake.offset))
  }

  // MARK: The grammar

  private mutating func check() throws(Mistake) {
    guard let first = scalars.first else {
      throw fault("an empty path names no member; give the key")
    }
    if first.isSpace { throw fault("white space stands before the path") }
    if first == ".", !isAt("..") { throw fault("a path does not start with a dot") }
    if isAtRoot {
      position = 1
    } else if first != "[", !isAt("..") {
      try step(from: 0) { path throws(Mistake) in try path.nameOrWildcard() }
    }
    try segments()
    if position < scalars.count {
      throw fault(
        scalars[position].isSpace ? "white space stands after the path" : "a dot or [ is missing")
    }
  }

  /// Whether a `$` is the root, and not a part of a name.
  private var isAtRoot: Bool {
    guard scalars.first == "$" else { return false }
    guard let next = scalars.dropFirst().first else { return true }
    return next == "." || next == "[" || next.isSpace
  }

  private mutating func segments() throws(Mistake) {
    while true {
      let before = position
      skipSpace()
      let start = position
      if isAt("..") {
        position += 2
        if isAt("[") { _ = try bracket() } else { _ = try nameOrWildcard() }
        throw several(from: start)
      } else if isAt(".") {
        position += 1
        try step(from: start) { path throws(Mistake) in try path.nameOrWildcard() }
      } else if isAt("[") {
        try step(from: start) { path throws(Mistake) in try path.bracket() }
      } else {
        position = before
        return
      }
    }
  }

  /// What a step leads to.
  private enum Target { case one, several, fromTheEnd }

  private mutating func step(
    from start: Int, _ read: (inout LiteralPath) throws(Mistake) -> Target
  ) throws(Mistake) {
    switch try read(&self) {
    case .one: return
    case .several: throw several(from: start)
    case .fromTheEnd:
      throw Mistake(
        offset: start,
        reason: "an array is read from its start, so an index cannot count from its end")
    }
  }

  private func several(from start: Int) -> Mistake {
    var written = String.UnicodeScalarView()
    written.append(contentsOf: scalars[start..<position])
    return Mistake(offset: start, reason: "\(String(written)) means several values here")
  }

  // MARK: Names

  private mutating func nameOrWildcard() throws(Mistake) -> Target {
    if position < scalars.count, scalars[position].isSpace {
      throw fault("white space stands before a name")
    }
    if isAt("*") {
      position += 1
      if isNameOver { return .several }
      position -= 1
    }
    try name()
    return .one
  }

  /// Whether a name ends here: white space belongs to it only if more of it follows.
  private var isNameOver: Bool {
    let next = scalars[position...].first { !$0.isSpace }
    return next == nil || next == "[" || next == "."
  }

  private mutating func name() throws(Mistake) {
    let start = position
    while !isNameOver {
      if scalars[position] == "]" { throw fault("] without [") }
      position += 1
    }
    if start == position { throw fault("a name is missing") }
    try checkCalculation(from: start)
  }

  /// Refuses a name with an operator after its first part, as in `ms * 2`: this is hardly meant as a key.
  private mutating func checkCalculation(from start: Int) throws(Mistake) {
    let operators = [
      "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "|", "||", "&&", "??", "//",
    ]
    let words = scalars[start..<position].split(separator: " ", omittingEmptySubsequences: false)
    for word in words.dropFirst()
    where operators.contains(where: { $0.unicodeScalars.elementsEqual(word) }) {
      throw Mistake(
        offset: word.startIndex,
        reason: "this is a calculation, not a path; if it is a key, quote it, or write literal:")
    }
  }

  // MARK: Brackets

  private mutating func bracket() throws(Mistake) -> Target {
    let start = position
    position += 1
    var targets: [Target] = []
    repeat {
      if !targets.isEmpty { position += 1 }
      skipSpace()
      targets.append(try selector(isFirst: targets.isEmpty, from: start))
      skipSpace()
    } while isAt(",")
    guard isAt("]") else { throw fault("] is missing") }
    position += 1
    return targets.count == 1 ? targets[0] : .several
  }

  private mutating func selector(isFirst: Bool, from start: Int) throws(Mistake) -> Target {
    guard position < scalars.count else { throw fault("it ends inside [") }
    switch scalars[position] {
    case "*":
      position += 1
      return .several
    case "'", "\"":
      try quoted()
      return .one
    case "0"..."9", "-", ":": return try indices()
    // What a filter asks does not matter.
    case "?": throw Mistake(offset: start, reason: "a filter means several values here")
    case "]": throw fault(isFirst ? "for every element write [*]" : "nothing follows the comma")
    default: throw fault("an index, a slice, *, ? or a quoted key must follow [")
    }
  }

  /// An index, or a slice.
  private mutating func indices() throws(Mistake) -> Target {
    let first = isAt(":") ? 0 : try index()
    let end = position
    skipSpace()
    guard isAt(":") else {
      position = end
      return first < 0 ? .fromTheEnd : .one
    }
    try part()
    skipSpace()
    if isAt(":") { try part() }
    return .several
  }

  /// The index after a colon of a slice, if there is one.
  private mutating func part() throws(Mistake) {
    position += 1
    skipSpace()
    if isAt("-") || isAtDigit { _ = try index() }
  }

  private var isAtDigit: Bool {
    position < scalars.count && ("0"..."9").contains(scalars[position])
  }

  private mutating func index() throws(Mistake) -> Int {
    let start = position
    var digits = isAt("-") ? "-" : ""
    position += digits.utf8.count
    while isAtDigit {
      digits.unicodeScalars.append(scalars[position])
      position += 1
    }
    // RFC 9535 allows those that a Double holds exactly.
    guard let index = Int(digits), index.magnitude < 1 << 53, digits == "\(index)" else {
      position = start
      throw fault("not an index")
    }
    return index
  }

  // MARK: Quoted keys

  private mutating func quoted() throws(Mistake) {
    let start = position
    let quote = scalars[start]
    position += 1
    while position < scalars.count {
      if scalars[position] == quote {
        position += 1
        return
      }
      if scalars[position] == "\\" { try escape() } else { position += 1 }
    }
    position = start
    throw fault("the quote that opens here is not closed")
  }

  private mutating func escape() throws(Mistake) {
    let start = position
    position += 1
    // At the end, the quote is missing, too: that is found next.
    guard position < scalars.count else { return }
    position += 1
    switch scalars[start + 1] {
    case "n", "r", "t", "b", "f", "\\", "'", "\"", "/": return
    case "u":
      guard let first = unit() else { throw notOneCharacter(start) }
      if Unicode.Scalar(first) != nil { return }
      guard UTF16.isLeadSurrogate(first), isAt("\\u") else { throw notOneCharacter(start) }
      position += 2
      guard let second = unit(), UTF16.isTrailSurrogate(second) else {
        throw notOneCharacter(start)
      }
    default:
      throw Mistake(
        offset: start,
        reason: "not an escape; there are \\n \\r \\t \\b \\f \\\\ \\/ \\' \\\" \\u0000")
    }
  }

  /// The four hexadecimal digits of an escape.
  private mutating func unit() -> UInt16? {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[position...].prefix(4))
    guard text.count == 4, text.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }) else {
      return nil
    }
    position += 4
    return UInt16(String(text), radix: 16)
  }

  private func notOneCharacter(_ start: Int) -> Mistake {
    Mistake(
      offset: start, reason: "four hexadecimal digits of one character must follow \\u")
  }

  // MARK: Scalars

  private func isAt(_ expected: String) -> Bool {
    scalars[position...].starts(with: expected.unicodeScalars)
  }

  private mutating func skipSpace() {
    while position < scalars.count, scalars[position].isSpace { position += 1 }
  }

  private func fault(_ reason: String) -> Mistake { Mistake(offset: position, reason: reason) }
}

extension Unicode.Scalar {
  /// The white space of RFC 9535.
  fileprivate var isSpace: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }
}

extension StringLiteralExprSyntax {
  /// Where a Unicode scalar of the literal's value is written; nil for a literal of several lines.
  fileprivate func position(ofScalar offset: Int) -> AbsolutePosition? {
    guard segments.count == 1, openingQuote.tokenKind != .multilineStringQuote,
      let segment = segments.first?.as(StringSegmentSyntax.self)
    else { return nil }
    let written = Array(segment.content.text.unicodeScalars)
    let pounds = openingPounds?.text.unicodeScalars.count ?? 0
    let escape = ["\\"] + Array(repeating: "#" as Unicode.Scalar, count: pounds)
    var index = 0
    for _ in 0..<offset where index < written.count {
      guard written[index...].starts(with: escape) else {
        index += 1
        continue
      }
      index += escape.count
      // `\u{20AC}` or one letter.
      if index < written.count, written[index] == "u" {
        index = (written[index...].firstIndex(of: "}") ?? index) + 1
      } else {
        index += 1
      }
    }
    let before = written.prefix(index).reduce(0) { $0 + $1.utf8.count }
    return segment.content.positionAfterSkippingLeadingTrivia.advanced(by: before)
  }
}
