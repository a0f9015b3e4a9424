// What the program asks for: the texts of values that it does not write.
extension TextRowMaker {
  /// The text of a value, for the program.
  func value(_ cell: UnsafeMutablePointer<RowCell>, _ node: Int32, _ row: RecordRow)
    -> RowCalls.Answer
  {
    answer { make(cell, as: nodes + Int(node), of: row, in: slot) }
  }

  /// The text of a field that is not simply made from its cell, for the program.
  func value(ofField field: Int, _ object: Int, _ block: Int, _ row: RecordRow) -> RowCalls.Answer {
    var own = RowCell(start: UInt32(block), kind: row.cells[block].kind)
    // The program has no fields with unnamed members.
    return withUnsafeMutablePointer(to: &own) { own in
      let block = Block(row: row, cells: row.cells + block, own: own, others: 0)
      return answer { makeField(field, of: objects + object, block, slot) }
    }
  }

  /// The text of a field of a record, for the program; what is wrong with it is noted.
  func told(field: Int, _ object: Int, _ block: Int, _ row: RecordRow) -> RowCalls.Answer {
    // A record may have objects of its own kind in it.
    guard Int(row.cells.pointee.start) == block, trail.push(.object, row.cells) else {
      return .refused
    }
    let (start, notedBefore) = (text.count, noted)
    defer {
      trail.pop()
      text.truncate(to: start)
    }
    trail.enter(field)
    // The program has no fields with unnamed members.
    let own = Block(row: row, cells: row.cells + block, own: row.cells, others: 0)
    let made =
      fields[field].making < 0
      ? make(field, of: objects + object, own) : writeMade(field, object, own)
    switch made {
    case .made: return .made(text.slice(start, text.count))
    case .failed, .absent: return noted > notedBefore ? .wrong : .refused
    case .rejected, .omitted, .refused: return .refused
    }
  }

  /// The members that an object keeps beside its fields, as an object, for the program.
  func rest(
    of object: Int, _ own: UnsafeMutablePointer<RowCell>, _ block: Int, _ row: RecordRow
  ) -> RowCalls.Answer {
    let mark = row.mark
    defer { row.release(to: mark) }
    let block = Block(row: row, cells: row.cells + block, own: own, others: own.pointee.end)
    return answer {
      text.append(UInt8(ascii: "{"))
      let parts = text.count
      guard writeRest(of: objects + object, block) else { return .refused }
      close(with: UInt8(ascii: "}"), from: parts)
      return .made
    }
  }

  /// The text of what is written; the output is as it was then.
  @inline(__always)
  func answer(_ write: () -> Made) -> RowCalls.Answer {
    let (start, notedBefore) = (text.count, noted)
    // The program knows no errors: it leaves the value to this maker.
    quiet += 1
    defer {
      text.truncate(to: start)
      quiet -= 1
      noted = notedBefore
    }
    switch write() {
    case .made: return noted == notedBefore ? .made(text.slice(start, text.count)) : .refused
    case .omitted: return .leftOut
    case .rejected, .failed, .absent, .refused: return .refused
    }
  }
}
