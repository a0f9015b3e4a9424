/// What the project promises about its speed, as ratios within one run.
struct Goal {
  let task: String
  let contender: String
  let other: String
  /// At least this many times as fast as the other one.
  let bar: Double
  let better: Double

  private static let serde = "serde_json slices"

  private static let tweets: [Goal] = [
    Goal(Tweets7.name, StreamMapContender.typed, YajlBaseline.withCallbacks, 3.5, 4.5),
    Goal(Tweets7.name, StreamMapContender.typed, serde, 1.75, 2.5),
    Goal(Tweets7.name, StreamMapContender.typed, "simdjson On-Demand", 0.75, 0.95),
    Goal(Tweets7.name, StreamMapContender.typed, FoundationContender.name, 7, 11),
    Goal(Tweets7.name, "stream-map", StreamMapContender.typed, 0.85, 0.95),
    Goal(Tweets7.name, "stream-map", "jq", 20, 30),
    Goal(Tweets7.name, "stream-map", "DuckDB, 1 thread, as a command", 2.5, 4),
    Goal(TweetsDocument.name, StreamMapContender.typed, TweetsDocument.lines, 0.95, 1),
    Goal(TweetsAll.name, StreamMapContender.typed, YajlBaseline.withCallbacks, 1, 1.3),
    Goal(TweetsAll.name, StreamMapContender.typed, serde, 1, 1.5),
  ]

  /// Small records, nearly all of whose fields are mapped.
  private static let events: [Goal] = [
    Goal(Logs.name, StreamMapContender.typed, serde, 1.25, 2),
    Goal(Logs.name, "stream-map", "serde_json borrowed, as a command", 2.5, 4),
    Goal(Logs.name, "stream-map", "DuckDB, 1 thread, as a command", 3.5, 6),
    Goal(Logs.name, "stream-map", "jq", 22, 40),
    Goal(Messages.name, Messages.title, Messages.stream, 0.85, 1),
    Goal(Messages.name, Messages.decoder, Messages.stream, 0.85, 1),
    Goal(Async.name, Async.title(64), Async.synchronous, 0.9, 1),
    Goal(Tiny.name, StreamMapContender.typed, serde, 1, 1.5),
    Goal(Tiny.name, "stream-map", StreamMapContender.typed, 0.85, 0.95),
  ]

  static let all: [Goal] =
    tweets + events + [
      Goal(JobsTweets.name, JobsTweets.title(2), JobsTweets.title(1), 1.8, 1.95),
      Goal(JobsDocument.name, JobsDocument.title(2), JobsDocument.title(1), 1.8, 1.95),
      Goal(JobsLogs.name, JobsLogs.title(2), JobsLogs.title(1), 1.8, 1.95),
      Goal(Numbers.name, StreamMapContender.typed, serde, 1, 1.3),
      Goal(Catalogue.name, StreamMapContender.typed, serde, 0.8, 1.1),
      Goal(Catalogue.name, StreamMapContender.typed, FoundationContender.name, 4, 6),
      Goal(Encode.name, Encode.title, Encode.baseline, 5, 10),
      Goal(EncodeAll.name, Encode.title, Encode.baseline, 4, 6),
      Goal(Startup.name, Startup.reference, "jq", 2.5, 4),
      Goal(Chunks.name, Chunks.title(4), Chunks.title(256), 0.8, 0.95),
    ]

  private init(
    _ task: String, _ contender: String, _ other: String, _ bar: Double, _ better: Double
  ) {
    self.task = task
    self.contender = contender
    self.other = other
    self.bar = bar
    self.better = better
  }

  private static let peak = 32_000_000
  private static let growth = 2_000_000

  /// Whether memory is small and does not grow with the feed.
  static func print(_ memory: [Memory.Result]) {
    for result in memory {
      let smallest = memory.first { $0.shape == result.shape }?.peak ?? result.peak
      let isReached = result.peak <= peak && result.peak - smallest <= growth
      Swift.print(
        "  \(isReached ? "reached" : "MISSED")  \(Memory.name), \(result.shape)"
          + " of \(result.megabytes) MB: \(Table.number(Double(result.peak) / 1e6, 1)) MB (bar \(peak / 1_000_000) MB,"
          + " and \(growth / 1_000_000) MB above the smallest feed's)")
    }
  }

  /// Prints one line for each goal whose two sides were measured.
  static func print(_ tasks: [TaskResult]) {
    for goal in all {
      guard let task = tasks.first(where: { $0.name == goal.task }),
        let ratio = task.ratio(goal.contender, to: goal.other)
      else { continue }
      let verdict = ratio >= goal.better ? "better" : ratio >= goal.bar ? "reached" : "MISSED"
      Swift.print(
        "  \(verdict)  \(goal.task): \(goal.contender) against \(goal.other):"
          + " \(Table.number(ratio, 2))x (bar \(goal.bar)x, better \(goal.better)x)")
    }
  }
}
