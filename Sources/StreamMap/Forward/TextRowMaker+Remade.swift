// Values that are mapped again, where their text need not be read.
extension TextRowMaker {
  /// Makes a value of one that is written at the end, in the place where it is; nil if its text has to be read as a row.
  ///
  /// What stays as it is needs nothing, and transforms change texts anyway.
  func remade(
    _ range: TextRange, as node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made? {
    let written = text.slice(range.start, range.end)
    if isKept(written, as: node) {
      slot.initializeMemory(as: TextRange.self, to: range)
      return .made
    }
    let notedBefore = noted
    guard node.pointee.opcode == .transform || node.pointee.opcode == .rewritten,
      node.pointee.checkCount == 0, !WrittenValue(written).isNull,
      let made = remade(range, as: nodes + Int(node.pointee.child), row, slot)
    else { return nil }
    return changed(node, row, from: range.start, notedBefore: notedBefore, slot) {
      made == .made ? change(node, row, slot) : made
    }
  }

  /// What a node makes of the text of another one that it changes, perhaps with nodes between them, for the program.
  func change(
    _ written: UnsafeBufferPointer<UInt8>, _ node: Int32, from source: Int32, _ row: RecordRow
  )
    -> RowCalls.Answer
  {
    answer { change(written, as: nodes + Int(node), from: source, row) }
  }

  private func change(
    _ written: UnsafeBufferPointer<UInt8>, as node: UnsafePointer<PlanNode>, from source: Int32,
    _ row: RecordRow
  ) -> Made {
    let (start, notedBefore) = (text.count, noted)
    return changed(node, row, from: start, notedBefore: notedBefore, slot) {
      // PERF: what is changed first need not be in the output.
      if node.pointee.child == source, node.pointee.opcode == .transform {
        return transformed { try builder.transform(written, as: node, into: slot) }
      }
      if node.pointee.child == source {
        text.append(written)
        note(from: start, in: slot)
      } else {
        let made = change(written, as: nodes + Int(node.pointee.child), from: source, row)
        if made != .made { return made }
      }
      return change(node, row, slot)
    }
  }

  /// Changes, or maps again, the text that is noted in a slot.
  private func change(
    _ node: UnsafePointer<PlanNode>, _ row: RecordRow, _ slot: UnsafeMutableRawPointer
  ) -> Made {
    node.pointee.opcode == .transform ? transform(node, slot) : mapAgain(node, row, slot)
  }

  /// What a node makes of a text, or what stands in for that.
  @inline(__always)
  private func changed(
    _ node: UnsafePointer<PlanNode>, _ row: RecordRow, from start: Int, notedBefore: Int,
    _ slot: UnsafeMutableRawPointer, _ make: () -> Made
  ) -> Made {
    odd += 1
    defer { odd -= 1 }
    let made = make()
    if made == .made { return .made }
    text.truncate(to: start)
    // It has no cell.
    var none = RowCell(kind: .absent)
    return withUnsafeMutablePointer(to: &none) {
      fallBack($0, node, row, after: made, notedBefore: notedBefore, slot)
    }
  }

  /// Maps the text that is noted in a slot by the second mapping of a node.
  private func mapAgain(
    _ node: UnsafePointer<PlanNode>, _ row: RecordRow, _ slot: UnsafeMutableRawPointer
  ) -> Made {
    let range = slot.load(as: TextRange.self)
    let second = nodes + Int(node.pointee.second)
    if text.isNull(from: range.start) {
      switch second.pointee.null.kind {
      case .fail, .useNil, .substitute:
        // PERF: what a null becomes is known without a row.
        text.truncate(to: range.start)
        var null = RowCell(kind: .null)
        return withUnsafeMutablePointer(to: &null) { make($0, as: second, of: row, in: slot) }
      case .take, .leave, .contested: break
      }
    }
    return remade(range, as: second, row, slot)
      ?? make(from: row, as: second, in: slot) { [text] in
        $0.append(text.slice(range.start, range.end))
        text.truncate(to: range.start)
        return true
      }
  }

  /// Whether a node surely makes the same text of a written one.
  private func isKept(
    _ text: UnsafeBufferPointer<UInt8>, as node: UnsafePointer<PlanNode>
  ) -> Bool {
    guard node.pointee.checkCount == 0, RecordRow.work(on: text.count) <= captureLimit else {
      return false
    }
    // The escapes of strings may be others than those that the output has.
    switch node.pointee.opcode.family {
    case .json:
      let takesIt = node.pointee.null.kind == .take || !WrittenValue(text).isNull
      return takesIt && JSONText.isWritten(text)
    case .scalar:
      return node.pointee.options == nil && node.pointee.scalar.keeps(written: text)
    case .collection:
      let child = nodes + Int(node.pointee.child)
      guard node.pointee.opcode == .array, text.first == UInt8(ascii: "["),
        text.count <= elementLimit,
        child.pointee.checkCount == 0, JSONText.isWritten(text)
      else { return false }
      switch child.pointee.opcode.family {
      case .json: return child.pointee.null.kind == .take
      case .scalar:
        guard child.pointee.scalar == .string, child.pointee.options == nil else { return false }
        var areStrings = true
        WrittenValue(text).forEachElement {
          areStrings = areStrings && $0.first == UInt8(ascii: "\"")
        }
        return areStrings
      case .collection, .object, .change, .remap, .choice: return false
      }
    case .object, .change, .remap, .choice: return false
    }
  }
}

extension ScalarType {
  /// Whether a written value that is not null surely stays as it is.
  fileprivate func keeps(written text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch WrittenValue(text).kind {
    case .string: (self == .string || self == .any) && JSONText.isWritten(text)
    case .number:
      self == .any || (surelyTakes(digits: text) || verdict(onNumber: text) == .made) && keeps(text)
    case .boolean: self == .bool || self == .any
    case .null, .array, .object: false
    }
  }
}
