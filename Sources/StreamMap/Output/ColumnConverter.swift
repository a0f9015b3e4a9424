/// Converts a feed to columns, batch by batch: what ``OutputConverter`` is for text.
///
/// A record's text is made as it always is, and the columns take their values from it. Records that come as rows, with
/// nothing to report, go to the columns without that text. With several jobs the text comes from other threads, and the columns
/// are filled by the thread that takes them.
///
/// Not thread-safe.
package final class ColumnConverter: PieceConverter {
  /// What became of a record that was mapped.
  private enum Made {
    /// It was added to the columns, or could not be.
    case added(RecordColumns.Failure?)
    /// Another thread has made its text, which stands in its batch.
    case text(TextRange)
  }

  private let plan: OutputPlan
  package let columns: RecordColumns
  private let size: ColumnBatchSize
  private let jobs: Int
  private let parser: RecordParser
  private let finds = FieldFinds()
  private var route: Route<Made>?
  /// What rows are added by without their text; nil if that cannot be.
  private var fields: RecordColumns.Fields?
  /// A record that the batch had no room for.
  private let held: Held
  /// How many records are in columns, and how many their condition dropped.
  package private(set) var mapped = 0
  package private(set) var dropped = 0

  private final class Held {
    private var text: [UInt8] = []
    var record: Record<Void>?
    private let splitter: RowSplitter?

    init(_ splitter: RowSplitter?) { self.splitter = splitter }

    /// Adds a record's text to columns, and keeps it where the batch has no room for it.
    func adding(_ text: UnsafeBufferPointer<UInt8>, to columns: RecordColumns)
      -> RecordColumns.Failure?
    {
      let failure = add(text, to: columns)
      if failure == .full { self.text = Array(text) }
      return failure
    }

    /// Adds the record again.
    func addAgain(to columns: RecordColumns) -> RecordColumns.Failure? {
      text.withUnsafeBufferPointer { add($0, to: columns) }
    }

    /// Adds all rows of a record, or none.
    private func add(_ text: UnsafeBufferPointer<UInt8>, to columns: RecordColumns)
      -> RecordColumns.Failure?
    {
      guard let splitter else { return columns.add(text) }
      let mark = columns.mark
      var failure: RecordColumns.Failure?
      let areFew = splitter.forEach(of: text) { row in
        failure = columns.add(row)
        return failure == nil
      }
      if !areFew { failure = .tooLarge }
      if failure != nil { columns.cut(to: mark) }
      return failure
    }

    func clear() { text = [] }
  }

  /// A converter with its own place in a feed and its own columns.
  ///
  /// - Parameters:
  ///   - plan: What becomes of records, fitted to the columns: see ``OutputPlan/fitting(_:)``.
  ///   - layout: The columns.
  ///   - size: When a batch is full.
  ///   - jobs: How many threads map.
  ///   - parser: What turns the records' bytes into events.
  /// - Throws: ``MappingError`` if memory runs out.
  package init(
    _ plan: OutputPlan, _ layout: ColumnPlan, size: ColumnBatchSize = ColumnBatchSize(),
    jobs: Int = 1, parser: RecordParser = .auto
  ) throws(MappingError) {
    self.plan = plan
    self.size = size
    self.jobs = jobs
    self.parser = parser
    held = Held(plan.splitter)
    columns = try layout.makeColumns()
  }

  /// Starts a feed, or a part of one.
  ///
  /// - Throws: ``MappingError`` if memory runs out, or no converter can have been at the part's start.
  package func begin(format: FeedFormat, file: String?, part: PartReading?) throws(MappingError) {
    let (columns, held) = (columns, held)
    let feed = OutputFeed(
      plan: plan, format: format, file: file, start: part?.start, end: part?.end, jobs: jobs,
      parser: parser, finds: finds)
    let route = try feed.route { text in
      Made.added(held.adding(text, to: columns))
    } many: { batch in
      { text in .text(batch.append { $0.append(text) }) }
    }
    if case .one(let engine, _) = route, !plan.hasRows {
      fields = engine.fields(of: columns)
    } else {
      fields = nil
    }
    self.route = route
  }

  package var room: UnsafeMutableRawBufferPointer? { route?.room }

  package func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    route?.input(bytes, isFinal: isFinal)
  }

  package func drain() -> Bool { route?.drain() ?? false }

  package var hasPiece: Bool { columns.rows > 0 }

  /// Whether the columns have as many records as a batch has.
  private var isFull: Bool { columns.rows >= size.rows || columns.bytes >= size.bytes }

  /// Advances to what has to be reported, to a full batch, or to the end of the input.
  package func next() -> PieceStep {
    if let record = held.record {
      if columns.rows > 0 { return .piece }
      held.record = nil
      if let next = take(record, held.addAgain(to: columns)) { return next }
    }
    guard let route else { return .end }
    while true {
      if isFull { return .piece }
      if case .one(let engine, _) = route, let fields {
        let added = engine.addRecords(to: fields, enough: size.rows, bytes: size.bytes)
        mapped += added.mapped
        dropped += added.dropped
        if added.count > 0 { continue }
      }
      switch route.next() {
      case .input: return .input
      case .end: return .end
      case .dropped: dropped += 1
      case .record(let record):
        if let next = take(record, from: route) { return next }
      }
    }
  }

  private func take(_ record: Record<Made>, from route: Route<Made>) -> PieceStep? {
    switch record.result {
    case .failure(let error): return .record(record.with(.failure(error)))
    case .success(.added(let failure)): return take(record.with(.success(())), failure)
    case .success(.text(let range)):
      guard case .parallel(let engine) = route else { return nil }
      let failure = held.adding(engine.text.slice(range.start, range.end), to: columns)
      return take(record.with(.success(())), failure)
    }
  }

  /// What has to be reported of a record that was added, or could not be; nil if nothing has.
  private func take(_ record: Record<Void>, _ failure: RecordColumns.Failure?) -> PieceStep? {
    if let failure {
      if failure == .full, columns.rows > 0 {
        held.record = record
        return .piece
      }
      held.clear()
      return .record(record.with(.failure(failure.error(of: record, plan.limits))))
    }
    mapped += 1
    return record.issues.isEmpty ? nil : .record(record)
  }

  package var ending: FeedEnding { route?.ending ?? FeedEnding() }

  /// The record paths that did not occur in the feed.
  package var unseenPaths: [PathPattern] { route?.unseenPaths ?? [] }

  /// What the mapping did not find in the feed.
  package var unfound: Unfound { Unfound(plan.plan, plan.context, finds.found) }
}

extension RecordColumns.Failure {
  /// The error of a record.
  fileprivate func error<Value>(of record: Record<Value>, _ limits: Limits) -> MappingError {
    let number = record.number > 0 ? record.number : nil
    func error(_ code: ErrorCode, expected: String?, found: String?) -> MappingError {
      MappingError(
        code, position: record.position, record: number, expected: expected, found: found)
    }
    switch self {
    case .wrong(let column):
      return error(
        .wrongType, expected: "a value that the column '\(column)' can hold", found: "another")
    case .range(let column):
      return error(
        .numberOutOfRange, expected: "a value that the column '\(column)' can hold",
        found: "one beyond its range")
    case .full:
      return error(
        .limitExceeded, expected: "a record with less than 2 GiB in each column", found: "more")
    case .tooLarge:
      return error(
        .limitExceeded, expected: Limits.message(.record, limits.record),
        found: "more bytes of rows")
    case .memory: return error(.io, expected: nil, found: "out of memory")
    }
  }
}
