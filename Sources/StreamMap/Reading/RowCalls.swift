import CScan

/// What a program calls for values and conditions that it leaves to others.
class RowCalls {
  enum Answer {
    /// The text of a value, valid until the next call; or a condition holds.
    case made(UnsafeBufferPointer<UInt8>)
    /// A condition does not hold.
    case leftOut
    /// There is no value of a member that is told, and it was noted why.
    case wrong
    case refused
  }

  /// Answers a call.
  ///
  /// - Parameters:
  ///   - call: Its number in the program.
  ///   - row: The whole record.
  ///   - block: The first cell of the object that the value is part of, or that a condition is about.
  ///   - cell: That of the value; nil for a condition.
  ///   - text: What is changed, which is not in what calls write; nil for all else.
  /// - Returns: The answer.
  func answer(
    _ call: Int, of row: RecordRow, block: Int, cell: UnsafeMutablePointer<RowCell>?,
    text: UnsafeBufferPointer<UInt8>?
  ) -> Answer { .refused }

  static let answer: sm_row_call = { context, call, row, block, cell, made in
    guard let context, let row = row.flatMap({ RecordRow($0.pointee) }) else { return SM_REFUSED }
    // RowCell has the layout of sm_cell, and the reader of a row may change its cells.
    let cell = UnsafeMutableRawPointer(mutating: cell)?.assumingMemoryBound(to: RowCell.self)
    let text = made.flatMap { made in
      made.pointee.start.map { UnsafeBufferPointer(start: $0, count: made.pointee.length) }
    }
    let answer = Unmanaged<RowCalls>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.answer(Int(call), of: row, block: Int(block), cell: cell, text: text)
    }
    switch answer {
    case .made(let text):
      made?.pointee = sm_made_text(start: text.baseAddress, length: text.count)
      return SM_WRITTEN
    case .leftOut: return SM_LEFT_OUT
    case .wrong: return SM_WRONG
    case .refused: return SM_REFUSED
    }
  }
}
