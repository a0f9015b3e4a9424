/// Output records as columns, in batches of a given size.
///
/// Where a batch ends depends on the records alone, not on how many threads map them: a record that finds a full batch begins the next one. Rows
/// of one record stay in one batch.
final class ColumnsOutput: PendingOutput {
  /// All but the last one are full, or there was no place for what came next; never empty.
  private var batches: [RecordColumns]
  /// Columns whose records were taken, for a batch to come.
  private var spare: RecordColumns?
  private let size: ColumnBatchSize
  private let makeColumns: @Sendable () throws(MappingError) -> RecordColumns
  private let appender: ColumnAppender
  private let hasRows: Bool
  let taking: Taking
  /// How rows of the present engine are added without their text; nil if that cannot be.
  private var fields: RecordColumns.Fields?

  /// Output without records.
  ///
  /// - Parameters:
  ///   - plan: What becomes of records, fitted to the columns: see ``OutputPlan/fitting(_:)``.
  ///   - columns: The columns.
  ///   - size: When a batch is full.
  ///   - most: How many bytes of strings, or elements of lists, a column has at most: 2 GiB, but for tests.
  /// - Throws: ``MappingError`` if memory runs out.
  init(_ plan: OutputPlan, _ columns: ColumnPlan, _ size: ColumnBatchSize, most: Int)
    throws(MappingError)
  {
    self.size = size
    makeColumns = { () throws(MappingError) in try columns.makeColumns(most: most) }
    appender = ColumnAppender(plan.splitter)
    hasRows = plan.hasRows
    batches = [try makeColumns()]
    let hasRows = hasRows
    taking = { batch in
      let appender = ColumnAppender(plan.splitter)
      return { text in
        guard let columns = batch.columns else {
          let nothing = TextRange(start: 0, end: 0)
          return OutputStretch(range: nothing, failure: .column(.memory))
        }
        let start = columns.rows
        let failure = appender.append(text, to: columns)
        if failure?.isFull == true, start > 0 {
          let range = batch.append { $0.append(text) }
          return OutputStretch(content: .text, mapped: 1, range: range)
        }
        return OutputStretch(
          content: hasRows ? .rows : .records, mapped: 1,
          range: TextRange(start: start, end: columns.rows), failure: failure)
      }
    }
  }

  var form: BatchWorker<OutputStretch>.Form { .columns(makeColumns, isDirect: !hasRows) }

  /// The batch that is given out next; it is empty once it is taken.
  var first: RecordColumns {
    if batches.count > 1, batches[0].rows == 0 { spare = batches.removeFirst() }
    return batches[0]
  }

  var text: OutputBuffer? { nil }
  var count: Int { batches.reduce(0) { $0 + $1.bytes } }

  func hasPiece(of size: Int) -> Bool {
    let first = first
    return batches.count > 1 || self.size.isReached(by: first)
  }

  /// The batch that gets the next record.
  private func current() throws(MappingError) -> RecordColumns {
    let last = batches[batches.count - 1]
    return size.isReached(by: last) ? try next() : last
  }

  /// Begins another batch.
  private func next() throws(MappingError) -> RecordColumns {
    let columns = if let spare { spare } else { try makeColumns() }
    spare = nil
    batches.append(columns)
    return columns
  }

  func begin(_ engine: FeedEngine) { fields = hasRows ? nil : engine.fields(of: batches[0]) }

  func add(_ text: UnsafeBufferPointer<UInt8>) -> RowFailure? {
    do throws(MappingError) {
      let columns = try current()
      let failure = appender.append(text, to: columns)
      guard failure?.isFull == true, columns.rows > 0 else { return failure }
      return appender.append(text, to: try next())
    } catch {
      return .column(.memory)
    }
  }

  func add(_ stretch: OutputStretch, of engine: ParallelEngine<OutputStretch>) -> RowFailure? {
    let rows = stretch.range.start..<stretch.range.end
    do throws(MappingError) {
      switch stretch.content {
      case .records:
        if let made = engine.columns { try add(rows, of: made) }
      case .rows:
        if let made = engine.columns { try add(together: rows, of: made) }
      case .text: return add(engine.text.slice(rows.lowerBound, rows.upperBound))
      }
      return nil
    } catch {
      return .column(.memory)
    }
  }

  private func add(_ rows: Range<Int>, of made: RecordColumns) throws(MappingError) {
    var rows = rows
    var columns = try current()
    while !rows.isEmpty {
      let count = try columns.append(rows, of: made, enough: (size.rows, size.bytes))
      rows = rows.lowerBound + count..<rows.upperBound
      if !rows.isEmpty { columns = try next() }
    }
  }

  private func add(together rows: Range<Int>, of made: RecordColumns) throws(MappingError) {
    let columns = try current()
    let mark = columns.mark
    if try columns.append(rows, of: made, enough: (.max, .max)) == rows.count { return }
    // As many as they are, they have place in a batch of their own.
    columns.cut(to: mark)
    _ = try next().append(rows, of: made, enough: (.max, .max))
  }

  func addRecords(of engine: FeedEngine, enough: Int) -> FeedEngine.WrittenRecords {
    guard let fields, let columns = try? current() else { return FeedEngine.WrittenRecords() }
    return engine.addRecords(to: columns, by: fields, enough: size.rows, bytes: size.bytes)
  }

  func take(leaving empty: OutputPiece) throws(MappingError) -> OutputPiece {
    let taken = first
    let left = empty.columns ?? spare
    spare = nil
    if batches.count > 1 {
      batches.removeFirst()
      spare = left
    } else if let left {
      batches[0] = left
    } else {
      batches[0] = try makeColumns()
    }
    return OutputPiece(taken)
  }

  func resume(afterRecords hasRecords: Bool) {}

  func end() {}
}

/// Adds records to columns by their text.
///
/// Not thread-safe: each thread that maps has its own.
private final class ColumnAppender {
  private let splitter: RowSplitter?

  init(_ splitter: RowSplitter?) { self.splitter = splitter }

  /// Adds all rows of a record, or none.
  func append(_ text: UnsafeBufferPointer<UInt8>, to columns: RecordColumns) -> RowFailure? {
    guard let splitter else { return columns.add(text).map { .column($0) } }
    let mark = columns.mark
    var failure: RowFailure?
    let areFew = splitter.forEach(of: text) { row in
      failure = columns.add(row).map { .column($0) }
      return failure == nil
    }
    if !areFew { failure = .tooLarge }
    if failure != nil { columns.cut(to: mark) }
    return failure
  }
}
