// Values that one of several mappings makes, fields with several sources, and values that are mapped twice.
extension RowMaker {
  /// How a dispatch chooses.
  struct Choice {
    /// By the number of the kind: the node; -1 if there is none.
    fileprivate var byKind: [Int32] = []
    fileprivate let labels: KeyTable?
    let fallback: Int32
    /// Whether the discriminator is inside a member.
    let isDeep: Bool

    init(_ dispatch: PlanTables.Dispatch) {
      fallback = dispatch.fallback ?? -1
      isDeep = dispatch.path.count > 1
      if dispatch.path.isEmpty {
        byKind = Self.kinds.map { dispatch.labels[ExactText($0.rawValue)] ?? -1 }
        labels = nil
      } else {
        labels = KeyTable(dispatch.labels.map { ($0.key.text, $0.value) })
      }
    }

    /// In the order of `byKind`.
    private static let kinds: [JSONKind] = [.null, .boolean, .number, .string, .object, .array]

    /// Whether the kind of the token is what it goes by.
    var isByKind: Bool { labels == nil }

    /// The node for a kind; -1 if there is none.
    func node(of kind: JSONKind) -> Int32 {
      let number =
        switch kind {
        case .null: 0
        case .boolean: 1
        case .number: 2
        case .string: 3
        case .object: 4
        case .array: 5
        }
      return byKind[number] < 0 ? fallback : byKind[number]
    }

    /// The node for a label; that for all others, or -1, if there is none.
    fileprivate func node(of label: UnsafeBufferPointer<UInt8>) -> Int32 {
      var noGuess = Int32.max
      let node = labels?.find(label, guess: &noGuess) ?? -1
      return node < 0 ? fallback : node
    }

    /// The node for the label in a cell; -1 if there is none; nil if the text has escapes, or more has to be known.
    func node(for label: UnsafeMutablePointer<RowCell>, of row: RecordRow) -> Int32? {
      switch label.pointee.kind {
      case .absent, .blocked, .object, .array, .members, .head: fallback
      // A null on the way is no discriminator.
      case .null: isDeep ? nil : node(of: "null")
      case .true: node(of: "true")
      case .false: node(of: "false")
      default: row.plainToken(of: label).map { node(of: $0.text) }
      }
    }

    private func node(of label: StaticString) -> Int32 {
      node(of: UnsafeBufferPointer(start: label.utf8Start, count: label.utf8CodeUnitCount))
    }
  }

  /// Makes a value by one of several nodes.
  final func make(
    _ choice: PlanNode.Opcode.Choice, _ cell: UnsafeMutablePointer<RowCell>,
    _ node: UnsafePointer<PlanNode>, _ row: RecordRow, _ slot: UnsafeMutableRawPointer
  ) -> Made {
    switch choice {
    case .first: tryAlternatives(cell, node, row, slot)
    case .dispatch: dispatch(cell, node, row, slot)
    }
  }

  // MARK: First of

  @inline(never)
  private final func tryAlternatives(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    if cell.pointee.kind.isContainer, !mayRepeat(row, times: node.pointee.second) {
      return .refused
    }
    // PERF: where only what is wrong with the one that is taken comes out, that is hardly ever anything.
    if quiet > 0 || !node.pointee.reportsEarlier, let made = tryQuietly(cell, node, row, slot) {
      return made
    }
    let first = plan.alternatives.start + Int(node.pointee.child)
    let before = noted
    var areAbsent = node.pointee.second > 0
    for number in 0..<Int(node.pointee.second) {
      let start = noted
      let made = make(cell, as: nodes + Int(first[number]), of: row, in: slot)
      if made == .refused { return .refused }
      if !hold(start, until: cell, row) {
        if made == .made { output.discard(as: nodes + Int(first[number]), in: slot) }
        return .refused
      }
      if made == .made {
        if node.pointee.reportsEarlier {
          downgrade(from: before)
        } else {
          forget(from: before, to: start)
        }
        return .made
      }
      if made == .failed { areAbsent = false }
    }
    let absent = node.pointee.absent.kind
    if areAbsent, absent == .useNil || absent == .substitute { return .absent }
    if !noteNoAlternative(of: cell, by: node, from: before, row) { return .refused }
    return areAbsent ? .absent : .failed
  }

