import StreamMap
import StreamMapFiles
import StreamMapPlatform

/// One mapping of a run: it maps the feeds that the run reads to its own output, with its own rejects, figures and checkpoint.
///
/// A run may have several. The run reads a piece of a feed, gives it to each, and lets each map until it needs the next piece.
final class Conversion {
  /// Text is written when it has grown to this size.
  private static let pieceSize = 256 << 10
  /// With several jobs: the output of most batches is a piece, so that it is not copied.
  private static let pieceSizeOfBatches = 64 << 10

  private let converter: OutputConverter
  private let target: RunTarget
  private let rejectsPath: String?
  private let omitsRaw: Bool
  /// The mapping's name in messages; nil if the run has no other one.
  private let name: String?
  private let checkpoint: CheckpointKeeper?
  private let format: FeedFormat
  private let hasRecordPaths: Bool
  private let errors: ErrorMode
  private let budget: ErrorBudget
  private let choice: FeedChoice
  /// The part of the input that is mapped; nil for all of it.
  private let part: RunPart?
  private var notes: RunNotes
  /// What messages about this mapping begin with.
  private let prefix: String

  private(set) var statistics = Statistics()
  private var output: any RunOutput = OutputFile()
  /// Hands the output on, once it is open.
  private var pieces: PieceWriter?
  private var rejects: RejectFile?
  /// The bytes of output since the last checkpoint.
  private var bytesUnsaved = 0
  private var hasUnseenPath = false
  /// Whether enough records are mapped, so that the rest of the feeds is not needed.
  private var hasEnough = false
  /// Whether the reader of the output is gone.
  private(set) var isClosed = false
  /// Whether an earlier run has completed the output.
  private var wasComplete = false
  /// Whether the output has its final name.
  private var isComplete = false
  /// The stored progress, if the run can be resumed.
  private var progress: RunProgress?

  /// Where in the current feed it begins.
  private var firstByte = 0
  /// What is left of the last piece; nil if the converter has all of it.
  private var left: UnsafeBufferPointer<UInt8>?
  private var fault = LastFault(format: .auto)
  /// Whether the current feed is over.
  private(set) var hasEnded = false

  init(_ order: Order, _ choice: FeedChoice, part: RunPart? = nil, omitsRaw: Bool = false) {
    converter = order.converter
    target = order.target
    rejectsPath = order.rejects
    checkpoint = order.checkpoint
    self.choice = choice
    self.part = part
    // What begins the output is in that of the first part.
    if let part, part.number > 1 { converter.resume(afterRecords: true) }
    self.omitsRaw = omitsRaw || converter.hidesValues
    let settings = order.settings
    notes = RunNotes(settings, hidesValues: converter.hidesValues)
    format = settings.format
    hasRecordPaths = !settings.records.isEmpty
    errors = settings.errors.mode
    budget = settings.errors.budget
    name = order.name
    prefix = order.name.map { "\($0): " } ?? ""
  }

  // MARK: Begin

  /// Reads the checkpoint, and does what an earlier run left to be done after its output was complete.
  func prepare() throws {
    progress = try checkpoint.map { try RunProgress($0) }
    guard let earlier = try progress?.finishEarlierRun(to: target) else { return }
    resume(earlier)
    wasComplete = true
  }

  /// Whether it needs no more of any feed.
  var isOver: Bool { wasComplete || hasEnough || isClosed }

  /// Opens the output files, and continues where an earlier run stopped.
  func open() throws {
    if wasComplete { return }
    switch target {
    case .file(let path):
      output = try OutputFile(
        path: path, isAtomic: true, progress?.hasEarlier == true ? .kept : .new)
    case .files(let files): output = files
    case .table(let table): output = table
    case .columns(let file): output = try ColumnOutput(file)
    }
    if let rejectsPath {
      rejects = try RejectFile(
        path: rejectsPath, omitsRaw: omitsRaw, progress == nil ? .new : .kept)
    }
    pieces = PieceWriter(converter, to: output)
    if let earlier = try progress?.goOn(output, rejects) { resume(earlier) }
    checkLimit()
  }

  /// How to end it from outside.
  var forcedEnd: ForcedEnd.File {
    ForcedEnd.File(
      gates: output.gates + (rejects.map { [$0.gate] } ?? []), partial: output.partialName,
      checkpoint: progress?.file.name)
  }

  private func resume(_ earlier: Checkpoint) {
    statistics = earlier.statistics
    hasUnseenPath = earlier.hasUnseenPath
    converter.found = earlier.found
    notes.resume(earlier.notes, of: earlier.terms.inputs)
    let isFirst = part?.number ?? 1 == 1
    converter.resume(afterRecords: !isFirst || earlier.output.map { $0.bytes > 0 } ?? true)
  }

