// Errors, and what stands in for values that did not come.
//
// An error is noted where a value is not made. Its path is that of the trail; its place, that of the cell. Where not all of that is known, the
// record is refused, and the machine finds its errors: whatever has errors of its own kind (facts, collected members, values that are mapped
// twice), and mappings that hide values.
extension RowMaker {
  /// Whether something that happens to a value has to be reported.
  @inline(__always)
  final func isReported(_ action: PlanAction) -> Bool {
    action.kind == .fail || action.isReported
  }

  /// There is no value: applies the node's policy.
  @inline(never)
  final func fallBack(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    after made: Made, notedBefore: Int, _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let invalid = node.pointee.invalid
    switch made {
    case .made, .refused: return made
    case .rejected:
      // What was thrown is about this value alone, whatever becomes of the record.
      defer { thrown = nil }
      if isReported(invalid), !noteRejection(of: cell, by: node, row, slot) { return .refused }
      return standIn(by: invalid, node, slot, orElse: .failed)
    case .absent, .omitted:
      let absent = node.pointee.absent
      if absent.kind == .useNil || absent.kind == .substitute {
        if !absent.isReported {
          forget(from: notedBefore)
        } else if made == .omitted || node.pointee.opcode.triesAlternatives && quiet > 0 {
          if !noteUnknown() { return .refused }
        }
        downgrade(from: notedBefore)
        return standIn(by: absent, node, slot, orElse: made)
      }
      // All alternatives are absent, which is an error of its own; it is noted already if it is to be told.
      if node.pointee.opcode.triesAlternatives, isReported(invalid), quiet > 0 { noted += 1 }
    case .failed: break
    }
    if invalid.kind == .fail { return made }
    downgrade(from: notedBefore)
    return standIn(by: invalid, node, slot, orElse: made)
  }

  /// What becomes of a field whose object a condition leaves out: the same as of one that is absent.
  final func leftOut(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    lack(
      .missing, node.pointee.absent, cell, node, row, slot,
      found: "one that its condition leaves out")
  }

  /// What becomes of a value that is null, or not there.
  final func lack(
    _ code: ErrorCode, _ action: PlanAction, _ cell: UnsafeMutablePointer<RowCell>,
    _ node: UnsafePointer<PlanNode>, _ row: RecordRow, _ slot: UnsafeMutableRawPointer,
    found: String? = nil
  ) -> Made {
    if isReported(action), quiet > 0 {
      noted += 1
    } else if isReported(action) {
      let isNull = code == .null
      let value = outermost(cell)
      let isNoted = note(
        code, action, expected: plan.details[Int(node.pointee.detail)].expected,
        found: isNull ? JSONKind.null.phrase : found,
        at: isNull ? value.flatMap { place(of: $0.cell, row) } : ownerPlace(row),
        below: isNull ? value?.depth : nil, isOfOwner: !isNull, row)
      if !isNoted { return .refused }
    }
    return standIn(by: action, node, slot, orElse: .absent)
  }

  /// What becomes of a value that a path leads to through one that has no such parts.
  final func block(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let invalid = node.pointee.invalid
    if isReported(invalid) {
      if quiet > 0 {
        noted += 1
      } else {
        guard let value = outermost(cell), let kind = value.cell.pointee.kind.json,
          let field = trail.all.last?.part,
          let place = place(of: value.cell, row, below: value.depth)
        else { return .refused }
        let wantsElement =
          switch kind {
          case .object: true
          case .array: false
          case .null, .boolean, .number, .string: !hasNamedParts(at: field, value.depth)
          }
        let isNoted = note(
          .wrongType, invalid, expected: wantsElement ? "an array" : "an object",
          found: kind.phrase, at: place, below: value.depth, row)
        if !isNoted { return .refused }
      }
    }
    return standIn(by: invalid, node, slot, orElse: .failed)
  }

