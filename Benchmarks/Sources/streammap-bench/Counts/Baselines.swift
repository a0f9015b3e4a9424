import Foundation

/// The committed counts, and the machine and compiler that they were made with: another compiler or processor runs
/// other machine code, whose counts cannot be compared with them.
struct Baselines: Codable {
  /// The counts of one workload, without the program's own start and end.
  struct Count: Codable {
    var instructions: Int
    var allocations: Int

    static func - (a: Count, b: Count) -> Count {
      Count(
        instructions: a.instructions - b.instructions, allocations: a.allocations - b.allocations)
    }

    /// The least of each figure of two counts of the same.
    func least(_ other: Count) -> Count {
      Count(
        instructions: min(instructions, other.instructions),
        allocations: min(allocations, other.allocations))
    }
  }

  /// A count compared with its baseline.
  enum Verdict {
    case missing
    case within
    /// More than the tolerance above: a regression.
    case worse
    /// More than the tolerance below: the baseline no longer protects anything.
    case better
  }

  var code: String
  var swift: String
  var counts: [String: Count] = [:]

  private static let tolerance = 0.05
  /// A handful of allocations in the set-up is neither a regression nor progress.
  private static let slack = 20.0

  /// Baselines for this machine, without counts.
  static var here: Baselines {
    let machine = Machine.here
    return Baselines(code: machine.code, swift: machine.swift)
  }

  /// - Returns: nil if there is no file.
  static func read(_ path: String) throws -> Baselines? {
    try FileManager.default.contents(atPath: path)
      .map { try JSONDecoder().decode(Baselines.self, from: $0) }
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: path))
  }

  /// Whether counts from another machine or compiler can be compared with these.
  func isComparable(to other: Baselines) -> Bool {
    code == other.code && swift == other.swift
  }

  static func verdict(_ now: Int, _ before: Int?) -> Verdict {
    guard let before else { return .missing }
    let (count, base) = (Double(now), Double(before))
    if count > base * (1 + tolerance) + slack { return .worse }
    if count < base * (1 - tolerance) - slack { return .better }
    return .within
  }
}
