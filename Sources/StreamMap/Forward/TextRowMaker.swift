/// Writes output records from rows: the text of each field goes straight to its place.
final class TextRowMaker: RowMaker {
  let builder: TextBuilder
  let output: OutputBuffer
  let names: FieldNames
  /// Writes a record in one step; nil if the mapping has no such program.
  private(set) var program: RowProgram?
  /// What the program writes here; its calls write to the builder's output.
  private let record = OutputBuffer()
  let omitsNulls: Bool
  /// By field: whether it is a string without rules.
  let isPlainString: UnsafePointer<Bool>
  private let isPlainStringTable: FlatTable<Bool>
  /// For what the builder does with one value that is written: a `TextRange`.
  private let slot = UnsafeMutableRawPointer.allocate(
    byteCount: MemoryLayout<TextRange>.stride, alignment: MemoryLayout<TextRange>.alignment)
  let formulas: RowFormulas

  init?(_ plan: PlanTables, builder: TextBuilder, limits: Limits) {
    self.builder = builder
    output = builder.output
    names = builder.names
    omitsNulls = builder.omitsNulls
    isPlainStringTable = plan.arePlainStrings()
    isPlainString = isPlainStringTable.start
    formulas = RowFormulas(plan, stack: builder.formulaStack)
    super.init(plan, limits: limits)
    program = RowProgram(plan, maker: self, limits: limits)
  }

  deinit {
    slot.deallocate()
  }

  override func make(
    _ cell: UnsafeMutablePointer<RowCell>, as node: UnsafePointer<PlanNode>, of row: RecordRow,
    in destination: UnsafeMutableRawPointer
  ) -> Bool {
    let start = output.count
    guard writeAtOnce(row) || !isOmitted && write(cell, as: node, of: row) else {
      if formulas.takeOmitted(node) { isOmitted = true }
      output.truncate(to: start)
      return false
    }
    destination.initializeMemory(
      as: TextRange.self, to: TextRange(start: start, end: output.count))
    return true
  }

  /// Writes a record by the program; false if there is none, or it refuses, or a condition leaves the record out.
  private func writeAtOnce(_ row: RecordRow) -> Bool {
    guard let program else { return false }
    record.clear()
    while true {
      var outcome = RowProgram.Outcome.refused
      record.extend { start, count, capacity in
        outcome = program.write(
          row, to: RowProgram.Output(start: start, count: count, capacity: capacity))
        if case .written(let count) = outcome { return count }
        return count
      }
      switch outcome {
      case .written:
        output.append(record.bytes)
        return true
      case .leftOut:
        isOmitted = true
        return false
      case .refused: return false
      case .noRoom: record.makeRoom()
      }
    }
  }

  /// The text of a value, for the program.
  func value(_ cell: UnsafeMutablePointer<RowCell>, _ node: Int32, _ row: RecordRow)
    -> RowCalls.Answer
  {
    let node = nodes + Int(node)
    return answer(as: node) { write(cell, as: node, of: row) }
  }

  /// The text of what is written; the output is as it was then.
  @inline(__always)
  func answer(as node: UnsafePointer<PlanNode>, _ write: () -> Bool) -> RowCalls.Answer {
    let start = output.count
    defer { output.truncate(to: start) }
    guard write() else { return formulas.takeOmitted(node) ? .leftOut : .refused }
    return .made(output.slice(start, output.count))
  }

  /// Writes a value; where it cannot be written, some of it may be.
  func write(
    _ cell: UnsafeMutablePointer<RowCell>, as node: UnsafePointer<PlanNode>, of row: RecordRow
  ) -> Bool {
    let kind = cell.pointee.kind
    if kind == .absent { return substitute(node.pointee.absent, node) }
    if kind == .null { return substitute(node.pointee.null, node) }
    let start = output.count
    let isWritten: Bool
    switch node.pointee.opcode {
    case .object: isWritten = kind == .object && writeObject(cell, node, row)
    case .array: isWritten = kind == .array && writeArray(cell, node, row)
    case .transform: isWritten = writeTransform(cell, node, row)
    case .scalar, .jsonValue, .rawJSON, .dictionary, .rewritten, .firstOf, .dispatch:
      isWritten = writeScalar(cell, node, row)
    }
    return isWritten && (node.pointee.checkCount == 0 || keepsRules(node, from: start))
  }

  func substitute(_ action: PlanAction, _ node: UnsafePointer<PlanNode>) -> Bool {
    if action.isReported || action.isAsked { return false }
    switch action.kind {
    case .fail, .take, .leave, .contested: return false
    case .useNil: builder.storeNil(as: node, in: slot)
    case .substitute: builder.store(substitute: action.substitute, as: node, in: slot)
    }
    return true
  }

  @inline(__always)
  private func writeScalar(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow
  ) -> Bool {
    let isString = node.pointee.scalar == .string && cell.pointee.kind == .string
    if !isString || cell.pointee.hasEscapes && !JSONText.isWritten(row.text(of: cell)) {
      guard let token = token(cell, of: row), builder.check(token, node) == .made else {
        return false
      }
      if cell.pointee.hasEscapes {
        JSONText.append(quoted: token.text, to: output)
        return true
      }
      if token.kind == .number {
        output.append(token.text, as: node.pointee.scalar)
        return true
      }
    }
    output.append(row.text(of: cell))
    return true
  }

