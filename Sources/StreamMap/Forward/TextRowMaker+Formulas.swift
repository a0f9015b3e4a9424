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
  /// By field: whether such a condition looks at it.
  fileprivate let decides: [Bool]
  /// By object: whether its fields are written here.
  private let writes: [Bool]
  /// The object that a condition left out.
  private var omitted: UnsafePointer<PlanNode>?

  init(_ plan: PlanTables, stack: UnsafeMutablePointer<FormulaValue>) {
    self.plan = plan
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

  /// Whether a field is written as it stands in its cell, or not at all.
  private static func isOfCell(_ field: Int32, _ plan: PlanTables) -> Bool {
    let node = plan.nodes[plan.fields[field].pointee.node]
    return node.pointee.opcode == .scalar && node.pointee.absent.kind == .fail
      && node.pointee.null.kind == .fail && !plan.constants.contains(field)
  }

  /// Whether the value of a node was just left out.
  func takeOmitted(_ node: UnsafePointer<PlanNode>) -> Bool {
    defer { omitted = nil }
    return omitted == node
  }

  fileprivate func omit(_ node: UnsafePointer<PlanNode>) { omitted = node }

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

    @inline(__always)
    func text(ofSource number: Int) -> UnsafeBufferPointer<UInt8> {
      let field = numbers[number]
      if let written, field < firstHidden {
        let range = (written + Int(fields[Int(field)].offset)).load(as: TextRange.self)
        return UnsafeBufferPointer(rebasing: text[range.start..<range.end])
      }
      let cell = block + Int(cells[Int(field)])
      switch cell.pointee.kind {
      case .absent: return UnsafeBufferPointer(start: nil, count: 0)
      case .null: return WrittenValue.null.text
      // Where a formula reads a container, the record is no row.
      default: return row.text(of: cell)
      }
    }
  }

  private enum Decision { case holds, fails, unknown }

  private func operands(
    of formula: UnsafePointer<PlanFormula>, _ object: Int, _ block: UnsafeMutablePointer<RowCell>,
    _ row: RecordRow
  ) -> Operands {
    Operands(
      row: row, block: block, cells: cells, fields: fields,
      numbers: formulas.fieldNumbers + Int(formula.pointee.firstField),
      firstHidden: objects[object].firstField + objects[object].fieldCount,
      written: formulas.slots(of: object), text: output.bytes)
  }

  @inline(__always)
  private func decide(
    _ condition: Int32, _ object: Int, _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> Decision {
    let formula = formulas.formulas + Int(condition)
    let operands = operands(of: formula, object, block, row)
    let stack = formulas.stack
    return formula.pointee.formula._withUnsafeGuaranteedRef { formula in
      do throws(Formula.Fault) {
        return try formula.holds(for: operands, on: stack) ? .holds : .fails
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
    answer(as: nodes + Int(fields[field].node)) { writeMade(field, object, block, row) }
  }

  /// Whether an object is to be written, by its condition on the source; a record that cannot be decided is for the machine.
  @inline(never)
  func holdsEarly(
    _ node: UnsafePointer<PlanNode>, _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> Bool {
    holds(objects[Int(node.pointee.child)].earlyCondition, node, block, row)
  }

  /// Whether an object that is written is to stay, by its condition on the fields.
  @inline(never)
  func holdsLate(
    _ node: UnsafePointer<PlanNode>, _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> Bool {
    holds(objects[Int(node.pointee.child)].lateCondition, node, block, row)
  }

  @inline(__always)
  private func holds(
    _ condition: Int32, _ node: UnsafePointer<PlanNode>,
    _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> Bool {
    if condition < 0 { return true }
    let decision = decide(condition, Int(node.pointee.child), block, row)
    if decision == .fails { formulas.omit(node) }
    return decision == .holds
  }

  /// Writes an object with fields that are made from others, or at which its condition looks.
  func writeFields(
    of object: Int, _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> Bool {
    let first = Int(objects[object].firstField)
    let isBare = objects[object].fieldCount == 1 && names[first].isEmpty
    if !isBare { output.append(UInt8(ascii: "{")) }
    let written = formulas.slots(of: object)
    let parts = output.count
    for field in first..<first + Int(objects[object].fieldCount) {
      let cell = block + Int(cells[field])
      // PERF: as in objects without formulas.
      if written == nil, isPlainString[field], cell.pointee.kind == .string, !isBare,
        !cell.pointee.hasEscapes
      {
        append(names[field], row.text(of: cell))
        continue
      }
      let before = output.count
      output.append(names[field])
      let start = output.count
      let isWritten =
        fields[field].making < 0
        ? write(cell, as: nodes + Int(fields[field].node), of: row)
        : writeMade(field, object, block, row)
      guard isWritten else { return false }
      if let written, formulas.decides[field] {
        (written + Int(fields[field].offset)).initializeMemory(
          as: TextRange.self, to: TextRange(start: start, end: output.count))
      }
      if isBare { return true }
      if omitsNulls, output.isNull(from: start) {
        output.truncate(to: before)
      } else {
        output.append(UInt8(ascii: ","))
      }
    }
    close(with: UInt8(ascii: "}"), from: parts)
    return true
  }

  /// Writes a field's value that is made from others.
  private func writeMade(
    _ field: Int, _ object: Int, _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> Bool {
    let node = nodes + Int(fields[field].node)
    let making = formulas.makings + Int(fields[field].making)
    if making.pointee.formula >= 0 {
      return writeCalculated(making.pointee.formula, node, object, block, row)
    }
    let end = making.pointee.firstCase + making.pointee.caseCount
    for number in making.pointee.firstCase..<end {
      let one = formulas.cases + Int(number)
      if one.pointee.condition >= 0 {
        let decision = decide(one.pointee.condition, object, block, row)
        if decision == .unknown { return false }
        if decision == .fails { continue }
      }
      let chosen = Int(one.pointee.field)
      return fields[chosen].making < 0
        ? write(block + Int(cells[chosen]), as: nodes + Int(fields[chosen].node), of: row)
        : writeMade(chosen, object, block, row)
    }
    return substitute(node.pointee.absent, node)
  }

  private func writeCalculated(
    _ index: Int32, _ node: UnsafePointer<PlanNode>, _ object: Int,
    _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> Bool {
    let formula = formulas.formulas + Int(index)
    let operands = operands(of: formula, object, block, row)
    let stack = formulas.stack
    return formula.pointee.formula._withUnsafeGuaranteedRef { formula in
      do throws(Formula.Fault) {
        return write(try formula.value(of: operands, on: stack), as: node)
      } catch {
        return false
      }
    }
  }

  /// Writes what was calculated.
  private func write(_ value: FormulaValue, as node: UnsafePointer<PlanNode>) -> Bool {
    switch value.kind {
    case .absent: return substitute(node.pointee.absent, node)
    case .null: return substitute(node.pointee.null, node)
    case .array, .object: return false
    case .number where node.pointee.scalar.numbers.takesDecimals:
      let start = output.count
      output.append(upTo: ExactDecimal.capacity) { value.number.write(into: $0) }
      let number = output.slice(start, output.count)
      if !node.pointee.scalar.keeps(number) {
        let form = node.pointee.scalar.form(of: number)
        output.truncate(to: start)
        output.append(form)
      }
      return node.pointee.checkCount == 0 || keepsRules(node, from: start)
    default: break
    }
    let start = output.count
    let isWritten =
      value.withToken { token in
        guard builder.check(token, node) == .made else { return false }
        builder.append(token, as: node.pointee.scalar)
        return true
      } ?? false
    return isWritten && (node.pointee.checkCount == 0 || keepsRules(node, from: start))
  }
}
