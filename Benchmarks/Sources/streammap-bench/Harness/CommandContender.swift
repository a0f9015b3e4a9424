import Foundation

/// A command, timed from its start to its end.
final class CommandContender: Contender {
  let name: String
  let kind = ContenderKind.command
  let comparison: Digest.Comparison
  let obstacle: String?
  private let command: Command
  private let repetitions: Int
  private let read: (MappedFile) throws -> Digest

  /// A command that writes its result to standard output.
  ///
  /// `obstacle` is the reason why it cannot run here, besides that the program is missing. `repetitions` is the number of starts in one run, for work that takes very little time. `read` makes a digest of
  /// the output.
  init(
    _ name: String, _ arguments: [String], environment: [String: String] = [:],
    obstacle: String? = nil, comparison: Digest.Comparison = .exact, repetitions: Int = 1,
    read: @escaping (MappedFile) throws -> Digest
  ) {
    self.name = name
    self.comparison = comparison
    self.repetitions = repetitions
    self.read = read
    command = Command(arguments: arguments, environment: environment)
    let isPath = arguments[0].contains("/")
    let exists =
      isPath
      ? FileManager.default.isExecutableFile(atPath: arguments[0])
      : Command.find(arguments[0]) != nil
    self.obstacle =
      obstacle ?? (exists ? nil : "\(arguments[0]) is not \(isPath ? "built" : "installed")")
  }

  func digest() throws -> Digest? {
    let output = NSTemporaryDirectory() + "streammap-bench-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: output) }
    try check(try command.run(output: output))
    return try read(MappedFile(path: output))
  }

  func run() throws -> Timing {
    var total = Timing(wall: 0, cpu: 0)
    for _ in 0..<repetitions {
      let outcome = try command.run()
      try check(outcome)
      total.wall += outcome.timing.wall / Double(repetitions)
      total.cpu += outcome.timing.cpu / Double(repetitions)
    }
    return total
  }

  private func check(_ outcome: Command.Outcome) throws {
    guard outcome.status == 0 else {
      throw BenchmarkError("\(name): ended with status \(outcome.status)")
    }
  }
}