  /// Makes what stands in for a value.
  final func standIn(
    by action: PlanAction, _ node: UnsafePointer<PlanNode>, _ slot: UnsafeMutableRawPointer,
    orElse made: Made
  ) -> Made {
    switch action.kind {
    case .fail, .take, .leave, .contested: return made
    case .useNil: output.storeNil(as: node, in: slot)
    case .substitute: output.store(substitute: action.substitute, as: node, in: slot)
    }
    return .made
  }

  /// Whether a value that is made may stay.
  @inline(never)
  final func checked(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    guard let failures = output.failures(as: node, in: slot) else { return .made }
    output.discard(as: node, in: slot)
    let invalid = node.pointee.invalid
    if isReported(invalid), quiet > 0 {
      noted += 1
    } else if isReported(invalid) {
      guard let value = outermost(cell) else { return .refused }
      for failure in failures where !note(failure, by: node, of: value, row) { return .refused }
    }
    return standIn(by: invalid, node, slot, orElse: .failed)
  }

  /// What becomes of an array when one of its elements has no value.
  final func lost(
    _ made: Made, _ array: UnsafePointer<PlanNode>, _ notedBefore: Int, _ result: Made
  ) -> Made {
    if made == .refused { return .refused }
    if !array.pointee.omitsElements { return .failed }
    downgrade(from: notedBefore)
    return result
  }

  // MARK: Notes