  // MARK: Feeds

  var hasCheckpoint: Bool { checkpoint != nil }
  /// How many feeds it has read to their ends.
  var feedsDone: Int { progress?.done.count ?? 0 }
  /// How many bytes of feeds an earlier run has mapped.
  var bytesDone: Int { progress?.bytesDone ?? 0 }
  /// Where it begins in the next feed.
  var offset: Int { progress?.position?.offset ?? part?.reading.start?.offset ?? 0 }
  /// How far ahead of the last piece a record may end whose text is asked for; nil if no text is asked for.
  var ahead: Int? { rejects?.omitsRaw == false ? converter.mostAhead : nil }
  /// Where to put the next piece; nil if it may lie anywhere.
  var room: UnsafeMutableRawBufferPointer? { converter.room }

  /// Begins a feed of the run.
  func begin(_ feed: FeedFile, number: Int) throws {
    converter.choice = choice.records(ofFeed: number, after: statistics.records)
    firstByte = offset
    let position = progress?.takePosition()
    let format = feed.format(self.format)
    notes.begin(feed, format: format, isAtStart: firstByte == 0)
    do {
      try converter.begin(
        format: format, file: feed.source.path, from: position ?? part?.reading.start,
        to: part?.reading.end)
    } catch {
      // Out of memory, or a position that the feed cannot have.
      throw progress?.file.refusal(error.message) ?? error
    }
    fault = LastFault(format: format)
    hasEnded = false
    left = nil
  }

  /// Maps until it needs another piece, the feed is over, or no more is needed.
  func advance(_ feed: FeedFile) throws {
    try unlessClosed {
      while !hasEnded, !isOver {
        if try writeRecords() {
          fault.note(nil)
          continue
        }
        switch converter.next() {
        case .input: if !give() { return }
        case .record(let record):
          fault.note(record.error)
          try take(record, of: feed)
          if !fault.isFault { checkLimit() }
          try write(Self.pieceSize)
          if hasEnough { return }
          try pause(feed, at: record.position?.bytes.upperBound ?? 0, isFault: fault.isFault)
        case .records(let mapped, let dropped, let end):
          statistics.mapped += mapped
          statistics.dropped += dropped
          fault.note(nil)
          try write(Self.pieceSizeOfBatches)
          try pause(feed, at: end, isFault: false)
        case .dropped:
          statistics.dropped += 1
          fault.note(nil)
          try pause(feed, at: 0, isFault: false)
        case .end:
          switch fault.end(converter.ending) {
          case .whole: reportUnseenPaths(feed)
          case .record: break
          case .feed(let error): throw stop(at: error, of: feed)
          }
          hasEnded = true
        }
      }
    }
  }

  /// Writes records at once, as long as nothing has to be done after each of them; false if the next one needs more.
  private func writeRecords() throws -> Bool {
    if progress != nil || choice.limit != nil { return false }
    let (mapped, dropped) = converter.writeRecords(enough: Self.pieceSize)
    guard mapped + dropped > 0 else { return false }
    statistics.mapped += mapped
    statistics.dropped += dropped
    try write(Self.pieceSize)
    try RunStop.ifInterrupted()
    return true
  }

  /// Takes the next piece of the feed, which may begin before its own place.
  ///
  /// - Parameters:
  ///   - piece: The piece; it is valid until the next one. An empty one is the end.
  ///   - end: Where in the feed it ends.
  func take(_ piece: UnsafeBufferPointer<UInt8>, endingAt end: Int) {
    let known = min(max(firstByte - (end - piece.count), 0), piece.count)
    let new = UnsafeBufferPointer(rebasing: piece.dropFirst(known))
    if new.isEmpty, !piece.isEmpty { return }
    statistics.bytes += new.count
    notes.read(new)
    left = new
    _ = give()
  }

  /// Gives the converter what is left of the piece, as much as it takes; false if nothing is left.
  private func give() -> Bool {
    guard let bytes = left else { return false }
    let memory = UnsafeRawBufferPointer(bytes)
    // Several threads map what lies in their own memory. A run of one mapping reads it there.
    guard let room = converter.room, !memory.isEmpty,
      memory.baseAddress != UnsafeRawBufferPointer(room).baseAddress
    else {
      left = nil
      converter.input(bytes, isFinal: bytes.isEmpty)
      return true
    }
    let part = UnsafeBufferPointer(rebasing: bytes.prefix(room.count))
    room.copyMemory(from: UnsafeRawBufferPointer(part))
    left = part.count < bytes.count ? UnsafeBufferPointer(rebasing: bytes[part.count...]) : nil
    converter.input(part, isFinal: false)
    return true
  }

