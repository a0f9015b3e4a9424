import ArgumentParser
import Foundation

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Checks all contenders' results, then times them.",
    discussion: """
      Tasks: \((BenchmarkTasks.all.map { $0.name } + [Memory.name]).joined(separator: ", ")).
      Ends with 1 where a contender of StreamMap has a wrong result.
      """)

  @Option(help: ArgumentHelp("The folder with the feeds.", valueName: "folder"))
  var feeds: String

  @Option(help: ArgumentHelp("Only this task. May be repeated.", valueName: "task"))
  var only: [String] = []

  @Option(help: "Timed runs of each contender.")
  var runs = 5

  @Option(help: ArgumentHelp("The command under test.", valueName: "path"))
  var streamMap = Workbench.home + "/../.build/release/stream-map"

  @Option(help: ArgumentHelp("Where results go, as <path>.json and <path>.svg.", valueName: "path"))
  var results: String?

  @Option(help: ArgumentHelp("Megabytes of the largest feed for memory.", valueName: "MB"))
  var largest = 2000

  func validate() throws {
    let names = BenchmarkTasks.all.map { $0.name } + [Memory.name]
    if let unknown = only.first(where: { !names.contains($0) }) {
      throw ValidationError(
        "There is no task '\(unknown)'. Tasks: \(names.joined(separator: ", ")).")
    }
    guard runs > 0 else { throw ValidationError("At least one run is needed.") }
  }

  func run() throws {
    // If a worker or command dies, that is its own error, not the end of the run.
    signal(SIGPIPE, SIG_IGN)
    let bench = Workbench(feeds: feeds, streamMap: streamMap, home: Workbench.home)
    defer { unlink(Startup.record) }
    let machine = Machine.here
    print("\(machine.processor), \(machine.cores) cores, \(machine.system)\n\(machine.swift)")
    var results = Results(machine: machine, date: Date(), runs: runs)
    for task in BenchmarkTasks.all where only.isEmpty || only.contains(task.name) {
      guard let result = try Runner(bench: bench, runs: runs).run(task) else { continue }
      Table.print(result)
      fflush(nil)
      results.tasks.append(result)
    }
    if only.isEmpty || only.contains(Memory.name) {
      print("\n\(Memory.name): peak of stream-map, fed through a pipe")
      fflush(nil)
      if FileManager.default.isExecutableFile(atPath: streamMap) {
        results.memory = try Memory.measure(bench, largest: largest)
        Table.print(results.memory)
      } else {
        print("  left out: \(streamMap) is not built")
      }
    }
    print("\ngoals (they hold on an idle machine, for feeds of 200 MB and at least five runs)")
    Goal.print(results.tasks)
    Goal.print(results.memory)
    try write(results)
    let wrong = results.tasks.flatMap(\.wrong).filter { $0.lowercased().hasPrefix("stream") }
    if !wrong.isEmpty { throw ExitCode.failure }
  }

  private func write(_ results: Results) throws {
    guard let path = self.results else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    try encoder.encode(results).write(to: URL(filePath: path + ".json"))
    try BarChart(results: results).svg.write(
      toFile: path + ".svg", atomically: true, encoding: .utf8)
    print("\nwritten: \(path).json, \(path).svg")
  }
}
