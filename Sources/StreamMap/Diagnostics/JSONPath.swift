/// The place of a value in a JSON document: the keys and indices that lead to it.
///
/// Written as a normalized path in the style of RFC 9535, with the short form for keys that are names:
///
/// ```swift
/// let path: JSONPath = [.key("people"), .index(3), .key("first.name")]
/// path.description  // "$.people[3]['first.name']"
/// ```
///
/// Keys are the same where their code points are.
public struct JSONPath: Sendable, Hashable {
  /// One step: into an object by key, or into an array by zero-based index.
  public enum Component: Sendable, Hashable {
    /// The member of an object with this key (after unescaping).
    case key(String)
    /// The element of an array with this zero-based index.
    case index(Int)
  }

  /// The steps from the root inwards; without steps, the path is the root itself.
  public var components: [Component]

  /// A path of these steps.
  public init(_ components: [Component] = []) {
    self.components = components
  }

  /// The path with one more step.
  public func appending(_ component: Component) -> JSONPath {
    JSONPath(components + [component])
  }

  /// Whether this path is `prefix` or lies below it.
  public func starts(with prefix: JSONPath) -> Bool {
    components.starts(with: prefix.components)
  }
}

extension JSONPath: ExpressibleByArrayLiteral {
  /// A path of these steps.
  public init(arrayLiteral elements: Component...) {
    self.init(elements)
  }
}

extension JSONPath: CustomStringConvertible {
  /// The path from the root `$`, as in `$.people[3]['first.name']`.
  public var description: String { "$" + Self.text(of: components[...], leadingDot: true) }

  /// The path without its root, as in `people[3].city`; the target of a mapping is written like this.
  public var relativeDescription: String { Self.text(of: components[...], leadingDot: false) }

  /// Like ``description``, for messages: if there are very many steps, only those at both ends, and how many are between them.
  var shortDescription: String { "$" + shortText(leadingDot: true) }

  /// Like ``relativeDescription``, for messages: see ``shortDescription``.
  var shortRelativeDescription: String { shortText(leadingDot: false) }

  /// Cuts the last key, where it has more characters (Unicode scalars), and marks that with `…`.
  mutating func shortenLastKey(to most: Int) {
    guard case .key(let key)? = components.last, key.unicodeScalars.count > most else { return }
    components[components.count - 1] = .key(String(key.unicodeScalars.prefix(most)) + "…")
  }

  private func shortText(leadingDot: Bool) -> String {
    let (most, shown) = (32, 12)
    guard components.count > most else {
      return Self.text(of: components[...], leadingDot: leadingDot)
    }
    return Self.text(of: components.prefix(shown), leadingDot: leadingDot)
      + "…(\(components.count - 2 * shown) steps left out)…"
      + Self.text(of: components.suffix(shown), leadingDot: true)
  }

  private static func text(of components: ArraySlice<Component>, leadingDot: Bool) -> String {
    var text = ""
    for component in components {
      switch component {
      case .index(let index):
        text += "[\(index)]"
      case .key(let key) where isName(key):
        text += (text.isEmpty && !leadingDot) ? key : ".\(key)"
      case .key(let key):
        text += "[\(quoted(key))]"
      }
    }
    return text
  }

  /// Whether a key can be written after a dot: letters, digits, `_`, `-` and anything outside ASCII.
  static func isName(_ key: String) -> Bool {
    !key.isEmpty
      && key.utf8.allSatisfy { byte in
        byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
  }

  /// A key in single quotes, with the escapes that it needs.
  static func quoted(_ key: String) -> String {
    var text = "'"
    for scalar in key.unicodeScalars {
      switch scalar {
      case "'": text += "\\'"
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "'"
  }
}

extension JSONPath: Codable {
  /// Reads the form that ``description`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      self = try PathPattern.single(parsing: text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
