/// Converts a feed to columns, batch by batch: what ``OutputConverter`` is for text.
///
/// A record's text is made as it always is, and the columns take their values from it. Records that come as rows, with
/// nothing to report, go to the columns without that text. With several jobs the text comes from other threads, and the columns
/// are filled by the thread that takes them.
///
/// Not thread-safe.
package final class ColumnConverter: PieceConverter {
  private enum Engine {
    case one(RecordEngine<RecordColumns.Failure?>, RecordColumns.Fields?)
    case parallel(ParallelEngine<TextRange>)
  }

  private let plan: OutputPlan
  package let columns: RecordColumns
  private let size: ColumnBatchSize
  private let jobs: Int
  private let parser: RecordParser
  private let finds = FieldFinds()
  private var engine: Engine?
  /// A record that the batch had no room for.
  private let held = Held()
  /// How many records are in columns, and how many their condition dropped.
  package private(set) var mapped = 0
  package private(set) var dropped = 0

  private final class Held {
    var text: [UInt8] = []
    var record: Record<RecordColumns.Failure?>?
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
    columns = try layout.makeColumns()
  }

  /// Starts a feed, or a part of one.
  ///
  /// - Throws: ``MappingError`` if memory runs out, or no converter can have been at the part's start.
  package func begin(format: FeedFormat, file: String?, part: PartReading?) throws(MappingError) {
    if jobs > 1 {
      let parallel = try makeParallelEngine(format, file, part?.start)
      if let end = part?.end { parallel.end(at: end) }
      engine = .parallel(parallel)
      return
    }
    let (columns, held) = (columns, held)
    let assembly = RecordAssembly<RecordColumns.Failure?>.text(
      plan.plan, omitsNulls: plan.omitsNulls, file: file, finds: finds
    ) { text in
      let failure = columns.add(text)
      if failure == .full { held.text = Array(text) }
      return failure
    }
    let made = try RecordEngine(
      assembly, plan: plan.plan, selection: plan.selection, format: format, limits: plan.limits,
      parser: parser, context: makeContext(file), from: part?.start)
    if let end = part?.end { made.engine.end(at: end) }
    engine = .one(made, made.engine.fields(of: columns))
  }

  private func makeParallelEngine(
    _ format: FeedFormat, _ file: String?, _ position: FeedPosition?
  ) throws(MappingError) -> ParallelEngine<TextRange> {
    let (plan, parser, finds) = (plan, parser, finds)
    return try ParallelEngine(
      jobs: jobs, selection: plan.selection, format: format, limits: plan.limits, parser: parser,
      context: makeContext(file), from: position
    ) {
      BatchWorker(
        plan: plan.plan, selection: plan.selection, limits: plan.limits, parser: parser
      ) { batch in
        .text(plan.plan, omitsNulls: plan.omitsNulls, file: file, finds: finds) { text in
          batch.append { $0.append(text) }
        }
      }
    }
  }

  private func makeContext(_ file: String?) -> FeedContext? {
    plan.context.map {
      FeedContext(
        $0, omitsNulls: plan.omitsNulls, file: file, limits: plan.limits, finds: finds)
    }
  }

  /// Where the next piece of the feed has to be read; nil if it may lie anywhere.
  ///
  /// Valid until it is given.
  package var room: UnsafeMutableRawBufferPointer? {
    if case .parallel(let engine) = engine { engine.room } else { nil }
  }

  /// Gives the next piece of the feed: what was read into ``room``.
  ///
  /// Where that is nil, gives bytes that stay unchanged until more is asked for.
  package func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    switch engine {
    case .one(let engine, _): engine.input(bytes, isFinal: isFinal)
    case .parallel(let engine): engine.input(bytes.count)
    case nil: break
    }
  }

  /// Makes all complete records come out; false if there are none.
  ///
  /// Call it instead of `input`, before waiting for input.
  package func drain() -> Bool {
    if case .parallel(let engine) = engine { engine.drain() } else { false }
  }

  package var hasPiece: Bool { columns.rows > 0 }

  /// Whether the columns have as many records as a batch has.
  private var isFull: Bool { columns.rows >= size.rows || columns.bytes >= size.bytes }

  /// Advances to what has to be reported, to a full batch, or to the end of the input.
  package func next() -> PieceStep {
    if let record = held.record {
      if columns.rows > 0 { return .piece }
      held.record = nil
      if let next = take(record, held.text.withUnsafeBufferPointer { columns.add($0) }) {
        return next
      }
    }
    while true {
      if isFull { return .piece }
      switch engine {
      case .one(let engine, let fields):
        if let fields {
          let added = engine.engine.addRecords(to: fields, enough: size.rows, bytes: size.bytes)
          mapped += added.mapped
          dropped += added.dropped
          if added.count > 0 { continue }
        }
        switch engine.next() {
        case .input: return .input
        case .end: return .end
        case .dropped: dropped += 1
        case .record(let record):
          if let next = take(record, record.value ?? nil) { return next }
        }
      case .parallel(let engine):
        switch engine.next() {
        case .input: return .input
        case .end: return .end
        case .dropped: dropped += 1
        case .record(let record):
          let added = record.value.map { add(engine.text.slice($0.start, $0.end)) }
          if let next = take(record.with(record.result.map { _ in added ?? nil }), added ?? nil) {
            return next
          }
        }
      case nil: return .end
      }
    }
  }

  private func add(_ text: UnsafeBufferPointer<UInt8>) -> RecordColumns.Failure? {
    let failure = columns.add(text)
    if failure == .full { held.text = Array(text) }
    return failure
  }

  /// What has to be reported of a record; nil if nothing has.
  private func take(
    _ record: Record<RecordColumns.Failure?>, _ failure: RecordColumns.Failure?
  ) -> PieceStep? {
    if case .failure(let error) = record.result { return .record(record.with(.failure(error))) }
    if let failure {
      if failure == .full, columns.rows > 0 {
        held.record = record
        return .piece
      }
      held.text = []
      return .record(record.with(.failure(failure.error(of: record))))
    }
    mapped += 1
    return record.issues.isEmpty ? nil : .record(record.with(.success(())))
  }

  /// Whether the last record was a fault after which nothing can be read.
  package var endedAtFault: Bool { ending.isAtFault }

  /// Whether the feed ended too early, inside something.
  package var isCutOff: Bool { ending.isCutOff }

  /// The record paths that did not occur in the feed.
  package var unseenPaths: [PathPattern] {
    switch engine {
    case .one(let engine, _): engine.unseenPaths
    case .parallel(let engine): engine.unseenPaths
    case nil: []
    }
  }

  /// What the mapping did not find in the feed.
  package var unfound: Unfound { Unfound(plan.plan, plan.context, finds.found) }

  private var ending: FeedEnding {
    switch engine {
    case .one(let engine, _): engine.ending
    case .parallel(let engine): engine.ending
    case nil: FeedEnding()
    }
  }
}

extension RecordColumns.Failure {
  /// The error of a record.
  fileprivate func error<Value>(of record: Record<Value>) -> MappingError {
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
    case .memory: return error(.io, expected: nil, found: "out of memory")
    }
  }
}
