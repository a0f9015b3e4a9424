import CScan

/// The values of a feed that its reader holds, to find out what of them is a record.
///
/// Held is as little as the paths allow: for a filter the element, for what counts from the end the array, and for a filter that
/// asks `$` the document. `FeedReader` hands over the records that are found here one after the other, as if the walker had found
/// them; later code does not know the difference. Between the records of one value there is no position.
///
/// Not thread-safe.
final class HeldRecords {
  private let value: HeldValue
  private let filters: FilterEvaluation
  private let limit: Int
  private let takesText: Bool
  private var walk: PathWalk
  /// The records of the value that are still to come; the last one is the next.
  private var waiting: [PathWalk.Match] = []
  /// The record that is handed over.
  private(set) var current: PathWalk.Match?
  /// The keys and indices from the held value to it.
  private(set) var steps: [PathWalk.Step] = []
  /// The record paths that occurred, as bits.
  private(set) var pathsSeen: UInt64 = 0

  init(_ places: RecordPlaces, limit: Int, takesText: Bool) {
    self.limit = limit
    self.takesText = takesText
    value = HeldValue(limit: limit)
    filters = FilterEvaluation(value)
    walk = PathWalk(filters, places.segments)
  }

  /// Whether records of the value are still to come.
  var isWaiting: Bool { !waiting.isEmpty }

  func add(_ chunk: RecordChunk) { value.add(chunk) }

  /// Looks for the records of the value, which is whole now.
  ///
  /// - Parameters:
  ///   - positions: How far the paths have come at the value.
  ///   - index: Its index in the array around it.
  /// - Returns: Whether the value is not too large for that.
  func find(_ positions: [PathPosition], index: Int?) -> Bool {
    guard !value.isTooLarge else { return false }
    value.finish()
    filters.forget()
    walk.run(from: 0, positions, index: index)
    pathsSeen |= walk.seen
    if !walk.matches.isEmpty { waiting = walk.matches.reversed() }
    return true
  }

  /// What a value is that came as a row.
  enum Choice {
    /// It is a record, and nothing in it is one.
    case taken
    /// It is none, and nothing in it is one.
    case passed
    /// Something in it is a record, or that cannot be said here.
    case undecided
  }

  /// Looks for the records of a value that came as a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - place: What is known of such values.
  ///   - index: Its index in the array around it.
  /// - Returns: What it is.
  func choice(of row: RecordRow, at place: HeldPlace, index: Int?) -> Choice {
    let isAlone = place.keysInside.map { !$0.contains(where: row.mayName) } ?? false
    // PERF: the value is looked at only where paths ask for something in it.
    if isAlone, place.candidates.isEmpty { return choice(by: place.ends) }
    if isAlone, row.length <= limit, let paths = place.paths(to: row) {
      return choice(by: paths)
    }
    defer {
      value.clear()
      walk.clear()
    }
    guard value.begin(row) else { return .undecided }
    filters.forget()
    if isAlone {
      var paths = place.ends
      for candidate in place.candidates where walk.accepts(candidate, 0, index: index) {
        paths |= 1 << UInt64(candidate.path)
      }
      return choice(by: paths)
    }
    walk.run(from: 0, place.positions, index: index)
    let matches = walk.matches
    // A record in it comes after it.
    if !matches.allSatisfy({ $0.token == 0 }) { return .undecided }
    pathsSeen |= walk.seen
    return choice(by: matches.reduce(0) { $0 | $1.paths })
  }

  /// What a value is that these paths take, given as bits.
  private func choice(by paths: UInt64) -> Choice {
    pathsSeen |= paths
    return paths == 0 ? .passed : .taken
  }

  /// Advances to the next record of the value; false if there is none.
  func takeNext() -> Bool {
    guard let next = waiting.popLast() else {
      if current != nil { clear() }
      return false
    }
    current = next
    steps = walk.steps(to: next)
    pathsSeen |= next.paths
    return true
  }

  /// Takes back the record that is handed over: it is not read.
  func putBack() {
    guard let current else { return }
    waiting.append(current)
    self.current = nil
  }

  /// Lets the value go.
  func clear() {
    value.clear()
    walk.clear()
    waiting.removeAll()
    current = nil
    steps.removeAll(keepingCapacity: true)
  }

  /// Makes it ready for another feed.
  func reset() {
    clear()
    pathsSeen = 0
  }

  func chunk(of match: PathWalk.Match) -> RecordChunk {
    value.chunk(of: match.token, asText: takesText)
  }

  func address(of match: PathWalk.Match) -> FeedToken { value.address(of: match.token) }

  /// A key as it is written.
  func key(_ step: PathWalk.Step) -> UnsafeBufferPointer<UInt8>? {
    step.key < 0 ? nil : value.key(step.key)
  }

  func component(_ step: PathWalk.Step) -> JSONPath.Component {
    key(step).map { .key(EscapedText.decoded($0)) } ?? .index(step.index)
  }

  /// The error of a value that is too large.
  func tooLarge(_ path: JSONPath, at address: FeedToken, record: Int?) -> FeedReader.Fault {
    FeedReader.Fault(
      error: MappingError(
        .limitExceeded, path: path, position: address.position, record: record,
        expected: Limits.message(.capturedValue, limit)
          + ", as it is held to find the records in it"),
      text: address, isFinal: false, isCutOff: false)
  }
}

/// What is known of the values at a node that are held.
struct HeldPlace {
  /// How far the paths have come.
  let positions: [PathPosition]
  /// Those that still have to ask something of the value.
  let candidates: [PathPosition]
  /// The paths that end there, as bits.
  let ends: UInt64
  /// The keys, as JSON, without which no path leads to anything in the value; nil if paths need none.
  let keysInside: [[UInt8]]?
  /// What the candidates ask, each with its path as a bit; nil if one of them asks more than rows tell.
  private let filters: [(path: UInt64, filter: RowFilter)]?

  init(_ positions: [PathPosition], of paths: [[PathSegment]]) {
    self.positions = positions
    candidates = positions.filter(\.isCandidate)
    var ends: UInt64 = 0
    var keys: [[UInt8]]? = []
    for position in positions {
      let isLast =
        (position.isCandidate ? position.onward : position).step
        == paths[position.path].count
      if isLast {
        if !position.isCandidate { ends |= 1 << UInt64(position.path) }
        continue
      }
      let selectors = position.isCandidate ? [] : paths[position.path][position.step].selectors
      let names = selectors.compactMap { if case .key(let key) = $0 { key } else { nil } }
      keys =
        names.isEmpty || names.count < selectors.count
        ? nil
        : keys.map {
          $0
            + names.map {
              // A key that needs escapes is not known here: see `RecordRow.mayName`.
              [UInt8(ascii: "\"")] + $0.utf8 + [UInt8(ascii: "\"")]
            }
        }
    }
    self.ends = ends
    keysInside = keys
    let filters = candidates.compactMap { candidate -> (path: UInt64, filter: RowFilter)? in
      let selectors = paths[candidate.path][candidate.step].selectors
      guard selectors.count == 1, case .filter(let filter) = selectors[0] else { return nil }
      return RowFilter(filter).map { (1 << UInt64(candidate.path), $0) }
    }
    self.filters = filters.count == candidates.count ? filters : nil
  }

  /// The paths that take a row's value, as bits; nil if that cannot be said here.
  func paths(to row: RecordRow) -> UInt64? {
    guard let filters else { return nil }
    var paths = ends
    for (path, filter) in filters {
      guard let holds = filter.holds(for: row) else { return nil }
      if holds { paths |= path }
    }
    return paths
  }
}
