import ArgumentParser
import Foundation

/// Counts instructions and allocations, and compares them with the committed counts.
struct CountsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "counts",
    abstract: "Counts instructions and allocations of small workloads under valgrind.",
    discussion: """
      Compares them with Baselines.json; ends with 1 where one is more than 5 % above, or has no
      baseline. Where the baselines are another Swift's or processor's, it only shows them. valgrind
      has no AVX-512, so what is counted is the code for processors without it.
      """)

  @Flag(help: "Write what is counted as the new baselines.")
  var update = false

  @Option(help: ArgumentHelp("Only this workload. May be repeated.", valueName: "workload"))
  var only: [String] = []

  @Option(help: ArgumentHelp("The command, for the workloads that it does.", valueName: "file"))
  var streamMap = Workbench.home + "/../.build/release/stream-map"

  @Option(help: ArgumentHelp("Where the committed counts are.", valueName: "file"))
  var baselines = Workbench.home + "/Baselines.json"

  private static let feedSize = 2_000_000

  func run() throws {
    guard Command.find("valgrind") != nil else {
      print("counts: left out, since valgrind is not installed")
      return
    }
    let directory = Workbench.temporary("feeds")
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for var feed in SeededFeeds.all {
      try feed.write(to: "\(directory)/\(feed.name)", size: Self.feedSize)
    }
    try DocumentFeed.write(
      linesAt: "\(directory)/\(Tweets7.feed)", to: "\(directory)/\(TweetsDocument.feed)")
    let program = try stripped(CommandLine.arguments[0], directory)
    var counts: [String: Baselines.Count] = [:]
    let workloads = Workload.allCases.filter { $0 == .nothing || isWanted($0.rawValue) }
    if workloads.count > 1 { counts = try count(program, workloads, directory) }
    let command = try stripped(streamMap, directory)
    for workload in CommandWorkload.allCases where isWanted(workload.rawValue) {
      let (work, start) = try workload.arguments(directory)
      counts[workload.rawValue] = try count([command] + work) - count([command] + start)
    }
    try report(counts)
  }

  private func isWanted(_ workload: String) -> Bool { only.isEmpty || only.contains(workload) }

  /// A copy of a program without debugging information, which is not needed and may be too much for valgrind to read.
  private func stripped(_ program: String, _ directory: String) throws -> String {
    let copy = "\(directory)/\(URL(filePath: program).lastPathComponent)"
    let strip = Command(arguments: ["strip", "-o", copy, program])
    guard try strip.run().status == 0 else { throw BenchmarkError("strip failed: \(program)") }
    return copy
  }

  // MARK: Counting

  /// The counts of workloads, without those of the program that does nothing.
  private func count(_ program: String, _ workloads: [Workload], _ directory: String) throws
    -> [String: Baselines.Count]
  {
    let (counts, output) = try counts(
      of: [program, "workloads", directory] + workloads.map(\.rawValue))
    var found: [String: Baselines.Count] = [:]
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 2, let process = Int32(words[1]), let count = counts[process] else {
        continue
      }
      found[words[0]] = count
    }
    guard let nothing = found.removeValue(forKey: Workload.nothing.rawValue),
      found.count == workloads.count - 1
    else { throw BenchmarkError("a workload was not counted:\n\(output)") }
    return found.mapValues { $0 - nothing }
  }

  /// The count of a command that is one process.
  private func count(_ command: [String]) throws -> Baselines.Count {
    guard let count = try counts(of: command).counts.first?.value else {
      throw BenchmarkError("\(command) was not counted")
    }
    return count
  }

  /// Runs a command under callgrind, which reports the instructions of each process, and writes how often each function was called.
  ///
  /// - Returns: The counts of each process by its number, and what the command wrote.
  private func counts(of command: [String]) throws -> (
    counts: [Int32: Baselines.Count], output: String
  ) {
    let folder = Workbench.temporary("valgrind")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (errors, output) = ("\(folder)/errors", "\(folder)/output")
    // Hashes with random seeds would make dictionaries, and therefore the counts, differ from run to run.
    let outcome = try Command(
      arguments: ["valgrind", "--tool=callgrind", "--callgrind-out-file=\(folder)/%p"] + command,
      environment: ["SWIFT_DETERMINISTIC_HASHING": "1"]
    ).run(output: output, errors: errors)
    let report = try String(contentsOfFile: errors, encoding: .utf8)
    guard outcome.status == 0 else {
      throw BenchmarkError("valgrind, \(command): status \(outcome.status)\n\(report)")
    }
    var counts: [Int32: Baselines.Count] = [:]
    // Such as `==1234== Collected : 5678`.
    for line in report.split(separator: "\n") where line.contains(" Collected : ") {
      let words = line.split(separator: " ")
      guard let process = words.first.flatMap({ Int32($0.filter(\.isNumber)) }),
        let instructions = words.last.flatMap({ Int($0) })
      else { continue }
      let profile = try String(contentsOfFile: "\(folder)/\(process)", encoding: .utf8)
      counts[process] = Baselines.Count(
        instructions: instructions, allocations: allocations(profile))
    }
    return (counts, try String(contentsOfFile: output, encoding: .utf8))
  }

  /// How often a profile says that the C library was asked for memory.
  ///
  /// A line `cfn=(7) malloc` gives a function a number, by which later lines name it; `calls=3 …` after it says how often it is called there.
  private func allocations(_ profile: String) -> Int {
    var numbers: Set<Substring> = []
    var called: Substring = ""
    var sum = 0
    for line in profile.split(separator: "\n") {
      if line.hasPrefix("calls=") {
        guard numbers.contains(called) else { continue }
        sum += Int(line.dropFirst(6).prefix { $0.isNumber }) ?? 0
      } else if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
        let words = line.drop { $0 != "(" }.split(separator: " ", maxSplits: 1)
        if words.count == 2, Self.allocators.contains(words[1]) { numbers.insert(words[0]) }
        if line.hasPrefix("c") { called = words[0] }
      }
    }
    return sum
  }

  /// The functions of the C library that give memory.
  ///
  /// Aligned memory may come without them, which is little.
  private static let allocators: Set<Substring> = ["malloc", "calloc", "realloc"]

  // MARK: Comparing

  private func report(_ counts: [String: Baselines.Count]) throws {
    let committed = try Baselines.read(baselines)
    var new = Baselines.here
    let isComparable = committed?.isComparable(to: new) ?? true
    var verdicts: [Baselines.Verdict] = []
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      let before = committed?.counts[name]
      let figures = [
        ("instructions", count.instructions, before?.instructions),
        ("allocations", count.allocations, before?.allocations),
      ]
      for (what, now, before) in figures {
        let verdict = Baselines.verdict(now, before)
        verdicts.append(verdict)
        print("  \(name) \(what): \(now)\(phrase(verdict, now, before))")
      }
    }
    let isWithin = CommandWorkload.judge(counts)
    if update {
      if isComparable { new.counts = committed?.counts ?? [:] }
      new.counts.merge(counts) { $1 }
      try new.write(to: baselines)
      print("counts: written to \(baselines)")
    } else if let committed, !isComparable {
      print(
        "counts: shown only, since the baselines are those of \(committed.swift), \(committed.code)"
      )
      print("  and this is \(new.swift), \(new.code)")
    } else {
      try judge(verdicts)
    }
    if !isWithin { throw ExitCode.failure }
  }

  private func judge(_ verdicts: [Baselines.Verdict]) throws {
    if verdicts.contains(.better) {
      print("counts: some are more than 5 % below; scripts/bench --counts --update keeps that")
    }
    if verdicts.contains(.worse) || verdicts.contains(.missing) {
      print(
        "counts: more than 5 % above the baseline, or without one; scripts/bench --counts --update"
          + " accepts the new ones")
      throw ExitCode.failure
    }
  }

  private func phrase(_ verdict: Baselines.Verdict, _ now: Int, _ before: Int?) -> String {
    guard let before else { return ", no baseline" }
    let change = before == 0 ? 0 : (Double(now) / Double(before) - 1) * 100
    let sign = change < 0 ? "" : "+"
    let mark =
      switch verdict {
      case .worse: " WORSE"
      case .better: " better"
      case .within, .missing: ""
      }
    return ", \(sign)\(Table.number(change, 1)) %\(mark)"
  }
}
