import StreamMap
import StreamMapPlatform

/// One run: it reads feeds, each piece once, for one mapping or several.
final class FeedRun {
  /// How long input is waited for before rows are committed, in milliseconds.
  private static let restlessness: Int32 = 200

  private let conversions: [Conversion]
  /// The part of the input that is mapped; nil for all of it.
  private let part: RunPart?
  private let mostExpansion: Int
  /// What was read of standard input before the run.
  private let beginning: [UInt8]
  /// Whether nothing is said but errors.
  private let isQuiet: Bool
  private let report: ProgressReport

  /// The bytes of feeds that this run has read.
  private var bytesRead = 0
  /// The bytes of the inputs before the current one, as they lie on the disk.
  private var placeBefore = 0

  init(
    _ conversions: [Conversion], part: RunPart? = nil, mostExpansion: Int,
    startingWith beginning: [UInt8] = [], isQuiet: Bool, _ report: ProgressReport
  ) {
    self.conversions = conversions
    self.part = part
    self.mostExpansion = mostExpansion
    self.beginning = beginning
    self.isQuiet = isQuiet
    self.report = report
  }

  /// Maps the feeds (files, or `-` for standard input).
  ///
  /// - Parameters:
  ///   - inputs: Their paths.
  ///   - form: How figures are printed, if they are.
  /// - Returns: How the command ends.
  /// - Throws: What is no fault of a file, such as that no memory is left.
  func run(inputs: [String], statistics form: Statistics.Form?) throws -> ExitStatus {
    let start = ContinuousClock.now
    var status: ExitStatus
    /// Whether the run ended before its figures mean anything.
    var isBroken = true
    do {
      for conversion in conversions { try conversion.prepare() }
      status = try map(inputs)
      isBroken = conversions.allSatisfy(\.isClosed)
    } catch let error as SystemError {
      StandardError.write("stream-map: \(error)")
      for conversion in conversions { conversion.leave() }
      status = error.status
    } catch let refusal as CheckpointKeeper.Refusal {
      StandardError.write("stream-map: \(refusal)")
      return .usage
    }
    do {
      for conversion in conversions { try conversion.endRejects() }
    } catch {
      StandardError.write("stream-map: \(error)")
      return .io
    }
    if isBroken { return status }
    if !isQuiet { tell(status, hasFigures: form != nil) }
    if let form {
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      for conversion in conversions {
        StandardError.write(conversion.figures(form, seconds: seconds))
      }
    }
    return status
  }

  /// Says what is no error.
  private func tell(_ status: ExitStatus, hasFigures: Bool) {
    for conversion in conversions {
      conversion.tellThatAllIsThere()
      for line in conversion.remarks(status, hasFigures: hasFigures) {
        StandardError.write("stream-map: \(line)")
      }
    }
  }

  private func map(_ inputs: [String]) throws -> ExitStatus {
    // If an earlier run has completed all outputs, its inputs need not be there any more.
    if !conversions.allSatisfy(\.isOver) {
      for input in inputs {
        try FeedFile.look(at: input)
        if conversions[0].hasCheckpoint { try FeedFile.refuseCompressed(input) }
      }
    }
    for conversion in conversions { try conversion.open() }
    Interruption.whereItHangs(ForcedEnd(files: conversions.map(\.forcedEnd)))
    return try finish(convert(inputs))
  }

  /// What ended the feeds; nil if they were read to their ends.
  private func convert(_ inputs: [String]) throws -> RunStop? {
    // The place is counted from the beginning of what is mapped.
    let bytesDone = conversions.map(\.bytesDone).min() ?? 0
    placeBefore = bytesDone - (part?.reading.bytes.lowerBound ?? 0)
    bytesRead = conversions.map(\.statistics.bytes).min() ?? 0
    defer { report.end(figures(placeBefore)) }
    do {
      try convertEach(of: inputs)
      for conversion in conversions { try conversion.checkBudget(isOver: true) }
      return nil
    } catch let stop as RunStop {
      return stop
    } catch let error as SystemError {
      // Records that were mapped before are still written.
      return RunStop(status: error.status, message: "\(error)")
    }
  }

