import StreamMap

/// Finds the path that a misspelt one was probably meant to be, among those that a feed has.
package struct NearestPath {
  private typealias Node = FeedShape.Node

  /// How much is looked at before the search is given up.
  private var left = 10_000
  private let start: FeedShape.Node

  /// Looks for paths that start at a place of a feed.
  package init(from start: FeedShape.Node) {
    self.start = start
  }

  /// The nearest path; nil if none is near.
  package func path(to pattern: PathPattern) -> PathPattern? {
    var search = self
    if let near = search.near(pattern.steps[...], in: start)?.steps { return PathPattern(near) }
    return search.elsewhere(pattern.steps).map { PathPattern($0) }
  }

  /// The steps that differ least from these, key by key, and by how much.
  private mutating func near(_ steps: ArraySlice<PathPattern.Step>, in node: Node)
    -> (steps: [PathPattern.Step], distance: Int)?
  {
    guard let step = steps.first else { return ([], 0) }
    left -= 1
    if left < 0 { return nil }
    var best: (steps: [PathPattern.Step], distance: Int)?
    func consider(_ other: PathPattern.Step, _ node: Node, _ distance: Int) {
      guard let rest = near(steps.dropFirst(), in: node) else { return }
      if rest.distance + distance < best?.distance ?? .max {
        best = ([other] + rest.steps, rest.distance + distance)
      }
    }
    switch step {
    case .key(let key), .descendants(.key(let key)):
      var keys = Suggestion.near(to: key, among: node.members.keys.map(\.text).sorted()).prefix(4)
        .map(\.self)
      if node.members[ExactText(key)] != nil { keys.insert((key, 0), at: 0) }
      for (name, distance) in keys {
        guard let member = node.members[ExactText(name)] else { continue }
        if case .descendants = step {
          consider(.descendants(.key(name)), member, distance)
        } else {
          consider(.key(name), member, distance)
        }
      }
    case .index, .wildcard, .elements, .filter, .anyOf, .descendants:
      if let elements = node.elements { consider(step, elements, 0) }
    }
    return best
  }

  /// The shortest path to a member with the last key, in the same record or element, where the path itself leads nowhere.
  private func elsewhere(_ steps: [PathPattern.Step]) -> [PathPattern.Step]? {
    var node = start
    var before: [PathPattern.Step] = []
    if let last = steps.lastIndex(where: { if case .key = $0 { false } else { true } }) {
      before = Array(steps[...last])
      for step in before {
        if case .key(let key) = step {
          guard let member = node.members[ExactText(key)] else { return nil }
          node = member
        } else {
          guard let elements = node.elements else { return nil }
          node = elements
        }
      }
    }
    guard case .key(let key)? = steps.last else { return nil }
    var level: [(node: Node, steps: [PathPattern.Step])] = [(node, before)]
    for _ in 0..<8 {
      for (node, path) in level where node.members[ExactText(key)] != nil {
        return path + [.key(key)]
      }
      level = level.flatMap { node, path in
        node.members.sorted { $0.key < $1.key }.map { ($0.value, path + [.key($0.key.text)]) }
      }
      if level.isEmpty || level.count > 2000 { return nil }
    }
    return nil
  }
}
