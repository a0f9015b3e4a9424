/// Writes output records from rows: the text of each field goes straight to its place.
final class TextRowMaker: RowMaker {
  let builder: TextBuilder
  let text: OutputBuffer
  let names: FieldNames
  /// Writes a record in one step; nil if the mapping has no such program.
  private(set) var program: RowProgram?
  /// Write the members that lose some of their parts.
  private lazy var writer = JSONWriter(output: text)
  private lazy var dropper = DroppingSink()
  /// What the program writes here, by `textDepth`; its calls write to the builder's text.
  private var records = [OutputBuffer()]
  let omitsNulls: Bool
  /// By field: whether it is a string without rules.
  let isPlainString: UnsafePointer<Bool>
  private let isPlainStringTable: FlatTable<Bool>
  /// By field: whether it is made from its own cell.
  private let isOfCell: UnsafePointer<Bool>
  private let isOfCellTable: FlatTable<Bool>
  /// For what the builder does with one value that is written: a `TextRange`.
  let slot = UnsafeMutableRawPointer.allocate(
    byteCount: MemoryLayout<TextRange>.stride, alignment: MemoryLayout<TextRange>.alignment)
  let formulas: RowFormulas

  init?(_ plan: PlanTables, builder: TextBuilder, limits: Limits) {
    self.builder = builder
    text = builder.output
    names = builder.names
    omitsNulls = builder.omitsNulls
    isPlainStringTable = plan.arePlainStrings()
    isPlainString = isPlainStringTable.start
    isOfCellTable = FlatTable(
      zip(plan.sourcesInRows, 0..<plan.fields.count).map { source, field in
        source == .cell && plan.rows?.takesWhole.start[field] == false
      })
    isOfCell = isOfCellTable.start
    formulas = RowFormulas(plan, stack: builder.formulaStack)
    super.init(plan, builder: builder, written: builder.output, limits: limits)
    program = RowProgram(plan, maker: self, limits: limits)
  }

  deinit {
    slot.deallocate()
  }

  override func make(record row: RecordRow, in destination: UnsafeMutableRawPointer) -> Made {
    let start = text.count
    walker = row.walker
    var made = writeAtOnce {
      if noted > 0 { clearNotes() }
      return $0.writeOrTell(row, to: $1)
    }
    if made == .refused {
      if noted > 0 { clearNotes() }
      made = make(row.cells, as: root, of: row, in: slot)
    } else {
      noteWritten(row)
      if made == .failed {
        made = fallBack(row.cells, root, row, after: made, notedBefore: 0, slot)
      }
    }
    guard made == .made else {
      text.truncate(to: start)
      return made
    }
    destination.initializeMemory(as: TextRange.self, to: TextRange(start: start, end: text.count))
    return .made
  }

  /// Looks at a record that the program wrote, for fields that have found nothing yet.
  private func noteWritten(_ row: RecordRow) {
    guard let watch else { return }
    watch.note(row)
    if watch.isOver { self.watch = nil }
  }

  override func makeAtOnce(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let start = text.count
    let made = writeAtOnce { $0.write(cell, of: row, as: node - nodes, to: $1) }
    if let watch, made != .refused {
      watch.note(cell, as: Int32(node - nodes), of: row)
      if watch.isOver { self.watch = nil }
    }
    return made == .made ? self.made(from: start, in: slot) : made
  }

  /// Writes a record, or a value inside one, by the program.
  private func writeAtOnce(_ write: (RowProgram, RowProgram.Output) -> RowProgram.Outcome) -> Made {
    guard let program else { return .refused }
    if textDepth == records.count { records.append(OutputBuffer()) }
    let record = records[textDepth]
    record.clear()
    while true {
      var outcome = RowProgram.Outcome.refused
      record.extend { start, count, capacity in
        outcome = write(
          program, RowProgram.Output(start: start, count: count, capacity: capacity))
        if case .written(let count) = outcome { return count }
        return count
      }
      switch outcome {
      case .written:
        text.append(record.bytes)
        return .made
      case .leftOut: return .omitted
      case .failed: return .failed
      case .refused: return .refused
      case .noRoom:
        if record.room >= RowProgram.mostRoom { return .refused }
        record.makeRoom()
      }
    }
  }