  /// Notes why a node does not take a value; false if that is not known here.
  private final func noteRejection(
    of cell: UnsafeMutablePointer<RowCell>, by node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Bool {
    if quiet > 0 { return noteUnknown() }
    if let thrown {
      return outermost(cell).map { note(thrown, by: node, of: $0, row) } ?? false
    }
    guard let kind = cell.pointee.kind.json, kind != .null else { return false }
    var verdict = Verdict.wrongType
    switch node.pointee.opcode.family {
    case .collection, .object: break
    case .scalar:
      if !cell.pointee.kind.isContainer {
        guard let token = token(cell, of: row) else { return false }
        verdict = output.scalar(token, as: node, in: slot)
      }
    case .json, .change, .remap, .choice: return false
    }
    if verdict == .made { return false }
    let (code, found) = verdict.error(of: kind)
    return note(
      code, node.pointee.invalid, expected: plan.details[Int(node.pointee.detail)].expected,
      found: found, at: place(of: cell, row), row)
  }

  /// Notes an error that the author's code threw about a value.
  private final func note(
    _ error: any Error, by node: UnsafePointer<PlanNode>, of value: Deciding, _ row: RecordRow
  ) -> Bool {
    let thrown = ThrownError(
      error, expected: plan.details[Int(node.pointee.detail)].expected,
      from: plan.source(of: node), hidesValues: false)
    return note(
      thrown.code, node.pointee.invalid, expected: thrown.expected, found: thrown.found,
      rule: thrown.rule, underlying: thrown.underlying,
      at: place(of: value.cell, row, below: value.depth), below: value.depth, row)
  }

  /// Notes that there is an error which is not known here; false if it would have to be known.
  final func noteUnknown() -> Bool {
    if quiet == 0 { return false }
    noted += 1
    return true
  }

  /// Notes an error at the end of the trail, and some steps below it; false if that is not known here.
  final func note(
    _ code: ErrorCode, _ action: PlanAction, expected: String?, found: String?,
    rule: String? = nil, underlying: [any Error] = [], inner: [ErrorLog.Entry] = [],
    at place: RecordRow.Place?, below depth: Int? = nil, steps: [JSONPath.Component] = [],
    isOfOwner: Bool = false, _ row: RecordRow
  ) -> Bool {
    guard canNote, let place, let (path, target) = paths(trail.all[...], below: depth, row),
      let moment = moment(at: place.end, isOfOwner: isOfOwner, row)
    else { return false }
    add(
      ErrorLog.Entry(
        severity: action.severity, code: code,
        path: steps.isEmpty ? path : JSONPath(path.components + steps), target: target,
        address: FeedToken(start: UInt64(place.start), end: UInt64(place.end)),
        expected: expected, found: found, underlying: underlying, inner: inner, rule: rule,
        moment: moment))
    return true
  }

  /// Whether an error may be noted: if not, the machine has to find it.
  final var canNote: Bool { odd == 0 && !plan.hidesValues && !errors.isFull }

  final func add(_ error: ErrorLog.Entry) {
    errors.add(error)
    noted += 1
  }

  /// Notes that no alternative takes a value, with what is wrong with each of them: what was noted from a number on.
  ///
  /// - Returns: False if that is not known here.
  final func noteNoAlternative(
    of cell: UnsafeMutablePointer<RowCell>, by node: UnsafePointer<PlanNode>, from start: Int,
    _ row: RecordRow
  ) -> Bool {
    let action = node.pointee.invalid
    let inner = errors.take(from: ErrorLog.Mark(start))
    noted = start
    if !isReported(action) { return true }
    return note(
      .noAlternative, action, expected: plan.details[Int(node.pointee.detail)].expected, found: nil,
      inner: inner.sortedByReach(),
      at: cell.pointee.kind == .absent ? ownerPlace(row) : place(of: cell, row),
      isOfOwner: cell.pointee.kind == .absent, row)
  }

  /// Says that what was noted from a number on is known where a value ends, if it is a container: until then its alternatives are not tried.
  ///
  /// - Returns: False if that place is not known here.
  final func hold(
    _ start: Int, until cell: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> Bool {
    guard noted > start, cell.pointee.kind.isContainer else { return true }
    guard let end = place(of: cell, row)?.end, let moment = moment(at: end, row)
    else { return false }
    errors.sort(from: ErrorLog.Mark(start))
    errors.hold(from: ErrorLog.Mark(start), until: moment)
    return true
  }

  /// Forgets what was noted from one number to another.
  final func forget(from start: Int, to end: Int) {
    errors.remove(from: ErrorLog.Mark(start), to: ErrorLog.Mark(end))
    noted -= end - start
  }

  /// Forgets what was noted from a number on.
  final func forget(from start: Int) {
    if noted == start { return }
    if quiet == 0 { errors.remove(from: ErrorLog.Mark(start)) }
    noted = start
  }

  /// Turns what was noted from a number on into issues.
  final func downgrade(from start: Int) {
    if noted > start, quiet == 0 { errors.downgrade(from: ErrorLog.Mark(start)) }
  }

  /// Forgets all that was noted of a record.
  final func clearNotes() {
    errors.clear()
    noted = 0
    thrown = nil
  }

  /// Puts the errors of a record in the order in which what they are about ends in the feed, with their places in it, from where the
  /// record is.
  final func settleErrors(of row: RecordRow, at record: FeedToken) {
    let first = Int(row.place.start)
    errors.sort()
    // Lines are counted from one error to the next, or again from the start of the record.
    var (position, line, lineStart) = (first, record.line, record.lineStart)
    errors.move { place in
      let start = Int(place.start)
      if start < position { (position, line, lineStart) = (first, record.line, record.lineStart) }
      let passed = row.lines(in: position..<start)
      line += UInt64(passed.count)
      if let end = passed.end { lineStart = record.start + UInt64(end - first) }
      position = start
      return FeedToken(
        start: record.start &+ (place.start &- UInt64(first)),
        end: record.start &+ (place.end &- UInt64(first)), line: line, lineStart: lineStart)
    }
  }

  // MARK: Places

  /// The value that decides on a cell: its own, or the one that paths cannot go through, with the number of steps to it.
  private typealias Deciding = (cell: UnsafeMutablePointer<RowCell>, depth: Int?)

  /// The value that decides on a cell; nil if that is not known here.
  private final func outermost(_ cell: UnsafeMutablePointer<RowCell>) -> Deciding? {
    if !cell.pointee.isBelow { return cell.pointee.kind == .blocked ? nil : (cell, nil) }
    guard let step = trail.all.last, step.kind == .object else { return nil }
    let block = cell - Int(cells[step.part])
    return (block + Int(cell.pointee.start), Int(cell.pointee.next))
  }

  /// Whether fields go by keys through the value at so many steps of a field's path.
  private final func hasNamedParts(at field: Int, _ depth: Int?) -> Bool {
    guard let depth, depth > 0, fieldPlaces.ways[field].indices.contains(depth - 1) else {
      return true
    }
    return plan.places[fieldPlaces.ways[field][depth - 1]].pointee.keys != nil
  }

  /// Where the value of a cell is, which is the part that is being made; nil if that is not known here.
  final func place(
    of cell: UnsafeMutablePointer<RowCell>, _ row: RecordRow, below depth: Int? = nil
  ) -> RecordRow.Place? {
    // Members from a key on have no text of their own, and what is inside a null has none.
    guard row.walker == walker, cell.pointee.kind != .members, !cell.pointee.isBelow,
      let kind = cell.pointee.kind.json
    else { return nil }
    switch kind {
    case .object, .array: return place(ofContainer: cell, row, trail.all[...], below: depth)
    case .null, .boolean, .number, .string: return RecordRow.Place(cell.pointee)
    }
  }

  /// Where the innermost object is, or what is there instead of it.
  final func ownerPlace(_ row: RecordRow) -> RecordRow.Place? {
    guard row.walker == walker, let owner = trail.all.last?.own else { return nil }
    guard owner.pointee.kind.isContainer else { return place(of: owner, row) }
    return place(ofContainer: owner, row, trail.all.dropLast())
  }

  private final func place(
    ofContainer cell: UnsafeMutablePointer<RowCell>, _ row: RecordRow,
    _ steps: Slice<UnsafeBufferPointer<RowTrail.Step>>, below depth: Int? = nil
  ) -> RecordRow.Place? {
    row.place(ofContainer: cell)
      ?? paths(steps, below: depth, row).flatMap { row.place(ofContainerAt: $0.path) }
  }

  /// The paths of what is at the end of the trail, in the record and in the result; nil if an error there is not known here.
  ///
  /// The depth is how many steps of the last field's path lead to it; nil for all.
  final func paths(
    _ steps: Slice<UnsafeBufferPointer<RowTrail.Step>>, below depth: Int? = nil, _ row: RecordRow
  ) -> (path: JSONPath, target: JSONPath)? {
    // PERF: most are those of one field, whose paths are there.
    if depth == nil, steps.count == 1, let field = steps.first, field.kind == .object {
      return (plan.sources[field.part], fieldPlaces.targets[field.part])
    }
    var path: [JSONPath.Component] = []
    var target: [JSONPath.Component] = []
    for number in steps.startIndex..<steps.endIndex {
      let step = steps[number]
      switch step.kind {
      case .object:
        var source = plan.sources[step.part].components[...]
        if let depth, number == steps.endIndex - 1 { source = source.prefix(depth) }
        path += source
        target += fieldPlaces.targets[step.part].components
      case .array:
        path.append(.index(step.part))
        target.append(.index(step.part))
      case .dictionary:
        guard let key = key(row.cells + step.part, of: row) else { return nil }
        let name = JSONPath.Component.key(String(decoding: key, as: UTF8.self))
        path.append(name)
        target.append(name)
      }
    }
    return (JSONPath(path), JSONPath(target))
  }

  /// When an error at the end of the trail is known, where that ends with which it is known; nil if that is not known here.
  private final func moment(
    at end: UInt32, isOfOwner: Bool = false, _ row: RecordRow
  ) -> ErrorLog.Moment? {
    if isOfOwner, let last = trail.all.last, last.kind == .object {
      return momentOfObject(endingAt: end, rank: fieldPlaces.lackRanks[last.part], row)
    }
    return moment(at: end, afterSteps: trail.all.count, row)
  }

  /// When an error about what so many steps lead to is known.
  private final func moment(
    at end: UInt32, afterSteps depth: Int, _ row: RecordRow
  ) -> ErrorLog.Moment? {
    let last = depth > 0 ? trail.all[depth - 1] : nil
    let rank = last?.kind == .object ? last.map { fieldPlaces.ranks[$0.part] } ?? 0 : 0
    return held(to: depth, row).map {
      ErrorLog.Moment(held: $0, end: UInt64(end), rank: Self.rank(rank, atDepth: depth))
    }
  }

  /// When an error is known that is found when the innermost object ends; nil if that is not known here.
  final func momentOfObject(
    endingAt end: UInt32, rank: Int, _ row: RecordRow
  ) -> ErrorLog.Moment? {
    let depth = trail.all.count
    // A scalar in its place is over at once.
    if trail.all.last?.own?.pointee.kind.isContainer == false {
      return moment(at: end, afterSteps: depth - 1, row)
    }
    return held(to: depth - 1, row).map {
      ErrorLog.Moment(
        held: $0, end: UInt64(end), rank: Self.rank(rank, isOfOwner: true, atDepth: depth))
    }
  }

  /// The parts that several fields take on the way of so many steps of the trail: their ends, and the ranks of the fields.
  final func held(to depth: Int, _ row: RecordRow) -> [UInt64]? {
    var held: [UInt64] = []
    let steps = trail.all
    for number in 0..<depth where steps[number].kind == .object {
      for part in fieldPlaces.shared[steps[number].part] {
        guard let path = paths(steps[...number], below: part.depth, row)?.path else { return nil }
        // One that is not a container is over at once.
        if let place = row.place(ofContainerAt: path) {
          held += [UInt64(place.end), Self.rank(part.rank, atDepth: number + 1)]
        }
      }
    }
    return held
  }

  /// The order of what is known at the same place: what is inside comes first, then what the object itself lacks.
  static func rank(_ rank: Int, isOfOwner: Bool = false, atDepth depth: Int) -> UInt64 {
    UInt64(RowTrail.deepest - depth) << 40 | (isOfOwner ? 1 << 32 : 0) | UInt64(rank)
  }
}

extension [ErrorLog.Entry] {
  /// The errors of alternatives: the alternative that got furthest is probably the intended one, so its errors come first.
  func sortedByReach() -> [ErrorLog.Entry] {
    let sorted = enumerated().sorted { a, b in
      let depths = (a.element.path.components.count, b.element.path.components.count)
      if depths.0 != depths.1 { return depths.0 > depths.1 }
      let starts = (a.element.address.start, b.element.address.start)
      return starts.0 != starts.1 ? starts.0 > starts.1 : a.offset < b.offset
    }
    return sorted.map(\.element)
  }
}

extension Verdict {
  /// What is wrong with a value of a kind, and the kind of error.
  func error(of kind: JSONKind) -> (code: ErrorCode, found: String) {
    switch self {
    case .made, .wrongType: (.wrongType, kind.phrase)
    case .invalid:
      (
        .invalidValue,
        kind == .number ? "a number that is not one" : "\(kind.phrase) that is not one"
      )
    case .outOfRange: (.numberOutOfRange, "a number beyond its range")
    }
  }
}

extension PlanTables {
  /// The kind of what the author's code makes a value from; nil if it may be of several.
  func source(of node: UnsafePointer<PlanNode>) -> JSONKind? {
    var node = node
    while node.pointee.opcode.family == .change { node = nodes[node.pointee.child] }
    switch node.pointee.opcode.family {
    case .scalar: return node.pointee.scalar.kind
    case .collection: return node.pointee.opcode == .array ? .array : .object
    case .object: return .object
    case .json, .change, .remap, .choice: return nil
    }
  }
}
