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
      case .null: return WrittenValue.null.text
      // A path through something else finds nothing.
      case .blocked: return UnsafeBufferPointer(start: nil, count: 0)
      case .object, .array: return maker.json(of: cell, row)
      default: return row.text(of: cell)
      }
    }
  }

  private enum Decision { case holds, fails, unknown }

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
  ) -> Decision {
    let formula = formulas.formulas + Int(condition)
    let operands = operands(of: formula, object, block, row)
    let stack = formulas.stack
    formulas.isUnknown = false
    return formula.pointee.formula._withUnsafeGuaranteedRef { formula in
      do throws(Formula.Fault) {
        let holds = try formula.holds(for: operands, on: stack)
        return formulas.isUnknown ? .unknown : holds ? .holds : .fails
      } catch {
        return .unknown
      }
    }
  }

  /// Whether a condition holds, for the program.
  func answer(
    _ condition: Int32, _ object: Int, _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> RowCalls.Answer {
    switch decide(condition, object, block, row) {
    case .holds: .made(UnsafeBufferPointer(start: nil, count: 0))
    case .fails: .leftOut
    case .unknown: .refused
    }
  }

  /// The text of a field that is made from others, for the program.
  func madeValue(
    _ field: Int, _ object: Int, _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> RowCalls.Answer {
    answer { writeMade(field, object, Block(row: row, cells: block, own: block, others: 0)) }
  }

  /// Whether an object is to be written, by its condition on the source; a record that cannot be decided is for the machine.
  @inline(never)
  func holdsEarly(_ object: Int, _ block: Block) -> Made {
    holds(objects[object].earlyCondition, object, block)
  }

  /// Whether an object that is written is to stay, by its condition on the fields.
  @inline(never)
  func holdsLate(_ object: Int, _ block: Block) -> Made {
    holds(objects[object].lateCondition, object, block)
  }

  @inline(__always)
  private func holds(_ condition: Int32, _ object: Int, _ block: Block) -> Made {
    if condition < 0 { return .made }
    switch decide(condition, object, block.cells, block.row) {
    case .holds: return .made
    case .fails: return .omitted
    case .unknown: return .refused
    }
  }

  /// Writes an object with fields that are made from others, or at which its condition looks.
  func writeFields(of index: Int, _ block: Block) -> Made {
    let object = objects + index
    let first = Int(object.pointee.firstField)
    let isBare = object.pointee.fieldCount == 1 && names[first].isEmpty
    if !isBare { text.append(UInt8(ascii: "{")) }
    let written = formulas.slots(of: index)
    let parts = text.count
    var lacks = false
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
      let made =
        fields[field].making < 0
        ? makeField(field, of: object, block, slot) : writeMade(field, index, block)
      guard made == .made else {
        // A condition that looks at what is not there is for the machine.
        if isBare, written == nil { return made }
        if made != .absent || !object.pointee.isTransparent || written != nil {
          return made == .failed || made == .rejected ? .failed : .refused
        }
        lacks = true
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
      if isBare { return .made }
      if isLeftOut {
        text.truncate(to: before)
      } else {
        text.append(UInt8(ascii: ","))
      }
    }
    if lacks { return .absent }
    if object.pointee.rest >= 0, !writeRest(of: object, block) { return .refused }
    close(with: UInt8(ascii: "}"), from: parts)
    return .made
  }

  /// Writes a field's value that is made from others.
  private func writeMade(_ field: Int, _ object: Int, _ block: Block) -> Made {
    let node = nodes + Int(fields[field].node)
    let making = formulas.makings + Int(fields[field].making)
    if making.pointee.formula >= 0 {
      return writeCalculated(making.pointee.formula, node, object, block)
    }
    let end = making.pointee.firstCase + making.pointee.caseCount
    for number in making.pointee.firstCase..<end {
      let one = formulas.cases + Int(number)
      if one.pointee.condition >= 0 {
        let decision = decide(one.pointee.condition, object, block.cells, block.row)
        if decision == .unknown { return .refused }
        if decision == .fails { continue }
      }
      let chosen = Int(one.pointee.field)
      return fields[chosen].making < 0
        ? makeField(chosen, of: objects + object, block, slot)
        : writeMade(chosen, object, block)
    }
    return replace(by: node.pointee.absent, node, slot, orElse: .absent)
  }

  private func writeCalculated(
    _ index: Int32, _ node: UnsafePointer<PlanNode>, _ object: Int, _ block: Block
  ) -> Made {
    let formula = formulas.formulas + Int(index)
    let operands = operands(of: formula, object, block.cells, block.row)
    let stack = formulas.stack
    formulas.isUnknown = false
    return formula.pointee.formula._withUnsafeGuaranteedRef { formula in
      do throws(Formula.Fault) {
        let value = try formula.value(of: operands, on: stack)
        return formulas.isUnknown ? .refused : write(value, as: node)
      } catch {
        return .refused
      }
    }
  }

  /// Writes what was calculated.
  private func write(_ value: FormulaValue, as node: UnsafePointer<PlanNode>) -> Made {
    switch value.kind {
    case .absent: return replace(by: node.pointee.absent, node, slot, orElse: .refused)
    case .null: return replace(by: node.pointee.null, node, slot, orElse: .refused)
    // What they become is for the machine.
    case .array, .object: return .refused
    case .number where node.pointee.scalar.numbers.takesDecimals:
      let start = text.count
      text.append(upTo: ExactDecimal.capacity) { value.number.write(into: $0) }
      let number = text.slice(start, text.count)
      if !node.pointee.scalar.keeps(number) {
        let form = node.pointee.scalar.form(of: number)
        text.truncate(to: start)
        text.append(form)
      }
      return kept(node, from: start)
    default: break
    }
    let start = text.count
    let isWritten =
      value.withToken { token in
        guard builder.check(token, node) == .made else { return false }
        builder.append(token, as: node.pointee.scalar)
        return true
      } ?? false
    return isWritten ? kept(node, from: start) : .refused
  }

  private func kept(_ node: UnsafePointer<PlanNode>, from start: Int) -> Made {
    if node.pointee.checkCount > 0 {
      _ = finish(.made, from: start, in: slot)
      if builder.failures(as: node, in: slot) != nil { return .refused }
    }
    return .made
  }
}
