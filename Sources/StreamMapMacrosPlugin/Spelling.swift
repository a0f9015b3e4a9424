/// Names that look alike.
enum Spelling {
  /// The known name that is nearest to a wrong one, if one is near.
  static func nearest(to name: String, in known: [String]) -> String? {
    let near = known.map { (name: $0, distance: distance(Array(name), Array($0))) }
    let best = near.min { $0.distance < $1.distance }
    guard let best, best.distance <= max(1, name.count / 3) else { return nil }
    return best.name
  }

  /// The number of letters to insert, remove or replace (Levenshtein).
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let replaced = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
