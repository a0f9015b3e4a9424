import ArgumentParser
import Foundation

/// What one more key costs: nothing may take a mapping to a slower way.
struct CliffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cliff",
    abstract:
      "One more key in a mapping of log events, in the processor time of the plain mapping.",
    discussion: """
      Ends with 1 where one is above its bar. With --counts, instructions are compared instead of time (valgrind): they are the same on a
      machine that is busy.
      """)

  @Option(help: ArgumentHelp("The folder with the feeds.", valueName: "folder"))
  var feeds: String

  @Option(help: "Timed runs of each, all in turn; the shortest counts.")
  var runs = 9

  @Flag(help: "Count instructions over the first 2 MB of the feed.")
  var counts = false

  @Option(help: ArgumentHelp("Only this key. May be repeated.", valueName: "name"))
  var only: [String] = []

  /// Maps once by a typed field, which is counted; by the plain mapping if it is empty.
  @Option(help: .hidden)
  var field: String?

  @Option(help: ArgumentHelp("The command under test.", valueName: "path"))
  var streamMap = Workbench.home + "/../.build/release/stream-map"

  func run() throws {
    if let field {
      return print(try CliffField.run(field, try MappedFile(path: "\(feeds)/\(LogFeed.feed)")))
    }
    let folder = Workbench.temporary("cliff")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let isGood = try [measureKeys(folder), measureFields(folder)]
    if isGood.contains(false) { throw ExitCode(1) }
  }

  private struct Line {
    let name: String
    let bar: Double?
    /// Does the work once; the seconds or instructions that it took.
    let run: () throws -> Double
    var best = Double.infinity
  }

  /// The plain mapping, and those of the names that are asked for.
  private func isWanted(_ name: String) -> Bool { only.isEmpty || only.contains(name) }

  /// A feed that is small enough to be counted, in a folder of its own, and one of a single record: what the start costs.
  private func smallFeeds(_ folder: String) throws -> (some: String, one: String) {
    let (some, one) = ("\(folder)/some", "\(folder)/one")
    for place in [some, one] {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    }
    let handle = try FileHandle(forReadingFrom: URL(filePath: "\(feeds)/\(LogFeed.feed)"))
    defer { try? handle.close() }
    let start = try handle.read(upToCount: 2_000_000) ?? Data()
    let lineFeed = UInt8(ascii: "\n")
    for (place, end) in [
      (some, start.lastIndex(of: lineFeed)), (one, start.firstIndex(of: lineFeed)),
    ] {
      try start[..<(end ?? start.endIndex)].write(to: URL(filePath: "\(place)/\(LogFeed.feed)"))
    }
    return (some, one)
  }

  private func measureKeys(_ folder: String) throws -> Bool {
    let plain = try String(
      contentsOfFile: "\(Workbench.home)/Mappings/logs.map.yaml", encoding: .utf8)
    let small = try smallFeeds(folder)
    let command = counts ? try Callgrind.stripped(streamMap, folder) : streamMap
    func line(_ key: CliffKey?, over feeds: String, _ name: String) throws -> Line {
      let file = "\(folder)/\(name.filter(\.isLetter)).map.yaml"
      try (key?.mapping(plain) ?? plain).write(toFile: file, atomically: true, encoding: .utf8)
      func run(_ feeds: String) -> [String] {
        [command, "run", "-m", file, "--jobs", "1", "\(feeds)/\(LogFeed.feed)"]
      }
      return Line(name: name, bar: key?.bar) {
        if counts { return try instructions(run(feeds), run(small.one)) }
        let outcome = try Command(arguments: run(feeds)).run()
        guard outcome.status == 0 else {
          throw BenchmarkError("\(name): ended with status \(outcome.status)")
        }
        return outcome.timing.cpu
      }
    }
    let feeds = counts ? small.some : feeds
    var lines = counts ? [] : [try line(nil, over: small.one, "the start")]
    lines.append(try line(nil, over: feeds, "plain"))
    lines += try CliffKey.all.filter { isWanted($0.name) }.map {
      try line($0, over: feeds, $0.name)
    }
    print("logs to output, eleven fields and one more key; \(unit) without the start\n")
    return try measure(lines, hasStart: !counts)
  }

  private func measureFields(_ folder: String) throws -> Bool {
    let feed = try MappedFile(path: "\(feeds)/\(LogFeed.feed)")
    let small = try smallFeeds(folder)
    let program = counts ? try Callgrind.stripped(CommandLine.arguments[0], folder) : ""
    func line(_ name: String, _ bar: Double?, _ field: String) -> Line {
      func run(_ feeds: String) -> [String] {
        [program, "cliff", "--feeds", feeds, "--field", field]
      }
      return Line(name: name, bar: bar) {
        if counts { return try instructions(run(small.some), run(small.one)) }
        let start = Clock.now
        _ = try CliffField.run(field, feed)
        return start.elapsed.cpu
      }
    }
    print("\nlogs to typed values, eight fields and one more; \(unit)\n")
    return try measure(
      [line("plain", nil, "")]
        + CliffField.allCases.filter { isWanted($0.rawValue) }
        .map { line($0.rawValue, $0.bar, $0.rawValue) }, hasStart: false)
  }

  /// The instructions of a command, without those of another one.
  private func instructions(_ work: [String], _ start: [String]) throws -> Double {
    Double(try (Callgrind.count(work) - Callgrind.count(start)).instructions)
  }

  private var unit: String { counts ? "millions of instructions" : "processor time in ms" }

  /// Runs all in turn, and prints their shortest times.
  private func measure(_ given: [Line], hasStart: Bool) throws -> Bool {
    var lines = given
    for _ in 0..<(counts ? 1 : runs) {
      for index in lines.indices {
        lines[index].best = min(lines[index].best, try lines[index].run())
      }
    }
    let start = hasStart ? lines.removeFirst().best : 0
    let plain = lines[0].best - start
    var isGood = true
    print("| one more | \(counts ? "millions" : "ms") | × plain | bar |\n|---|---|---|---|")
    let scale = counts ? 1e-6 : 1000
    for line in lines {
      let ratio = (line.best - start) / plain
      let bar = line.bar.map { Table.number($0, 1) } ?? ""
      let mark = line.bar.map { ratio > $0 } == true ? " **above**" : ""
      if !mark.isEmpty { isGood = false }
      print(
        "| \(line.name) | \(Table.number((line.best - start) * scale, 1)) | \(Table.number(ratio, 2)) | \(bar)\(mark) |"
      )
    }
    return isGood
  }
}
