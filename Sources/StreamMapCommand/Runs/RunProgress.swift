import StreamMap
import StreamMapPlatform

/// The progress of a run, as in its checkpoint: the state that an earlier run left, and the state that is stored from now on.
///
/// A checkpoint has the position in the feed together with the lengths of what is on the disk by then. ``Fingerprint`` recognises
/// the files again.
final class RunProgress {
  let file: CheckpointKeeper
  private let terms: Checkpoint.Terms
  private let start = ContinuousClock.now
  /// The checkpoint to continue from.
  private var earlier: Checkpoint?
  /// Where the input that is opened next is resumed; nil at its beginning.
  private(set) var position: FeedPosition?
  /// The fingerprints of the finished inputs.
  private(set) var done: [Fingerprint] = []
  /// The number of bytes of these inputs.
  private(set) var bytesDone = 0
  /// The digests of everything that was read from the current input, and of everything written, if such digests are kept.
  private var wholeInput: WholeDigest?
  private var wholeOutput: WholeDigest?
  private var wholeRejects: WholeDigest?

  /// Reads the checkpoint of an earlier run.
  ///
  /// - Throws: ``CheckpointKeeper/Refusal``, ``SystemError``.
  init(_ file: CheckpointKeeper) throws {
    self.file = file
    terms = file.terms
    earlier = try file.stored()
    done = earlier?.done ?? []
    position = earlier?.place?.position
    bytesDone = done.reduce(0) { $0 + $1.bytes }
    file.restart(at: bytesDone + (position?.offset ?? 0))
    if file.verification == .full {
      wholeInput = WholeDigest()
      wholeOutput = WholeDigest()
      wholeRejects = WholeDigest()
    }
  }

  /// Whether there is a run to continue.
  var hasEarlier: Bool { earlier != nil }

  /// The running time of this process.
  var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }

  // MARK: Resuming

  /// Does what an earlier run left to be done after its output was complete; returns that run's checkpoint.
  func finishEarlierRun(to target: RunTarget) throws -> Checkpoint? {
    guard let earlier, earlier.isComplete else { return nil }
    switch target {
    case .file(let path): return try giveName(path, to: earlier)
    case .files, .columns: return nil
    case .table: return try keep(earlier)
    }
  }

  /// The rows of a complete run are there: there is nothing to be done, unless its inputs are others now.
  private func keep(_ complete: Checkpoint) throws -> Checkpoint? {
    var areLonger = false
    for (input, beginning) in zip(terms.inputs, complete.done) {
      wholeInput?.restart()
      guard try beginning.isOf(input, extending: &wholeInput) else {
        forget()
        return nil
      }
      // The rest after a part is for others.
      if terms.part != nil { continue }
      var status = stat()
      if stat(input, &status) == 0, Int(status.st_size) > beginning.bytes { areLonger = true }
    }
    if areLonger {
      throw file.refusal("that run was complete, and an input has become longer since")
    }
    return complete
  }

  /// Starts from the beginning.
  private func forget() {
    earlier = nil
    done = []
    position = nil
    bytesDone = 0
    wholeInput?.restart()
  }

  /// Gives complete output its name.
  private func giveName(_ path: String, to earlier: Checkpoint) throws -> Checkpoint {
    guard let beginning = earlier.output, let (partial, final) = OutputFile.names(of: path) else {
      throw refusal(of: path)
    }
    if access(partial, F_OK) == 0 {
      let output = try OutputFile(path: path, isAtomic: true, .kept)
      guard try output.has(beginning, extending: &wholeOutput) else {
        throw refusal(of: partial)
      }
      try output.start(after: beginning.bytes)
      try output.commit()
    } else {
      guard access(final, F_OK) == 0, try beginning.isOf(final, extending: &wholeOutput) else {
        throw refusal(of: final)
      }
    }
    return earlier
  }

  /// Cuts the files to where the earlier run stopped; returns its checkpoint, if there was one.
  ///
  /// Everything is checked before anything is changed.
  func goOn(_ output: any RunOutput, _ rejects: RejectFile?) throws -> Checkpoint? {
    guard let earlier else {
      try output.start(after: nil)
      try rejects?.start(after: 0)
      return nil
    }
    try checkInputs(earlier)
    if try !output.has(earlier.output, extending: &wholeOutput) {
      throw refusal(of: output.partialName ?? terms.output)
    }
    if let rejects, let beginning = earlier.rejects,
      try !rejects.has(beginning, extending: &wholeRejects)
    {
      throw file.refusal("the file of rejects is not the one that the run wrote")
    }
    try output.start(after: earlier)
    try rejects?.start(after: earlier.rejects?.bytes ?? 0)
    return earlier
  }

  /// Checks that the inputs still begin with the bytes that were read.
  private func checkInputs(_ earlier: Checkpoint) throws {
    for (input, beginning) in zip(terms.inputs, earlier.beginnings) {
      wholeInput?.restart()
      if try beginning.isOf(input, extending: &wholeInput) { continue }
      throw file.refusal(
        "\(input) does not begin with the \(beginning.bytes) bytes that the run read")
    }
    // The next input starts from its beginning.
    if earlier.place == nil { wholeInput?.restart() }
  }

  private func refusal(of output: String) -> CheckpointKeeper.Refusal {
    file.refusal("\(output) does not begin with what the run wrote there")
  }

  /// The same, for an input that is opened now.
  func takePosition() -> FeedPosition? {
    defer { position = nil }
    return position
  }

  // MARK: Storing

  /// Called before more is read of an input: this many bytes of it are done.
  func noteReading(after offset: Int) { file.noteReading(after: bytesDone + offset) }

  /// An input is over.
  func noteEnd(of feed: FeedFile) throws(SystemError) {
    done.append(try feed.fingerprint(ofFirst: feed.bytesRead, extending: &wholeInput))
    bytesDone += feed.bytesRead
    wholeInput?.restart()
  }

  /// Stores that all output is written up to here: a position of a feed, or the beginning of the next one.
  func save(
    _ position: FeedPosition?, of feed: FeedFile?, _ output: any RunOutput, _ rejects: RejectFile?,
    _ statistics: Statistics, hasUnseenPath: Bool, found: FieldFinds.Found, notes: RunNotes.Taken,
    isComplete: Bool = false
  ) throws {
    var place: Checkpoint.OpenInput?
    if let position, let feed {
      place = Checkpoint.OpenInput(
        position: position,
        beginning: try feed.fingerprint(ofFirst: position.offset, extending: &wholeInput))
    }
    try file.write(
      Checkpoint(
        terms: terms, done: done, place: place,
        output: try output.savedFingerprint(extending: &wholeOutput),
        rejects: try rejects?.savedFingerprint(extending: &wholeRejects), statistics: statistics,
        hasUnseenPath: hasUnseenPath, found: found, notes: notes, isComplete: isComplete))
    file.restart(at: bytesDone + (position?.offset ?? 0))
  }

  /// Stores that the output only needs its name.
  func complete(
    _ output: any RunOutput, _ rejects: RejectFile?, _ statistics: Statistics, hasUnseenPath: Bool,
    found: FieldFinds.Found, notes: RunNotes.Taken
  ) throws {
    var statistics = statistics
    statistics.seconds += seconds
    try save(
      nil, of: nil, output, rejects, statistics, hasUnseenPath: hasUnseenPath, found: found,
      notes: notes, isComplete: true)
  }

  /// The run is over.
  func end() throws(SystemError) { try file.remove() }
}
