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
    let program = try Callgrind.stripped(CommandLine.arguments[0], directory)
    var counts: [String: Baselines.Count] = [:]
    let workloads = Workload.allCases.filter { $0 == .nothing || isWanted($0.rawValue) }
    if workloads.count > 1 { counts = try count(program, workloads, directory) }
    let command = try Callgrind.stripped(streamMap, directory)
    for workload in CommandWorkload.allCases where isWanted(workload.rawValue) {
      let (work, start) = try workload.arguments(directory)
      counts[workload.rawValue] =
        try Callgrind.count([command] + work) - Callgrind.count([command] + start)
    }
    try report(counts)
  }

  private func isWanted(_ workload: String) -> Bool { only.isEmpty || only.contains(workload) }

  // MARK: Counting

  /// The counts of workloads, without those of the program that does nothing.
  private func count(_ program: String, _ workloads: [Workload], _ directory: String) throws
    -> [String: Baselines.Count]
  {
    let (counts, output) = try Callgrind.counts(
      of: [program, "workloads", directory]
        + workloads.flatMap { Array(repeating: $0.rawValue, count: $0.repetitions) })
    var found: [String: Baselines.Count] = [:]
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 2, let process = Int32(words[1]), let count = counts[process] else {
        continue
      }
      found[words[0]] = found[words[0]].map { $0.least(count) } ?? count
    }
    guard let nothing = found.removeValue(forKey: Workload.nothing.rawValue),
      found.count == workloads.count - 1
    else { throw BenchmarkError("a workload was not counted:\n\(output)") }
    return found.mapValues { $0 - nothing }
  }

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
