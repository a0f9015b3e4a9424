import CScan

/// Another form of output records than lines of JSON: rows of cells, or indented JSON; `CScan/text_rows.c` and `text_indented.c` write it.
final class RecordForm: @unchecked Sendable {
  enum Kind {
    /// Each member and element on its own line, as `jq .` writes it.
    case indented
    /// RFC 4180: cells are between quotes where they have to be, and where they are empty texts.
    case csv
    /// Tabs, line ends and backslashes in cells are `\t`, `\n`, `\r` and `\\`.
    case tsv
    /// The text format of PostgreSQL's COPY.
    case copy
    /// The text of the only column.
    case text
  }

  /// What a column holds, where COPY has to look at it.
  enum Content {
    case text, number, date
    /// JSON, also where it is a string.
    case json
  }

  /// A value that a mapping lets through and PostgreSQL cannot hold.
  enum Unheld {
    /// A text with U+0000.
    case zeroCharacter
    /// A number with more digits before or after its point than `numeric` has.
    case number
    /// A date in the year 0, which is 1 BC.
    case date
  }

  /// Tells something of a text.
  typealias Test = @convention(c) (UnsafePointer<UInt8>?, Int) -> Bool

  // Invariant: written only in `init`; it refers to the tables.
  fileprivate let form: UnsafeMutablePointer<sm_text_form>
  let cells: CellTable
  private let contents: FlatTable<UInt8>

  /// A form of rows.
  ///
  /// - Parameters:
  ///   - kind: How rows are written.
  ///   - cells: What their cells are.
  ///   - contents: What the columns hold.
  ///   - isFormula: Whether an apostrophe comes before a text; nil if it never does.
  ///   - isLong: Whether PostgreSQL has too few digits for a number.
  init(
    _ kind: Kind, _ cells: CellTable, contents: [Content] = [], isFormula: Test? = nil,
    isLong: @escaping Test
  ) {
    self.cells = cells
    self.contents = FlatTable(contents.map { UInt8($0.value.rawValue) })
    form = .allocate(capacity: 1)
    form.initialize(
      to: sm_text_form(
        kind: kind.value, cells: cells.cells, contents: self.contents.start,
        is_formula: isFormula, is_long: isLong))
  }

  /// Indented JSON.
  static let indented = RecordForm(
    .indented, CellTable([[]]) { _ in [] }, isLong: { _, _ in false })

  deinit {
    form.deallocate()
  }

  /// Which column each field of a program is; nil if rows are made of the texts of the program's records.
  fileprivate func columns(of program: RowProgram) -> UnsafeMutablePointer<Int32>? {
    if form.pointee.kind == SM_AS_INDENTED { return nil }
    let columns = UnsafeMutablePointer<Int32>.allocate(capacity: program.fieldCount)
    columns.initialize(repeating: -1, count: program.fieldCount)
    var cells = cells.cells
    if sm_match_columns(program.program, &cells, columns) { return columns }
    columns.deallocate()
    return nil
  }
}

extension RecordForm.Kind {
  fileprivate var value: sm_text_form_kind {
    switch self {
    case .indented: SM_AS_INDENTED
    case .csv: SM_AS_CSV
    case .tsv: SM_AS_TSV
    case .copy: SM_AS_COPY
    case .text: SM_AS_TEXT
    }
  }
}

extension RecordForm.Content {
  fileprivate var value: sm_column_content {
    switch self {
    case .text: SM_HOLDS_TEXT
    case .number: SM_HOLDS_NUMBER
    case .date: SM_HOLDS_DATE
    case .json: SM_HOLDS_JSON
    }
  }
}

/// Writes records in a form.
///
/// Not thread-safe: each thread that maps has its own.
final class RecordFormWriter {
  private let form: RecordForm
  private let found: UnsafeMutablePointer<JSONCell>
  /// By field of a program: its column.
  private let columns: UnsafeMutablePointer<Int32>?
  /// For C, which writes into it why a record is not written.
  private let memory: UnsafeMutablePointer<sm_text_form_writer>

  enum Outcome {
    /// So many bytes of the output are used now.
    case written(Int)
    /// The output has to grow.
    case noRoom
    /// A column cannot hold its value.
    case unheld(RecordForm.Unheld, column: Int)
  }

  /// - Parameters:
  ///   - form: How records are written.
  ///   - program: What writes many records at once.
  init(_ form: RecordForm, program: RowProgram? = nil) {
    self.form = form
    columns = program.flatMap { form.columns(of: $0) }
    let room = max(form.cells.columnCount, 1)
    found = .allocate(capacity: room)
    found.initialize(repeating: .none, count: room)
    let record = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.firstRoom)
    memory = .allocate(capacity: 1)
    memory.initialize(
      to: sm_text_form_writer(
        form: form.form, found: CellTable.memory(of: found), columns: columns, record: record,
        record_capacity: Self.firstRoom, unheld: SM_HELD, column: 0))
  }

  private static let firstRoom = 4096

  deinit {
    memory.pointee.record.deallocate()
    memory.deallocate()
    found.deallocate()
    columns?.deallocate()
  }

  /// Whether this writes such a form.
  func writes(_ form: RecordForm) -> Bool { self.form === form }

  /// Writes a record after what the output has.
  func write(_ record: UnsafeBufferPointer<UInt8>, to output: RowProgram.Output) -> Outcome {
    guard let start = record.baseAddress else { return .written(output.count) }
    var room = output.memory
    return outcome(sm_write_form(memory, start, record.count, &room), room)
  }

  /// Writes a row of the elements of an array: one a column.
  func writeRow(of array: UnsafeBufferPointer<UInt8>, to output: RowProgram.Output) -> Outcome {
    guard let cells = JSONCells(array) else { return .written(output.count) }
    var column = 0
    cells.forEachElement(at: 0) { start in
      let cell = cells.cell(at: start)
      if column < form.cells.columnCount { found[column] = cell }
      column += 1
      return cell.end
    }
    var room = output.memory
    return outcome(sm_write_cells(memory, cells.text, cells.count, &room), room)
  }

  private func outcome(_ result: sm_text_form_result, _ output: sm_output) -> Outcome {
    switch result {
    case SM_FORM_WRITTEN: return .written(output.count)
    case SM_FORM_NO_ROOM: return .noRoom
    default:
      let column = memory.pointee.column
      return switch memory.pointee.unheld {
      case SM_ZERO_CHARACTER: .unheld(.zeroCharacter, column: column)
      case SM_LONG_NUMBER: .unheld(.number, column: column)
      default: .unheld(.date, column: column)
      }
    }
  }

  /// What C writes rows by.
  func withMemory<Result>(_ body: (UnsafeMutablePointer<sm_text_form_writer>) -> Result) -> Result {
    body(memory)
  }

  /// Makes more room for the text of a record; false if there is as much as any row needs.
  func makeRecordRoom() -> Bool {
    let capacity = memory.pointee.record_capacity * 2
    if capacity > RowProgram.mostRoom { return false }
    memory.pointee.record.deallocate()
    memory.pointee.record = .allocate(capacity: capacity)
    memory.pointee.record_capacity = capacity
    return true
  }
}
