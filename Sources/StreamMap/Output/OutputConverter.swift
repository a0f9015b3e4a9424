/// Converts a feed to output records, written one after the other into one buffer: the command runs on this.
///
/// Unlike a `Mapper<RawJSON>`, it makes no value for a record: the record's text goes from where it was built into the output.
/// With several jobs, it goes through the text of its batch, and comes from there together with that of other records.
///
/// Not thread-safe.
package final class OutputConverter {
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
    /// Lines that still have to be laid out.
    private let lines = OutputBuffer()
    var isFirst = true

    init(_ layout: OutputLayout, limits: Limits) {
      self.layout = layout
      appender = OutputAppender(layout, limits: limits)
    }

    func add(_ text: UnsafeBufferPointer<UInt8>) -> RowWriter.Failure? {
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

    /// Adds the records that `write` writes, each with some bytes around it, until there is enough; returns how many.
    func add(
      enough: Int,
      _ write: (OutputBuffer, FeedReader.RowEnds, Int) -> FeedEngine.WrittenRecords
    ) -> FeedEngine.WrittenRecords {
      if let ends = layout.ends {
        // The first element of an array begins in another way.
        return isFirst && layout.separatorLength > 0
          ? FeedEngine.WrittenRecords() : write(buffer, ends, enough)
      }
      if layout.canFail { return FeedEngine.WrittenRecords() }
      // PERF: few enough lines at a time that they are still near when they are laid out.
      let written = write(
        lines, FeedReader.RowEnds(prefix: "", suffix: "\n"), min(enough, Self.enoughLines))
      if written.mapped > 0, isFirst, !layout.isFramed {
        buffer.append(layout.opening)
        isFirst = false
      }
      appender.append(lines: lines.bytes, to: buffer)
      lines.truncate(to: 0)
      return written
    }

    private static let enoughLines = 16 << 10

    func end() {
      // Each file ends by itself.
      if layout.isFramed { return }
      if isFirst { buffer.append(layout.opening) }
      buffer.append(layout.closing(isEmpty: isFirst))
    }
  }

  private let plan: Plan
  private let selection: FeedSelection
  private let limits: Limits
  private let omitsNulls: Bool
  private let context: ContextPlan?
  private let output: Output
  private let finds = FieldFinds()
  private var engine: Engine?
  /// How many threads map the records of the feeds to come.
  ///
  /// With one, the thread that asks for the records maps them.
  package var jobs = 1
  /// The parser of their records' bytes.
  package var parser = RecordParser.auto
  /// Which of their records are mapped; nil for all.
  ///
  /// The others count as dropped.
  package var choice: RecordChoice?

  private enum Engine {
    case one(RecordEngine<RowWriter.Failure?>)
    case parallel(ParallelEngine<OutputStretch>)
  }

  /// A converter with its own place in a feed and its own output.
  package init(_ plan: OutputPlan, layout: OutputLayout) {
    self.plan = plan.plan
    context = plan.context
    selection = plan.selection
    limits = plan.limits
    omitsNulls = plan.omitsNulls
    output = Output(layout, limits: plan.limits)
  }

  /// Whether some value must not be shown; then the text of a record must not be shown, either.
  package var hidesValues: Bool { selection.hidesValues }

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
    if jobs > 1 {
      let parallel = try makeParallelEngine(format, file, position)
      if let end { parallel.end(at: end) }
      engine = .parallel(parallel)
      return
    }
    let output = self.output
    let assembly = RecordAssembly<RowWriter.Failure?>.text(
      plan, omitsNulls: omitsNulls, file: file, finds: finds, choice: choice
    ) {
      output.add($0)
    }
    let one = try RecordEngine(
      assembly, plan: plan, selection: selection, format: format, limits: limits, parser: parser,
      context: makeContext(file), from: position)
    if let end { one.engine.end(at: end) }
    engine = .one(one)
  }

  private func makeParallelEngine(
    _ format: FeedFormat, _ file: String?, _ position: FeedPosition?
  ) throws(MappingError) -> ParallelEngine<OutputStretch> {
    let (plan, limits, omitsNulls) = (plan, limits, omitsNulls)
    let (selection, parser, finds, layout) = (selection, parser, finds, output.layout)
    let choice = choice
    return try ParallelEngine(
      jobs: jobs, selection: selection, format: format, limits: limits, parser: parser,
      context: makeContext(file), from: position
    ) {
      BatchWorker(
        plan: plan, selection: selection, limits: limits, parser: parser, ends: layout.ends
      ) { batch in
        let appender = OutputAppender(layout, limits: limits)
        return .text(
          plan, omitsNulls: omitsNulls, file: file, finds: finds, choice: choice
        ) { text in
          var failure: RowWriter.Failure?
          let range = batch.append { failure = appender.append(text, to: $0) }
          return OutputStretch(mapped: 1, text: range, failure: failure)
        }
      }
    }
  }

  private func makeContext(_ file: String?) -> FeedContext? {
    context.map {
      FeedContext($0, omitsNulls: omitsNulls, file: file, limits: limits, finds: finds)
    }
  }

  /// The most bytes of the text of a malformed line or entry that its record reports.
  package static var largestText: Int { FeedReader.largestText }

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
    case .one(let engine): engine.input(bytes, isFinal: isFinal)
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

  /// The bytes before the last piece that are needed to find the text of any record to come, besides the bytes of that text.
  package var mostAhead: Int {
    jobs > 1 ? MappingPipeline<OutputStretch>.mostAhead(jobs: jobs) : 0
  }

  /// Advances to the next record, or to the end of the input.
  package func next() -> Next {
    switch engine {
    case .one(let engine):
      switch engine.next() {
      case .input: .input
      case .record(let record): .record(take(record))
      case .dropped: .dropped
      case .end: .end
      }
    case .parallel(let engine):
      switch engine.next(OutputStretch.map) {
      case .input: .input
      case .record(let record): take(record, from: engine)
      case .dropped: .dropped
      case .end: .end
      }
    case nil: .end
    }
  }

  /// Writes the records that come next, as long as there is nothing to report of them.
  ///
  /// It does the same as ``next()`` for each of them, at less cost. It stops before a record that needs more work.
  ///
  /// - Parameter enough: How many bytes of output end it.
  /// - Returns: How many records were written, and how many their condition dropped.
  package func writeRecords(enough: Int) -> (mapped: Int, dropped: Int) {
    guard case .one(let engine) = engine else { return (0, 0) }
    let written = output.add(enough: enough) { buffer, ends, enough in
      engine.engine.writeRecords(to: buffer, ends, enough: enough)
    }
    return (written.mapped, written.dropped)
  }

  private func take(_ record: Record<RowWriter.Failure?>) -> Record<Void> {
    switch record.result {
    case .failure(let error): record.with(.failure(error))
    case .success(let failure):
      record.with(failure.map { .failure($0.error(of: record, limits)) } ?? .success(()))
    }
  }

  private func take(
    _ record: Record<OutputStretch>, from engine: ParallelEngine<OutputStretch>
  ) -> Next {
    switch record.result {
    case .failure(let error): return .record(record.with(.failure(error)))
    case .success(let stretch):
      if let failure = stretch.failure {
        return .record(record.with(.failure(failure.error(of: record, limits))))
      }
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

  /// Whether the last record was a fault after which nothing can be read.
  package var endedAtFault: Bool { ending.isAtFault }

  /// Whether the feed ended too early, inside something.
  package var isCutOff: Bool { ending.isCutOff }

  private var ending: FeedEnding {
    switch engine {
    case .one(let engine): engine.ending
    case .parallel(let engine): engine.ending
    case nil: FeedEnding()
    }
  }

  /// The record paths that did not occur in the feed.
  package var unseenPaths: [PathPattern] {
    switch engine {
    case .one(let engine): engine.unseenPaths
    case .parallel(let engine): engine.unseenPaths
    case nil: []
    }
  }

  /// What the fields have found in all feeds so far; with several jobs, also in records that come out later.
  ///
  /// Another converter of the mapping continues with it, before it begins a feed.
  package var found: FieldFinds.Found {
    get { finds.found }
    set { finds.found = newValue }
  }

  /// What the mapping never found, in all feeds so far.
  package var unfound: Unfound { Unfound(plan, context, finds.found) }

  /// Where another converter can continue with the feed, once the output is taken; nil if that is not possible here.
  package var position: FeedPosition? {
    switch engine {
    case .one(let engine): engine.position
    case .parallel(let engine): engine.position
    case nil: nil
    }
  }

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
