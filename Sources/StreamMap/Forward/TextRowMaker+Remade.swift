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
    guard node.pointee.opcode == .transform, node.pointee.checkCount == 0,
      !WrittenValue(written).isNull,
      let made = remade(range, as: nodes + Int(node.pointee.child), row, slot)
    else { return nil }
    guard made == .made else { return made }
    odd += 1
    defer { odd -= 1 }
    let notedBefore = noted
    let changed = transform(node, slot)
    if changed == .made { return .made }
    // It has no cell.
    var none = RowCell(kind: .absent)
    return withUnsafeMutablePointer(to: &none) {
      fallBack($0, node, row, after: changed, notedBefore: notedBefore, slot)
    }
  }

  /// Whether a node surely makes the same text of a written one.
  private func isKept(
    _ text: UnsafeBufferPointer<UInt8>, as node: UnsafePointer<PlanNode>
  ) -> Bool {
    // The escapes of strings may be others than those that the output has.
    guard node.pointee.checkCount == 0, RecordRow.work(on: text.count) <= captureLimit, JSONText.isWritten(text)
    else { return false }
    switch node.pointee.opcode {
    case .rawJSON, .jsonValue: return node.pointee.null.kind == .take
    case .array:
      let child = nodes + Int(node.pointee.child)
      guard text.first == UInt8(ascii: "["), text.count <= elementLimit,
        child.pointee.checkCount == 0
      else { return false }
      switch child.pointee.opcode {
      case .rawJSON, .jsonValue: return child.pointee.null.kind == .take
      case .scalar:
        guard child.pointee.scalar == .string, child.pointee.options == nil else { return false }
        var areStrings = true
        WrittenValue(text).forEachElement {
          areStrings = areStrings && $0.first == UInt8(ascii: "\"")
        }
        return areStrings
      case .array, .dictionary, .object, .transform, .rewritten, .firstOf, .dispatch: return false
      }
    case .scalar, .dictionary, .object, .transform, .rewritten, .firstOf, .dispatch: return false
    }
  }
}
