/// A path as users write it, which selects values of a document.
///
/// The part of RFC 9535 that streams: `$`, `.name`, `['any.key']` or `["any.key"]`, `[n]`, `[*]` or `.*`, `[a:b]` and `..name`.
/// The root `$` may be left out (`user.name`). JSON Pointers (RFC 6901: `/user/name`) are also accepted.
///
/// ```swift
/// try PathPattern(parsing: "$.statuses[*]").steps  // [.key("statuses"), .wildcard]
/// try PathPattern(parsing: "$.users.*").steps      // [.key("users"), .wildcard]
/// try PathPattern(parsing: "a['b.c'][0]").steps    // [.key("a"), .key("b.c"), .index(0)]
/// try PathPattern(parsing: "$.rows[1:]").steps     // [.key("rows"), .elements(from: 1, to: nil)]
/// try PathPattern(parsing: "$..item").steps        // [.descendants("item")]
/// try PathPattern(parsing: "a[")                   // throws: it ends inside [
/// ```
public struct PathPattern: Sendable, Hashable {
  /// One step of a pattern.
  public enum Step: Sendable, Hashable {
    /// The member with this key.
    case key(String)
    /// The element with this zero-based index.
    case index(Int)
    /// Every element of an array, and every member of an object.
    case wildcard
    /// The elements from one index up to, but not including, another; without one, up to the last.
    case elements(from: Int, to: Int?)
    /// The members with this key at any depth; of nested matches, the outermost.
    case descendants(String)

    /// Whether the step may select several values of one document.
    package var meansSeveral: Bool {
      switch self {
      case .key, .index: false
      case .wildcard, .elements, .descendants: true
      }
    }
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
        case .wildcard, .elements, .descendants: nil
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
  /// The step as it is written in a path: `.name`, `['a.b']`, `[0]`, `[*]` (also for `.*`), `[1:3]`, `..name`.
  public var description: String {
    switch self {
    case .key(let key): String(JSONPath([.key(key)]).description.dropFirst())
    case .index(let index): "[\(index)]"
    case .wildcard: "[*]"
    case .elements(let first, let end): "[\(first):\(end.map { "\($0)" } ?? "")]"
    case .descendants(let key):
      (Self.key(key).description.hasPrefix(".") ? "." : "..") + Self.key(key).description
    }
  }
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
