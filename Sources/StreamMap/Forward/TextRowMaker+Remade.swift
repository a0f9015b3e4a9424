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
    let isTransform = node.pointee.opcode == .transform
    let notedBefore = noted
    guard isTransform || node.pointee.opcode == .rewritten, node.pointee.checkCount == 0,
      !WrittenValue(written).isNull,
      var made = remade(range, as: nodes + Int(node.pointee.child), row, slot)
    else { return nil }
    odd += 1
    defer { odd -= 1 }
    if made == .made { made = isTransform ? transform(node, slot) : mapAgain(node, row, slot) }
    if made == .made { return .made }
    text.truncate(to: range.start)
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
    case .number: self == .any || surelyTakes(digits: text) && keeps(text)
    case .boolean: self == .bool || self == .any
    case .null, .array, .object: false
    }
  }
}
