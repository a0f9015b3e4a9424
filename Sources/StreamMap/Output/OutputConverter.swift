/// Converts a feed to output records, written one after the other into one buffer: the command runs on this.
///
/// Unlike a `Mapper<RawJSON>`, it makes no value for a record: the record's text goes from where it was built into the output.
/// With several jobs, it goes through the text of its batch, and comes from there together with that of other records.
///
/// Not thread-safe.
package final class OutputConverter: FeedConsumer {
  /// What the converter has, or needs.
  package enum Next {
    /// Another piece of the feed.
    case input
    /// A record is over: its text, if it has one, is at the end of the output.
    case record(Record<Void>)
    /// Records without anything to report are over: the text of those that were mapped is at the end of the output.
    ///
    /// Only with several jobs; `end` is where in the feed the last one ends.
    case records(mapped: Int, dropped: Int, end: Int)
    /// A record is over, and its condition leaves it out.
    case dropped
    /// The feed is over.
    case end
  }

  private let plan: OutputPlan
  private let output: any PendingOutput
  private let finds = FieldFinds()
  private var route: Route<OutputStretch>?
  /// Whether no memory was left for records that other threads made; then the feed is over.
  private var isOutOfMemory = false
  /// How many threads map the records of the feeds to come, with the one that asks for them.
  package var jobs = 1
  /// The threads that do so, beside the one that asks; if that maps alone, one for what becomes of the output.
  package private(set) lazy var pool = WorkerPool(threads: jobs - 1)
  /// The parser of their records' bytes.
  package var parser = RecordParser.auto
  /// Which of their records are mapped; nil for all.
  ///
  /// The others count as dropped.
  package var choice: RecordChoice?

  /// A converter with its own place in a feed and its own output; records become rows as the plan says.
  package init(_ plan: OutputPlan, layout: OutputLayout) {
    self.plan = plan
    output = TextOutput(plan, layout)
  }

  /// A converter to columns.
  init(_ plan: OutputPlan, _ output: ColumnsOutput) {
    self.plan = plan
    self.output = output
  }

  /// A converter to columns, with its own place in a feed; its pieces are batches.
  ///
  /// - Parameters:
  ///   - plan: What becomes of records, fitted to the columns: see ``OutputPlan/fitting(_:)``.
  ///   - columns: The columns.
  ///   - size: When a batch is full.
  /// - Throws: ``MappingError`` if memory runs out.
  package convenience init(_ plan: OutputPlan, columns: ColumnPlan, size: ColumnBatchSize)
    throws(MappingError)
  {
    self.init(plan, try ColumnsOutput(plan, columns, size, most: .max))
  }

  /// Whether some value must not be shown; then the text of a record must not be shown, either.
  package var hidesValues: Bool { plan.hidesValues }

  /// Starts a feed: one file of several.
  ///
  /// The output continues.
  ///
  /// - Parameters:
  ///   - format: How its records follow each other.
  ///   - file: Its name, for fields that show it; nil if it has none.
  ///   - position: Where it continues, if another converter began it.
  ///   - end: Where it ends, if it is a part of a feed that is not the last.
  /// - Throws: ``MappingError`` if memory runs out, or no converter of this mapping can have been at the position.
  package func begin(
    format: FeedFormat, file: String?, from position: FeedPosition? = nil, to end: PartEnd? = nil
  ) throws(MappingError) {
    let output = output
    let feed = OutputFeed(
      plan: plan, format: format, file: file, start: position, end: end, jobs: jobs,
      pool: jobs > 1 ? pool : nil, parser: parser, finds: finds, choice: choice)
    let nothing = TextRange(start: 0, end: 0)
    let route = try feed.route(form: output.form) { text in
      OutputStretch(mapped: 1, range: nothing, failure: output.add(text))
    } many: {
      [taking = output.taking] in
      taking($0)
    }
    if case .one(let engine, _) = route { output.begin(engine) }
    self.route = route
  }

  /// The most bytes of the text of a malformed line or entry that its record reports.
  package static var largestText: Int { FeedReader.largestText }

  package var room: UnsafeMutableRawBufferPointer? { route?.room }

  package func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    route?.input(bytes, isFinal: isFinal)
  }

  package func drain() -> Bool { route?.drain() ?? false }

  /// The bytes before the last piece that are needed to find the text of any record to come, besides the bytes of that text.
  package var mostAhead: Int { Self.mostAhead(jobs: jobs) }

  /// The same of any converter that maps on so many threads.
  package static func mostAhead(jobs: Int) -> Int {
    jobs > 1 ? MappingPipeline<OutputStretch>.mostAhead(jobs: jobs) : 0
  }

  /// Advances to the next record, or to the end of the input.
  package func next() -> Next {
    guard let route, !isOutOfMemory else { return .end }
    return switch route.next(OutputStretch.map) {
    case .input: .input
    case .record(let record): take(record, from: route)
    case .dropped: .dropped
    case .end: .end
    }
  }

  /// Writes the records that come next, as long as there is nothing to report of them.
  ///
  /// It does the same as ``next()`` for each of them, at less cost. It stops before a record that needs more work.
  ///
  /// - Parameter enough: How many bytes of output end it.
  /// - Returns: How many records were written, and how many their condition dropped.
  package func writeRecords(enough: Int) -> (mapped: Int, dropped: Int) {
    guard case .one(let engine, _) = route else { return (0, 0) }
    let written = output.addRecords(of: engine, enough: enough)
    return (written.mapped, written.dropped)
  }

  private func take(_ record: Record<OutputStretch>, from route: Route<OutputStretch>) -> Next {
    switch record.result {
    case .failure(let error): return .record(record.with(.failure(error)))
    case .success(let stretch):
      func failed(_ failure: RowFailure) -> Next {
        .record(record.with(.failure(failure.error(of: record, plan.limits))))
      }
      if let failure = stretch.failure { return failed(failure) }
      // One thread has added its text.
      guard case .parallel(let engine) = route else { return .record(record.with(.success(()))) }
      if let failure = output.add(stretch, of: engine) {
        // All of several records would be lost.
        if case .column(.memory) = failure { isOutOfMemory = true }
        return failed(failure)
      }
      if record.notes != nil { return .record(record.with(.success(()))) }
      return .records(
        mapped: stretch.mapped, dropped: stretch.dropped,
        end: record.position?.bytes.upperBound ?? 0)
    }
  }

  /// What the faults up to the last record say about the end of the feed.
  package var ending: FeedEnding {
    var ending = route?.ending ?? FeedEnding()
    if isOutOfMemory { ending.noteFailure() }
    return ending
  }

  /// The record paths that did not occur in the feed.
  package var unseenPaths: [PathPattern] { route?.unseenPaths ?? [] }

  /// What the fields have found in all feeds so far; with several jobs, also in records that come out later.
  ///
  /// Another converter of the mapping continues with it, before it begins a feed.
  package var found: FieldFinds.Found {
    get { finds.found }
    set { finds.found = newValue }
  }

  /// What the mapping never found, in all feeds so far.
  package var unfound: Unfound { Unfound(plan.plan, plan.context, finds.found) }

  /// Where another converter can continue with the feed, once the output is taken; nil if that is not possible here.
  package var position: FeedPosition? { route?.position }

  /// Continues after what another converter wrote: records, or nothing.
  package func resume(afterRecords hasRecords: Bool) { output.resume(afterRecords: hasRecords) }

  /// Writes what ends the output.
  package func finish() { output.end() }

  /// Bytes of output that were not taken yet: of text, or of values.
  package var outputCount: Int { output.count }

  /// Whether there is so much output that a piece of it is to be taken.
  ///
  /// - Parameter size: How many bytes that is where it is text; columns have their own size.
  /// - Returns: Whether it is so much.
  package func hasPiece(of size: Int) -> Bool { output.hasPiece(of: size) }

  /// Takes the output where it is text, which is whole records; afterwards, it is empty.
  package func takeOutput<Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    guard let text = output.text else { return }
    try body(text.bytes)
    text.clear()
  }

  /// Takes a piece of the output, which is whole records, with its memory; the records to come are written to `empty`.
  ///
  /// Text is one piece, columns are one for each batch. Another thread may write it without a copy.
  ///
  /// - Throws: ``MappingError`` if memory runs out.
  package func takeOutput(leaving empty: OutputPiece) throws(MappingError) -> OutputPiece {
    try output.take(leaving: empty)
  }
}