  private func figures(_ place: Int) -> ProgressReport.Figures {
    var figures = ProgressReport.Figures(bytes: bytesRead, place: place)
    for conversion in conversions {
      figures.mapped += conversion.statistics.mapped
      figures.rejected += conversion.statistics.rejected
      figures.dropped += conversion.statistics.dropped
    }
    return figures
  }

  private func convertEach(of inputs: [String]) throws {
    let first = conversions.map(\.feedsDone).min() ?? 0
    for (number, input) in inputs.enumerated().dropFirst(first) {
      let takers = conversions.filter { !$0.isOver && $0.feedsDone <= number }
      if takers.isEmpty { continue }
      let feed = try FeedFile(
        input, ahead: takers.compactMap(\.ahead).max(), from: takers.map(\.offset).min() ?? 0,
        to: part?.reading.bytes.upperBound, mostExpansion: mostExpansion,
        startingWith: input == "-" ? beginning : [])
      defer { placeBefore += feed.place }
      for taker in takers { try taker.begin(feed, number: number) }
      try convert(feed, takers)
      for taker in takers where taker.hasEnded { try taker.end(feed) }
    }
  }

  // MARK: One feed

  private func convert(_ feed: FeedFile, _ takers: [Conversion]) throws {
    /// Why the feed cannot be read any further.
    var failure: SystemError?
    while true {
      for taker in takers { try taker.advance(feed) }
      let active = takers.filter { !$0.hasEnded && !$0.isOver }
      if active.isEmpty { return }
      if let failure { throw failure }
      do {
        try readOn(feed, active)
      } catch let error as SystemError {
        guard drain(active) else { throw error }
        failure = error
      }
    }
  }

  /// Whether some of them hand over what can be mapped of earlier pieces.
  private func drain(_ takers: [Conversion]) -> Bool {
    takers.reduce(false) { $1.drain() || $0 }
  }

  /// Gives the next piece of a feed to those who need it.
  ///
  /// Before it waits for a piece, everything that can be mapped from earlier pieces is written.
  private func readOn(_ feed: FeedFile, _ takers: [Conversion]) throws {
    report.note(figures(placeBefore + feed.place))
    if !feed.isReady {
      if drain(takers) { return }
      for taker in takers { try taker.flush() }
      if takers.contains(where: \.hasUncommitted), !feed.isReady(within: Self.restlessness) {
        for taker in takers { try taker.rest() }
      }
    }
    for taker in takers { taker.noteReading(after: feed.bytesRead) }
    // PERF: a single mapping gets the piece where it wants it.
    let piece = try feed.read(into: takers.count == 1 ? takers[0].room : nil)
    bytesRead += piece.count
    // The bytes read so far are mapped up to the first record end: there the run can be resumed.
    if piece.isEmpty, Interruption.happened {
      if takers[0].hasCheckpoint, drain(takers) { return }
      try RunStop.ifInterrupted()
    }
    for taker in takers { taker.take(piece, endingAt: feed.bytesRead) }
  }

  // MARK: End

  /// Writes the rest.
  private func finish(_ stop: RunStop?) throws -> ExitStatus {
    for conversion in conversions { try conversion.finishOutput() }
    if let message = stop?.message { StandardError.write("stream-map: \(message)") }
    if let stop {
      for conversion in conversions { conversion.leave() }
      return stop.status
    }
    for conversion in conversions { try conversion.complete() }
    for conversion in conversions { try conversion.commit() }
    for conversion in conversions { try conversion.endProgress() }
    let statuses = conversions.filter { !$0.isClosed }.map(\.endStatus)
    return statuses.first { $0 == .unseenPath } ?? statuses.first { $0 == .someRejected }
      ?? .success
  }
}
