import CScan

/// The paths to the records of a document, merged into one table of places that the walker follows.
///
/// A place is the set of positions that the paths can have reached there; a path with `..` may have reached several. Where a path
/// has reached its end, there is a record. What is in it belongs to the record; so of records inside each other, only the
/// outermost is one.
struct RecordPlaces {
  /// How far a path has come: the number of its steps that are done.
  private struct Position: Hashable, Comparable {
    let path: Int
    let step: Int

    var onward: Position { Position(path: path, step: step + 1) }

    static func < (a: Position, b: Position) -> Bool { (a.path, a.step) < (b.path, b.step) }
  }

  private struct Place {
    /// The paths that end here.
    ///
    /// If there are any, this is a record, or a value of the context.
    var ends: [Int] = []
    /// The paths whose last step leads to elements of the array that may be here.
    ///
    /// Even an array without elements counts as seen.
    var arrays: [Int] = []
    /// Those whose last step leads to every member of the object that may be here.
    var objects: [Int] = []
    var members: [ExactText: Int] = [:]
    /// The elements from one index to before another, and their place.
    var elements: [(range: Range<Int>, place: Int)] = []
    var otherMembers: Int?
    var otherElements: Int?
  }

  /// The paths of the records.
  let patterns: [PathPattern]
  /// The paths of values outside the records, numbered after those of the records.
  private let context: [PathPattern]
  private var places: [Place] = []
  private var known: [[Position]: Int] = [:]

  /// - Throws: ``DefinitionError`` if a record or a context value would lie inside another one.
  init(_ patterns: [PathPattern], context: [PathPattern] = []) throws(DefinitionError) {
    self.patterns = patterns.isEmpty ? [PathPattern([])] : patterns
    self.context = context
    // The walker reports the paths that occurred in one word of bits.
    if all.count > 64 { throw mistake("at most 64 paths can be merged") }
    try checkOwners()
    // PERF: nearly all feeds have whole texts as records. What is below searches all conformances of the program for sets.
    if all.count == 1, self.patterns[0].steps.isEmpty {
      places = [Place(ends: [0])]
      return
    }
    var open: [(positions: [Position], place: Int)] = []
    _ = place(Set(all.indices.map { Position(path: $0, step: 0) }), &open)
    while let (positions, index) = open.popLast() {
      places[index] = try compiled(positions, &open)
      // Paths with `..` can meet in as many ways as there are sets of them.
      if places.count > 10_000 { throw mistake("the paths have too many combinations") }
    }
  }

  private var all: [PathPattern] { patterns + context }

  /// Whether each text is a record.
  var isWholeText: Bool { !places[0].ends.isEmpty }

  /// How many containers are open in a list each of whose elements is a record; nil if paths do not tell.
  var levelOfElements: Int? {
    guard all.count == 1, let steps = patterns.first?.steps, steps.last == .wildcard,
      !steps.contains(where: { if case .descendants = $0 { true } else { false } })
    else { return nil }
    return steps.count
  }

  /// A mistake of one path, or of all together.
  private func mistake(_ reason: String, at path: Int? = nil) -> DefinitionError {
    let step: DefinitionError.Mistake.Step =
      if let path {
        path < patterns.count ? .recordPath(path + 1) : .contextValue(path - patterns.count + 1)
      } else {
        .recordPaths
      }
    return DefinitionError(mistakes: [DefinitionError.Mistake(path: [step], reason: reason)])
  }

  // MARK: Compiling

  /// The place of a set of positions, which may still have to be compiled; nil if no path leads there.
  private mutating func place(
    _ positions: Set<Position>, _ open: inout [(positions: [Position], place: Int)]
  ) -> Int? {
    if positions.isEmpty { return nil }
    let positions = positions.sorted()
    if let index = known[positions] { return index }
    let index = places.count
    known[positions] = index
    places.append(Place())
    open.append((positions, index))
    return index
  }

  private mutating func compiled(
    _ positions: [Position], _ open: inout [(positions: [Position], place: Int)]
  ) throws(DefinitionError) -> Place {
    let all = all
    var place = Place()
    place.ends = positions.filter { $0.step == all[$0.path].steps.count }.map(\.path)
    if let first = place.ends.first {
      try check(place.ends, first, positions)
      return place
    }
    // Where the next value may be anything, only paths that look at any depth continue, and those that take every member.
    var everywhere: Set<Position> = []
    var everyMember: Set<Position> = []
    var keys: [ExactText: Set<Position>] = [:]
    var ranges: [(range: Range<Int>, onward: Position)] = []
    for position in positions {
      let steps = all[position.path].steps
      switch steps[position.step] {
      case .key(let key): keys[ExactText(key), default: []].insert(position.onward)
      case .descendants(let key):
        everywhere.insert(position)
        keys[ExactText(key), default: []].insert(position.onward)
      case .index(let index): ranges.append((Self.range(index, index &+ 1), position.onward))
      case .elements(let first, let end):
        ranges.append((Self.range(first, end ?? .max), position.onward))
      case .wildcard:
        ranges.append((Self.range(0, .max), position.onward))
        everyMember.insert(position.onward)
      }
      if position.onward.step == steps.count {
        let step = steps[position.step]
        if step.meansElements { place.arrays.append(position.path) }
        if step == .wildcard { place.objects.append(position.path) }
      }
    }
    let otherMembers = everywhere.union(everyMember)
    place.otherMembers = self.place(otherMembers, &open)
    for (key, onward) in keys { place.members[key] = self.place(onward.union(otherMembers), &open) }
    // The stretches in which the same paths continue; the last one has no end.
    let starts = Set(ranges.flatMap { [$0.range.lowerBound, $0.range.upperBound] } + [0])
      .subtracting([.max]).sorted()
    for (number, start) in starts.enumerated() {
      let here = ranges.filter { $0.range.contains(start) }.map(\.onward)
      let next = self.place(everywhere.union(here), &open)
      if number == starts.count - 1 {
        place.otherElements = next
      } else {
        place.elements.append((start..<starts[number + 1], next ?? -1))
      }
    }
    return place
  }

