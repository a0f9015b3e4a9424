/// How a property's name becomes a key.
enum KeyStyle: String, CaseIterable {
  case asIs, snakeCase, camelCase, upperCamelCase

  func key(for name: String) -> String {
    if self == .asIs { return name }
    // Underscores around a name are part of it, not between words.
    let core = name.drop { $0 == "_" }.reversed().drop { $0 == "_" }.reversed()
    guard !core.isEmpty else { return name }
    let prefix = name.prefix { $0 == "_" }
    let suffix = String(name.reversed().prefix { $0 == "_" })
    let words = Self.words(of: String(core))
    let key =
      switch self {
      case .asIs: name
      case .snakeCase: words.map { $0.lowercased() }.joined(separator: "_")
      case .camelCase: words[0].lowercased() + words.dropFirst().map(Self.capitalized).joined()
      case .upperCamelCase: words.map(Self.capitalized).joined()
      }
    return prefix + key + suffix
  }

  /// `homepageURL2Go` is `homepage`, `URL2`, `Go`: a word begins at a capital behind a letter that is none, and at the last
  /// of several capitals where a small letter follows.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      if character == "_" {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      if character.isUppercase, let last = word.last {
        let next = index + 1 < characters.count ? characters[index + 1] : nil
        if !last.isUppercase || next?.isLowercase == true {
          words.append(word)
          word = ""
        }
      }
      word.append(character)
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  private static func capitalized(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }
}
