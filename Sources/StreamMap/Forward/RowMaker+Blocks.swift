// How objects, arrays and dictionaries find their parts.
extension RowMaker {
  /// The cells of an object's group.
  // PERF: with the row, so that one address is passed on.
  struct Block {
    let row: RecordRow
    let cells: UnsafeMutablePointer<RowCell>
    /// The cell of the object's value.
    let own: UnsafeMutablePointer<RowCell>
    /// Its first key that no member of the plan has; 0 if there is none.
    let others: UInt32
  }

  /// The cell that a field is made from.
  @inline(__always)
  final func cell(of field: Int, in block: borrowing Block) -> UnsafeMutablePointer<RowCell> {
    let number = Int(cells[field])
    return number > 0 ? block.cells + number : block.own
  }

  @inline(__always)
  final func openObject(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let object = objects + Int(node.pointee.child)
    // PERF: most objects are open, by their own group, and have nothing unusual.
    if cell.pointee.kind == .object, !cell.pointee.isClosed, object.pointee.isPlain {
      let first = row.cells + Int(cell.pointee.start)
      let group = groups + Int(rows.groupOfObject.start[Int(node.pointee.child)])
      if !first.pointee.isBlock || Int32(bitPattern: first.pointee.next) == group.pointee.entry {
        let block = Block(row: row, cells: first, own: cell, others: 0)
        settle(group, first)
        if watch != nil { noteFound(in: block, of: Int(node.pointee.child)) }
        return makeObject(node, block, slot)
      }
    }
    return openUnusual(cell, node, row, slot)
  }

  @inline(never)
  private final func openUnusual(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let index = Int(node.pointee.child)
    let object = objects + index
    let kind = cell.pointee.kind
    if depth == Self.deepest { return .refused }
    depth += 1
    let mark = row.mark
    defer {
      depth -= 1
      row.release(to: mark)
    }
    let takes = object.pointee.takes
    let isLedThrough = kind == .object && takes.objects || kind == .array && takes.arrays
    if !isLedThrough, !takes.all {
      return object.pointee.earlyCondition >= 0 ? misfit(cell, index, row) : .rejected
    }
    let group = groups + Int(rows.groupOfObject.start[index])
    guard
      let block = isLedThrough
        ? block(of: group, cell, row) : emptyBlock(of: group, cell, row)
    else { return .refused }
    settle(group, block.cells)
    if isLedThrough, takes.objects, takes.arrays {
      blockOtherSteps(of: object, block, isArray: kind == .array)
    }
    let notedBefore = noted
    let isStrict = object.pointee.unknownKeys != .ignore && hasUnknownKeys(block, of: group)
    if isStrict, !noteUnknownKeys(of: object, group, in: copy block) { return .refused }
    let root = plan.places[object.pointee.rootPlace].pointee
    if root.fieldCount > 0, !mayRepeat(row, times: root.fieldCount + 1) { return .refused }
    // What is made of a value that has no parts is no part of it.
    let isOdd = isLedThrough ? 0 : 1
    odd += isOdd
    defer { odd -= isOdd }
    if watch != nil { noteFound(in: block, of: index) }
    let made = makeObject(node, block, slot)
    if !isStrict { return made }
    // What is wrong with an object that its condition leaves out does not matter.
    if made == .omitted { forget(from: notedBefore) }
    guard object.pointee.unknownKeys == .fail, made == .made || made == .absent else { return made }
    if made == .made { output.discard(as: node, in: slot) }
    return .failed
  }

  /// What becomes of a value that an object does not take: rejected, unless the object's condition leaves it out.
  final func misfit(
    _ cell: UnsafeMutablePointer<RowCell>, _ object: Int, _ row: RecordRow
  ) -> Made {
    // The condition may look into a container.
    if cell.pointee.kind.isContainer { return .refused }
    let mark = row.mark
    defer { row.release(to: mark) }
    let group = groups + Int(rows.groupOfObject.start[object])
    guard let first = row.block(of: group.pointee.cellCount), trail.push(.object, cell) else {
      return .refused
    }
    defer { trail.pop() }
    first[0] = cell.pointee
    let made = holdsEarly(object, Block(row: row, cells: first, own: cell, others: 0))
    return made == .made ? .rejected : made
  }

  @inline(never)
  private final func noteFound(in block: borrowing Block, of object: Int) {
    guard let watch else { return }
    let block = copy block
    watch.note(object) { self.cell(of: Int($0), in: block).pointee.kind != .absent }
    if watch.isOver { self.watch = nil }
  }

  /// The block of a group for a container that its paths go through; nil if that cannot be read here.
  final func block(
    of group: UnsafePointer<RowTables.Group>, _ cell: UnsafeMutablePointer<RowCell>,
    _ row: RecordRow
  ) -> Block? {
    var own = cell
    var place: RecordRow.Place?
    if cell.pointee.isClosed {
      place = row.place(ofContainer: cell)
    } else if cell.pointee.kind == .members {
      return nil
    } else {
      let first = row.cells + Int(cell.pointee.start)
      // What another group opened says where it is.
      if first.pointee.isBlock, Int32(bitPattern: first.pointee.next) != group.pointee.entry {
        place = RecordRow.Place(first.pointee)
      }
    }
    if let place {
      guard mayRepeat(row), let opened = row.open(place, by: group.pointee.entry) else {
        return nil
      }
      own = opened
    }
    return Block(
      row: row, cells: row.cells + Int(own.pointee.start), own: own, others: own.pointee.end)
  }

