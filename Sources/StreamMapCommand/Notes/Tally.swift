/// How often things happened, by what they are called; bounded, however many there are.
struct Tally: Codable {
  /// The number of different things that are told apart.
  private static let mostNames = 1000

  private var counts: [String: Int] = [:]
  /// Those that are not told apart.
  private var others = 0

  mutating func add(_ name: String) {
    if counts[name] != nil || counts.count < Self.mostNames {
      counts[name, default: 0] += 1
    } else {
      others += 1
    }
  }

  var isEmpty: Bool { counts.isEmpty }

  /// Whether it can have been counted: it may come from a file.
  var isPlausible: Bool {
    counts.count <= Self.mostNames
      && (Array(counts.values) + [others]).allSatisfy { (0...1 << 56).contains($0) }
  }

  /// The most frequent ones, and how many different ones and how many of any are left out.
  func most(_ number: Int) -> (shown: [(name: String, count: Int)], names: Int, rest: Int) {
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let rest = sorted.dropFirst(number)
    return (
      sorted.prefix(number).map { ($0.key, $0.value) }, rest.count,
      rest.reduce(others) { $0 + $1.value }
    )
  }
}
