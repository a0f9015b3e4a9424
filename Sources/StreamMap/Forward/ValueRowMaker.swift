/// Makes typed values from rows, in the slots of their objects; where an object is a struct of nothing but its fields, in the
/// struct itself.
final class ValueRowMaker: RowMaker {
  let builder: ValueBuilder
  /// The text of a value that is kept as it stands.
  private let raw = OutputBuffer()
  /// By field, how it is made in its object's frame; then by field again, how it is made in an object that is made in place.
  private let entries: UnsafePointer<Entry>
  private let entryTable: FlatTable<Entry>
  private let fieldCount: Int
  /// Whether records are objects without anything unusual; and their group.
  private let isPlain: Bool
  private let group: UnsafePointer<RowTables.Group>

  init?(_ plan: PlanTables, builder: ValueBuilder, limits: Limits) {
    guard let rows = plan.rows else { return nil }
    self.builder = builder
    entryTable = Entry.table(plan, rows)
    entries = entryTable.start
    fieldCount = plan.fields.count
    let root = plan.nodes[plan.root].pointee
    isPlain =
      root.opcode == .object && root.checkCount == 0 && plan.objects[root.child].pointee.isPlain
    group =
      rows.groups.start + (root.opcode == .object ? Int(rows.groupOfObject[root.child].pointee) : 0)
    super.init(plan, builder: builder, limits: limits)
  }

  /// A field of an object.
  private struct Entry: BitwiseCopyable {
    /// What makes the value without a look at its node.
    // PERF: most fields of feeds are of these types.
    enum Way: UInt8, BitwiseCopyable, CaseIterable {
      case byField, byNode, string, integer, double, boolean

      /// The type whose values are made so; nil if only the node knows it.
      var scalar: ScalarType? {
        switch self {
        case .byField, .byNode: nil
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
      let sources = plan.sourcesInRows
      return FlatTable(
        [frames, objects].flatMap { offsets in
          fields.indices.map { number in
            let node = plan.nodes[fields[number].node].pointee
            return Entry(
              way: isOfCell(Int32(number), sources, rows) ? way(node) : .byField,
              storesOptional: node.storesOptional,
              cell: rows.cells[Int32(number)].pointee, node: fields[number].node,
              offset: offsets[number])
          }
        })
    }

    /// Whether a field is made from its own cell.
    private static func isOfCell(_ field: Int32, _ sources: [Source], _ rows: RowTables) -> Bool {
      !rows.takesWhole[field].pointee && sources[Int(field)] == .cell
    }

    private static func way(_ node: PlanNode) -> Way {
      guard node.isPlainScalar else { return .byNode }
      return Way.allCases.first { $0.scalar == node.scalar } ?? .byNode
    }
  }

  override func make(record row: RecordRow, in destination: UnsafeMutableRawPointer) -> Made {
    walker = row.walker
    // PERF: most records.
    guard isPlain, watch == nil, row.cells.pointee.kind.isContainer, !row.cells.pointee.isClosed
    else {
      return super.make(record: row, in: destination)
    }
    let first = row.cells + Int(row.cells.pointee.start)
    if first.pointee.isBlock { return super.make(record: row, in: destination) }
    settle(group, first)
    let block = Block(row: row, cells: first, own: row.cells, others: 0)
    let made = makeObject(root, block, destination)
    if made == .made { return .made }
    return fallBack(row.cells, root, row, after: made, notedBefore: 0, destination)
  }

