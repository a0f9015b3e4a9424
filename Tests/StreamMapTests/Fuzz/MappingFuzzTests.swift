import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Random mappings of random texts by every route, held against the reference interpreter.
///
/// STREAMMAP_FUZZ_COUNT raises the number of cases, STREAMMAP_FUZZ_SEED sets where they start.
@Suite(.long) struct MappingFuzzTests {
  @Test func `random mappings agree with the reference interpreter by every route`() throws {
    var limits = Limits()
    limits.errorsPerRecord = 100_000
    var compared = 0
    for seed in FuzzCount.seeds(TestExtent.isLong ? 1500 : 500, and: [550, 623, 664, 99863]) {
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
    #expect(compared > (TestExtent.isLong ? 1000 : 330))
  }

  @Test func `random formulas and conditions agree with the reference interpreter by every route`()
    throws
  {
    var limits = Limits()
    limits.errorsPerRecord = 100_000
    var compared = 0
    for seed in FuzzCount.seeds(TestExtent.isLong ? 1500 : 500) {
      var cases = RandomCases(seed: seed &+ 1_000_000)
      let mapping = cases.formulaMapping()
      let mapper = try Mapper(output: mapping, limits: limits)
      for _ in 0..<3 {
        let text = cases.text()
        let sizes = [1, 1 + cases.below(8), 1 + cases.below(40)]
        try check(mapper, mapping, text, sizes, seed)
        compared += 1
      }
    }
    #expect(compared > (TestExtent.isLong ? 1000 : 330))
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
    if expected.isOmitted {
      #expect(records.isEmpty, "seed \(seed): kept\n\(text)\n\(mapper.plan)")
      return
    }
    let problem =
      records.count == 1
      ? Routes.difference(records[0], expected) : "\(records.count) records"
    if let problem {
      Issue.record("seed \(seed): \(problem)\n\(text)\n\(mapper.plan)")
    }
  }
}
