import Foundation

/// Results as text.
enum Table {
  static func print(_ task: TaskResult) {
    let width = max(24, task.contenders.map(\.name.count).max() ?? 0)
    let head = pad("contender", width) + "  kind           wall s   cpu s    GB/s   ratio   spread"
    Swift.print("  \(head)")
    for contender in task.contenders {
      let ratio = task.ratio(contender.name, to: task.baseline).map { number($0, 2) + "x" } ?? "-"
      let spread =
        "\(number((contender.spread.lowerBound - 1) * 100, 0))"
        + "..+\(number((contender.spread.upperBound - 1) * 100, 0)) %"
      let columns = [
        pad(contender.name, width), pad(contender.kind.rawValue, 10),
        right(number(contender.wall, 4), 9), right(number(contender.cpu, 4), 7),
        right(task.throughput(contender).map { number($0, 3) } ?? "-", 7), right(ratio, 7), spread,
      ]
      Swift.print("  " + columns.joined(separator: "  "))
    }
    Swift.print("  ratio: times as fast as \(task.baseline)")
  }

  static func print(_ memory: [Memory.Result]) {
    for result in memory {
      Swift.print(
        "  \(pad(result.shape, 10)) \(right("\(result.megabytes)", 6)) MB"
          + "  \(right("\(result.records)", 8)) records"
          + "  peak \(number(Double(result.peak) / 1e6, 1)) MB")
    }
  }

  static func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