  /// Typed values are made part by part.
  override func makeAtOnce(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made { .refused }

  @inline(__always)
  override func makeScalar(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    guard let token = token(cell, of: row) else {
      return cell.pointee.kind == .null ? .refused : .rejected
    }
    return builder.scalar(token, as: node, in: slot) == .made ? .made : .rejected
  }

  /// Typed values have no conditions.
  override func holdsEarly(_ object: Int, _ block: Block) -> Made { .refused }

  override func makeObject(
    _ node: UnsafePointer<PlanNode>, _ block: borrowing Block, _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let object = objects + Int(node.pointee.child)
    let first = entries + Int(object.pointee.firstField)
    let count = Int(object.pointee.fieldCount)
    guard trail.push(.object, block.own) else { return .refused }
    defer { trail.pop() }
    if node.pointee.isMadeInPlace {
      return makeFields(object, first + fieldCount, count, block, in: slot)
    }
    let slots = arena.allocate(Int(object.pointee.frameSize))
    let made = makeFields(object, first, count, block, in: slots)
    if made == .made { builder.construct(object, slots: slots, as: node, in: slot) }
    arena.release(slots)
    return made
  }

  /// Makes an object's fields in its memory; nothing is left there where one cannot be made.
  @inline(never)
  private func makeFields(
    _ object: UnsafePointer<PlanObject>, _ first: UnsafePointer<Entry>, _ count: Int,
    _ block: borrowing Block, in memory: UnsafeMutableRawPointer
  ) -> Made {
    var entry = first
    let end = first + count
    let (row, cells) = (block.row, block.cells)
    while entry < end {
      let cell = cells + Int(entry.pointee.cell)
      let slot = memory + Int(entry.pointee.offset)
      if !makeDirectly(cell, entry, row, slot) {
        let made = make(entry, entry - first, object, block, slot)
        if made != .made {
          return giveUp(made, entry, first, end, object, block, memory)
        }
      }
      entry += 1
    }
    return .made
  }

  private func make(
    _ entry: UnsafePointer<Entry>, _ number: Int, _ object: UnsafePointer<PlanObject>,
    _ block: borrowing Block, _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let field = Int(object.pointee.firstField) + number
    if entry.pointee.way == .byField { return makeField(field, of: object, copy block, slot) }
    trail.enter(field)
    return make(
      block.cells + Int(entry.pointee.cell), as: nodes + Int(entry.pointee.node), of: block.row,
      in: slot)
  }

  /// A field has no value: the values of those before it are destroyed.
  ///
  /// The others say what else the object lacks, and what is wrong with them.
  @inline(never)
  private func giveUp(
    _ made: Made, _ failed: UnsafePointer<Entry>, _ first: UnsafePointer<Entry>,
    _ end: UnsafePointer<Entry>, _ object: UnsafePointer<PlanObject>, _ block: borrowing Block,
    _ memory: UnsafeMutableRawPointer
  ) -> Made {
    destroy(first, failed, memory)
    if made == .refused { return .refused }
    let isTransparent = object.pointee.isTransparent
    var lacksOnly = made == .absent
    var entry = failed + 1
    while entry < end {
      // If errors are only counted, the first fault is enough.
      if quiet > 0, !lacksOnly || !isTransparent { return .failed }
      let slot = memory + Int(entry.pointee.offset)
      let cell = block.cells + Int(entry.pointee.cell)
      let made =
        makeDirectly(cell, entry, block.row, slot)
        ? Made.made : make(entry, entry - first, object, block, slot)
      if made == .made { destroy(entry, entry + 1, memory) }
      if made == .refused { return .refused }
      if made != .made, made != .absent { lacksOnly = false }
      entry += 1
    }
    return lacksOnly && isTransparent ? .absent : .failed
  }

  private func destroy(
    _ first: UnsafePointer<Entry>, _ end: UnsafePointer<Entry>, _ memory: UnsafeMutableRawPointer
  ) {
    var entry = end
    while entry > first {
      entry -= 1
      builder.destroy(
        as: nodes + Int(entry.pointee.node), in: memory + Int(entry.pointee.offset))
    }
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
    case .byField, .byNode: return false
    }
    return true
  }

  override func makeArray(
    _ count: UInt32, _ element: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>,
    _ row: RecordRow, _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let layout = layouts + (node - nodes)
    let scratch = arena.allocate(layout.pointee.memory)
    let elements = scratch + layout.pointee.scratch
    if node.pointee.isPlainArray, count <= UInt32(layout.pointee.staged),
      makePlainArray(count, element, node, row, slot, by: elements)
    {
      arena.release(scratch)
      return .made
    }
    guard trail.push(.array, element) else {
      arena.release(scratch)
      return .refused
    }
    var staged = 0
    var result = Made.made
    builder.beginCollection(as: node, in: scratch)
    let child = nodes + Int(node.pointee.child)
    var element = element
    let isOfArrays = child.pointee.isPlainArray && child.pointee.checkCount == 0
    var number: UInt32 = 0
    while true {
      if staged == Int(layout.pointee.staged) {
        builder.append(elements, count: staged, as: node, to: scratch)
        staged = 0
      }
      if isOfArrays {
        let room = min(Int(layout.pointee.staged) - staged, Int(count - number))
        let made = makeArrays(
          from: &element, room, child, row, elements + staged * layout.pointee.element,
          layout.pointee.element)
        staged += made
        number += UInt32(made)
        if made > 0, number < count, staged == Int(layout.pointee.staged) { continue }
      }
      if number == count { break }
      trail.enter(Int(number))
      let notedBefore = noted
      let made = make(
        element, as: child, of: row, in: elements + staged * layout.pointee.element)
      if made == .made {
        staged += 1
      } else if made != .omitted {
        result = lost(made, node, notedBefore, result)
        if result == .refused || result == .failed && quiet > 0 { break }
      }
      element = row.cells + Int(element.pointee.next)
      number += 1
    }
    trail.pop()
    if result == .made {
      builder.finishCollection(scratch, appending: elements, count: staged, as: node, into: slot)
    } else {
      builder.abandonCollection(scratch, with: elements, count: staged, as: node)
    }
    arena.release(scratch)
    return result
  }

