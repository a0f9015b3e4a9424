/// What a maker of rows keeps for formulas.
final class RowFormulas {
  private let plan: PlanTables
  fileprivate let stack: UnsafeMutablePointer<FormulaValue>
  // PERF: the plan's tables, which it keeps alive, without counting references to it.
  fileprivate let formulas: UnsafePointer<PlanFormula>
  fileprivate let fieldNumbers: UnsafePointer<Int32>
  fileprivate let makings: UnsafePointer<PlanMaking>
  fileprivate let cases: UnsafePointer<PlanCase>
  /// By object: the slots of those fields at which its condition looks after they are written; nil if the text of each of
  /// these is that of its cell.
  private let written: [UnsafeMutableRawPointer?]
  /// By field: what it is, where that is not in the record.
  fileprivate let outside: [Outside?]
  /// By field: whether such a condition looks at it.
  fileprivate let decides: [Bool]
  /// By object: whether its fields are written here.
  private let writes: [Bool]
  /// The texts of what a formula reads, where they are not in the record as they are; and how many of these are in use.
  fileprivate var containers: [OutputBuffer] = []
  fileprivate var containerCount = 0
  /// Whether such a text could not be made.
  fileprivate var isUnknown = false

  /// A value that is not in the record.
  fileprivate enum Outside {
    case fact(RecordFact)
    /// A value of `context`, by its number.
    case context(Int)
  }

  init(_ plan: PlanTables, stack: UnsafeMutablePointer<FormulaValue>) {
    self.plan = plan
    outside = Self.outside(plan)
    self.stack = stack
    formulas = plan.formulas.start
    fieldNumbers = plan.formulaFields.start
    makings = plan.makings.start
    cases = plan.cases.start
    written = (0..<plan.objects.count).map { index in
      let object = plan.objects[Int32(index)].pointee
      let own = object.firstField..<object.firstField + object.fieldCount
      if own.allSatisfy({ !plan.decides.contains($0) || Self.isOfCell($0, plan) }) { return nil }
      return .allocate(
        byteCount: max(Int(object.frameSize), 1), alignment: MemoryLayout<TextRange>.alignment)
    }
    decides = (0..<plan.fields.count).map { plan.decides.contains(Int32($0)) }
    writes = zip(0..<plan.objects.count, written).map { index, slots in
      plan.objects[Int32(index)].pointee.makingCount > 0 || slots != nil
    }
  }

  deinit {
    for memory in written { memory?.deallocate() }
  }

  private static func outside(_ plan: PlanTables) -> [Outside?] {
    var outside = [Outside?](repeating: nil, count: plan.fields.count)
    for number in 0..<plan.facts.count {
      let entry = plan.facts.start[number]
      let invalid = plan.nodes[plan.fields[entry.field].pointee.node].pointee.invalid
      // A value of `context` stands for a fact.
      let value =
        invalid.kind == .substitute ? plan.substitutes[Int(invalid.substitute)].contextValue : nil
      outside[Int(entry.field)] = value.map { .context($0) } ?? .fact(entry.fact)
    }
    return outside
  }

  /// A text that nothing uses yet; valid until the next formula.
  fileprivate func nextText() -> OutputBuffer {
    if containerCount == containers.count { containers.append(OutputBuffer()) }
    let text = containers[containerCount]
    containerCount += 1
    text.clear()
    return text
  }

  /// Whether a field is written as it stands in its cell, or not at all.
  private static func isOfCell(_ field: Int32, _ plan: PlanTables) -> Bool {
    let node = plan.nodes[plan.fields[field].pointee.node]
    return node.pointee.opcode == .scalar && node.pointee.absent.kind == .fail
      && node.pointee.null.kind == .fail && !plan.constants.contains(field)
  }

  func writes(_ object: Int) -> Bool { writes[object] }

  func slots(of object: Int) -> UnsafeMutableRawPointer? { written[object] }
}

// Objects with conditions and with fields that are made from others.
extension TextRowMaker {
  /// The operands of a formula: cells, or fields that are written already.
  private struct Operands: FormulaOperands {
    let row: RecordRow
    let block: UnsafeMutablePointer<RowCell>
    let cells: UnsafePointer<Int32>
    let fields: UnsafePointer<PlanField>
    /// The fields that are read.
    let numbers: UnsafePointer<Int32>
    /// The first field that is not written.
    let firstHidden: Int32
    let written: UnsafeMutableRawPointer?
    let text: UnsafeBufferPointer<UInt8>
    let maker: TextRowMaker

    @inline(__always)
    func text(ofSource number: Int) -> UnsafeBufferPointer<UInt8> {
      let field = numbers[number]
      if let written, field < firstHidden {
        let range = (written + Int(fields[Int(field)].offset)).load(as: TextRange.self)
        if range.start < 0 { return WrittenValue.null.text }
        return UnsafeBufferPointer(rebasing: text[range.start..<range.end])
      }
      let cell = block + Int(cells[Int(field)])
      switch cell.pointee.kind {
      // What is not in the record has a cell in which there is never a value.
      case .absent: return maker.textOutside(Int(field))
      // A path through a scalar leads to a null.
      case .null, .blocked: return WrittenValue.null.text
      case .object, .array: return maker.json(of: cell, row)
      default: return row.text(of: cell)
      }
    }
  }

