import StreamMap
import StreamMapFiles
import StreamMapPlatform

/// One run: feeds in, output and rejects out.
final class FeedRun {
  /// Ends a run before the end of its input.
  private struct Stop: Error {
    let status: ExitStatus
    let message: String?
  }

  /// Ends a run when enough records are mapped.
  private struct Enough: Error {}

  /// Output is written when it has grown to this size.
  private static let pieceSize = 256 << 10
  /// With several jobs: the output of most batches is a piece, so that it is not copied.
  private static let pieceSizeOfBatches = 64 << 10
  /// How long input is waited for before rows are committed, in milliseconds.
  private static let restlessness: Int32 = 200

  private let converter: OutputConverter
  private let format: FeedFormat
  private let hasRecordPaths: Bool
  private let errors: ErrorMode
  private let budget: ErrorBudget
  private let choice: FeedChoice
  /// The part of the input that is mapped; nil for all of it.
  private let part: RunPart?
  private let mostExpansion: Int
  /// What was read of standard input before the run.
  private let beginning: [UInt8]
  /// Whether nothing is said but errors.
  private let isQuiet: Bool
  private var notes: RunNotes

  private var statistics = Statistics()
  private let report: ProgressReport
  /// The bytes of the inputs before the current one, as they lie on the disk.
  private var placeBefore = 0
  private var output: any RunOutput = OutputFile()
  /// Writes the output if several jobs map, or if writing is much work.
  private var queue: OutputQueue?
  private var rejects: RejectFile?
  /// The bytes of output since the last checkpoint.
  private var bytesUnsaved = 0
  private var hasUnseenPath = false
  /// Whether the rest of the feeds was not read.
  private var isLimited = false
  /// Whether the output has its final name.
  private var isComplete = false
  /// The stored progress, if the run can be resumed.
  private var progress: RunProgress?

  init(
    converter: OutputConverter, _ settings: MappingFile, _ choice: FeedChoice, part: RunPart? = nil,
    mostExpansion: Int, startingWith beginning: [UInt8] = [], isQuiet: Bool,
    _ report: ProgressReport
  ) {
    self.beginning = beginning
    self.converter = converter
    self.choice = choice
    self.part = part
    // What begins the output is in that of the first part.
    if let part, part.number > 1 { converter.resume(afterRecords: true) }
    self.report = report
    self.mostExpansion = mostExpansion
    self.isQuiet = isQuiet
    notes = RunNotes(settings, hidesValues: converter.hidesValues)
    format = settings.format
    hasRecordPaths = !settings.records.isEmpty
    errors = settings.errors.mode
    budget = settings.errors.budget
  }

  /// Maps the feeds (files, or `-` for standard input) to a file or a table.
  func run(
    inputs: [String], output target: RunTarget, rejects rejectsPath: String?, omitsRaw: Bool,
    statistics form: Statistics.Form?, checkpoint: CheckpointKeeper? = nil
  ) throws -> ExitStatus {
    let start = ContinuousClock.now
    var status: ExitStatus
    /// Whether the run ended before its figures mean anything.
    var isBroken = true
    do {
      progress = try checkpoint.map { try RunProgress($0) }
      if let earlier = try progress?.finishEarlierRun(to: target) {
        resume(earlier)
        status = endStatus
        tellThatAllIsThere(target)
      } else {
        for input in inputs {
          try FeedFile.look(at: input)
          if progress != nil { try FeedFile.refuseCompressed(input) }
        }
        try openFiles(target, rejectsPath, omitsRaw)
        defer { queue?.end() }
        status = try finish(convert(inputs))
      }
      isBroken = false
    } catch is OutputFile.Closed {
      status = .success
    } catch let error as SystemError {
      StandardError.write("stream-map: \(error)")
      if !isComplete { leave() }
      status = error.status
    } catch let refusal as CheckpointKeeper.Refusal {
      StandardError.write("stream-map: \(refusal)")
      return .usage
    }
    do {
      try rejects?.end()
    } catch {
      StandardError.write("stream-map: \(error)")
      return .io
    }
    if isBroken { return status }
    if !isQuiet { tellNotes(status, hasFigures: form != nil) }
    if let form {
      // A run that an earlier one has completed writes nothing.
      statistics.outputBytes = max(statistics.outputBytes, output.bytesWritten)
      statistics.seconds += (ContinuousClock.now - start) / .seconds(1)
      StandardError.write(statistics.text(form))
    }
    return status
  }