  override func makeDictionary(
    _ first: UInt32, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    // Where a later member does not simply replace an earlier one, that is reported or decided by the machine.
    let layout = layouts + (node - nodes)
    let scratch = arena.allocate(layout.pointee.memory)
    let element = scratch + layout.pointee.scratch
    guard trail.push(.dictionary, row.cells) else {
      arena.release(scratch)
      return .refused
    }
    builder.beginCollection(as: node, in: scratch)
    let child = nodes + Int(node.pointee.child)
    let notedBefore = noted
    var hasFailed = false
    var made =
      node.pointee.duplicateKeys == .last || areDifferent(from: first, in: row)
      ? Made.made : .refused
    var (count, next) = (0, first)
    while made == .made, next > 0 {
      let cell = row.cells + Int(next)
      count += 1
      trail.enter(Int(next))
      made = count > memberLimit ? .refused : make(cell + 1, as: child, of: row, in: element)
      next = cell.pointee.next
      if made == .omitted {
        made = .made
      } else if made == .made {
        // The key's text is decoded after the value, which may have escapes of its own.
        if let key = key(cell, of: row), !hasFailed || takes(key, node, scratch) {
          if builder.insert(element, key: key, as: node, into: scratch) { made = .refused }
        } else {
          builder.destroy(as: child, in: element)
          made = .refused
        }
      } else if made != .refused {
        // If the key is wrong, this is what is reported. A later member with the same key may have a value.
        let isKnown =
          key(cell, of: row).map { takes($0, node, scratch) } ?? false
          && (hasFailed || areDifferent(from: first, in: row))
        made = isKnown ? .made : .refused
        hasFailed = true
        if quiet > 0 { break }
      }
    }
    trail.pop()
    // What was noted of a member that a later one replaces does not matter.
    if made == .made, noted > notedBefore, !areDifferent(from: first, in: row) { made = .refused }
    if made == .made, hasFailed { made = .failed }
    if made == .made {
      builder.finishCollection(scratch, appending: element, count: 0, as: node, into: slot)
    } else {
      builder.abandonCollection(scratch, with: element, count: 0, as: node)
    }
    arena.release(scratch)
    return made
  }

  /// Whether a dictionary can have a member under a key.
  private func takes(
    _ key: UnsafeBufferPointer<UInt8>, _ dictionary: UnsafePointer<PlanNode>,
    _ scratch: UnsafeMutableRawPointer
  ) -> Bool {
    do {
      try builder.beginMember(key, as: dictionary, in: scratch)
      return true
    } catch {
      return false
    }
  }

  @inline(never)
  override func makeTransform(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    if let texts = node.pointee.literalTable, cell.pointee.kind == .string,
      let token = token(cell, of: row)
    {
      var noGuess = Int32.max
      let known = texts._withUnsafeGuaranteedRef { $0.find(token.text, guess: &noGuess) }
      if known >= 0 {
        builder.storeLiteral(known, as: node, in: slot)
        return .made
      }
    }
    let inner = arena.allocate(layouts[Int(node.pointee.child)].size)
    defer { arena.release(inner) }
    let notedBefore = noted
    let made = make(cell, as: nodes + Int(node.pointee.child), of: row, in: inner)
    if made != .made { return made }
    do {
      if node.pointee.seesIssues {
        // It sees what is wrong with the value.
        if noted > notedBefore {
          builder.destroy(as: nodes + Int(node.pointee.child), in: inner)
          return .refused
        }
        return try process(inner, node, slot)
      }
      try builder.transform(inner, as: node, into: slot)
      return .made
    } catch {
      thrown = error
      return .rejected
    }
  }

  /// Makes a value by code that looks at the issues of another one, which has none.
  private func process(
    _ inner: UnsafeMutableRawPointer, _ node: UnsafePointer<PlanNode>,
    _ slot: UnsafeMutableRawPointer
  ) throws -> Made {
    var issues = ValueIssues([])
    do {
      try builder.transform(inner, as: node, into: slot, issues: &issues)
    } catch {
      // What it reported before it failed is kept.
      if !issues.reported.isEmpty { return .refused }
      throw error
    }
    if issues.reported.isEmpty { return .made }
    builder.destroy(as: node, in: slot)
    return .refused
  }

  override func makeJSON(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    if node.pointee.opcode == .jsonValue {
      guard let value = json(cell, of: row) else { return .refused }
      builder.store(json: value, as: node, in: slot)
      return .made
    }
    raw.clear()
    guard append(cell, of: row, to: raw) else { return .refused }
    builder.store(raw: Array(raw.bytes), as: node, in: slot)
    return .made
  }

  /// Typed values have no text that is changed in its place.
  override func remake(
    _ made: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made? { nil }

  override func takeJSON(
    of node: UnsafePointer<PlanNode>, from slot: UnsafeMutableRawPointer, to text: OutputBuffer
  ) { text.append(Array(builder.takeJSON(as: node, from: slot).description.utf8)) }
}