  /// The indices from one to before another; empty if these are not indices.
  fileprivate static func range(_ first: Int, _ end: Int) -> Range<Int> {
    max(first, 0)..<max(first, 0, end)
  }

  private func check(_ ends: [Int], _ first: Int, _ positions: [Position]) throws(DefinitionError) {
    let all = all
    if let other = ends.last, ends.count > 1, other >= patterns.count {
      throw mistake(
        "the context value at \(all[other]) is also what is at \(all[first])", at: other)
    }
    let isCertain = positions.contains { position in
      let steps = all[position.path].steps
      return position.step < steps.count
        && !steps[...position.step].contains { if case .descendants = $0 { true } else { false } }
    }
    if isCertain {
      let kind = first < patterns.count ? "records" : "the context value"
      throw mistake("\(kind) at \(all[first]) would contain those of another path", at: first)
    }
  }

  /// Checks that records can be in the containers that context values belong to.
  private func checkOwners() throws(DefinitionError) {
    for (number, path) in context.enumerated() where path.levelOfOwner > 0 {
      let reason: String?
      if path.steps.contains(where: { if case .descendants = $0 { true } else { false } }) {
        reason = "a context value has one place in what is around the records: write the whole path"
      } else if path.levelOfOwner == path.steps.count {
        reason =
          "\(path) means several values; a context value is one for each container, as in \(path).id"
      } else if !patterns.contains(where: { $0.mayLead(into: path.owner) }) {
        let found = patterns.map { "\($0)" }.joined(separator: " or ")
        reason =
          "the records, at \(found), are not in \(path.owner), which the context value belongs to"
      } else {
        reason = nil
      }
      if let reason { throw mistake(reason, at: patterns.count + number) }
    }
  }

  // MARK: Tables

  /// Builds the walker's tables.
  ///
  /// - Parameters:
  ///   - selection: The tables.
  ///   - record: What is wanted of a record.
  ///   - context: What is wanted of each value outside the records.
  /// - Returns: The node where a text starts.
  func build(in selection: OpaquePointer, inside record: sm_node, context: [sm_node]) -> sm_node {
    let inside = patterns.map { _ in record } + context
    let nodes = places.map { place in
      place.ends.first.map { sm_selection_record(selection, inside[$0]) }
        ?? sm_selection_navigation(selection)
    }
    for (place, node) in zip(places, nodes) {
      for path in place.ends + place.arrays { sm_selection_mark(selection, node, UInt32(path)) }
      for path in place.objects { sm_selection_mark_object(selection, node, UInt32(path)) }
      for (key, member) in place.members {
        var key = key.text
        key.withUTF8 {
          sm_selection_member(selection, node, $0.baseAddress, $0.count, nodes[member], 0)
        }
      }
      for (range, element) in place.elements {
        sm_selection_elements(
          selection, node, UInt64(range.lowerBound), UInt64(range.upperBound),
          element < 0 ? sm_node(SM_SKIP) : nodes[element])
      }
      if let other = place.otherMembers {
        sm_selection_other_members(selection, node, nodes[other])
      }
      if let other = place.otherElements {
        sm_selection_other_elements(selection, node, nodes[other])
      }
    }
    return nodes[0]
  }
}

extension PathPattern {
  /// The level of the container that a context value at this path belongs to: what the last step that means several values leads
  /// to; 0 for the document.
  var levelOfOwner: Int { (steps.lastIndex(where: \.meansSeveral) ?? -1) + 1 }

  /// The path of that container.
  fileprivate var owner: PathPattern { PathPattern(Array(steps[..<levelOfOwner])) }

  /// Whether a value at this path may lie inside one at another path, which has no `..`.
  fileprivate func mayLead(into other: PathPattern) -> Bool {
    for (number, step) in other.steps.enumerated() {
      guard number < steps.count else { return false }
      if case .descendants = steps[number] { return true }
      guard steps[number].meets(step) else { return false }
    }
    return steps.count > other.steps.count
  }
}

extension PathPattern.Step {
  /// Whether both steps may lead to the same value; neither is `..`.
  fileprivate func meets(_ other: PathPattern.Step) -> Bool {
    switch (self, other) {
    case (.wildcard, _), (_, .wildcard): return true
    case (.key(let key), .key(let otherKey)): return ExactText(key) == ExactText(otherKey)
    default:
      guard let indices, let otherIndices = other.indices else { return false }
      return indices.overlaps(otherIndices)
    }
  }

  private var indices: Range<Int>? {
    switch self {
    case .index(let index): RecordPlaces.range(index, index &+ 1)
    case .elements(let first, let end): RecordPlaces.range(first, end ?? .max)
    case .key, .wildcard, .descendants: nil
    }
  }

  /// Whether it means elements of an array, which may have none.
  fileprivate var meansElements: Bool {
    switch self {
    case .wildcard, .elements: true
    case .key, .index, .descendants: false
    }
  }
}
