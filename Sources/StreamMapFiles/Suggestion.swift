import StreamMap

/// What a misspelt name was probably meant to be.
package enum Suggestion {
  /// As in `; did you mean 'type'?`.
  package static func hint(_ name: String) -> String { "; did you mean '\(name)'?" }

  /// What a word was meant to be among names of ours: the same name in other letters, what it means elsewhere, or what it is a
  /// misspelling of; nil if nothing is known.
  package static func meant(by word: String, among names: [String]) -> OtherWords.Meaning? {
    known(word, among: names) ?? nearest(to: word, among: names).map { .name($0) }
  }

  /// What a word, which is not a misspelling, means among names of ours; nil if it is not known.
  ///
  /// What a word means elsewhere is one of the names that are possible, if these are given.
  static func known(_ word: String, among names: [String], _ possible: [String]? = nil)
    -> OtherWords.Meaning?
  {
    let same = words(of: word)
    if let name = names.first(where: { words(of: $0) == same }) { return .name(name) }
    return OtherWords.meaning(of: word, among: names, possible)
  }

  /// The name of ours that a word was meant to be; nil if none is.
  package static func nameMeant(by word: String, among names: [String]) -> String? {
    if case .name(let name)? = meant(by: word, among: names) { name } else { nil }
  }

  /// The name that is nearest; nil if none is near, and if several are equally near: one of them may be the opposite of the other.
  package static func nearest(to name: String, among names: [String]) -> String? {
    let ranked = ranked(name, names)
    guard let first = ranked.first else { return nil }
    let isAlone = ranked.dropFirst().allSatisfy { first.precedes($0) || first.name == $0.name }
    return isAlone ? first.name : nil
  }

  /// The names that are near, the nearest first, each with its distance.
  ///
  /// Names that differ only in their case, or in what separates their words, are near. Short names are
  /// near if one character is wrong; longer ones if two or three are.
  package static func near(to name: String, among names: [String]) -> [(
    name: String, distance: Int
  )] {
    ranked(name, names).map { ($0.name, $0.distance) }
  }

  private struct Near {
    let name: String
    let distance: Int
    /// Whether it has the same letters: they were only swapped.
    let hasSameLetters: Bool

    func precedes(_ other: Near) -> Bool {
      (distance, hasSameLetters ? 0 : 1) < (other.distance, other.hasSameLetters ? 0 : 1)
    }
  }

  private static func ranked(_ name: String, _ names: [String]) -> [Near] {
    let bound = name.count < 2 ? 0 : name.count <= 5 ? 1 : name.count <= 12 ? 2 : 3
    let letters = Array(name.lowercased())
    let (words, sorted) = (words(of: name), letters.sorted())
    return names.compactMap { other -> Near? in
      let isSame = (isSpaced(name) || isSpaced(other)) && Self.words(of: other) == words
      // PERF: most names are told apart by their lengths.
      if !isSame, abs(other.count - letters.count) > bound { return nil }
      let others = Array(other.lowercased())
      let distance = isSame ? 1 : distance(letters, others)
      return distance <= bound
        ? Near(name: other, distance: distance, hasSameLetters: others.sorted() == sorted) : nil
    }
    .sorted { $0.precedes($1) }
  }

  /// The letters and digits: `screen_name` has those of `screenName`.
  private static func words(of name: String) -> String {
    name.lowercased().filter { !"_- ".contains($0) }
  }

  private static func isSpaced(_ name: String) -> Bool {
    name.utf8.contains { "_- ".utf8.contains($0) }
  }

  /// How many characters have to be put in, left out, replaced or swapped with their neighbour (the
  /// restricted Damerau–Levenshtein distance).
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        let replaced = previous[j] + (a[i] == b[j] ? 0 : 1)
        var cost = min(replaced, previous[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforePrevious[j - 1] + 1)
        }
        row.append(cost)
      }
      beforePrevious = previous
      previous = row
    }
    return previous[b.count]
  }
}