  private func writeObject(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow
  ) -> Bool {
    let object = Int(node.pointee.child)
    let block = row.cells + Int(cell.pointee.start)
    guard passSteps(of: object, in: block) else { return false }
    let hasFormulas = objects[object].isPlainWithFormulas
    if hasFormulas {
      guard holdsEarly(node, block, row) else { return false }
      if formulas.writes(object) {
        return writeFields(of: object, block, row) && holdsLate(node, block, row)
      }
    }
    var field = Int(objects[object].firstField)
    let end = field + Int(objects[object].fieldCount)
    if end - field == 1, names[field].isEmpty {
      return write(block + Int(cells[field]), as: nodes + Int(fields[field].node), of: row)
    }
    output.append(UInt8(ascii: "{"))
    let parts = output.count
    while field < end {
      let cell = block + Int(cells[field])
      // PERF: of most strings nothing has to be known but where they are.
      if isPlainString[field], cell.pointee.kind == .string, !cell.pointee.hasEscapes {
        append(names[field], row.text(of: cell))
      } else if !writeMember(field, cell, row) {
        return false
      }
      field += 1
    }
    close(with: UInt8(ascii: "}"), from: parts)
    return !hasFormulas || holdsLate(node, block, row)
  }

  /// Writes a member and a comma, or nothing if it is a null that is left out.
  @inline(never)
  func writeMember(
    _ field: Int, _ cell: UnsafeMutablePointer<RowCell>, _ row: RecordRow
  ) -> Bool {
    let before = output.count
    output.append(names[field])
    let start = output.count
    guard write(cell, as: nodes + Int(fields[field].node), of: row) else { return false }
    if omitsNulls, output.isNull(from: start) {
      output.truncate(to: before)
    } else {
      output.append(UInt8(ascii: ","))
    }
    return true
  }

  /// Writes a member with a text as it stands, and a comma.
  @inline(__always)
  func append(_ name: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>) {
    guard let first = name.baseAddress, let second = text.baseAddress else { return }
    let count = name.count &+ text.count &+ 1
    output.append(upTo: count &+ FieldNames.padding) { room in
      // In whole vectors, beyond the end of the name.
      var index = 0
      repeat {
        UnsafeMutableRawPointer(room + index).storeBytes(
          of: UnsafeRawPointer(first + index).loadUnaligned(as: SIMD16<UInt8>.self),
          as: SIMD16<UInt8>.self)
        index &+= FieldNames.padding
      } while index < name.count
      (room + name.count).update(from: second, count: text.count)
      room[count &- 1] = UInt8(ascii: ",")
      return count
    }
  }

  private func writeArray(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow
  ) -> Bool {
    guard Int(cell.pointee.end) <= elementLimit else { return false }
    output.append(UInt8(ascii: "["))
    let parts = output.count
    var element = row.cells + Int(cell.pointee.start)
    let child = nodes + Int(node.pointee.child)
    for _ in 0..<cell.pointee.end {
      let before = output.count
      if write(element, as: child, of: row) {
        output.append(UInt8(ascii: ","))
      } else {
        guard formulas.takeOmitted(child) else { return false }
        output.truncate(to: before)
      }
      element = row.cells + Int(element.pointee.next)
    }
    close(with: UInt8(ascii: "]"), from: parts)
    return true
  }

  /// Writes a closing bracket; it replaces the comma after the last part, if there is one.
  @inline(__always)
  func close(with bracket: UInt8, from parts: Int) {
    if output.count == parts { output.append(bracket) } else { output.replaceLast(with: bracket) }
  }

  @inline(never)
  private func writeTransform(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow
  ) -> Bool {
    let start = output.count
    guard write(cell, as: nodes + Int(node.pointee.child), of: row) else { return false }
    note(from: start)
    do {
      try builder.transform(slot, as: node, into: slot)
      return true
    } catch {
      return false
    }
  }

  /// Whether the value that is written last keeps the rules of its mapping.
  @inline(never)
  func keepsRules(_ node: UnsafePointer<PlanNode>, from start: Int) -> Bool {
    note(from: start)
    return builder.failures(as: node, in: slot) == nil
  }

  private func note(from start: Int) {
    slot.initializeMemory(as: TextRange.self, to: TextRange(start: start, end: output.count))
  }
}

/// The names of fields as they are written: `"name":`.
struct FieldNames {
  /// How many bytes after the start of each are readable at least, and how many are after the last one.
  static let padding = 16

  private let text: FlatTable<UInt8>
  /// Where each starts, and where the last one ends.
  private let starts: FlatTable<Int>

  /// The names of a plan's fields; empty if a field's value stands for its object.
  init(_ plan: PlanTables) {
    let buffer = OutputBuffer()
    var starts = [0]
    for name in plan.targets {
      if let name = name.first {
        JSONText.append(quoted: name, to: buffer)
        buffer.append(UInt8(ascii: ":"))
      }
      starts.append(buffer.count)
    }
    text = FlatTable(Array(buffer.bytes) + Array(repeating: 0, count: Self.padding))
    self.starts = FlatTable(starts)
  }

  /// Only for fields of the plan.
  @inline(__always)
  subscript(field: Int) -> UnsafeBufferPointer<UInt8> {
    let start = starts.start[field]
    return UnsafeBufferPointer(start: text.start + start, count: starts.start[field + 1] - start)
  }
}

extension OutputBuffer {
  /// Whether the text from `start` on is null.
  func isNull(from start: Int) -> Bool {
    count - start == 4 && slice(start, start + 1).first == UInt8(ascii: "n")
  }
}
