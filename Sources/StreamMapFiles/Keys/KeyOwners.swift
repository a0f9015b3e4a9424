import StreamMap

/// Where keys belong that stand beside others by mistake.
enum KeyOwners {
  /// The keys of maps inside others, by the names of these maps.
  private static let inner: [(owner: String, names: [String])] = [
    ("input", InputKey.keys.names), ("limits", LimitKey.keys.names),
    ("errors", ErrorsKey.keys.names), ("output", OutputKey.keys.names),
    ("validate", RuleName.keys.names), ("dispatch", DispatchKey.keys.names),
  ]

  /// The keys at the top of a file that have no other meaning elsewhere.
  private static let outer: [FileKey] = [.input, .where, .errors, .output]

  /// Where a key belongs that stands beside others: a level deeper, or at the top.
  static func owner(of key: String, beside names: [String]) -> String? {
    let owner = names.first { name in
      inner.contains { $0.owner == name && $0.names.contains(key) }
    }
    if let owner { return "under '\(owner)'" }
    let isTop = names.contains(FileKey.input.name)
    if isTop, LimitKey.keys.names.contains(key) { return "under 'limits' of 'input'" }
    return !isTop && outer.contains { $0.name == key } ? "at the top of the file" : nil
  }

  /// Where a word of other programs belongs, and under which name, as in `under 'validate', as 'min'`.
  static func owner(ofOtherWord word: String, beside names: [String]) -> String? {
    inner.lazy.filter { names.contains($0.owner) }.compactMap { owner, keys -> String? in
      guard case .name(let name)? = Suggestion.known(word, among: keys) else { return nil }
      return "under '\(owner)', as '\(name)'"
    }.first
  }
}
