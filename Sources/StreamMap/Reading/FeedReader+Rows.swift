import CScan

extension FeedReader {
  /// How the records that are written follow each other.
  enum RowText: Sendable {
    /// As they are, with some bytes before and after each.
    case between(prefix: StaticString, suffix: StaticString)
    case form(RecordForm)

    fileprivate var ends: (prefix: StaticString, suffix: StaticString) {
      switch self {
      case .between(let prefix, let suffix): (prefix, suffix)
      case .form: ("", "")
      }
    }
  }

  /// What is asked before each row that is written, and told after it.
  struct RowWatch {
    /// Says whether the next row is a record; nil if each is.
    fileprivate(set) var choose: (() -> HeldRecords.Choice)?
    /// Says what the next record knows about itself, after so many in this step; nil if nothing asks.
    ///
    /// False if the record has to be taken alone.
    var begin: ((_ before: Int) -> Bool)?
    /// Looks at the row; nil if nothing does.
    var note: ((RecordRow) -> Void)?

    /// Whether anything is asked before a row.
    var asks: Bool { begin != nil || choose != nil }
  }

  /// What was written.
  struct WrittenRows {
    var rows = 0
    /// How many a condition left out.
    var leftOut = 0
    /// Where the last one of both is.
    var last = FeedToken.none
    /// How many bytes of the output are used now.
    var count: Int
    /// Whether the output has to grow for the next row.
    var needsRoom = false
    /// Whether it stopped for more room of its own.
    var continues = false
  }

  /// Continues as long as there are rows that a program can write, and writes them.
  ///
  /// ``next()`` returns what comes after them.
  ///
  /// - Parameters:
  ///   - program: How they are written.
  ///   - output: Where they are written.
  ///   - text: How they follow each other.
  ///   - most: The size of the largest record in bytes.
  ///   - enough: How many bytes of output end it.
  ///   - watch: What is asked and told about each row.
  /// - Returns: What was written.
  func writeRows(
    by program: RowProgram, to output: RowProgram.Output, _ text: RowText, most: Int, enough: Int,
    watch: RowWatch
  ) -> WrittenRows {
    guard isAtSteps, pending == nil || pending == SM_STEP_ROW else {
      return WrittenRows(count: output.count)
    }
    var memory = output.memory
    let ends = text.ends
    var run = sm_row_run()
    run.prefix = ends.prefix.utf8CodeUnitCount
    run.suffix = ends.suffix.utf8CodeUnitCount
    run.most = UInt64(clamping: most)
    run.enough = enough
    run.has_row = pending != nil
    let watch = choosing(watch)
    if watch.asks { run.begin = Self.begin }
    if watch.note != nil { run.note = Self.tell }
    let bytes = [ends.prefix, ends.suffix].flatMap {
      UnsafeBufferPointer(start: $0.utf8Start, count: $0.utf8CodeUnitCount)
    }
    let writer = formWriter(of: text, program)
    let written = bytes.withUnsafeBufferPointer { bytes in
      withUnsafePointer(to: watch) { watch in
        run.ends = bytes.baseAddress
        run.context = UnsafeMutableRawPointer(mutating: watch)
        guard let writer else { return sm_write_rows(walker, program.program, &memory, run) }
        return writer.withMemory {
          run.form = $0
          return sm_write_rows(walker, program.program, &memory, run)
        }
      }
    }
    let continues =
      written.stop == SM_STOP_NO_RECORD_ROOM && writer?.makeRecordRoom() ?? false
    pending = written.stop == SM_STOP_ENOUGH ? nil : written.step
    return WrittenRows(
      rows: written.count, leftOut: written.left_out, last: address(written.last),
      count: memory.count, needsRoom: written.stop == SM_STOP_NO_ROOM,
      continues: continues)
  }

  /// A watch that also says which rows are records, where reading itself does not tell.
  func choosing(_ watch: RowWatch) -> RowWatch {
    guard held != nil else { return watch }
    var watch = watch
    watch.choose = { [self] in choice }
    return watch
  }

  /// What writes the records in a form; nil if they stay as they are.
  private func formWriter(of text: RowText, _ program: RowProgram) -> RecordFormWriter? {
    guard case .form(let form) = text else { return nil }
    if let formWriter, formWriter.writes(form) { return formWriter }
    let writer = RecordFormWriter(form, program: program)
    formWriter = writer
    return writer
  }
}

extension FeedReader {
  typealias Begin = @convention(c) (UnsafeMutableRawPointer?, Int) -> sm_row_choice
  typealias Note =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<sm_row>?) -> Void

  // Both get the address of a `RowWatch`.
  /// Asks before a row is written.
  static let begin: Begin = { context, before in
    guard let watch = context?.assumingMemoryBound(to: RowWatch.self).pointee else {
      return SM_ROW_ALONE
    }
    if let choose = watch.choose {
      switch choose() {
      case .taken: break
      case .passed: return SM_ROW_PASSED
      case .undecided: return SM_ROW_ALONE
      }
    }
    return watch.begin?(before) ?? true ? SM_ROW_TAKEN : SM_ROW_ALONE
  }

  /// Shows a row that is written to the function that looks at them.
  static let tell: Note = { context, row in
    guard let row = row.flatMap({ RecordRow($0.pointee) }) else { return }
    context?.assumingMemoryBound(to: RowWatch.self).pointee.note?(row)
  }
}
