/// Makes typed values from rows, in the slots of their objects; where an object is a struct of nothing but its fields, in the
/// struct itself.
final class ValueRowMaker: RowMaker {
  private let builder: ValueBuilder
  private let arena = SlotArena()
  private let layouts: UnsafePointer<ValueLayout>
  private let layoutTable: FlatTable<ValueLayout>
  /// By field, how it is made in its object's frame; then by field again, how it is made in an object that is made in place.
  private let entries: UnsafePointer<Entry>
  private let entryTable: FlatTable<Entry>
  private let fieldCount: Int

  init?(_ plan: PlanTables, builder: ValueBuilder, limits: Limits) {
    guard let rows = plan.rows else { return nil }
    self.builder = builder
    layoutTable = ValueLayout.table(plan, builder)
    layouts = layoutTable.start
    entryTable = Entry.table(plan, rows)
    entries = entryTable.start
    fieldCount = plan.fields.count
    super.init(plan, limits: limits)
  }

  /// A field of an object.
  private struct Entry: BitwiseCopyable {
    /// What makes the value without a look at its node.
    // PERF: most fields of feeds are of these types.
    enum Way: UInt8, BitwiseCopyable, CaseIterable {
      case byNode, string, integer, double, boolean

      /// The type whose values are made so; nil if only the node knows it.
      var scalar: ScalarType? {
        switch self {
        case .byNode: nil
        case .string: .string
        case .integer: .int
        case .double: .double
        case .boolean: .bool
        }
      }
    }

    let way: Way
    let storesOptional: Bool
    let cell: Int32
    let node: Int32
    /// Where the value is made, from the start of that memory.
    let offset: Int32

    static func table(_ plan: PlanTables, _ rows: RowTables) -> FlatTable<Entry> {
      let fields = (0..<Int32(plan.fields.count)).map { plan.fields[$0].pointee }
      let frames = fields.map(\.offset)
      var objects = frames
      for index in 0..<Int32(plan.nodes.count) where plan.nodes[index].pointee.isMadeInPlace {
        let node = plan.nodes[index].pointee
        let first = Int(plan.objects[node.child].pointee.firstField)
        let properties = node.operations?._withUnsafeGuaranteedRef { $0.properties } ?? []
        for (number, property) in properties.enumerated() {
          if let offset = property.offset { objects[first + number] = Int32(clamping: offset) }
        }
      }
      return FlatTable(
        [frames, objects].flatMap { offsets in
          fields.indices.map { number in
            let node = plan.nodes[fields[number].node].pointee
            return Entry(
              way: way(node), storesOptional: node.storesOptional,
              cell: rows.cells[Int32(number)].pointee, node: fields[number].node,
              offset: offsets[number])
          }
        })
    }

    private static func way(_ node: PlanNode) -> Way {
      guard node.isPlainScalar else { return .byNode }
      return Way.allCases.first { $0.scalar == node.scalar } ?? .byNode
    }
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
    case .scalar, .jsonValue, .rawJSON, .dictionary, .rewritten, .firstOf, .dispatch:
      isMade = makeScalar(cell, node, row, slot)
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
    let first = entries + Int(object.pointee.firstField)
    let count = Int(object.pointee.fieldCount)
    if node.pointee.isMadeInPlace {
      return makeFields(first + fieldCount, count, block, row, in: slot)
    }
    let slots = arena.allocate(Int(object.pointee.frameSize))
    let isMade = makeFields(first, count, block, row, in: slots)
    if isMade { builder.construct(object, slots: slots, as: node, in: slot) }
    arena.release(slots)
    return isMade
  }

  /// Makes an object's fields in its memory; nothing is left there where one cannot be made.
  @inline(never)
  private func makeFields(
    _ first: UnsafePointer<Entry>, _ count: Int, _ block: UnsafeMutablePointer<RowCell>,
    _ row: RecordRow, in memory: UnsafeMutableRawPointer
  ) -> Bool {
    var entry = first
    let end = first + count
    while entry < end {
      let cell = block + Int(entry.pointee.cell)
      let slot = memory + Int(entry.pointee.offset)
      if !makeDirectly(cell, entry, row, slot),
        !make(cell, as: nodes + Int(entry.pointee.node), of: row, in: slot)
      {
        while entry > first {
          entry -= 1
          builder.destroy(
            as: nodes + Int(entry.pointee.node), in: memory + Int(entry.pointee.offset))
        }
        return false
      }
      entry += 1
    }
    return true
  }

  /// Makes a plain value of one of the types that most fields have; false, with nothing made, for anything else.
  @inline(__always)
  private func makeDirectly(
    _ cell: UnsafeMutablePointer<RowCell>, _ entry: UnsafePointer<Entry>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Bool {
    let kind = cell.pointee.kind
    let isOptional = entry.pointee.storesOptional
    switch entry.pointee.way {
    case .string:
      guard kind == .string, !cell.pointee.hasEscapes else { return false }
      Slot.store(StringText.string(row.characters(of: cell)), in: slot, isOptional: isOptional)
    case .integer:
      guard kind.isNumber,
        case .value(let value) = NumberText.integer(row.text(of: cell), as: Int.self)
      else { return false }
      Slot.store(value, in: slot, isOptional: isOptional)
    case .double:
      guard kind.isNumber, let value = NumberText.double(row.text(of: cell)) else { return false }
      Slot.store(value, in: slot, isOptional: isOptional)
    case .boolean:
      guard kind == .true || kind == .false else { return false }
      Slot.store(kind == .true, in: slot, isOptional: isOptional)
    case .byNode: return false
    }
    return true
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
    let count: Int
    var cell: UnsafeMutablePointer<RowCell>

    @inline(__always)
    func isEnd(after made: Int) -> Bool { made == count }

    @inline(__always)
    func numberText(after made: Int) -> UnsafeBufferPointer<UInt8>? {
      made < count && cell.pointee.kind.isNumber ? row.text(of: cell) : nil
    }

    @inline(__always)
    var plainToken: Token? { row.plainToken(of: cell) }

    @inline(__always)
    mutating func skip() { cell = row.cells + Int(cell.pointee.next) }
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
        elements: Elements(
          row: row, count: Int(cell.pointee.end), cell: row.cells + Int(cell.pointee.start)),
        node: node, child: child, room: room, slot: slot)) != nil
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
