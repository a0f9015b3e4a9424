import Metrics
import Synchronization

/// The metrics of swift-metrics as Prometheus reads them (text format 0.0.4).
///
/// Counters and meters are written as they are, timers as histograms, recorders as a count and a sum.
final class PrometheusFactory: MetricsFactory {
  private enum Kind: String {
    case counter, gauge, histogram, summary
  }

  /// The buckets of timers, in seconds: from an answer without a feed to a feed of an hour.
  private static let bounds = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600]

  private struct Key: Hashable {
    let name: String
    let labels: String
  }

  private let series = Mutex<[Key: (kind: Kind, value: Series)]>([:])

  private func series(_ label: String, _ dimensions: [(String, String)], _ kind: Kind) -> Series {
    let labels = dimensions.map { #"\#(Self.name($0.0))="\#(Self.escaped($0.1))""# }
    let key = Key(name: Self.name(label), labels: labels.sorted().joined(separator: ","))
    return series.withLock { all in
      if let known = all[key] { return known.value }
      let new = Series(bounds: kind == .histogram ? Self.bounds : [])
      all[key] = (kind, new)
      return new
    }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(Self.name(label, unit: "_total"), dimensions, .counter)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions, .gauge)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    series(label, dimensions, aggregate ? .summary : .gauge)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(Self.name(label, unit: "_seconds"), dimensions, .histogram)
  }

  // A series stays: its sums must not begin again.
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}

  /// All series, one a line.
  func text() -> String {
    let all = series.withLock { $0 }.sorted {
      ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels)
    }
    var text = ""
    var last = ""
    for (key, (kind, series)) in all {
      if key.name != last { text += "# TYPE \(key.name) \(kind.rawValue)\n" }
      last = key.name
      let labels = key.labels.isEmpty ? "" : "{\(key.labels)}"
      let (count, sum, buckets) = series.read()
      if kind == .histogram {
        let before = key.labels.isEmpty ? "" : key.labels + ","
        for (bound, least) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], buckets + [count]) {
          text += "\(key.name)_bucket{\(before)le=\"\(bound)\"} \(least)\n"
        }
      }
      if kind == .histogram || kind == .summary {
        text += "\(key.name)_count\(labels) \(count)\n\(key.name)_sum\(labels) \(sum)\n"
      } else {
        text += "\(key.name)\(labels) \(sum)\n"
      }
    }
    return text
  }

  /// A name with the end that Prometheus wants there.
  private static func name(_ label: String, unit: String) -> String {
    label.hasSuffix(unit) ? label : label + unit
  }

  private static func name(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

/// One line of the metrics.
private final class Series: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
  private let bounds: [Double]
  /// A bucket counts all values up to its bound.
  private let state: Mutex<(count: Int, sum: Double, buckets: [Int])>

  init(bounds: [Double]) {
    self.bounds = bounds
    state = Mutex((0, 0, bounds.map { _ in 0 }))
  }

  func read() -> (count: Int, sum: Double, buckets: [Int]) { state.withLock { $0 } }

  private func add(_ value: Double) {
    state.withLock {
      $0.count += 1
      $0.sum += value
      for (index, bound) in bounds.enumerated() where value <= bound { $0.buckets[index] += 1 }
    }
  }

  func increment(by amount: Int64) { add(Double(amount)) }
  func increment(by amount: Double) { add(amount) }
  func decrement(by amount: Double) { add(-amount) }
  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { state.withLock { $0.sum = value } }
  func record(_ value: Int64) { add(Double(value)) }
  func record(_ value: Double) { add(value) }
  func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e9) }
  func reset() { state.withLock { $0 = (0, 0, bounds.map { _ in 0 }) } }
}