  /// Called before more of the feed is read.
  func noteReading(after offset: Int) { progress?.noteReading(after: offset) }

  /// Hands over what can be mapped of earlier pieces before more is read; false if nothing can be.
  func drain() -> Bool { !hasEnded && !isOver && converter.drain() }

  /// A feed is over.
  func end(_ feed: FeedFile) throws {
    try unlessClosed {
      try progress?.noteEnd(of: feed)
      try save(nil, of: nil)
    }
  }

  /// Runs after a record: stores the progress if it is time for it, and ends an interrupted run.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - offset: Where the record ends; 0 if that is not known.
  ///   - isFault: Whether it is malformed: only the following bytes tell whether the feed ends with it.
  /// - Throws: What ends the run.
  private func pause(_ feed: FeedFile, at offset: Int, isFault: Bool) throws {
    if let progress,
      progress.file.isDue(at: progress.bytesDone + offset) || Interruption.happened
        || output.batchSize.map({ bytesUnsaved >= $0 }) == true
    {
      // With several jobs, most records are not followed by a place to resume, but one comes soon.
      guard !isFault, let position = converter.position else { return }
      try save(position, of: feed)
    }
    try RunStop.ifInterrupted()
  }

  /// Stores the progress of the run: at a position of a feed, or between two feeds.
  private func save(_ position: FeedPosition?, of feed: FeedFile?) throws {
    guard let progress else { return }
    let behind = progress.bytesDone + (position?.offset ?? 0)
    if position == nil, !progress.file.isDue(at: behind) { return }
    try flushAll()
    var figures = statistics
    figures.bytes = max(behind - (part?.reading.bytes.lowerBound ?? 0), 0)
    figures.outputBytes = output.bytesWritten
    bytesUnsaved = 0
    figures.seconds += progress.seconds
    try progress.save(
      position, of: feed, output, rejects, figures, hasUnseenPath: hasUnseenPath,
      found: converter.found, notes: notes.taken)
  }

  // MARK: Output

  /// Writes what is mapped, before the run waits for input; columns that are less than a batch wait for more.
  func flush() throws {
    try unlessClosed {
      try write(1)
      try flushWritten()
    }
  }

  /// Whether there are records that other processes cannot see yet, and that may be shown before the end.
  var hasUncommitted: Bool {
    !isOver && (output.hasUncommitted || output.showsBatches && converter.outputCount > 0)
  }

  /// Nothing more is written for a while.
  func rest() throws {
    guard hasUncommitted else { return }
    try unlessClosed {
      try flushAll()
      try output.rest()
    }
  }

  /// Waits until all output is written.
  private func flushAll() throws {
    bytesUnsaved += try pieces?.writeAll() ?? 0
    try flushWritten()
  }

  private func flushWritten() throws {
    try pieces?.flush()
    try rejects?.flush()
  }

  private func write(_ size: Int) throws { bytesUnsaved += try pieces?.write(size) ?? 0 }

  /// A reader of the output that is gone ends this conversion, and no other one.
  private func unlessClosed(_ body: () throws -> Void) throws {
    if isClosed { return }
    do { try body() } catch is OutputFile.Closed { isClosed = true }
  }

  // MARK: Records

  /// The number of rejected records is checked against the budget.
  func checkBudget(isOver: Bool) throws {
    if isClosed || wasComplete { return }
    let verdict = budget.verdict(
      rejected: statistics.rejected, of: statistics.records, isOver: isOver)
    if let verdict { throw RunStop(status: .rejected, message: prefix + verdict) }
  }

  private func checkLimit() {
    if let limit = choice.limit, statistics.mapped >= limit { hasEnough = true }
  }

  private func stop(at error: MappingError, of feed: FeedFile) -> RunStop {
    // A part that does not end where the next one begins has another feed's index.
    let isMisfit = part != nil && error.code == .invalidDefinition
    return RunStop(
      status: isMisfit ? .usage : ExitStatus(endedBy: error),
      message: "\(prefix)\(feed.title): \(notes.text(of: error))")
  }

