import ArgumentParser
import StreamMap
import StreamMapPlatform

/// Tells how far a run is: in a live line on a terminal, or in lines of JSON.
///
/// It has a thread of its own, so it also reports a run that waits for input or output. The run only notes its figures, each
/// time it reads.
final class ProgressReport: Sendable {
  /// How progress is shown.
  enum Form: String, NamedChoice {
    /// A live line, if standard error is a terminal and the output is none.
    case auto
    /// A JSON object a line, each second and at the end.
    case json
    /// Nothing, unless SIGUSR1 asks.
    case off
  }

  /// How far a run is.
  struct Figures {
    /// Bytes of the feeds that were read, decompressed.
    var bytes = 0
    /// Bytes of the inputs as they lie on the disk that were read.
    var place = 0
    var mapped = 0
    var rejected = 0
    var dropped = 0

    fileprivate var records: Int { mapped + rejected + dropped }
  }

  private struct State {
    var figures = Figures()
    /// Where this process began: an earlier run may have read what is before.
    var first: Figures?
  }

  /// How long a run lasts before a terminal shows anything of it, and how long a line stays, in microseconds.
  private static let (patience, lineInterval): (UInt32, UInt32) = (1_000_000, 250_000)
  private static let jsonInterval: UInt32 = 1_000_000

  private let state = Locked(State())
  /// Whether the run is over; held during each report, so that nothing comes after the end.
  ///
  /// It is a lock of its own: a terminal that takes nothing must not stop the run.
  private let isOver = Locked(false)
  private let start = ContinuousClock.now
  /// The size of all inputs; nil if one of them is no regular file.
  private let size: Int?
  private let tellsLine: Bool
  private let tellsJSON: Bool

  /// Starts to tell of a run, and answers SIGUSR1; says that it waits, where its input is a terminal.
  ///
  /// - Parameters:
  ///   - form: How.
  ///   - isQuiet: Whether only what was asked for is shown.
  ///   - inputs: The paths of its inputs.
  ///   - output: The path of its output: a terminal that gets records shows no live line.
  ///   - part: How many bytes of the input it reads, if it maps only a part.
  init(
    _ form: Form = .auto, isQuiet: Bool, inputs: [String], output: String, part: Int? = nil
  ) {
    size = part ?? Self.size(of: inputs)
    let hasRecords = output == "-" && StandardStreams.outputIsTerminal
    tellsLine = form == .auto && !isQuiet && StandardError.isTerminal && !hasRecords
    tellsJSON = form == .json
    if !isQuiet { FeedFile.hint(at: inputs) }
    Interruption.whereAsked(self)
    guard tellsLine || tellsJSON else { return }
    // Where the system gives no thread, nothing is told.
    _ = WorkerThread.start { self.tellAgainAndAgain() }
  }

  private static func size(of inputs: [String]) -> Int? {
    var size = 0
    for input in inputs {
      var status = stat()
      let isFound = input == "-" ? fstat(STDIN_FILENO, &status) : stat(input, &status)
      guard isFound == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      size += Int(status.st_size)
    }
    return size
  }

  /// Notes how far the run is.
  func note(_ figures: Figures) {
    state.withLock {
      if $0.first == nil { $0.first = figures }
      $0.figures = figures
    }
  }

  /// The run is over: what a terminal shows of it goes, and the last line of JSON comes.
  func end(_ figures: Figures) {
    note(figures)
    isOver.withLock { isOver in
      if isOver { return }
      isOver = true
      if tellsLine { StandardError.clear() }
      if tellsJSON { StandardError.write(json) }
    }
  }

  /// Tells now: somebody asked by a signal.
  func tell() { StandardError.write(tellsJSON ? json : "stream-map: \(line)") }

  private func tellAgainAndAgain() {
    usleep(tellsLine ? Self.patience : Self.jsonInterval)
    while tellUnlessOver() { usleep(tellsLine ? Self.lineInterval : Self.jsonInterval) }
  }

  private func tellUnlessOver() -> Bool {
    isOver.withLock { isOver in
      if isOver { return false }
      if tellsLine { StandardError.show(line) } else { StandardError.write(json) }
      return true
    }
  }

  // MARK: Texts

  private var line: String { state.withLock { line($0) } }
  private var json: String { state.withLock { json($0) } }

  private var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }

  /// The bytes a second of this process.
  private func speed(_ state: State) -> Double {
    let seconds = seconds
    return seconds > 0 ? Double(state.figures.bytes - (state.first?.bytes ?? 0)) / seconds : 0
  }

  /// The seconds that are left, if the rest of the inputs takes as long as what this process has read.
  private func secondsLeft(_ state: State) -> Double? {
    guard let size, let first = state.first else { return nil }
    let done = state.figures.place - first.place
    guard done > 0, size >= state.figures.place else { return nil }
    return seconds * Double(size - state.figures.place) / Double(done)
  }

  private func line(_ state: State) -> String {
    let figures = state.figures
    var parts = [ShownSize.text(figures.bytes)]
    if let size, size > 0 {
      parts[0] += " (\(min(100, figures.place * 100 / size)) %)"
    }
    parts.append("\(figures.records) \(figures.records == 1 ? "record" : "records")")
    if figures.rejected > 0 { parts.append("\(figures.rejected) rejected") }
    parts.append("\(ShownSize.text(Int(speed(state))))/s")
    if let left = secondsLeft(state) { parts.append("\(ShownSize.duration(left)) left") }
    return parts.joined(separator: ", ")
  }

  private func json(_ state: State) -> String {
    let figures = state.figures
    let share = size.flatMap { $0 > 0 ? Double(figures.place) / Double($0) : nil }
    func number(_ value: Double?) -> String {
      value.map { ShownSize.decimal($0, 3) } ?? "null"
    }
    return "{\"bytes\":\(figures.bytes),\"share\":\(number(share)),\"records\":\(figures.records)"
      + ",\"mapped\":\(figures.mapped),\"rejected\":\(figures.rejected)"
      + ",\"dropped\":\(figures.dropped),\"seconds\":\(number(seconds))"
      + ",\"mb_per_s\":\(number(speed(state) / 1e6))"
      + ",\"seconds_left\":\(number(secondsLeft(state)))}"
  }
}

/// Sizes and times as people read them.
enum ShownSize {
  /// A number of bytes in decimal units, as in `12.3 MB`.
  static func text(_ bytes: Int) -> String {
    var value = Double(bytes)
    var unit = "B"
    for next in ["kB", "MB", "GB", "TB"] where value >= 1000 {
      value /= 1000
      unit = next
    }
    return unit == "B" ? "\(bytes) B" : decimal(value, value < 10 ? 1 : 0) + " " + unit
  }

  /// A number of seconds, as in `42 s` or `1:07:30`.
  static func duration(_ seconds: Double) -> String {
    guard seconds < 1e8 else { return "years" }
    let whole = Int(seconds.rounded())
    if whole < 60 { return "\(whole) s" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return hours > 0
      ? "\(hours):\(twoDigits(minutes)):\(twoDigits(whole % 60))"
      : "\(minutes):\(twoDigits(whole % 60))"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// A number with so many digits after the point.
  static func decimal(_ value: Double, _ digits: Int32) -> String {
    // The largest number has 309 digits before the point.
    let most = 320 + Int(digits)
    return String(unsafeUninitializedCapacity: most) { bytes in
      bytes.withMemoryRebound(to: CChar.self) { room in
        let count = withVaList([digits, value]) { vsnprintf(room.baseAddress, most, "%.*f", $0) }
        return min(max(Int(count), 0), most - 1)
      }
    }
  }
}