  /// Where paths go by key and by index through an object's value, it suits only one kind of them.
  @inline(never)
  private final func blockOtherSteps(
    of object: UnsafePointer<PlanObject>, _ block: borrowing Block, isArray: Bool
  ) {
    let root = object.pointee.rootPlace
    let end = root + plan.places[root].pointee.subtreePlaceCount
    var child = root + 1
    while child < end {
      let place = plan.places[child].pointee
      var isElement = false
      if case .index? = plan.steps[Int(child)] { isElement = true }
      if isElement != isArray {
        for entry in place.fieldStart..<place.fieldStart + place.subtreeFieldCount {
          let field = Int(plan.placeFields[entry].pointee)
          cell(of: field, in: block).pointee = RowCell(kind: .blocked)
        }
      }
      child += place.subtreePlaceCount
    }
  }

  /// The block of a group whose paths cannot go through a value.
  private final func emptyBlock(
    of group: UnsafePointer<RowTables.Group>, _ cell: UnsafeMutablePointer<RowCell>,
    _ row: RecordRow
  ) -> Block? {
    guard let first = row.block(of: group.pointee.cellCount) else { return nil }
    let kind = cell.pointee.kind
    let inside: RowCell.Kind =
      switch kind {
      case .absent, .null: kind
      default: .blocked
      }
    // The last cell is that of fields without a source.
    for number in 1..<Int(group.pointee.cellCount) - 1 { first[number].kind = inside }
    // Who takes a value as a whole sees an absent one as null.
    first[0] = kind == .absent ? RowCell(kind: .null) : cell.pointee
    return Block(row: row, cells: first, own: first, others: 0)
  }

  /// Looks at what the paths of a group go through: null is null for all that is inside, and paths cannot go through anything
  /// else but containers of the right kind.
  @inline(__always)
  final func settle(
    _ group: UnsafePointer<RowTables.Group>, _ block: UnsafeMutablePointer<RowCell>
  ) {
    var step = steps + Int(group.pointee.firstStep)
    let end = step + Int(group.pointee.stepCount)
    while step < end {
      let kind = block[Int(step.pointee.cell)].kind
      if kind != .object || step.pointee.takesArrays, kind != .absent { settle(step, block) }
      step += 1
    }
  }

  @inline(never)
  private final func settle(
    _ step: UnsafePointer<RowTables.Step>, _ block: UnsafeMutablePointer<RowCell>
  ) {
    let cell = Int(step.pointee.cell)
    let inside = cell + 1..<cell + 1 + Int(step.pointee.inside)
    let members = cell + 1..<cell + 1 + Int(step.pointee.insideMembers)
    let own = block[cell]
    switch own.kind {
    case .null: for number in inside { block[number] = RowCell(.null, below: step, own) }
    case .object:
      for number in members.upperBound..<inside.upperBound {
        block[number] = RowCell(.blocked, below: step, own)
      }
    case .array: for number in members { block[number] = RowCell(.blocked, below: step, own) }
    default: for number in inside { block[number] = RowCell(.blocked, below: step, own) }
    }
  }

  // MARK: Arrays and dictionaries

  @inline(__always)
  final func openArray(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    guard cell.pointee.kind == .array else { return .rejected }
    if depth == Self.deepest { return .refused }
    if cell.pointee.isClosed { return openClosedArray(cell, node, row, slot) }
    guard Int(cell.pointee.end) <= elementLimit else { return .refused }
    var first = row.cells + Int(cell.pointee.start)
    if first.pointee.isHead {
      first = row.cells + Int(first.pointee.next)
    } else if first.pointee.isBlock {
      return openClosedArray(cell, node, row, slot)
    }
    depth += 1
    defer { depth -= 1 }
    return makeArray(cell.pointee.end, first, node, row, slot)
  }

  @inline(never)
  private final func openClosedArray(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let mark = row.mark
    defer { row.release(to: mark) }
    guard let place = row.place(ofContainer: cell), mayRepeat(row),
      let opened = row.open(place, by: rows.entries.start[node - nodes])
    else { return .refused }
    return openArray(opened, node, row, slot)
  }

  @inline(never)
  final func openDictionary(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    guard cell.pointee.kind == .object || cell.pointee.kind == .members else { return .rejected }
    if depth == Self.deepest { return .refused }
    depth += 1
    let mark = row.mark
    defer {
      depth -= 1
      row.release(to: mark)
    }
    guard let place = row.place(ofContainer: cell) else {
      return makeDictionary(cell.pointee.end, node, row, slot)
    }
    guard mayRepeat(row), let opened = row.open(place, by: rows.entries.start[node - nodes])
    else { return .refused }
    return makeDictionary(opened.pointee.end, node, row, slot)
  }

  /// The text of a key, without its escapes; nil if it is refused.
  ///
  /// Valid until the next string.
  @inline(__always)
  final func key(
    _ cell: UnsafeMutablePointer<RowCell>, of row: RecordRow
  ) -> UnsafeBufferPointer<UInt8>? {
    cell.pointee.hasEscapes ? decoder.decoded(row.characters(of: cell)) : row.characters(of: cell)
  }
}

extension RowCell {
  /// A cell inside a value that paths cannot go through: it says which value that is.
  fileprivate init(_ kind: Kind, below step: UnsafePointer<RowTables.Step>, _ own: RowCell) {
    self =
      own.isBelow
      ? own
      : RowCell(
        start: UInt32(bitPattern: step.pointee.cell), next: UInt32(bitPattern: step.pointee.depth),
        kind: kind)
    self.kind = kind
  }

  /// Whether it is inside a null, or inside another value that paths cannot go through.
  ///
  /// Then `start` is the number of that value's cell in the block, and `next` tells how many steps lead to it.
  var isBelow: Bool { end == 0 && start > 0 && (kind == .null || kind == .blocked) }
}