  /// Counts a record and handles it as the mode says.
  private func take(_ record: Record<Void>, of feed: FeedFile) throws {
    if !record.issues.isEmpty || record.error != nil { notes.take(record) }
    statistics.issues += record.issues.count
    guard let error = record.error else {
      statistics.mapped += 1
      return
    }
    statistics.rejected += 1
    switch errors {
    case .fail:
      // Bytes after the record were read for nothing; their number depends on how they arrived.
      if let end = record.position?.bytes.upperBound { statistics.bytes -= feed.bytesRead - end }
      throw stop(at: error, of: feed)
    case .skip: break
    case .reject:
      let raw = rejects?.omitsRaw == false ? text(of: record, in: feed) : nil
      let line = Reject(record)?.json(file: feed.name, raw: raw, worded: LimitOptions.named)
      if let line { try rejects?.add(line.description) }
    }
    try checkBudget(isOver: false)
  }

  /// The whole text of a rejected record: it can be corrected, and mapped again.
  private func text(of record: Record<Void>, in feed: FeedFile) -> String? {
    guard let bytes = record.position?.bytes else { return nil }
    // A malformed document continues after the fault, and it is not known how far.
    let isRest = record.endsFeed && bytes.count <= FeedFile.textSize
    // Other mappings may need what follows: then it is not read here.
    return isRest
      ? feed.text(from: bytes.lowerBound, readsOn: name == nil) : feed.text(of: bytes)
  }

  private func reportUnseenPaths(_ feed: FeedFile) {
    guard hasRecordPaths else { return }
    for path in converter.unseenPaths {
      hasUnseenPath = true
      StandardError.write("stream-map: \(prefix)\(feed.title): \(notes.text(ofUnseen: path))")
    }
  }

  // MARK: End

  /// Writes the rest.
  func finishOutput() throws {
    if wasComplete { return }
    try unlessClosed {
      converter.finish()
      try flushAll()
    }
  }

  /// Stores that the output only needs its name.
  func complete() throws {
    if wasComplete || isClosed { return }
    statistics.outputBytes = output.bytesWritten
    try progress?.complete(
      output, rejects, statistics, hasUnseenPath: hasUnseenPath, found: converter.found,
      notes: notes.taken)
  }

  /// Gives the output its name.
  func commit() throws {
    if wasComplete || isClosed { return }
    try output.commit()
    isComplete = true
  }

  /// All outputs of the run are complete: its checkpoint goes.
  func endProgress() throws { if !isClosed { try progress?.end() } }

  /// All rejected records are forced to the disk, however the run ends.
  func endRejects() throws { try rejects?.end() }

  /// Leaves output that is not complete, and reports where it is.
  func leave() {
    if isComplete || wasComplete { return }
    // What has an end is of use only with all its records. No other thread may write any more.
    if output.hasEnd { try? flushAll() } else { try? pieces?.flush() }
    output.leave()
    let checkpoint = progress.flatMap { $0.file.isWritten ? $0.file.name : nil }
    if let text = output.remains(checkpoint: checkpoint) {
      StandardError.write("stream-map: \(text)")
    }
  }

  /// A table keeps what a complete run wrote, so the same command has nothing to do.
  func tellThatAllIsThere() {
    guard wasComplete, case .table = target else { return }
    StandardError.write(
      "stream-map: \(prefix)an earlier run has written all rows of these inputs")
  }

  /// The status of a run that read its feeds to the end.
  var endStatus: ExitStatus {
    if hasUnseenPath { return .unseenPath }
    return statistics.rejected > 0 ? .someRejected : .success
  }

  /// Notes on the records and the fields, which are not errors.
  ///
  /// - Parameters:
  ///   - status: How the run ends.
  ///   - hasFigures: Whether its figures are printed.
  /// - Returns: The lines.
  func remarks(_ status: ExitStatus, hasFigures: Bool) -> [String] {
    if isClosed { return [] }
    var lines: [String] = []
    if statistics.rejected > 0, errors != .fail {
      if !hasFigures {
        lines.append("\(statistics.rejected) of \(statistics.records) records were rejected")
      }
      lines += notes.rejections
    }
    lines += notes.leftOut
    if isComplete || status == .rejected {
      lines += notes.unfound(
        converter, ofRecords: statistics.records,
        isOver: isComplete && !hasEnough && part?.isWhole != false)
    }
    return lines.map { prefix + $0 }
  }

  /// The figures, in the form that was asked for.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - seconds: How long the run took.
  /// - Returns: The text.
  func figures(_ form: Statistics.Form, seconds: Double) -> String {
    // A run that an earlier one has completed writes nothing.
    statistics.outputBytes = max(statistics.outputBytes, output.bytesWritten)
    statistics.seconds += seconds
    return statistics.text(form, of: name)
  }
}