  @inline(__always)
  override func makeScalar(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let start = text.count
    let isString = node.pointee.scalar == .string && cell.pointee.kind == .string
    if !isString || cell.pointee.hasEscapes && !JSONText.isWritten(row.text(of: cell)) {
      guard let token = token(cell, of: row) else {
        return cell.pointee.kind == .null ? .refused : .rejected
      }
      guard builder.check(token, node) == .made else { return .rejected }
      if cell.pointee.hasEscapes {
        JSONText.append(quoted: token.text, to: text)
        return made(from: start, in: slot)
      }
      if token.kind == .number {
        text.append(token.text, as: node.pointee.scalar)
        return made(from: start, in: slot)
      }
    }
    text.append(row.text(of: cell))
    return made(from: start, in: slot)
  }

  override func holdsEarly(_ object: Int, _ block: Block) -> Made {
    holds(objects[object].earlyCondition, .early, object, block)
  }

  override func makeObject(
    _ node: UnsafePointer<PlanNode>, _ block: borrowing Block, _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let block = copy block
    let row = block.row
    let index = Int(node.pointee.child)
    let object = objects + index
    let start = text.count
    guard trail.push(.object, block.own) else { return .refused }
    defer { trail.pop() }
    // A condition also looks at values that the object does not take.
    let hasFormulas = object.pointee.hasFormulas
    let notedBefore = noted
    if hasFormulas {
      let early = holdsEarly(index, block)
      if early != .made, early != .failed || quiet > 0 { return early }
      if early == .failed || formulas.writes(index) {
        let made = writeFields(of: index, block, isDecided: early == .made)
        if made != .made { return made }
        return finish(holdsLate(index, block, notedBefore), from: start, in: slot)
      }
    }
    var field = Int(object.pointee.firstField)
    let end = field + Int(object.pointee.fieldCount)
    if end - field == 1, names[field].isEmpty {
      let made = makeField(field, of: object, block, slot)
      return made == .absent && !object.pointee.isTransparent ? .failed : made
    }
    text.append(UInt8(ascii: "{"))
    let parts = text.count
    var (lacks, hasFailed) = (false, false)
    while field < end {
      let cell = block.cells + Int(cells[field])
      // PERF: of most strings nothing has to be known but where they are.
      if isPlainString[field], cell.pointee.kind == .string, !cell.pointee.hasEscapes {
        append(names[field], row.text(of: cell))
      } else {
        let made = writeMember(field, cell, of: object, block)
        if made != .made {
          if made == .refused { return .refused }
          if made == .absent { lacks = true } else { hasFailed = true }
          // If errors are only counted, the first fault is enough.
          if quiet > 0, hasFailed || !object.pointee.isTransparent { return .failed }
        }
      }
      field += 1
    }
    if hasFailed || lacks {
      // What is wrong with the members that are kept is reported, too.
      if quiet == 0, object.pointee.rest >= 0, !writeRest(of: object, block) { return .refused }
      return hasFailed || !object.pointee.isTransparent ? .failed : .absent
    }
    if object.pointee.rest >= 0, !writeRest(of: object, block) { return .refused }
    close(with: UInt8(ascii: "}"), from: parts)
    return finish(
      hasFormulas ? holdsLate(index, block, notedBefore) : .made, from: start, in: slot)
  }

  /// The outcome of what was written from a place on, which is noted for what looks at it.
  @inline(__always)
  func finish(_ made: Made, from start: Int, in slot: UnsafeMutableRawPointer) -> Made {
    if made == .made { note(from: start, in: slot) }
    return made
  }

  @inline(__always)
  private func made(from start: Int, in slot: UnsafeMutableRawPointer) -> Made {
    note(from: start, in: slot)
    return .made
  }

