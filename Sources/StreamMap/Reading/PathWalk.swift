/// Follows paths through a value that is held: all of them at once, in the order of the document, each value once.
///
/// It does the same as the walker does by the tables of `RecordPlaces`, and what these cannot say: filters, and what counts from the
/// end of an array. It takes time linear in the tokens that the paths lead through, besides what filters look at.
struct PathWalk {
  /// A value that is selected.
  struct Match {
    /// Its first token.
    let token: Int
    /// The container that it is in, as an index of ``nodes``; -1 where it is the held value itself.
    let node: Int
    let step: Step
    /// The paths that select it, as bits.
    let paths: UInt64
  }

  /// How a value lies in its container.
  struct Step {
    /// The token of its key; -1 in an array.
    let key: Int
    let index: Int
  }

  /// A container on the way to matches: where it lies in another one.
  private struct Node {
    let parent: Int
    let step: Step
  }

  private struct Frame {
    /// Its next part and its end, as tokens.
    var next: Int
    let end: Int
    var index = -1
    let isObject: Bool
    /// The paths that lead on, in ``positions``.
    let positions: Range<Int>
    let node: Int
    /// The number of elements, where a path asks for it.
    var count = 0
    /// The elements, where they are taken from the end.
    var backward: [Int]?
  }

  private let filters: FilterEvaluation
  private let paths: [[PathSegment]]
  private let stopsAtFirst: Bool
  private var value: HeldValue { filters.value }
  private var positions: [PathPosition] = []
  private var frames: [Frame] = []
  private var nodes: [Node] = []
  private(set) var matches: [Match] = []
  /// The paths that met an array or object whose parts they select, as bits; it may have none.
  private(set) var seen: UInt64 = 0

  init(_ filters: FilterEvaluation, _ paths: [[PathSegment]], stopsAtFirst: Bool = false) {
    self.filters = filters
    self.paths = paths
    self.stopsAtFirst = stopsAtFirst
  }

  /// Follows the paths from a value.
  ///
  /// - Parameters:
  ///   - token: The value.
  ///   - start: How far they have come there.
  ///   - index: The index of the value in the array around it; nil if it is in none.
  mutating func run(from token: Int, _ start: [PathPosition], index: Int? = nil) {
    clear()
    for position in start {
      if !position.isCandidate {
        add(position, from: 0)
      } else if accepts(position, token, index: index) {
        add(position.onward, from: 0)
      }
    }
    visit(token, Step(key: -1, index: 0), in: -1, 0)
    while !frames.isEmpty, !isDone {
      let top = frames.count - 1
      guard let (child, step) = nextPart(top) else {
        positions.removeSubrange(frames[top].positions.lowerBound...)
        frames.removeLast()
        continue
      }
      let first = positions.count
      for number in frames[top].positions { lead(positions[number], to: child, step, top, first) }
      visit(child, step, in: frames[top].node, first)
    }
  }

  /// Lets go of the last value; large memory is given back.
  mutating func clear() {
    func empty<Element>(_ elements: inout [Element]) {
      elements.removeAll(keepingCapacity: elements.capacity <= Self.mostKept)
    }
    empty(&positions)
    empty(&frames)
    empty(&nodes)
    empty(&matches)
    seen = 0
  }

  /// The most elements whose memory is kept for the next value.
  private static let mostKept = 1024

  private var isDone: Bool { stopsAtFirst && !matches.isEmpty }

  /// The steps from the held value to a match: keys, by their tokens, and indices.
  func steps(to match: Match) -> [Step] {
    guard match.node >= 0 else { return [] }
    var steps = [match.step]
    var node = match.node
    while node >= 0, nodes[node].parent >= 0 {
      steps.append(nodes[node].step)
      node = nodes[node].parent
    }
    return steps.reversed()
  }

  // MARK: Parts

  /// The next member or element of the container at the top.
  private mutating func nextPart(_ top: Int) -> (token: Int, step: Step)? {
    if let rest = frames[top].backward {
      guard let token = rest.last else { return nil }
      frames[top].backward?.removeLast()
      return (token, Step(key: -1, index: rest.count - 1))
    }
    let next = frames[top].next
    guard next < frames[top].end else { return nil }
    frames[top].index += 1
    let child = frames[top].isObject ? next + 1 : next
    frames[top].next = value.last(of: child) + 1
    return (child, Step(key: frames[top].isObject ? next : -1, index: frames[top].index))
  }

  /// Notes the paths that end at a value, and goes into it with the others.
  private mutating func visit(_ token: Int, _ step: Step, in node: Int, _ first: Int) {
    var ends: UInt64 = 0
    var onward = first
    for number in first..<positions.count {
      let position = positions[number]
      if position.step == paths[position.path].count {
        ends |= 1 << UInt64(position.path)
      } else {
        positions[onward] = position
        onward += 1
      }
    }
    positions.removeSubrange(onward...)
    if ends != 0 { matches.append(Match(token: token, node: node, step: step, paths: ends)) }
    let isObject = value.isObject(token)
    guard onward > first, isObject || value.isArray(token) else {
      positions.removeSubrange(first...)
      return
    }
    nodes.append(Node(parent: node, step: step))
    var frame = Frame(
      next: token + 1, end: value.last(of: token), isObject: isObject,
      positions: first..<onward, node: nodes.count - 1)
    note(positions[first...], in: isObject)
    if !isObject, positions[first...].contains(where: { paths[$0.path][$0.step].countsFromEnd }) {
      let elements = value.elements(of: token)
      frame.count = elements.count
      if positions[first...].allSatisfy({ paths[$0.path][$0.step].runsBackward }) {
        frame.backward = elements
      }
    }
    frames.append(frame)
  }

