import CScan

/// Records as columns, up to a batch of them; `CScan/columns.h` lays them out.
///
/// Not thread-safe.
package final class RecordColumns {
  /// Why a record has no place in the columns; nothing of it is in them.
  package enum Failure: Sendable, Hashable, CustomStringConvertible {
    /// A value is not what its column holds.
    case wrong(column: String)
    /// A number or a time is out of its column's range, or too fine for it.
    case range(column: String)
    /// The batch has to be taken first; where it is empty, the record is too large for any.
    case full
    case memory

    package var description: String {
      switch self {
      case .wrong(let column), .range(let column):
        "the column '\(column)' cannot hold a value of it"
      case .full: "it has 2 GiB or more in a column"
      case .memory: "out of memory"
      }
    }
  }

  private let columns: OpaquePointer
  private let names: [String]
  private let kinds: [UInt8]

  /// Empty columns.
  ///
  /// - Parameters:
  ///   - record: What a record is: an object.
  ///   - isValue: Whether a record's text is that of its only member.
  ///   - most: How many bytes of strings, or elements of lists, a column has at most: 2 GiB, but for tests.
  ///   - key: Gives the text of a member's key in a record, with quotes and colon.
  /// - Throws: ``MappingError`` if memory runs out.
  init(
    _ record: ColumnLayout, isValue: Bool, most: Int = .max, key: (String) -> [UInt8]
  ) throws(MappingError) {
    let table = ColumnLayout.Specs(record, key: key)
    let made = table.specs.withUnsafeBufferPointer { specs in
      table.texts.withUnsafeBufferPointer { texts in
        sm_columns_create(
          specs.baseAddress, specs.count, texts.baseAddress, texts.count, isValue, most)
      }
    }
    guard let made else { throw .outOfMemory }
    columns = made
    names = table.names
    kinds = table.specs.map(\.kind)
  }

  deinit {
    sm_columns_destroy(columns)
  }

  package var rows: Int { sm_columns_rows(columns) }
  /// Bytes of the values.
  package var bytes: Int { sm_columns_bytes(columns) }

  /// The place after the last record.
  var mark: sm_columns_mark { sm_columns_marked(columns) }

  /// Takes back the records that were added after a place; none was taken since.
  func cut(to mark: sm_columns_mark) { sm_columns_cut(columns, mark) }

  /// Adds a record by its text; nothing if there is a failure.
  package func add(_ text: UnsafeBufferPointer<UInt8>) -> Failure? {
    guard let start = text.baseAddress else { return .wrong(column: "") }
    var failed: UInt32 = 0
    let result = sm_columns_add(columns, start, text.count, &failed)
    if result == SM_ADDED { return nil }
    let name = names.indices.contains(Int(failed)) ? names[Int(failed)] : ""
    switch result {
    case SM_ADD_RANGE: return .range(column: name)
    case SM_ADD_FULL: return .full
    case SM_ADD_MEMORY: return .memory
    default: return .wrong(column: name)
    }
  }

  /// Takes back all records; the memory is kept.
  func clear() { sm_columns_clear(columns) }

  /// Appends rows of columns of the same layout, until there is enough.
  ///
  /// - Parameters:
  ///   - rows: Which ones.
  ///   - other: The columns.
  ///   - enough: How many rows and bytes the columns have when it ends.
  /// - Returns: How many were appended; fewer also if the batch has to be taken first, as for ``Failure/full``.
  /// - Throws: ``MappingError`` if memory runs out; then nothing is appended.
  func append(_ rows: Range<Int>, of other: RecordColumns, enough: (rows: Int, bytes: Int))
    throws(MappingError) -> Int
  {
    var count = rows.count
    let mark = sm_columns_mark(rows: enough.rows, bytes: enough.bytes)
    guard sm_columns_append(columns, other.columns, rows.lowerBound, &count, mark) else {
      throw .outOfMemory
    }
    return count
  }

  /// Moves the columns into an `ArrowArray` of the Arrow C Data Interface, without a copy; they are empty then.
  ///
  /// - Parameter array: Memory for one, whose owner releases it.
  /// - Throws: ``MappingError`` if memory runs out.
  package func take(into array: UnsafeMutableRawPointer) throws(MappingError) {
    guard sm_columns_take(columns, array) else { throw .outOfMemory }
  }

  /// Makes the `ArrowSchema` of the columns.
  ///
  /// - Parameter schema: Memory for one, whose owner releases it.
  /// - Throws: ``MappingError`` if memory runs out.
  package func schema(into schema: UnsafeMutableRawPointer) throws(MappingError) {
    guard sm_columns_schema(columns, schema) else {
      throw .outOfMemory
    }
  }

  /// Which column each field of a program for text fills, in all columns of one layout.
  final class Fields {
    private let pointer: OpaquePointer
    let program: RowProgram

    /// Nil if the columns are not those of the program's records.
    init?(_ program: RowProgram, _ columns: RecordColumns) {
      guard let fields = sm_column_fields_create(program.program, columns.columns) else {
        return nil
      }
      pointer = fields
      self.program = program
    }

    deinit {
      sm_column_fields_destroy(pointer)
    }

    /// Continues with a reader's walker as long as rows can be added.
    fileprivate func fill(
      _ columns: RecordColumns, from walker: OpaquePointer, _ run: sm_column_run
    ) -> sm_written_rows {
      sm_columns_fill(walker, program.program, pointer, columns.columns, run)
    }
  }
}

extension FeedReader {
  /// Continues as long as there are rows that columns can take as they are.
  ///
  /// ``next()`` returns what comes after them.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - fields: Which column each field fills.
  ///   - most: The size of the largest record in bytes.
  ///   - rows: How many rows the columns have when it ends.
  ///   - bytes: How many bytes they have when it ends.
  ///   - watch: What is asked and told about each row.
  /// - Returns: What was added.
  func addRows(
    to columns: RecordColumns, by fields: RecordColumns.Fields, most: Int, enough rows: Int,
    bytes: Int, watch: RowWatch
  ) -> WrittenRows {
    guard isAtSteps, pending == nil || pending == SM_STEP_ROW else { return WrittenRows(count: 0) }
    var run = sm_column_run()
    run.most = UInt64(clamping: most)
    run.enough_rows = rows
    run.enough_bytes = bytes
    run.has_row = pending != nil
    let watch = choosing(watch)
    if watch.asks { run.begin = Self.begin }
    if watch.note != nil { run.note = Self.tell }
    let written = withUnsafePointer(to: watch) { watch in
      run.context = UnsafeMutableRawPointer(mutating: watch)
      return fields.fill(columns, from: walker, run)
    }
    pending = written.stop == SM_STOP_ENOUGH ? nil : written.step
    return WrittenRows(
      rows: written.count, leftOut: written.left_out, last: address(written.last), count: 0)
  }
}