  /// Writes the value of a field.
  @inline(__always)
  func make(
    _ field: Int, of object: UnsafePointer<PlanObject>, _ block: borrowing Block
  ) -> Made {
    if !isOfCell[field] { return makeField(field, of: object, copy block, slot) }
    let cell = block.cells + Int(cells[field])
    let node = nodes + Int(fields[field].node)
    let made = make(cell, as: node, of: block.row, in: slot)
    return made == .omitted ? leftOut(cell, node, block.row, slot) : made
  }

  /// Writes a member and a comma, or nothing if it is a null that is left out.
  @inline(never)
  func writeMember(
    _ field: Int, _ cell: UnsafeMutablePointer<RowCell>, of object: UnsafePointer<PlanObject>,
    _ block: Block
  ) -> Made {
    let before = text.count
    text.append(names[field])
    let start = text.count
    trail.enter(field)
    let made = make(field, of: object, block)
    guard made == .made else { return made }
    if omitsNulls, text.isNull(from: start) {
      text.truncate(to: before)
    } else {
      text.append(UInt8(ascii: ","))
    }
    return .made
  }

  /// Writes the members that are kept beside the fields, each with a comma; false if that is not known here.
  @inline(never)
  func writeRest(
    of object: UnsafePointer<PlanObject>, _ block: Block
  ) -> Bool {
    let row = block.row
    let rest = plan.rests[Int(object.pointee.rest)]
    guard var next = others(of: object, in: block) else { return false }
    while next > 0 {
      let key = row.cells + Int(next)
      let before = text.count
      var noGuess = Int32.max
      guard let name = self.key(key, of: row) else { return false }
      let number = rest.keys.find(name, guess: &noGuess)
      // A member with the name of a field is reported.
      if number == PlanRest.taken { return false }
      guard append(key, of: row, to: text) else { return false }
      text.append(UInt8(ascii: ":"))
      let start = text.count
      if number == KeyTable.absent {
        guard append(key + 1, of: row, to: text) else { return false }
      } else {
        guard let value = json(key + 1, of: row) else { return false }
        writer.beginValue()
        value.emit(to: dropper.begin(rest.dropped[Int(number)], to: writer))
      }
      if omitsNulls, text.isNull(from: start) {
        text.truncate(to: before)
      } else {
        text.append(UInt8(ascii: ","))
      }
      next = key.pointee.next
    }
    return true
  }

  /// Writes a member with a text as it stands, and a comma.
  @inline(__always)
  func append(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    guard let first = name.baseAddress, let second = value.baseAddress else { return }
    let count = name.count &+ value.count &+ 1
    text.append(upTo: count &+ FieldNames.padding) { room in
      // In whole vectors, beyond the end of the name.
      var index = 0
      repeat {
        UnsafeMutableRawPointer(room + index).storeBytes(
          of: UnsafeRawPointer(first + index).loadUnaligned(as: SIMD16<UInt8>.self),
          as: SIMD16<UInt8>.self)
        index &+= FieldNames.padding
      } while index < name.count
      (room + name.count).update(from: second, count: value.count)
      room[count &- 1] = UInt8(ascii: ",")
      return count
    }
  }

  override func makeArray(
    _ count: UInt32, _ element: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>,
    _ row: RecordRow, _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let start = text.count
    guard trail.push(.array, element) else { return .refused }
    defer { trail.pop() }
    text.append(UInt8(ascii: "["))
    let parts = text.count
    var element = element
    var result = Made.made
    let child = nodes + Int(node.pointee.child)
    for number in 0..<count {
      let before = text.count
      trail.enter(Int(number))
      let notedBefore = noted
      let made = make(element, as: child, of: row, in: slot)
      if made == .made {
        text.append(UInt8(ascii: ","))
      } else {
        text.truncate(to: before)
        if made != .omitted {
          result = lost(made, node, notedBefore, result)
          if result == .refused || result == .failed && quiet > 0 { return result }
        }
      }
      element = row.cells + Int(element.pointee.next)
    }
    if result != .made { return result }
    close(with: UInt8(ascii: "]"), from: parts)
    return made(from: start, in: slot)
  }

