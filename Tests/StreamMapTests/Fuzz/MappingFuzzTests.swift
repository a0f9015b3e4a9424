import Foundation
import Testing

@testable import StreamMap

/// Random mappings of random texts by every route, held against the reference interpreter.
///
/// STREAMMAP_FUZZ_COUNT raises the number of cases, STREAMMAP_FUZZ_SEED sets where they start.
@Suite(.long) struct MappingFuzzTests {
  @Test func `random mappings agree with the reference interpreter by every route`() throws {
    var limits = Limits()
    limits.errorsPerRecord = 100_000
    var compared = 0
    for seed in FuzzCount.seeds(1500, and: [550, 623, 664, 99863]) {
      var cases = RandomCases(seed: seed)
      let mapping = cases.mapping()
      guard let mapper = try? Mapper(output: mapping, limits: limits) else { continue }
      for _ in 0..<3 {
        let text = cases.text()
        let sizes = [1, 1 + cases.below(8), 1 + cases.below(40)]
        try check(mapper, mapping, text, sizes, seed)
        compared += 1
      }
    }
    #expect(compared > 1000)
  }

  private func check(
    _ mapper: Mapper<RawJSON>, _ mapping: OutputMapping, _ text: String, _ sizes: [Int],
    _ seed: UInt64
  ) throws {
    let bytes = Array(text.utf8)
    let records = try Routes.run(mapper, bytes, at: [], format: .json, pieceSizes: sizes) {
      $0.description
    }
    let json = try #require(NaiveJSON(bytes), "seed \(seed)")
    let expected = ReferenceInterpreter.map(json, by: mapping.definition)
    let problem = difference(records, expected)
    if let problem {
      Issue.record("seed \(seed): \(problem)\n\(text)\n\(mapper.plan)")
    }
  }

  private func difference(
    _ records: [Record<RawJSON>],
    _ expected: (text: String?, findings: [ReferenceInterpreter.Finding])
  ) -> String? {
    guard records.count == 1, let record = records.first else { return "\(records.count) records" }
    if !Self.areSame(record.value?.description, expected.text) {
      return
        "\(record.value?.description ?? "nothing") for \(expected.text ?? "nothing")\n\(Self.list(record))"
    }
    let found = Self.findings(of: record).map(\.description).sorted()
    let wanted = expected.findings.map(\.description).sorted()
    if found == wanted { return nil }
    let missing = wanted.filter { !found.contains($0) }
    let extra = found.filter { !wanted.contains($0) }
    return "errors \(found.count) for \(wanted.count)\nmissing: \(missing)\nextra: \(extra)"
  }

  /// Whether two texts are the same, members of objects in any order.
  ///
  /// The order matters in one case only: of a dictionary's equal keys an earlier one has no value, and the last has. The
  /// machine writes that where it stands, the interpreter where its key came first.
  private static func areSame(_ text: String?, _ other: String?) -> Bool {
    if text == other { return true }
    guard let text, let other, let value = NaiveJSON(Array(text.utf8)),
      let otherValue = NaiveJSON(Array(other.utf8))
    else { return false }
    return sorted(value) == sorted(otherValue)
  }

  private static func sorted(_ json: NaiveJSON) -> String {
    switch json.value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): text
    case .string(let text): JSONValue.string(text).description
    case .array(let elements): "[" + elements.map(sorted).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.map { "\(JSONValue.string($0.key)):\(sorted($0.value))" }.sorted().joined(
          separator: ",") + "}"
    }
  }

  private static func list(_ record: Record<RawJSON>) -> String {
    findings(of: record).map(\.description).joined(separator: "\n")
  }

  private static func findings(of record: Record<RawJSON>) -> [ReferenceInterpreter.Finding] {
    var errors = record.issues
    if let error = record.error {
      errors +=
        error.code == .severalErrors ? error.underlying.compactMap { $0 as? MappingError } : [error]
    }
    return errors.map {
      ReferenceInterpreter.Finding(
        severity: $0.severity, code: $0.code, path: $0.path, target: $0.target ?? JSONPath(),
        position: $0.position)
    }
  }
}

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
