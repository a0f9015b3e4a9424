/// Makes typed values from rows, in the slots of their objects.
final class ValueRowMaker: RowMaker {
  private let builder: ValueBuilder
  private let arena = SlotArena()
  private let layouts: UnsafePointer<ValueLayout>
  private let layoutTable: FlatTable<ValueLayout>
  /// By field: whether it is a string without rules.
  private let isPlainString: UnsafePointer<Bool>
  private let isPlainStringTable: FlatTable<Bool>

  init?(_ plan: PlanTables, builder: ValueBuilder, limits: Limits) {
    self.builder = builder
    layoutTable = ValueLayout.table(plan, builder)
    layouts = layoutTable.start
    isPlainStringTable = plan.arePlainStrings()
    isPlainString = isPlainStringTable.start
    super.init(plan, limits: limits)
  }

  // A value that cannot be made leaves nothing behind: its slot is uninitialised then.
  override func make(
    _ cell: UnsafeMutablePointer<RowCell>, as node: UnsafePointer<PlanNode>, of row: RecordRow,
    in slot: UnsafeMutableRawPointer
  ) -> Bool {
    let kind = cell.pointee.kind
    if kind == .absent { return builder.storeSubstitute(node.pointee.absent, node, slot) }
    if kind == .null { return builder.storeSubstitute(node.pointee.null, node, slot) }
    let isMade: Bool
    switch node.pointee.opcode {
    case .object: isMade = kind == .object && makeObject(cell, node, row, slot)
    case .array: isMade = kind == .array && makeArray(cell, node, row, slot)
    case .transform: isMade = makeTransform(cell, node, row, slot)
    default: isMade = makeScalar(cell, node, row, slot)
    }
    return isMade && (node.pointee.checkCount == 0 || builder.keepsRules(node, slot))
  }

  @inline(__always)
  private func makeScalar(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Bool {
    guard let token = token(cell, of: row) else { return false }
    return builder.scalar(token, as: node, in: slot) == .made
  }

  private func makeObject(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Bool {
    let index = Int(node.pointee.child)
    let object = objects + index
    let block = row.cells + Int(cell.pointee.start)
    guard passSteps(of: index, in: block) else { return false }
    let slots = arena.allocate(Int(object.pointee.frameSize))
    let first = Int(object.pointee.firstField)
    let end = first + Int(object.pointee.fieldCount)
    // PERF: in locals, so that they are not loaded again for each field.
    let (fields, cells, nodes, isPlainString) = (fields, cells, nodes, isPlainString)
    var field = first
    while field < end {
      let entry = fields + field
      let cell = block + Int(cells[field])
      let node = nodes + Int(entry.pointee.node)
      let slot = slots + Int(entry.pointee.offset)
      // PERF: of most strings nothing has to be known but where they are.
      if isPlainString[field], cell.pointee.kind == .string, !cell.pointee.hasEscapes {
        Slot.store(
          StringText.string(row.characters(of: cell)), in: slot,
          isOptional: node.pointee.storesOptional)
      } else if !make(cell, as: node, of: row, in: slot) {
        destroy(first..<field, in: slots)
        arena.release(slots)
        return false
      }
      field += 1
    }
    builder.construct(object, slots: slots, as: node, in: slot)
    arena.release(slots)
    return true
  }

  @inline(never)
  private func destroy(_ range: Range<Int>, in slots: UnsafeMutableRawPointer) {
    for field in range {
      builder.destroy(as: nodes + Int(fields[field].node), in: slots + Int(fields[field].offset))
    }
  }

  private func makeArray(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Bool {
    guard Int(cell.pointee.end) <= elementLimit else { return false }
    let layout = layouts + (node - nodes)
    let scratch = arena.allocate(layout.pointee.memory)
    let elements = scratch + layout.pointee.scratch
    if node.pointee.isPlainArray, cell.pointee.end <= UInt32(layout.pointee.staged),
      makePlainArray(cell, node, row, slot, by: elements)
    {
      arena.release(scratch)
      return true
    }
    var staged = 0
    builder.beginCollection(as: node, in: scratch)
    let child = nodes + Int(node.pointee.child)
    var element = row.cells + Int(cell.pointee.start)
    for _ in 0..<cell.pointee.end {
      if staged == Int(layout.pointee.staged) {
        builder.append(elements, count: staged, as: node, to: scratch)
        staged = 0
      }
      guard make(element, as: child, of: row, in: elements + staged * layout.pointee.element) else {
        builder.abandonCollection(scratch, with: elements, count: staged, as: node)
        arena.release(scratch)
        return false
      }
      staged += 1
      element = row.cells + Int(element.pointee.next)
    }
    builder.finishCollection(scratch, appending: elements, count: staged, as: node, into: slot)
    arena.release(scratch)
    return true
  }

  /// The cells of an array's elements.
  private struct Elements: ElementTokens {
    let row: RecordRow
    var cell: UnsafeMutablePointer<RowCell>

    @inline(__always)
    mutating func next() -> Token? {
      defer { cell = row.cells + Int(cell.pointee.next) }
      return row.plainToken(of: cell)
    }
  }

  @inline(__always)
  private func makePlainArray(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer, by room: UnsafeMutableRawPointer
  ) -> Bool {
    let child = nodes + Int(node.pointee.child)
    return child.pointee.scalar.visit(
      by: ArrayMaker(builder: builder),
      ArrayMaker<Elements>.Making(
        elements: Elements(row: row, cell: row.cells + Int(cell.pointee.start)),
        count: Int(cell.pointee.end), node: node, child: child, room: room, slot: slot))
  }

  @inline(never)
  private func makeTransform(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Bool {
    if let texts = node.pointee.literalTable, let token = token(cell, of: row),
      token.kind == .string
    {
      var noGuess = Int32.max
      let known = texts._withUnsafeGuaranteedRef { $0.find(token.text, guess: &noGuess) }
      if known >= 0 {
        builder.storeLiteral(known, as: node, in: slot)
        return true
      }
    }
    let inner = arena.allocate(layouts[Int(node.pointee.child)].size)
    defer { arena.release(inner) }
    guard make(cell, as: nodes + Int(node.pointee.child), of: row, in: inner) else { return false }
    do {
      try builder.transform(inner, as: node, into: slot)
      return true
    } catch {
      return false
    }
  }
}