  /// Reports the notes, which are not errors.
  private func tellNotes(_ status: ExitStatus, hasFigures: Bool) {
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
        isOver: isComplete && !isLimited && part?.isWhole != false)
    }
    for line in lines { StandardError.write("stream-map: \(line)") }
  }

  /// Opens the output files, and continues where an earlier run stopped.
  private func openFiles(_ target: RunTarget, _ rejectsPath: String?, _ omitsRaw: Bool) throws {
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
        path: rejectsPath, omitsRaw: omitsRaw || converter.hidesValues,
        progress == nil ? .new : .kept)
    }
    Interruption.whereItHangs(
      ForcedEnd(
        gates: output.gates + (rejects.map { [$0.gate] } ?? []), partial: output.partialName,
        checkpoint: progress?.file.name))
    if converter.jobs > 1 || output.needsThread { queue = OutputQueue(output) }
    guard let progress else { return }
    if let earlier = try progress.goOn(output, rejects) { resume(earlier) }
  }

  private func resume(_ earlier: Checkpoint) {
    statistics = earlier.statistics
    hasUnseenPath = earlier.hasUnseenPath
    converter.found = earlier.found
    notes.taken = earlier.notes
    let isFirst = part?.number ?? 1 == 1
    converter.resume(afterRecords: !isFirst || earlier.output.map { $0.bytes > 0 } ?? true)
  }

  /// What ended the feeds; nil if they were read to their ends.
  private func convert(_ inputs: [String]) throws -> Stop? {
    // The place is counted from the beginning of what is mapped.
    placeBefore = (progress?.bytesDone ?? 0) - firstByte
    defer { report.end(figures(placeBefore)) }
    do {
      do {
        try convertEach(of: inputs)
      } catch is Enough {
        isLimited = true
      }
      try checkBudget(isOver: true)
      return nil
    } catch let stop as Stop {
      return stop
    } catch let error as SystemError {
      // Records that were mapped before are still written.
      return Stop(status: error.status, message: "\(error)")
    }
  }

  /// Where the part begins.
  private var firstByte: Int { part?.reading.bytes.lowerBound ?? 0 }

  private func figures(_ place: Int) -> ProgressReport.Figures {
    ProgressReport.Figures(
      bytes: statistics.bytes, place: place, mapped: statistics.mapped,
      rejected: statistics.rejected, dropped: statistics.dropped)
  }

  private func convertEach(of inputs: [String]) throws {
    let ahead = rejects?.omitsRaw == false ? converter.mostAhead : nil
    try checkLimit()
    for (number, input) in inputs.enumerated().dropFirst(progress?.done.count ?? 0) {
      converter.choice = choice.records(ofFeed: number, after: statistics.records)
      let position = progress?.takePosition()
      let feed = try FeedFile(
        input, ahead: ahead, from: position?.offset ?? part?.reading.start?.offset ?? 0,
        to: part?.reading.bytes.upperBound, mostExpansion: mostExpansion,
        startingWith: input == "-" ? beginning : [])
      defer { placeBefore += feed.place }
      try convert(feed, from: position)
      try progress?.noteEnd(of: feed)
      try save(nil, of: nil)
    }
  }

  /// Writes the rest.
  private func finish(_ stop: Stop?) throws -> ExitStatus {
    converter.finish()
    try flush()
    if let message = stop?.message { StandardError.write("stream-map: \(message)") }
    if let stop {
      leave()
      return stop.status
    }
    statistics.outputBytes = output.bytesWritten
    try progress?.complete(
      output, rejects, statistics, hasUnseenPath: hasUnseenPath, found: converter.found,
      notes: notes.taken)
    try output.commit()
    isComplete = true
    try progress?.end()
    return endStatus
  }

  /// Leaves output that is not complete, and reports where it is.
  private func leave() {
    // Its thread must not write any more.
    try? queue?.flush()
    output.leave()
    let checkpoint = progress.flatMap { $0.file.isWritten ? $0.file.name : nil }
    if let text = output.remains(checkpoint: checkpoint) {
      StandardError.write("stream-map: \(text)")
    }
  }

  /// A table keeps what a complete run wrote, so the same command has nothing to do.
  private func tellThatAllIsThere(_ target: RunTarget) {
    guard case .table = target, !isQuiet else { return }
    StandardError.write("stream-map: an earlier run has written all rows of these inputs")
  }

  /// The status of a run that read its feeds to the end.
  private var endStatus: ExitStatus {
    if hasUnseenPath { return .unseenPath }
    return statistics.rejected > 0 ? .someRejected : .success
  }

  /// Stores the progress of the run: at a position of a feed, or between two feeds.
  private func save(_ position: FeedPosition?, of feed: FeedFile?) throws {
    guard let progress else { return }
    let behind = progress.bytesDone + (position?.offset ?? 0)
    if position == nil, !progress.file.isDue(at: behind) { return }
    try flush()
    var figures = statistics
    figures.bytes = max(behind - firstByte, 0)
    figures.outputBytes = output.bytesWritten
    bytesUnsaved = 0
    figures.seconds += progress.seconds
    try progress.save(
      position, of: feed, output, rejects, figures, hasUnseenPath: hasUnseenPath,
      found: converter.found, notes: notes.taken)
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
    try checkInterruption()
  }

  /// Waits until all output is written.
  private func flush() throws {
    try write()
    try queue?.flush()
    try rejects?.flush()
  }

  /// Hands on the output so far; with several jobs, it does not wait until the output is written.
  private func write() throws {
    if converter.outputCount == 0 { return }
    bytesUnsaved += converter.outputCount
    if let queue {
      try queue.write(converter.takeOutput(leaving:))
    } else {
      try converter.takeOutput { try output.write(UnsafeRawBufferPointer($0)) }
    }
  }

  // MARK: One feed

  private func convert(_ feed: FeedFile, from position: FeedPosition?) throws {
    let format = feed.format(self.format)
    notes.begin(feed, format: format, isAtStart: position == nil && firstByte == 0)
    do {
      try converter.begin(
        format: format, file: feed.name, from: position ?? part?.reading.start,
        to: part?.reading.end)
    } catch {
      // Out of memory, or a position that the feed cannot have.
      throw progress?.file.refusal(error.message) ?? error
    }
    var fault = LastFault(format: format)
    /// Why the feed cannot be read any further.
    var failure: SystemError?
    while true {
      if try writeRecords() {
        fault.note(nil)
        continue
      }
      switch converter.next() {
      case .input:
        if let failure { throw failure }
        do {
          try readOn(feed)
        } catch let error as SystemError {
          guard converter.drain() else { throw error }
          failure = error
        }
      case .record(let record):
        fault.note(record.error)
        try take(record, of: feed)
        if !fault.isFault { try checkLimit() }
        if converter.outputCount >= Self.pieceSize { try write() }
        try pause(feed, at: record.position?.bytes.upperBound ?? 0, isFault: fault.isFault)
      case .records(let mapped, let dropped, let end):
        statistics.mapped += mapped
        statistics.dropped += dropped
        fault.note(nil)
        if converter.outputCount >= Self.pieceSizeOfBatches { try write() }
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
        return
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
    if converter.outputCount >= Self.pieceSize { try write() }
    try checkInterruption()
    return true
  }

  /// Gives the converter the next piece of a feed.
  ///
  /// Before it waits for a piece, everything that can be mapped from earlier pieces is written.
  private func readOn(_ feed: FeedFile) throws {
    report.note(figures(placeBefore + feed.place))
    if !feed.isReady {
      if converter.drain() { return }
      try flush()
      if output.hasUncommitted, !feed.isReady(within: Self.restlessness) { try output.rest() }
    }
    let known = feed.bytesRead
    progress?.noteReading(after: known)
    let piece = try feed.read(into: converter.room)
    statistics.bytes += feed.bytesRead - known
    notes.read(piece)
    // The bytes read so far are mapped up to the first record end: there the run can be resumed.
    if piece.isEmpty, Interruption.happened {
      if progress != nil, converter.drain() { return }
      try checkInterruption()
    }
    converter.input(piece, isFinal: piece.isEmpty)
  }

  private func checkBudget(isOver: Bool) throws {
    let verdict = budget.verdict(
      rejected: statistics.rejected, of: statistics.records, isOver: isOver)
    if let verdict { throw Stop(status: .rejected, message: verdict) }
  }

  private func checkLimit() throws {
    if let limit = choice.limit, statistics.mapped >= limit { throw Enough() }
  }

  private func checkInterruption() throws {
    if Interruption.happened { throw Stop(status: .interrupted, message: nil) }
  }

  private func stop(at error: MappingError, of feed: FeedFile) -> Stop {
    // A part that does not end where the next one begins has another feed's index.
    let isMisfit = part != nil && error.code == .invalidDefinition
    return Stop(
      status: isMisfit ? .usage : ExitStatus(endedBy: error),
      message: "\(feed.title): \(notes.text(of: error))")
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
    return isRest ? feed.text(from: bytes.lowerBound) : feed.text(of: bytes)
  }

  private func reportUnseenPaths(_ feed: FeedFile) {
    guard hasRecordPaths else { return }
    for path in converter.unseenPaths {
      hasUnseenPath = true
      StandardError.write("stream-map: \(feed.title): \(notes.text(ofUnseen: path))")
    }
  }
}
