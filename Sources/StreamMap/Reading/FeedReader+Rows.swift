import CScan

extension FeedReader {
  /// What stands before and after the text of each record.
  struct RowEnds {
    let prefix: StaticString
    let suffix: StaticString

    fileprivate var bytes: [UInt8] {
      [prefix, suffix].flatMap {
        UnsafeBufferPointer(start: $0.utf8Start, count: $0.utf8CodeUnitCount)
      }
    }
  }

  /// What was written.
  struct WrittenRows {
    let rows: Int
    /// How many bytes of the output are used now.
    let count: Int
    /// Whether the output has to grow for the next row.
    let needsRoom: Bool
  }

  /// Goes on as long as there are rows that a program can write, and writes them.
  ///
  /// What comes after them is what ``next()`` returns.
  ///
  /// - Parameters:
  ///   - program: How they are written.
  ///   - output: Where they are written.
  ///   - ends: What stands around each.
  ///   - most: The size of the largest record in bytes.
  ///   - enough: How many bytes of output end it.
  /// - Returns: What was written.
  func writeRows(
    by program: RowProgram, to output: RowProgram.Output, _ ends: RowEnds, most: Int, enough: Int
  ) -> WrittenRows {
    guard isAtSteps, pending == nil || pending == SM_STEP_ROW else {
      return WrittenRows(rows: 0, count: output.count, needsRoom: false)
    }
    var memory = output.memory
    let written = ends.bytes.withUnsafeBufferPointer {
      sm_write_rows(
        walker, program.program, &memory, $0.baseAddress, ends.prefix.utf8CodeUnitCount,
        ends.suffix.utf8CodeUnitCount, UInt64(clamping: most), enough, pending != nil)
    }
    pending = written.stop == SM_STOP_ENOUGH ? nil : written.step
    return WrittenRows(
      rows: written.count, count: memory.count, needsRoom: written.stop == SM_STOP_NO_ROOM)
  }
}