  /// Notes the paths whose last step leads to parts of a container.
  private mutating func note(_ positions: ArraySlice<PathPosition>, in isObject: Bool) {
    for position in positions where position.onward.step == paths[position.path].count {
      let segment = paths[position.path][position.step]
      if isObject ? segment.meansMembers : segment.meansElements {
        seen |= 1 << UInt64(position.path)
      }
    }
  }

  /// Takes a path from a container to one of its parts, if it leads there.
  private mutating func lead(
    _ position: PathPosition, to token: Int, _ step: Step, _ top: Int, _ first: Int
  ) {
    let segment = paths[position.path][position.step]
    if segment.isDescendant { add(position, from: first) }
    let count = frames[top].count
    let leads = segment.selectors.contains { selector in
      switch selector {
      case .key(let key): step.key >= 0 && value.isKey(step.key, key)
      case .index(let index): step.key < 0 && (index < 0 ? index + count : index) == step.index
      case .wildcard: true
      case .elements(let from, let to, let by):
        step.key < 0 && Slice(from, to, by, of: count).contains(step.index)
      case .filter(let filter): filters.holds(filter.test, at: token)
      // A segment has none of these.
      case .anyOf, .descendants: false
      }
    }
    if leads { add(position.onward, from: first) }
  }

  /// Whether the step that may lead to a value that was held for it does.
  func accepts(_ candidate: PathPosition, _ token: Int, index: Int?) -> Bool {
    paths[candidate.path][candidate.step].selectors.contains { accepts($0, token, index: index) }
  }

  /// Whether a filter, or a slice, accepts a value that was held for it.
  private func accepts(_ selector: PathPattern.Step, _ token: Int, index: Int?) -> Bool {
    switch selector {
    case .filter(let filter): return filters.holds(filter.test, at: token)
    case .elements(let from, let to, let by):
      guard let index else { return false }
      return Slice(from, to, by, of: 0).contains(index)
    // Reading has followed them.
    case .key, .index, .wildcard, .anyOf, .descendants: return false
    }
  }

  private mutating func add(_ position: PathPosition, from first: Int) {
    if !positions[first...].contains(position) { positions.append(position) }
  }
}

/// The elements that a slice selects, as RFC 9535, section 2.3.4.2.2 has it.
///
/// The length of the array only matters for what counts from its end.
private struct Slice {
  private let range: Range<Int>
  private let first: Int
  private let by: Int

  init(_ from: Int?, _ to: Int?, _ by: Int, of count: Int) {
    func place(_ index: Int) -> Int { index < 0 ? index + count : index }
    self.by = by
    if by >= 0 {
      first = max(from.map(place) ?? 0, 0)
      range = first..<max(to.map(place) ?? .max, first)
    } else {
      first = min(from.map(place) ?? count - 1, count - 1)
      let before = max(to.map(place) ?? -1, -1)
      range = before + 1..<max(first + 1, before + 1)
    }
  }

  func contains(_ index: Int) -> Bool {
    by != 0 && range.contains(index) && (index - first) % by == 0
  }
}

extension PathSegment {
  /// Whether it selects elements of an array, which may have none.
  var meansElements: Bool {
    selectors.contains {
      switch $0 {
      case .wildcard, .elements, .filter: true
      case .key, .index, .anyOf, .descendants: false
      }
    }
  }

  /// Whether it selects members of an object, which may have none.
  var meansMembers: Bool {
    selectors.contains {
      switch $0 {
      case .wildcard, .filter: true
      case .key, .index, .elements, .anyOf, .descendants: false
      }
    }
  }

  /// Whether it needs the length of its array.
  fileprivate var countsFromEnd: Bool { selectors.contains(where: \.countsFromEnd) }

  /// Whether it takes an array from its end.
  fileprivate var runsBackward: Bool {
    !isDescendant
      && selectors.allSatisfy { if case .elements(_, _, let by) = $0 { by < 0 } else { false } }
  }
}

extension HeldValue {
  /// The elements of an array, by their first tokens.
  func elements(of token: Int) -> [Int] {
    var elements: [Int] = []
    var next = token + 1
    let end = last(of: token)
    while next < end {
      elements.append(next)
      next = last(of: next) + 1
    }
    return elements
  }

  /// Whether a key is the one that a path names.
  func isKey(_ token: Int, _ key: String) -> Bool {
    let written = self.key(token)
    // PERF: escapes make a key longer.
    if written.count < key.utf8.count { return false }
    if written.contains(UInt8(ascii: "\\")) { return EscapedText.decoded(written) == key }
    return written.count == key.utf8.count && key.utf8.elementsEqual(written)
  }

  /// The member of an object with a key, the first where it comes twice; the element of an array with an index.
  func part(of token: Int, _ step: PathPattern.Step) -> Int? {
    switch step {
    case .key(let name):
      guard isObject(token) else { return nil }
      var next = token + 1
      let end = last(of: token)
      while next < end {
        if isKey(next, name) { return next + 1 }
        next = last(of: next + 1) + 1
      }
      return nil
    case .index(let index):
      guard isArray(token) else { return nil }
      if index < 0 {
        let elements = elements(of: token)
        let place = index + elements.count
        return elements.indices.contains(place) ? elements[place] : nil
      }
      var (next, left) = (token + 1, index)
      let end = last(of: token)
      while next < end, left > 0 {
        next = last(of: next) + 1
        left -= 1
      }
      return next < end ? next : nil
    case .wildcard, .elements, .filter, .anyOf, .descendants: return nil
    }
  }
}
