import Foundation

/// How many random cases are tried.
enum FuzzCount {
  /// The seeds of a run: as many as the standard says, from 1 up, and those kept that found something once.
  static func seeds(_ standard: Int, and kept: [UInt64] = []) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["STREAMMAP_FUZZ_COUNT"].flatMap(Int.init) ?? standard
    let first = environment["STREAMMAP_FUZZ_SEED"].flatMap(UInt64.init) ?? 1
    return kept + (first..<first + UInt64(count))
  }
}
