/// What a misspelt name was probably meant to be.
package enum Suggestion {
  /// As in `; did you mean 'type'?`.
  package static func hint(_ name: String) -> String { "; did you mean '\(name)'?" }

  /// The name that is nearest; nil where none is near.
  package static func nearest(to name: String, among names: [String]) -> String? {
    let bound = name.count <= 3 ? 1 : 2
    let letters = name.lowercased().sorted()
    let best = names.map {
      (name: $0, distance: distance(Array(name.lowercased()), Array($0.lowercased())))
    }
    // Of equally near ones, one with the same letters: they were only swapped.
    .min {
      ($0.distance, $0.name.sorted() == letters ? 0 : 1) < (
        $1.distance, $1.name.sorted() == letters ? 0 : 1
      )
    }
    guard let best, best.distance <= bound else { return nil }
    return best.name
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