  override func makeDictionary(
    _ first: UInt32, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    guard areDifferent(from: first, in: row), trail.push(.dictionary, row.cells) else {
      return .refused
    }
    defer { trail.pop() }
    let start = text.count
    text.append(UInt8(ascii: "{"))
    let parts = text.count
    var hasFailed = false
    let child = nodes + Int(node.pointee.child)
    let takesAny = child.pointee.isJSON && child.pointee.checkCount == 0
    var (count, next) = (0, first)
    while next > 0 {
      count += 1
      if count > memberLimit { return .refused }
      let key = row.cells + Int(next)
      // PERF: most values stay as they are.
      if takesAny, !key.pointee.hasEscapes, key[1].isPlainScalar {
        appendMember(row.text(of: key), row.text(of: key + 1))
        next = key.pointee.next
        continue
      }
      let before = text.count
      guard append(key, of: row, to: text) else { return .refused }
      text.append(UInt8(ascii: ":"))
      trail.enter(Int(next))
      let made = make(key + 1, as: child, of: row, in: slot)
      if made == .made {
        text.append(UInt8(ascii: ","))
      } else {
        text.truncate(to: before)
        if made == .refused { return .refused }
        if made != .omitted {
          hasFailed = true
          if quiet > 0 { return .failed }
        }
      }
      next = key.pointee.next
    }
    if hasFailed { return .failed }
    close(with: UInt8(ascii: "}"), from: parts)
    return made(from: start, in: slot)
  }

  /// Writes a member as it stands, and a comma.
  @inline(__always)
  private func appendMember(_ key: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>)
  {
    guard let first = key.baseAddress, let second = value.baseAddress else { return }
    let count = key.count &+ value.count &+ 2
    text.append(upTo: count) { room in
      room.update(from: first, count: key.count)
      room[key.count] = UInt8(ascii: ":")
      (room + key.count + 1).update(from: second, count: value.count)
      room[count &- 1] = UInt8(ascii: ",")
      return count
    }
  }

  /// Writes a closing bracket; it replaces the comma after the last part, if there is one.
  @inline(__always)
  func close(with bracket: UInt8, from parts: Int) {
    if text.count == parts { text.append(bracket) } else { text.replaceLast(with: bracket) }
  }

  @inline(never)
  override func makeTransform(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let start = text.count
    let made = make(cell, as: nodes + Int(node.pointee.child), of: row, in: slot)
    if made != .made { return made }
    note(from: start, in: slot)
    return transform(node, slot)
  }

  /// Changes the text that is noted in a slot.
  func transform(_ node: UnsafePointer<PlanNode>, _ slot: UnsafeMutableRawPointer) -> Made {
    transformed { try builder.transform(slot, as: node, into: slot) }
  }

  @inline(__always)
  func transformed(_ transform: () throws -> Void) -> Made {
    do {
      try transform()
      return .made
    } catch {
      thrown = error
      return .rejected
    }
  }

  override func remake(
    _ made: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made? { remade(made.load(as: TextRange.self), as: node, row, slot) }

  override func makeJSON(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let start = text.count
    guard append(cell, of: row, to: text) else { return .refused }
    return made(from: start, in: slot)
  }

  override func takeJSON(
    of node: UnsafePointer<PlanNode>, from slot: UnsafeMutableRawPointer, to copy: OutputBuffer
  ) {
    let range = slot.load(as: TextRange.self)
    copy.append(text.slice(range.start, range.end))
    text.truncate(to: range.start)
  }

  /// Notes where the value is that was written last.
  @inline(__always)
  func note(from start: Int, in slot: UnsafeMutableRawPointer) {
    slot.initializeMemory(as: TextRange.self, to: TextRange(start: start, end: text.count))
  }
}
