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

  /// What is written but not taken yet.
  private final class Output {
    private(set) var buffer = OutputBuffer(capacity: 1 << 18)
    let layout: OutputLayout
    private let appender: OutputAppender
    var isFirst = true

    init(_ layout: OutputLayout, _ splitter: RowSplitter?) {
      self.layout = layout
      appender = OutputAppender(layout, splitter)
    }

    func add(_ text: UnsafeBufferPointer<UInt8>) -> RowFailure? {
      guard isFirst, !layout.isFramed else { return appender.append(text, to: buffer) }
      let start = buffer.count
      buffer.append(layout.opening)
      let first = buffer.count
      if let failure = appender.append(text, to: buffer) {
        buffer.truncate(to: start)
        return failure
      }
      // Nothing is before it.
      buffer.remove(first, first + layout.separatorLength)
      isFirst = false
      return nil
    }

    /// Adds records that were appended to others.
    func add(appended text: UnsafeBufferPointer<UInt8>) {
      if text.isEmpty { return }
      guard isFirst, !layout.isFramed else { return buffer.append(text) }
      buffer.append(layout.opening)
      buffer.append(UnsafeBufferPointer(rebasing: text.dropFirst(layout.separatorLength)))
      isFirst = false
    }

    /// Adds all records of a batch, which were appended to others; the batch may get other memory.
    ///
    /// PERF: where nothing is before them, they are not copied.
    func add(all text: inout OutputBuffer) {
      if buffer.count == 0, !isFirst || layout.isFramed {
        swap(&buffer, &text)
      } else {
        add(appended: text.bytes)
      }
    }

    /// Takes what is written, and leaves other memory for what comes next.
    func take(leaving empty: OutputBuffer) -> OutputBuffer {
      defer { buffer = empty }
      return buffer
    }

    /// Adds the records that `write` writes, until there is enough; returns how many.
    func add(
      enough: Int,
      _ write: (OutputBuffer, FeedReader.RowText, Int) -> FeedEngine.WrittenRecords
    ) -> FeedEngine.WrittenRecords {
      // The first element of an array begins in another way.
      guard let ends = layout.ends, !isFirst || layout.separatorLength == 0 else {
        return FeedEngine.WrittenRecords()
      }
      let start = buffer.count
      if isFirst { buffer.append(layout.opening) }
      let written = write(buffer, ends, enough)
      if written.mapped > 0 { isFirst = false } else { buffer.truncate(to: start) }
      return written
    }

    func end() {
      // Each file ends by itself.
      if layout.isFramed { return }
      if isFirst { buffer.append(layout.opening) }
      buffer.append(layout.closing(isEmpty: isFirst))
    }
  }

  private let plan: OutputPlan
  private let output: Output
  private let finds = FieldFinds()
  private var route: Route<OutputStretch>?
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
    var layout = layout
    layout.hasRows = plan.hasRows
    output = Output(layout, plan.splitter)
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
    let (output, layout, plan) = (output, output.layout, plan)
    let feed = OutputFeed(
      plan: plan, format: format, file: file, start: position, end: end, jobs: jobs,
      pool: jobs > 1 ? pool : nil, parser: parser, finds: finds, choice: choice)
    route = try feed.route(ends: layout.ends) { text in
      OutputStretch(mapped: 1, text: TextRange(start: 0, end: 0), failure: output.add(text))
    } many: { batch in
      let appender = OutputAppender(layout, plan.splitter)
      return { text in
        var failure: RowFailure?
        let range = batch.append { failure = appender.append(text, to: $0) }
        return OutputStretch(mapped: 1, text: range, failure: failure)
      }
    }
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
    guard let route else { return .end }
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
    let written = output.add(enough: enough) { buffer, ends, enough in
      engine.writeRecords(to: buffer, ends, enough: enough)
    }
    return (written.mapped, written.dropped)
  }

  private func take(_ record: Record<OutputStretch>, from route: Route<OutputStretch>) -> Next {
    switch record.result {
    case .failure(let error): return .record(record.with(.failure(error)))
    case .success(let stretch):
      if let failure = stretch.failure {
        return .record(record.with(.failure(failure.error(of: record, plan.limits))))
      }
      // One thread has added its text.
      guard case .parallel(let engine) = route else { return .record(record.with(.success(()))) }
      if stretch.text.start == 0, stretch.text.end == engine.text.count {
        output.add(all: &engine.text)
      } else {
        output.add(appended: engine.text.slice(stretch.text.start, stretch.text.end))
      }
      if record.notes != nil { return .record(record.with(.success(()))) }
      return .records(
        mapped: stretch.mapped, dropped: stretch.dropped,
        end: record.position?.bytes.upperBound ?? 0)
    }
  }

  /// What the faults up to the last record say about the end of the feed.
  package var ending: FeedEnding { route?.ending ?? FeedEnding() }

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
  package func resume(afterRecords hasRecords: Bool) { output.isFirst = !hasRecords }

  /// Writes what ends the output.
  package func finish() { output.end() }

  /// Bytes of output that were not taken yet.
  package var outputCount: Int { output.buffer.count }

  /// Takes the output, which is whole records; afterwards, the output is empty.
  package func takeOutput<Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    try body(output.buffer.bytes)
    output.buffer.clear()
  }

  /// Takes the output, which is whole records, with its memory; the records to come are written to `empty`.
  ///
  /// PERF: another thread may write it without a copy.
  package func takeOutput(leaving empty: OutputPiece) -> OutputPiece {
    OutputPiece(output.take(leaving: empty.buffer))
  }
}
