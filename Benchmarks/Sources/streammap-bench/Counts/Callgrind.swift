import Foundation

/// Counts instructions and allocations of commands by valgrind: unlike time, they do not jitter.
enum Callgrind {
  /// A copy of a program without debugging information, which is not needed and may be too much for valgrind to read.
  static func stripped(_ program: String, _ directory: String) throws -> String {
    let copy = "\(directory)/\(URL(filePath: program).lastPathComponent)"
    let strip = Command(arguments: ["strip", "-o", copy, program])
    guard try strip.run().status == 0 else { throw BenchmarkError("strip failed: \(program)") }
    return copy
  }

  /// The count of a command that is one process.
  static func count(_ command: [String]) throws -> Baselines.Count {
    guard let count = try counts(of: command).counts.first?.value else {
      throw BenchmarkError("\(command) was not counted")
    }
    return count
  }

  /// Runs a command under callgrind, which reports the instructions of each process, and writes how often each function was called.
  ///
  /// - Returns: The counts of each process by its number, and what the command wrote.
  static func counts(of command: [String]) throws -> (
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
  private static func allocations(_ profile: String) -> Int {
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
}
