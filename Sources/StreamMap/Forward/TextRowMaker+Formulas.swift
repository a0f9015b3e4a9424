/// What a maker of rows keeps for formulas.
final class RowFormulas {
  let plan: PlanTables
  let stack: UnsafeMutablePointer<FormulaValue>
  /// By object: the slots of those fields at which its condition looks after they are written; nil where the text of each of
  /// these is that of its cell.
  private let written: [UnsafeMutableRawPointer?]
  /// By field: whether such a condition looks at it.
  let decides: [Bool]
  /// The object that a condition left out.
  private var omitted: UnsafePointer<PlanNode>?

  init(_ plan: PlanTables, stack: UnsafeMutablePointer<FormulaValue>) {
    self.plan = plan
    self.stack = stack
    written = (0..<plan.objects.count).map { index in
      let object = plan.objects[Int32(index)].pointee
      let own = object.firstField..<object.firstField + object.fieldCount
      if own.allSatisfy({ !plan.decides.contains($0) || Self.isOfCell($0, plan) }) { return nil }
      return .allocate(
        byteCount: max(Int(object.frameSize), 1), alignment: MemoryLayout<TextRange>.alignment)
    }
    decides = (0..<plan.fields.count).map { plan.decides.contains(Int32($0)) }
  }

  deinit {
    for memory in written { memory?.deallocate() }
  }

  /// Whether a field is written as it stands in its cell, or not at all.
  private static func isOfCell(_ field: Int32, _ plan: PlanTables) -> Bool {
    let node = plan.nodes[plan.fields[field].pointee.node]
    return node.pointee.isPlainScalar && node.pointee.absent.kind == .fail
      && node.pointee.null.kind == .fail && !plan.constants.contains(field)
  }

  /// Whether the value of a node was just left out.
  func takeOmitted(_ node: UnsafePointer<PlanNode>) -> Bool {
    defer { omitted = nil }
    return omitted == node
  }

  func omit(_ node: UnsafePointer<PlanNode>) { omitted = node }

  func slots(of object: Int) -> UnsafeMutableRawPointer? { written[object] }
}

// Objects with conditions and with fields that are made from others.
extension TextRowMaker {
  /// The operands of a formula: cells, or fields that are written already.
  private struct Operands: FormulaOperands {
    let row: RecordRow
    let block: UnsafeMutablePointer<RowCell>
    let cells: UnsafePointer<Int32>
    let plan: PlanTables
    let firstField: Int32
    /// The first field that is not written.
    let firstHidden: Int32
    let written: UnsafeMutableRawPointer?
    let text: UnsafeBufferPointer<UInt8>

    func text(ofSource number: Int) -> UnsafeBufferPointer<UInt8> {
      let field = plan.formulaFields[firstField + Int32(number)].pointee
      if field < firstHidden, let written {
        let range = (written + Int(plan.fields[field].pointee.offset)).load(as: TextRange.self)
        return UnsafeBufferPointer(rebasing: text[range.start..<range.end])
      }
      let cell = block + Int(cells[Int(field)])
      switch cell.pointee.kind {
      case .absent: return UnsafeBufferPointer(start: nil, count: 0)
      case .null: return WrittenValue.null.text
      default: return row.text(of: cell)
      }
    }
  }

  /// Writes an object from its block.
  @inline(never)
  func writeWithFormulas(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow
  ) -> Bool {
    let object = objects + Int(node.pointee.child)
    let block = row.cells + Int(cell.pointee.start)
    // Only the machine keeps containers as they stand.
    for field in object.pointee.hiddenFields where nodes[Int(fields[Int(field)].node)].isOperand {
      let kind = (block + Int(cells[Int(field)])).pointee.kind
      if kind == .object || kind == .array { return false }
    }
    do throws(Formula.Fault) {
      if object.pointee.earlyCondition >= 0,
        try !holds(object.pointee.earlyCondition, object, block, row)
      {
        formulas.omit(node)
        return false
      }
      let isPlain = object.pointee.makingCount == 0 && formulas.slots(of: object - objects) == nil
      let isWritten =
        isPlain
        ? writeObject(cell, node, row, isDecided: true) : try writeFields(of: object, block, row)
      guard isWritten else { return false }
      if object.pointee.lateCondition >= 0,
        try !holds(object.pointee.lateCondition, object, block, row)
      {
        formulas.omit(node)
        return false
      }
    } catch {
      return false
    }
    return true
  }

  private func operands(
    of formula: PlanFormula, _ object: UnsafePointer<PlanObject>,
    _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> Operands {
    Operands(
      row: row, block: block, cells: cells, plan: formulas.plan, firstField: formula.firstField,
      firstHidden: object.pointee.hiddenFields.lowerBound,
      written: formulas.slots(of: object - objects), text: output.bytes)
  }

  private func holds(
    _ condition: Int32, _ object: UnsafePointer<PlanObject>,
    _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) throws(Formula.Fault) -> Bool {
    let formula = formulas.plan.formulas[condition].pointee
    return try formula.formula.takeUnretainedValue()
      .holds(for: operands(of: formula, object, block, row), on: formulas.stack)
  }

  private func writeFields(
    of object: UnsafePointer<PlanObject>, _ block: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) throws(Formula.Fault) -> Bool {
    let first = Int(object.pointee.firstField)
    let isBare = object.pointee.fieldCount == 1 && names[first].isEmpty
    if !isBare { output.append(UInt8(ascii: "{")) }
    let written = formulas.slots(of: object - objects)
    let parts = output.count
    for field in first..<first + Int(object.pointee.fieldCount) {
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
      guard try writeValue(of: field, object, block, row) else { return false }
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

  private func writeValue(
    of field: Int, _ object: UnsafePointer<PlanObject>, _ block: UnsafeMutablePointer<RowCell>,
    _ row: RecordRow
  ) throws(Formula.Fault) -> Bool {
    let node = nodes + Int(fields[field].node)
    guard fields[field].making >= 0 else {
      return write(block + Int(cells[field]), as: node, of: row)
    }
    let making = formulas.plan.makings[fields[field].making].pointee
    if making.formula >= 0 {
      let formula = formulas.plan.formulas[making.formula].pointee
      let value = try formula.formula.takeUnretainedValue()
        .value(of: operands(of: formula, object, block, row), on: formulas.stack)
      return write(value, as: node)
    }
    for number in making.firstCase..<making.firstCase + making.caseCount {
      let one = formulas.plan.cases[number].pointee
      if one.condition >= 0, try !holds(one.condition, object, block, row) { continue }
      return try writeValue(of: Int(one.field), object, block, row)
    }
    return substitute(node.pointee.absent, node)
  }

  /// Writes what was calculated.
  private func write(_ value: FormulaValue, as node: UnsafePointer<PlanNode>) -> Bool {
    switch value.kind {
    case .absent: return substitute(node.pointee.absent, node)
    case .null: return substitute(node.pointee.null, node)
    case .array, .object: return false
    default: break
    }
    let start = output.count
    let isWritten =
      value.withToken { token in
        guard builder.check(token, node) == .made else { return false }
        builder.append(token)
        return true
      } ?? false
    return isWritten && (node.pointee.checkCount == 0 || keepsRules(node, from: start))
  }
}
