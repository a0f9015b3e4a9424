import ArgumentParser
import StreamMap
import StreamMapPlatform

/// The figures of a run.
struct Statistics: Codable {
  /// How figures are printed.
  enum Form: String, NamedChoice {
    case human, json
  }

  var mapped = 0
  var rejected = 0
  /// Records that were mapped but do not meet `where`.
  var dropped = 0
  var issues = 0
  var bytes = 0
  var outputBytes = 0
  var seconds = 0.0

  var records: Int { mapped + rejected + dropped }

  private var megabytesPerSecond: Double { seconds > 0 ? Double(bytes) / 1e6 / seconds : 0 }

  /// The most memory that the process ever used.
  private var peakMemory: Int {
    var usage = rusage()
    #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
    #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
    #endif
  }

  /// The figures in a form, with the name of the mapping that they are of, where a run has several.
  func text(_ form: Form, of mapping: String?) -> String {
    switch form {
    case .json:
      "{\(mapping.map { "\"mapping\":\(JSONValue.string($0))," } ?? "")\"records\":\(records),\"mapped\":\(mapped),\"rejected\":\(rejected)"
        + ",\"dropped\":\(dropped),\"issues\":\(issues)"
        + ",\"bytes\":\(bytes),\"output_bytes\":\(outputBytes)"
        + ",\"seconds\":\(ShownSize.decimal(seconds, 6))"
        + ",\"mb_per_s\":\(ShownSize.decimal(megabytesPerSecond, 3))"
        + ",\"peak_memory_bytes\":\(peakMemory)}"
    case .human:
      (mapping.map { "mapping      \($0)\n" } ?? "") + """
        records      \(records)
        mapped       \(mapped)
        rejected     \(rejected)
        dropped      \(dropped)
        issues       \(issues)
        input        \(bytes) bytes
        output       \(outputBytes) bytes
        time         \(ShownSize.decimal(seconds, 3)) s
        speed        \(ShownSize.decimal(megabytesPerSecond, 1)) MB/s
        peak memory  \(ShownSize.decimal(Double(peakMemory) / 1e6, 1)) MB
        """
    }
  }
}