  /// Tries alternatives, and only counts their errors; nil, and nothing made, if some are to be told.
  private final func tryQuietly(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made? {
    let first = plan.alternatives.start + Int(node.pointee.child)
    let isQuiet = quiet > 0
    var areAbsent = node.pointee.second > 0
    quiet += 1
    let notedBefore = noted
    var isTold = false
    defer {
      quiet -= 1
      noted = notedBefore + (isTold ? 1 : 0)
    }
    for number in 0..<Int(node.pointee.second) {
      noted = notedBefore
      let made = make(cell, as: nodes + Int(first[number]), of: row, in: slot)
      if made == .refused { return .refused }
      if made == .made {
        let hasErrors = noted > notedBefore || number > 0 && node.pointee.reportsEarlier
        isTold = hasErrors && isQuiet
        if !hasErrors || isQuiet { return .made }
        output.discard(as: nodes + Int(first[number]), in: slot)
        return nil
      }
      if made == .failed { areAbsent = false }
    }
    if !isQuiet, isReported(node.pointee.invalid) || isReported(node.pointee.absent) { return nil }
    return areAbsent ? .absent : .rejected
  }

  // MARK: Dispatch

  @inline(never)
  private final func dispatch(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let index = Int(node.pointee.child)
    guard let kind = cell.pointee.kind.json else { return .refused }
    if kind != .object || choices[index].labels == nil {
      let isByKind = choices[index].labels == nil
      let chosen = isByKind ? choices[index].node(of: kind) : choices[index].fallback
      if chosen >= 0 { return make(cell, as: nodes + Int(chosen), of: row, in: slot) }
      return noCase(
        .wrongType, node, expected: isByKind ? plan.dispatches[index].expected : "an object",
        found: kind.phrase, at: place(of: cell, row), row)
    }
    let mark = row.mark
    defer { row.release(to: mark) }
    let group = groups + Int(rows.groupOfDispatch.start[index])
    guard mayRepeat(row), let block = block(of: group, cell, row) else { return .refused }
    settle(group, block.cells)
    let label = block.cells + Int(rows.discriminators.start[index])
    var chosen = choices[index].node(for: label, of: row)
    if chosen == nil, label.pointee.hasEscapes, let token = token(label, of: row) {
      chosen = choices[index].node(of: token.text)
    }
    guard let chosen else { return .refused }
    if chosen >= 0 { return make(block.own, as: nodes + Int(chosen), of: row, in: slot) }
    let steps = plan.dispatches[index].path.map {
      JSONPath.Component.key(String(decoding: $0, as: UTF8.self))
    }
    let expected = plan.dispatches[index].expected
    switch label.pointee.kind {
    case .members, .head: return .refused
    case .object, .array:
      guard label.pointee.isClosed else { return .refused }
      // It is known at the bracket.
      let start = label.pointee.start
      return noCase(
        .invalidValue, node, expected: expected, found: label.pointee.kind.json?.phrase,
        at: RecordRow.Place(start: start, end: start + 1), below: steps, row)
    case .absent, .blocked:
      return noCase(
        .missing, node, expected: expected, found: nil, at: place(of: cell, row), below: steps, row)
    default:
      let kind = label.pointee.kind.json ?? .null
      return noCase(
        .invalidValue, node, expected: expected,
        found: kind == .null ? kind.phrase : "another \(kind.noun)",
        at: RecordRow.Place(label.pointee), below: steps, row)
    }
  }

  /// A value that no case suits fails, and it is noted why.
  private final func noCase(
    _ code: ErrorCode, _ node: UnsafePointer<PlanNode>, expected: String, found: String?,
    at place: RecordRow.Place?, below steps: [JSONPath.Component] = [], _ row: RecordRow
  ) -> Made {
    let invalid = node.pointee.invalid
    if isReported(invalid), quiet > 0 {
      noted += 1
    } else if isReported(invalid),
      !note(code, invalid, expected: expected, found: found, at: place, steps: steps, row)
    {
      return .refused
    }
    return .failed
  }

  // MARK: Fields

  /// Makes the value of a field.
  @inline(never)
  final func makeField(
    _ field: Int, of object: UnsafePointer<PlanObject>, _ block: Block,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let node = nodes + Int(fields[field].node)
    let made: Made
    trail.enter(field)
    switch sources[field] {
    case .cell: made = make(cell(of: field, in: block), as: node, of: block.row, in: slot)
    case .severalCells: made = makeContested(field, of: object, block, slot)
    case .fact: made = makeFact(field, of: object, node, block.row, slot)
    case .members:
      guard let first = others(of: object, in: block) else { return .refused }
      odd += 1
      defer { odd -= 1 }
      var members = RowCell(start: 0, end: first, kind: .members)
      made = withUnsafeMutablePointer(to: &members) { make($0, as: node, of: block.row, in: slot) }
    }
    return made == .omitted ? leftOut(cell(of: field, in: block), node, block.row, slot) : made
  }

  /// Makes the value of a field from the first source that has one; a null counts only if none has.
  private final func makeContested(
    _ field: Int, of object: UnsafePointer<PlanObject>, _ block: Block,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let contests =
      object.pointee.firstContest..<object.pointee.firstContest + object.pointee.contestCount
    guard
      let contest = contests.lazy.map({ self.plan.contests[$0].pointee })
        .first(where: { $0.field == Int32(field) })
    else { return .refused }
    var null: Int?
    for number in 0...contest.otherCount {
      let source = Int(contest[number])
      let cell = cell(of: source, in: block)
      switch cell.pointee.kind {
      case .absent: continue
      case .null: null = null ?? source
      default:
        trail.enter(source)
        return make(cell, as: nodes + Int(fields[source].node), of: block.row, in: slot)
      }
    }
    if let null { trail.enter(null) }
    return make(
      cell(of: null ?? field, in: block), as: nodes + Int(fields[field].node), of: block.row,
      in: slot)
  }

  /// Makes a field that tells something of the record.
  private final func makeFact(
    _ field: Int, of object: UnsafePointer<PlanObject>, _ node: UnsafePointer<PlanNode>,
    _ row: RecordRow, _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let facts = object.pointee.firstFact..<object.pointee.firstFact + object.pointee.factCount
    guard
      let fact = facts.lazy.map({ self.plan.facts[$0].pointee })
        .first(where: { $0.field == Int32(field) })
    else { return .refused }
    odd += 1
    defer { odd -= 1 }
    guard let value = output.value(of: fact.fact) else {
      var absent = RowCell(kind: .absent)
      return withUnsafeMutablePointer(to: &absent) { make($0, as: node, of: row, in: slot) }
    }
    return make(from: row, as: node, in: slot) {
      $0.append(Array(value.description.utf8))
      return true
    }
  }

  // MARK: Values that are mapped again

  /// Makes a value from another JSON text, which a function writes; it may refuse that.
  final func make(
    from row: RecordRow, as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer,
    _ write: (OutputBuffer) -> Bool
  ) -> Made {
    if textDepth == texts.count { texts.append(OutputBuffer()) }
    let text = texts[textDepth]
    text.clear()
    guard write(text), let inside = row.beside(text.bytes) else { return .refused }
    textDepth += 1
    odd += 1
    defer {
      textDepth -= 1
      odd -= 1
    }
    let made = makeAtOnce(inside.cells, node, inside, slot)
    return made == .refused ? make(inside.cells, as: node, of: inside, in: slot) : made
  }

  /// Maps a value that another mapping made as JSON.
  @inline(never)
  final func rewrite(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    if depth == Self.deepest { return .refused }
    depth += 1
    defer { depth -= 1 }
    let child = nodes + Int(node.pointee.child)
    let second = nodes + Int(node.pointee.second)
    let inner = arena.allocate(layouts[child - nodes].size)
    let made = make(cell, as: child, of: row, in: inner)
    guard made == .made else {
      arena.release(inner)
      return made
    }
    if let remade = remake(inner, as: second, row, slot) {
      arena.release(inner)
      return remade
    }
    return make(from: row, as: second, in: slot) {
      takeJSON(of: child, from: inner, to: $0)
      arena.release(inner)
      return true
    }
  }
}
