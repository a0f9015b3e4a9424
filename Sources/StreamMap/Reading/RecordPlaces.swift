import CScan

/// The paths to the records of a document, merged into one table of places that the walker follows.
///
/// A place is the set of positions that the paths can have reached there; a path with `..` may have reached several. Where a path
/// has reached its end, there is a record.
///
/// Where the table cannot tell what is a record, the place is *held*: the value there is read as a whole, and `PathWalk` follows
/// the paths in it, from the same positions. That is where a filter has to be asked about the value; where an array's length
/// matters; where `..` may find records in a record; and at the root, if a filter looks at the whole document.
struct RecordPlaces {
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
    /// How far the paths have come where the value is held; else empty.
    var held: [PathPosition] = []
  }

  /// The paths of the records.
  let patterns: [PathPattern]
  /// The paths of values outside the records, numbered after those of the records.
  private let context: [PathPattern]
  /// The steps of all of them, taken apart.
  private(set) var segments: [[PathSegment]] = []
  private var places: [Place] = []
  private var known: [[PathPosition]: Int] = [:]

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
    segments = all.map { $0.steps.map(\.segment) }
    var open: [(positions: [PathPosition], place: Int)] = []
    _ = place(Set(all.indices.map { PathPosition($0) }), &open)
    while let (positions, index) = open.popLast() {
      places[index] = try compiled(positions, &open)
      // Paths with `..` can meet in as many ways as there are sets of them.
      if places.count > 10_000 { throw mistake("the paths have too many combinations") }
    }
  }

  private var all: [PathPattern] { patterns + context }

  /// Whether each text is a record.
  var isWholeText: Bool { !places[0].ends.isEmpty }

  /// Whether some values are held.
  var holds: Bool { places.contains { !$0.held.isEmpty } }

  /// How many containers are open in a list each of whose elements is a record; nil if paths do not tell.
  var levelOfElements: Int? {
    // Values from outside the records are in no element.
    guard patterns.count == 1, let steps = patterns.first?.steps, steps.last == .wildcard,
      steps.allSatisfy(\.isFixed)
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
    _ positions: Set<PathPosition>, _ open: inout [(positions: [PathPosition], place: Int)]
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

  /// Where paths lead from a place.
  private struct Ways {
    /// Where the next value may be anything, only paths that look at any depth continue, and those that take every member.
    var everywhere: Set<PathPosition> = []
    var everyMember: Set<PathPosition> = []
    var keys: [ExactText: Set<PathPosition>] = [:]
    var ranges: [(range: Range<Int>, onward: PathPosition)] = []

    mutating func add(_ position: PathPosition, _ segment: PathSegment) {
      if segment.isDescendant { everywhere.insert(position) }
      let onward = position.onward
      for selector in segment.selectors {
        switch selector {
        case .key(let key): keys[ExactText(key), default: []].insert(onward)
        case .index(let index): ranges.append((RecordPlaces.range(index, index &+ 1), onward))
        case .elements(let first, let end, let by):
          // If a slice has a step, each element is asked for its index.
          let way = by == 1 ? onward : position.candidate
          if by > 0 { ranges.append((RecordPlaces.range(first ?? 0, end ?? .max), way)) }
        case .wildcard: addAll(onward)
        case .filter: addAll(position.candidate)
        // A segment has none of these.
        case .anyOf, .descendants: break
        }
      }
    }

    private mutating func addAll(_ position: PathPosition) {
      ranges.append((RecordPlaces.range(0, .max), position))
      everyMember.insert(position)
    }
  }

  private mutating func compiled(
    _ positions: [PathPosition], _ open: inout [(positions: [PathPosition], place: Int)]
  ) throws(DefinitionError) -> Place {
    var place = Place()
    place.ends = positions.filter { !$0.isCandidate && $0.step == segments[$0.path].count }
      .map(\.path)
    if let first = place.ends.first { try check(place.ends, first, positions) }
    if mustHold(positions, place.ends) {
      if let inside = positions.first(where: { $0.path >= patterns.count }) {
        throw mistake(
          "the context value at \(all[inside.path]) lies in what is held to find the records: look at what is around "
            + "them by a condition on the records, not by the path",
          at: inside.path)
      }
      place.ends = []
      place.held = positions
      return place
    }
    if !place.ends.isEmpty { return place }
    var ways = Ways()
    for position in positions {
      let segment = segments[position.path][position.step]
      ways.add(position, segment)
      if position.onward.step == segments[position.path].count {
        if segment.meansElements { place.arrays.append(position.path) }
        if segment.meansMembers { place.objects.append(position.path) }
      }
    }
    let otherMembers = ways.everywhere.union(ways.everyMember)
    place.otherMembers = self.place(otherMembers, &open)
    for (key, onward) in ways.keys {
      place.members[key] = self.place(onward.union(otherMembers), &open)
    }
    // The stretches in which the same paths continue; the last one has no end.
    let starts = Set(ways.ranges.flatMap { [$0.range.lowerBound, $0.range.upperBound] } + [0])
      .subtracting([.max]).sorted()
    for (number, start) in starts.enumerated() {
      let here = ways.ranges.filter { $0.range.contains(start) }.map(\.onward)
      let next = self.place(ways.everywhere.union(here), &open)
      if number == starts.count - 1 {
        place.otherElements = next
      } else {
        place.elements.append((start..<starts[number + 1], next ?? -1))
      }
    }
    return place
  }

  /// Whether only the whole value tells what of it is a record.
  private func mustHold(_ positions: [PathPosition], _ ends: [Int]) -> Bool {
    positions.contains { position in
      if position.isCandidate { return true }
      let steps = all[position.path].steps
      if position.step == 0, steps.contains(where: \.asksForRoot) { return true }
      guard position.step < steps.count else { return false }
      // A record in a record can only come after it.
      return !ends.isEmpty || steps[position.step].countsFromEnd
    }
  }

  /// The indices from one to before another; empty if these are not indices.
  fileprivate static func range(_ first: Int, _ end: Int) -> Range<Int> {
    max(first, 0)..<max(first, 0, end)
  }

  private func check(_ ends: [Int], _ first: Int, _ positions: [PathPosition])
    throws(DefinitionError)
  {
    let all = all
    if let other = ends.last, ends.count > 1, other >= patterns.count {
      throw mistake(
        first < patterns.count
          ? "the context value at \(all[other]) is also what is at \(all[first])"
          : "two context values are at \(all[other]): take one of it, and fields take its parts (context, with from)",
        at: other)
    }
    let inner = positions.filter { position in
      let segments = segments[position.path]
      return !position.isCandidate && position.step < segments.count
        && !segments[...position.step].contains(where: \.isDescendant)
    }
    if first < patterns.count, let value = inner.map(\.path).first(where: { $0 >= patterns.count })
    {
      throw mistake(
        "the context value at \(all[value]) is in each record at \(all[first]): a field takes it from there",
        at: value)
    }
    if !inner.isEmpty {
      let kind = first < patterns.count ? "records" : "the context value"
      throw mistake("\(kind) at \(all[first]) would contain those of another path", at: first)
    }
  }

  /// Checks that records can be in the containers that context values belong to.
  private func checkOwners() throws(DefinitionError) {
    for (number, path) in context.enumerated() {
      let reason: String?
      if let step = path.steps.first(where: { !$0.isFixed }) {
        reason =
          if case .descendants = step {
            "a context value has one place in what is around the records: write the whole path"
          } else {
            "a context value comes while its container is read: \(step) cannot be in its path"
          }
      } else if path.levelOfOwner == 0 {
        reason = nil
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
  /// - Returns: The node where a text starts; and for each node how far the paths have come where it is held.
  func build(in selection: OpaquePointer, inside record: sm_node, context: [sm_node]) -> (
    root: sm_node, held: [sm_node: [PathPosition]]
  ) {
    let inside = patterns.map { _ in record } + context
    let nodes = places.map { place in
      if !place.held.isEmpty { return sm_selection_held(selection, record) }
      return place.ends.first.map { sm_selection_record(selection, inside[$0]) }
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
    // PERF: nearly all feeds hold nothing, and make no dictionary.
    if !holds { return (nodes[0], [:]) }
    return (nodes[0], Dictionary(uniqueKeysWithValues: zip(nodes, places.map(\.held))))
  }
}

extension PathPattern {
  /// The level of the container that a context value at this path belongs to: what the last step that means several values leads
  /// to; 0 for the document.
  var levelOfOwner: Int { (steps.lastIndex(where: \.meansSeveral) ?? -1) + 1 }

  /// The path of that container.
  fileprivate var owner: PathPattern { PathPattern(Array(steps[..<levelOfOwner])) }

  /// Whether a value at this path may lie inside one at another path, which has no `..`.
  func mayLead(into other: PathPattern) -> Bool {
    for (number, step) in other.steps.enumerated() {
      guard number < steps.count else { return false }
      let segment = steps[number].segment
      if segment.isDescendant { return true }
      guard segment.selectors.contains(where: { $0.meets(step) }) else { return false }
    }
    return steps.count > other.steps.count
  }
}

extension PathPattern.Step {
  /// Whether a step that is fixed leads to this one, as it was taken in a document.
  package func leads(to taken: JSONPath.Component) -> Bool {
    switch (self, taken) {
    case (.wildcard, _): true
    case (.key(let key), .key(let other)): ExactText(key) == ExactText(other)
    case (_, .index(let index)): indices?.contains(index) ?? false
    default: false
    }
  }

  /// Whether a selector may lead to the same value as a step that is fixed.
  fileprivate func meets(_ other: PathPattern.Step) -> Bool {
    switch (self, other) {
    case (.wildcard, _), (_, .wildcard), (.filter, _): return true
    case (.key(let key), .key(let otherKey)): return ExactText(key) == ExactText(otherKey)
    default:
      guard let indices, let otherIndices = other.indices else { return false }
      return indices.overlaps(otherIndices)
    }
  }

  /// The indices that may be meant.
  private var indices: Range<Int>? {
    switch self {
    case .index, .elements:
      if countsFromEnd { return 0..<Int.max }
      if case .index(let index) = self { return RecordPlaces.range(index, index &+ 1) }
      if case .elements(let first, let end, _) = self {
        return RecordPlaces.range(first ?? 0, end ?? .max)
      }
      return nil
    case .key, .wildcard, .filter, .anyOf, .descendants: return nil
    }
  }
}
