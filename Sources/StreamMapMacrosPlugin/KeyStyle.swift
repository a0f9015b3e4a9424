/// Turns a property's name into a key at compile time, like the library's `KeyCase`; their tests share a table, Tests/KeyStyles.tsv.
enum KeyStyle: String, CaseIterable {
  case asIs, snakeCase, upperSnakeCase, kebabCase, camelCase, upperCamelCase

  func key(for name: String) -> String {
    if self == .asIs { return name }
    let parts = name.split(separator: "_")
    guard !parts.isEmpty else { return name }
    // If a name has an underscore between words, the camel cases assume no other word boundaries.
    let words = separator == nil && parts.count > 1 ? parts : parts.flatMap(Self.words)
    let lower = words.map { $0.lowercased() }
    let capitalized = lower.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let cased: [String] =
      switch self {
      case .camelCase: Array(lower.prefix(1)) + capitalized.dropFirst()
      case .upperCamelCase: capitalized
      case .upperSnakeCase: words.map { $0.uppercased() }
      case .asIs, .snakeCase, .kebabCase: lower
      }
    let key = cased.joined(separator: separator ?? "")
    return name.prefix { $0 == "_" } + key + String(name.reversed().prefix { $0 == "_" })
  }

  private var separator: String? {
    switch self {
    case .snakeCase, .upperSnakeCase: "_"
    case .kebabCase: "-"
    case .asIs, .camelCase, .upperCamelCase: nil
    }
  }

  /// A word begins at a capital after a character that is not one, and at the last of several capitals if a small
  /// letter follows.
  private static func words(_ part: Substring) -> [Substring] {
    var words: [Substring] = []
    var start = part.startIndex
    for index in part.indices.dropFirst() where part[index].isUppercase {
      let next = part.index(after: index)
      let isBeforeSmall = next < part.endIndex && part[next].isLowercase
      if !part[part.index(before: index)].isUppercase || isBeforeSmall {
        words.append(part[start..<index])
        start = index
      }
    }
    words.append(part[start...])
    return words
  }
}
