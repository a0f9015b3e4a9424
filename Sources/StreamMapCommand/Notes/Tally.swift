import StreamMap

/// How often things happened, by what they are called; bounded, however many there are.
struct Tally: Codable {
  /// The number of different things that are told apart.
  private static let mostNames = 1000

  private var counts: [ExactText: Int] = [:]
  /// Those that are not told apart.
  private var others = 0

  init() {}

  mutating func add(_ name: String) {
    let name = ExactText(name)
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
      sorted.prefix(number).map { ($0.key.text, $0.value) }, rest.count,
      rest.reduce(others) { $0 + $1.value }
    )
  }

  // MARK: Codable

  /// A list, because members of JSON that only Swift takes for one would be lost where Foundation reads them.
  private struct Count: Codable {
    let name: String
    let count: Int
  }

  private enum CodingKeys: String, CodingKey {
    case counts, others
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let list = try container.decode([Count].self, forKey: .counts)
    counts = Dictionary(list.map { (ExactText($0.name), $0.count) }, uniquingKeysWith: { $1 })
    others = try container.decode(Int.self, forKey: .others)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let list = counts.sorted { $0.key < $1.key }.map { Count(name: $0.key.text, count: $0.value) }
    try container.encode(list, forKey: .counts)
    try container.encode(others, forKey: .others)
  }
}
