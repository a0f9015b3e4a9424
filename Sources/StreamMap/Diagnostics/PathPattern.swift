/// A path as users write it: which values of a document are meant.
///
/// The part of RFC 9535 that streams: `$`, `.name`, `['any.key']` or `["any.key"]`, `[n]` and `[*]`. The root `$`
/// may be left out (`user.name`), and JSON Pointers (RFC 6901: `/user/name`) are read too.
///
/// ```swift
/// try PathPattern(parsing: "$.statuses[*]").steps  // [.key("statuses"), .everyElement]
/// try PathPattern(parsing: "a['b.c'][0]").steps    // [.key("a"), .key("b.c"), .index(0)]
/// try PathPattern(parsing: "a[")                   // throws: ends inside [
/// ```
public struct PathPattern: Sendable, Hashable {
  /// One step of a pattern.
  public enum Step: Sendable, Hashable {
    /// The member with this key.
    case key(String)
    /// The element with this zero-based index.
    case index(Int)
    /// Every element of an array.
    case everyElement
  }

  /// The steps from the root inwards; none is the root itself.
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

  /// RFC 6901: each `/` starts a token; `~1` is `/`, `~0` is `~`; a token of digits is an index.
  private static func pointerSteps(_ text: String) -> [Step] {
    text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { token in
      if !token.isEmpty, token.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        token == "0" || token.first != "0", let index = Int(String(token))
      {
        return .index(index)
      }
      return .key(String(token.replacing("~1", with: "/").replacing("~0", with: "~")))
    }
  }

  /// The pattern as the place of one value.
  ///
  /// - Throws: ``PathSyntaxError`` where the pattern means several.
  func path() throws(PathSyntaxError) -> JSONPath {
    var components: [JSONPath.Component] = []
    for step in steps {
      switch step {
      case .key(let key): components.append(.key(key))
      case .index(let index): components.append(.index(index))
      case .everyElement:
        throw PathSyntaxError(path: description, offset: 0, reason: "[*] means several values here")
      }
    }
    return JSONPath(components)
  }
}

extension PathPattern: CustomStringConvertible {
  /// The pattern from the root `$`.
  public var description: String {
    steps.reduce("$") { text, step in
      switch step {
      case .key(let key): text + JSONPath([.key(key)]).description.dropFirst()
      case .index(let index): text + "[\(index)]"
      case .everyElement: text + "[*]"
      }
    }
  }
}

/// A path that cannot be read.
///
/// ```swift
/// "\(PathSyntaxError(path: "a..b", offset: 2, reason: "a name is missing"))"
/// // path 'a..b': a name is missing (at character 3)
/// ```
public struct PathSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path as it was written.
  public let path: String
  /// Where it goes wrong: a zero-based offset in Unicode scalars.
  public let offset: Int
  /// What is wrong.
  public let reason: String

  /// The path, what is wrong with it and where.
  public var description: String { "path '\(path)': \(reason) (at character \(offset + 1))" }
}

private struct PathParser {
  let text: String
  let scalars: [Unicode.Scalar]
  var position = 0

  init(_ text: String) {
    self.text = text
    self.scalars = Array(text.unicodeScalars)
  }

  mutating func steps() throws(PathSyntaxError) -> [PathPattern.Step] {
    var steps: [PathPattern.Step] = []
    guard !scalars.isEmpty else { throw fault("it is empty; the value itself is written $") }
    if scalars[0] == "$" && (scalars.count == 1 || scalars[1] == "." || scalars[1] == "[") {
      position = 1
    } else if scalars[0] != "[" {
      steps.append(.key(try name()))
    }
    while position < scalars.count {
      if scalars[position] == "." {
        position += 1
        steps.append(.key(try name()))
      } else if scalars[position] == "[" {
        position += 1
        steps.append(try bracket())
      } else {
        throw fault("a dot or [ is missing")
      }
    }
    return steps
  }

  private mutating func name() throws(PathSyntaxError) -> String {
    var name = String.UnicodeScalarView()
    while position < scalars.count, scalars[position] != ".", scalars[position] != "[" {
      guard scalars[position] != "]" else { throw fault("] without [") }
      name.append(scalars[position])
      position += 1
    }
    guard !name.isEmpty else { throw fault("a name is missing") }
    guard name.first != "*" || name.count > 1 else { throw fault("every element is written [*]") }
    return String(name)
  }

  private mutating func bracket() throws(PathSyntaxError) -> PathPattern.Step {
    guard position < scalars.count else { throw fault("ends inside [") }
    let step: PathPattern.Step
    switch scalars[position] {
    case "*":
      position += 1
      step = .everyElement
    case "'", "\"":
      step = .key(try quoted(by: scalars[position]))
    case "0"..."9":
      step = .index(try index())
    default:
      throw fault("[ is followed by an index, * or a quoted key")
    }
    guard position < scalars.count, scalars[position] == "]" else { throw fault("] is missing") }
    position += 1
    return step
  }

  private mutating func index() throws(PathSyntaxError) -> Int {
    let start = position
    var digits = ""
    while position < scalars.count, ("0"..."9").contains(scalars[position]) {
      digits.unicodeScalars.append(scalars[position])
      position += 1
    }
    guard let index = Int(digits), digits == "0" || digits.first != "0" else {
      position = start
      throw fault("not an index")
    }
    return index
  }

  private mutating func quoted(by quote: Unicode.Scalar) throws(PathSyntaxError) -> String {
    position += 1
    var key = String.UnicodeScalarView()
    while position < scalars.count {
      let scalar = scalars[position]
      position += 1
      if scalar == quote { return String(key) }
      guard scalar == "\\" else {
        key.append(scalar)
        continue
      }
      guard position < scalars.count else { break }
      key.append(try escape())
    }
    throw fault("ends inside a quoted key")
  }

  private mutating func escape() throws(PathSyntaxError) -> Unicode.Scalar {
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "\\", "'", "\"", "/": return scalar
    case "u":
      let digits = String(String.UnicodeScalarView(scalars[position...].prefix(4)))
      guard digits.utf8.count == 4, let value = UInt32(digits, radix: 16),
        let decoded = Unicode.Scalar(value)
      else { throw fault("\\u is followed by four hexadecimal digits of one character") }
      position += 4
      return decoded
    default:
      position -= 1
      throw fault("not an escape")
    }
  }

  private func fault(_ reason: String) -> PathSyntaxError {
    PathSyntaxError(path: text, offset: position, reason: reason)
  }
}
