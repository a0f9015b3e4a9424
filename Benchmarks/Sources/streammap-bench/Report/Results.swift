import Foundation

/// Everything that a run found out, as it is written to the results file.
struct Results: Codable {
  let machine: Machine
  let date: Date
  let runs: Int
  var tasks: [TaskResult] = []
  var memory: [Memory.Result] = []
}

struct TaskResult: Codable {
  let name: String
  let summary: String
  /// The number of bytes of the feed that the work reads; nil if throughput has no meaning.
  let bytes: Int?
  let baseline: String
  let contenders: [ContenderResult]
  /// Contenders whose result differed from the reference.
  let wrong: [String]

  func contender(_ name: String) -> ContenderResult? { contenders.first { $0.name == name } }

  /// In GB/s.
  func throughput(_ contender: ContenderResult) -> Double? {
    bytes.map { Double($0) / contender.wall / 1e9 }
  }

  /// How many times as fast a contender is as another one.
  func ratio(_ name: String, to other: String) -> Double? {
    guard let own = contender(name), let other = contender(other) else { return nil }
    return other.wall / own.wall
  }
}

struct ContenderResult: Codable {
  let name: String
  let kind: ContenderKind
  let timings: [Timing]

  /// The median, in seconds.
  var wall: Double { median(timings.map(\.wall)) }
  var cpu: Double { median(timings.map(\.cpu)) }
  /// The fastest and the slowest run, as parts of the median.
  var spread: ClosedRange<Double> {
    let walls = timings.map { $0.wall / wall }
    return (walls.min() ?? 1)...(walls.max() ?? 1)
  }

  private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// The machine on which the figures were measured.
struct Machine: Codable {
  let processor: String
  let cores: Int
  let system: String
  let swift: String

  static var here: Machine {
    let model = information.split(separator: "\n").first { $0.hasPrefix("model name") }
    return Machine(
      processor: model?.split(separator: ": ").last.map(String.init) ?? architecture,
      cores: ProcessInfo.processInfo.activeProcessorCount,
      system: ProcessInfo.processInfo.operatingSystemVersionString, swift: swiftVersion)
  }

  /// The machine code that runs here under valgrind, which has no AVX-512.
  var code: String {
    Self.architecture + (Self.information.contains(" avx2 ") ? " with AVX2" : "")
  }

  private static var information: String {
    (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
  }

  private static var architecture: String {
    #if arch(x86_64)
    "x86_64"
    #elseif arch(arm64)
    "arm64"
    #else
    "unknown"
    #endif
  }

  private static var swiftVersion: String {
    let path = Workbench.temporary("swift")
    _ = try? Command(arguments: ["swift", "--version"]).run(output: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").first { $0.contains("version") }.map(String.init)
      ?? "unknown"
  }
}
