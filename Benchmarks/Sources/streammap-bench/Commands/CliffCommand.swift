import ArgumentParser
import Foundation

/// What one more key costs: nothing may take a mapping to a slower way.
struct CliffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cliff",
    abstract:
      "One more key in a mapping of log events, in the processor time of the plain mapping.",
    discussion: "Ends with 1 where one is above its bar.")

  @Option(help: ArgumentHelp("The folder with the feeds.", valueName: "folder"))
  var feeds: String

  @Option(help: "Timed runs of each, all in turn; the shortest counts.")
  var runs = 9

  @Option(help: ArgumentHelp("The command under test.", valueName: "path"))
  var streamMap = Workbench.home + "/../.build/release/stream-map"

  func run() throws {
    let isGood = try [measureKeys(), measureFields()]
    if isGood.contains(false) { throw ExitCode(1) }
  }

  private struct Line {
    let name: String
    let bar: Double?
    let run: () throws -> Double
    var best = Double.infinity
  }

  private func measureKeys() throws -> Bool {
    let plain = try String(
      contentsOfFile: "\(Workbench.home)/Mappings/logs.map.yaml", encoding: .utf8)
    let folder = Workbench.temporary("cliff")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let nothing = "\(folder)/nothing.ndjson"
    try Data().write(to: URL(filePath: nothing))
    func line(_ key: CliffKey?, over feed: String, _ name: String) throws -> Line {
      let file = "\(folder)/\(name.filter(\.isLetter)).map.yaml"
      try (key?.mapping(plain) ?? plain).write(toFile: file, atomically: true, encoding: .utf8)
      let command = Command(arguments: [streamMap, "run", "-m", file, "--jobs", "1", feed])
      return Line(name: name, bar: key?.bar) {
        let outcome = try command.run()
        guard outcome.status == 0 else {
          throw BenchmarkError("\(name): ended with status \(outcome.status)")
        }
        return outcome.timing.cpu
      }
    }
    let feed = "\(feeds)/\(LogFeed.feed)"
    var lines = [
      try line(nil, over: nothing, "the start"), try line(nil, over: feed, "plain"),
    ]
    lines += try CliffKey.all.map { try line($0, over: feed, $0.name) }
    print("logs to output, eleven fields and one more key; processor time without the start\n")
    return try measure(lines, hasStart: true)
  }

  private func measureFields() throws -> Bool {
    let feed = try MappedFile(path: "\(feeds)/\(LogFeed.feed)")
    func line(_ name: String, _ bar: Double?, _ body: @escaping (MappedFile) throws -> Int) -> Line
    {
      Line(name: name, bar: bar) {
        let start = Clock.now
        _ = try body(feed)
        return start.elapsed.cpu
      }
    }
    print("\nlogs to typed values, eight fields and one more\n")
    return try measure(
      [line("plain", nil, CliffField.plain)]
        + CliffField.allCases.map { line($0.rawValue, $0.bar, $0.run) }, hasStart: false)
  }

  /// Runs all in turn, and prints their shortest times.
  private func measure(_ given: [Line], hasStart: Bool) throws -> Bool {
    var lines = given
    for _ in 0..<runs {
      for index in lines.indices {
        lines[index].best = min(lines[index].best, try lines[index].run())
      }
    }
    let start = hasStart ? lines.removeFirst().best : 0
    let plain = lines[0].best - start
    var isGood = true
    print("| one more | ms | × plain | bar |\n|---|---|---|---|")
    for line in lines {
      let ratio = (line.best - start) / plain
      let bar = line.bar.map { Table.number($0, 1) } ?? ""
      let mark = line.bar.map { ratio > $0 } == true ? " **above**" : ""
      if !mark.isEmpty { isGood = false }
      print(
        "| \(line.name) | \(Table.number((line.best - start) * 1000, 1)) | \(Table.number(ratio, 2)) | \(bar)\(mark) |"
      )
    }
    return isGood
  }
}