  private enum Decision { case holds, fails, unknown }

  /// What is asked about an object, and when.
  enum Question { case early, late }

  private func operands(
    of formula: UnsafePointer<PlanFormula>, _ object: Int, _ block: UnsafeMutablePointer<RowCell>,
    _ row: RecordRow
  ) -> Operands {
    formulas.containerCount = 0
    return Operands(
      row: row, block: block, cells: cells, fields: fields,
      numbers: formulas.fieldNumbers + Int(formula.pointee.firstField),
      firstHidden: objects[object].firstField + objects[object].fieldCount,
      written: formulas.slots(of: object), text: text.bytes, maker: self)
  }

  /// The text of an operand that is not in the record; none if it is absent.
  @inline(never)
  private func textOutside(_ field: Int) -> UnsafeBufferPointer<UInt8> {
    let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    guard let outside = formulas.outside[field] else { return none }
    let text = formulas.nextText()
    switch outside {
    case .fact(let fact): if !builder.append(fact, to: text) { return none }
    case .context(let number): builder.append(contextValue: number, to: text)
    }
    return text.bytes
  }

  /// The JSON of a container that a formula reads; valid until the next formula.
  @inline(never)
  private func json(
    of cell: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> UnsafeBufferPointer<UInt8> {
    let text = formulas.nextText()
    guard row.work <= captureLimit, append(cell, of: row, to: text) else {
      formulas.isUnknown = true
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return text.bytes
  }

  @inline(__always)
  private func decide(
    _ condition: Int32, _ object: Int, _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) throws(Formula.Fault) -> Decision {
    let formula = formulas.formulas + Int(condition)
    let operands = operands(of: formula, object, block, row)
    let stack = formulas.stack
    formulas.isUnknown = false
    let result = formula.pointee.formula._withUnsafeGuaranteedRef { formula in
      Result { () throws(Formula.Fault) in try formula.holds(for: operands, on: stack) }
    }
    let holds = try result.get()
    return formulas.isUnknown ? .unknown : holds ? .holds : .fails
  }

  /// Whether a condition holds, for the program.
  func answer(
    _ condition: Int32, _ object: Int, _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> RowCalls.Answer {
    switch try? decide(condition, object, block, row) {
    case .holds: .made(UnsafeBufferPointer(start: nil, count: 0))
    case .fails: .leftOut
    case .unknown, nil: .refused
    }
  }

  /// The text of a field that is made from others, for the program.
  func madeValue(
    _ field: Int, _ object: Int, _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> RowCalls.Answer {
    answer { writeMade(field, object, Block(row: row, cells: block, own: block, others: 0)) }
  }

  /// Whether an object that is written is to stay, by its condition on the fields; if not, what was noted of it from a number on does not
  /// matter.
  @inline(never)
  func holdsLate(_ object: Int, _ block: Block, _ notedBefore: Int) -> Made {
    let made = holds(objects[object].lateCondition, .late, object, block)
    if made == .omitted { forget(from: notedBefore) }
    return made
  }

  @inline(never)
  func holds(
    _ condition: Int32, _ question: Question, _ object: Int, _ block: Block
  ) -> Made {
    if condition < 0 { return .made }
    do throws(Formula.Fault) {
      switch try decide(condition, object, block.cells, block.row) {
      case .holds: return .made
      case .fails: return .omitted
      case .unknown: return .refused
      }
    } catch {
      // After the fields that are missing, or before them.
      let rank =
        switch question {
        case .early: 0
        case .late: 2
        }
      return note(error, of: condition, rank: rank, block.row) ? .failed : .refused
    }
  }

  /// Writes an object with fields that are made from others, or at which its condition looks.
  ///
  /// If its first condition could not be decided, what is made from others is not asked for, and the object fails.
  func writeFields(of index: Int, _ block: Block, isDecided: Bool) -> Made {
    let object = objects + index
    let first = Int(object.pointee.firstField)
    let isBare = object.pointee.fieldCount == 1 && names[first].isEmpty
    if !isBare { text.append(UInt8(ascii: "{")) }
    let written = formulas.slots(of: index)
    let parts = text.count
    var (lacks, hasFailed) = (false, !isDecided)
    for field in first..<first + Int(object.pointee.fieldCount) {
      let cell = block.cells + Int(cells[field])
      // PERF: as in objects without formulas.
      if written == nil, isPlainString[field], cell.pointee.kind == .string, !isBare,
        !cell.pointee.hasEscapes
      {
        append(names[field], block.row.text(of: cell))
        continue
      }
      let before = text.count
      text.append(names[field])
      let start = text.count
      let notedBefore = noted
      let made: Made
      if fields[field].making < 0 {
        made = makeField(field, of: object, block, slot)
      } else {
        if !isDecided { continue }
        trail.enter(field)
        made = writeMade(field, index, block)
      }
      guard made == .made else {
        // What becomes of one that is left out is not known here, nor what is wrong without an error.
        if made == .refused || made == .omitted || noted == notedBefore { return .refused }
        if isBare, isDecided { return made }
        if made == .absent { lacks = true } else { hasFailed = true }
        // If errors are only counted, the first fault is enough.
        if quiet > 0, hasFailed || !object.pointee.isTransparent { return .failed }
        text.truncate(to: before)
        continue
      }
      let isLeftOut = omitsNulls && !isBare && text.isNull(from: start)
      if let written, formulas.decides[field] {
        // A condition looks at nulls that are left out, too.
        (written + Int(fields[field].offset)).initializeMemory(
          as: TextRange.self,
          to: isLeftOut
            ? TextRange(start: -1, end: -1) : TextRange(start: start, end: text.count))
      }
      if isBare { return isDecided ? .made : .failed }
      if isLeftOut {
        text.truncate(to: before)
      } else {
        text.append(UInt8(ascii: ","))
      }
    }
    if object.pointee.rest >= 0, quiet == 0 || !hasFailed && !lacks,
      !writeRest(of: object, block)
    {
      return .refused
    }
    if hasFailed || lacks {
      return hasFailed || !object.pointee.isTransparent ? .failed : .absent
    }
    close(with: UInt8(ascii: "}"), from: parts)
    return .made
  }

  /// Writes a field's value that is made from others.
  func writeMade(_ field: Int, _ object: Int, _ block: Block) -> Made {
    let node = nodes + Int(fields[field].node)
    let making = formulas.makings + Int(fields[field].making)
    if making.pointee.formula >= 0 {
      return writeCalculated(making.pointee.formula, field, object, block)
    }
    let end = making.pointee.firstCase + making.pointee.caseCount
    for number in making.pointee.firstCase..<end {
      let one = formulas.cases + Int(number)
      if one.pointee.condition >= 0 {
        do throws(Formula.Fault) {
          let decision = try decide(one.pointee.condition, object, block.cells, block.row)
          if decision == .unknown { return .refused }
          if decision == .fails { continue }
        } catch {
          return note(error, of: one.pointee.condition, field: field, rank: 0, block.row)
            ? .failed : .refused
        }
      }
      let chosen = Int(one.pointee.field)
      if fields[chosen].making < 0 { return makeField(chosen, of: objects + object, block, slot) }
      return writeMade(chosen, object, block)
    }
    return lack(.missing, node.pointee.absent, field: field, rank: 1, node, block.row)
  }

  private func writeCalculated(
    _ index: Int32, _ field: Int, _ object: Int, _ block: Block
  ) -> Made {
    let formula = formulas.formulas + Int(index)
    let operands = operands(of: formula, object, block.cells, block.row)
    let stack = formulas.stack
    formulas.isUnknown = false
    let result = formula.pointee.formula._withUnsafeGuaranteedRef { formula in
      Result { () throws(Formula.Fault) in try formula.value(of: operands, on: stack) }
    }
    if formulas.isUnknown { return .refused }
    switch result {
    case .success(let value): return write(value, field, block.row)
    case .failure(let fault): return standIn(for: fault, of: index, field: field, block.row)
    }
  }

  /// Writes what was calculated.
  private func write(_ value: FormulaValue, _ field: Int, _ row: RecordRow) -> Made {
    let node = nodes + Int(fields[field].node)
    let start = text.count
    switch value.kind {
    case .absent: return lack(.missing, node.pointee.absent, field: field, rank: 0, node, row)
    case .null:
      switch node.pointee.null.kind {
      case .take, .leave, .contested: return .refused
      case .fail, .useNil, .substitute:
        if node.pointee.null.isAsked { return .refused }
        return lack(.null, node.pointee.null, field: field, rank: 0, node, row)
      }
    case .array: return reject(.wrongType, .array, field: field, node, row)
    case .object: return reject(.wrongType, .object, field: field, node, row)
    case .number where node.pointee.scalar.numbers.takesDecimals:
      text.append(upTo: ExactDecimal.capacity) { value.number.write(into: $0) }
      let number = text.slice(start, text.count)
      if !node.pointee.scalar.keeps(number) {
        let form = node.pointee.scalar.form(of: number)
        text.truncate(to: start)
        text.append(form)
      }
    case .number, .numeral, .string, .true, .false:
      let verdict = value.withToken { token in
        let verdict = builder.check(token, node)
        if verdict == .made { builder.append(token, as: node.pointee.scalar) }
        return (verdict, token.kind)
      }
      guard let verdict else { return .refused }
      if verdict.0 != .made { return reject(verdict.0, verdict.1, field: field, node, row) }
    }
    if node.pointee.checkCount == 0 { return .made }
    _ = finish(.made, from: start, in: slot)
    guard let failures = builder.failures(as: node, in: slot) else { return .made }
    text.truncate(to: start)
    return reject(failures, field: field, node, row)
  }
}
