/// A way to write several words as one key.
///
/// ```swift
/// KeyCase.snakeCase.key(for: "firstName")         // "first_name"
/// KeyCase.camelCase.key(for: "first_name")        // "firstName"
/// KeyCase.snakeCase.key(for: "homepageURL")       // "homepage_url"
/// KeyCase.snakeCase.key(for: "URLSession")        // "url_session"
/// KeyCase.snakeCase.key(for: "address2Line")      // "address2_line"
/// ```
///
/// A word begins after `_` or `-`, at a capital letter after a character that is not one, and at the last of several
/// capitals if a small letter follows; acronyms are therefore one word. Digits belong to the word before them, unless
/// ``separatingDigits`` says otherwise. If a key already has a `_` or `-` between two words, the two camel cases assume
/// no other boundaries, so `yo_Dog` and `YO_DOG` are `yoDog`.
///
/// All cases keep `_` at the start and the end: `_id` stays `_id`, and `_fooBar` is `_foo_bar` in snake case. Capital
/// and small letters are those of Unicode, the same in every locale.
public struct KeyCase: Sendable, Hashable {
  private enum Letters: Sendable { case lower, upper, capitalized }

  private let first: Letters
  private let others: Letters
  private let separator: String
  private var separatesDigits = false
  let name: String

  /// `firstName`.
  public static let camelCase = KeyCase(.lower, .capitalized, "", "camelCase")
  /// `FirstName`.
  public static let upperCamelCase = KeyCase(.capitalized, .capitalized, "", "UpperCamelCase")
  /// `first_name`.
  public static let snakeCase = KeyCase(.lower, .lower, "_", "snake_case")
  /// `FIRST_NAME`.
  public static let upperSnakeCase = KeyCase(.upper, .upper, "_", "UPPER_SNAKE_CASE")
  /// `first-name`.
  public static let kebabCase = KeyCase(.lower, .lower, "-", "kebab-case")

  private init(_ first: Letters, _ others: Letters, _ separator: String, _ name: String) {
    self.first = first
    self.others = others
    self.separator = separator
    self.name = name
  }

  /// The same case, with a new word at every digit: `address2Line` is `address_2_line`.
  public var separatingDigits: KeyCase {
    var copy = self
    copy.separatesDigits = true
    return copy
  }

  /// A key in this case.
  ///
  /// - Parameter key: A key in any of the cases.
  /// - Returns: The same words in this case; the key itself if it has no words.
  public func key(for key: String) -> String {
    let isSeparator = { (character: Character) in character == "_" || character == "-" }
    let parts = key.split(whereSeparator: isSeparator)
    guard !parts.isEmpty else { return key }
    let hasOtherBoundaries = !separator.isEmpty || parts.count == 1
    let words = hasOtherBoundaries ? parts.flatMap(words) : parts
    let joined = words.enumerated().map { word($1, $0 == 0 ? first : others) }
      .joined(separator: separator)
    return key.prefix { $0 == "_" } + joined + String(key.reversed().prefix { $0 == "_" })
  }

  private func words(_ part: Substring) -> [Substring] {
    var words: [Substring] = []
    var start = part.startIndex
    var index = start
    var previous: Character?
    while index < part.endIndex {
      let next = part.index(after: index)
      let character = part[index]
      if let previous,
        begins(character, after: previous, before: next < part.endIndex ? part[next] : nil)
      {
        words.append(part[start..<index])
        start = index
      }
      previous = character
      index = next
    }
    words.append(part[start...])
    return words
  }

  private func begins(_ character: Character, after previous: Character, before next: Character?)
    -> Bool
  {
    if separatesDigits, character.isNumber { return true }
    guard character.isUppercase else { return false }
    return !previous.isUppercase || next?.isLowercase == true
  }

  private func word(_ word: Substring, _ letters: Letters) -> String {
    switch letters {
    case .lower: word.lowercased()
    case .upper: word.uppercased()
    case .capitalized: word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
  }
}
