import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// How a plan finds its values in rows.
@Suite struct RowLayoutTests {
  /// The objects of a mapping that no group opens.
  private func closed(_ mapping: OutputMapping) -> [Int32]? {
    guard let rows = try? PlanCompiler.compile(mapping.definition).tables.rows else { return nil }
    let groups = (0..<Int32(rows.groupOfObject.count)).map { rows.groupOfObject[$0].pointee }
    return groups.filter { !(0..<Int32(rows.groups.count)).contains($0) }
  }

  @Test func `what a record tells of itself may become an object`() {
    let inner = OutputMapping.object([
      OutputField("whole", from: "$", .raw), OutputField("a", from: "a.b", .nullable(.int64)),
    ])
    let mapping = OutputMapping.object([
      OutputField("id", from: "id", .int64), OutputField("of", .key, inner),
    ])
    #expect(closed(mapping) == [])
  }

  @Test func `each object of a plan has a group that opens it`() {
    var plans = 0
    for seed in 1...UInt64(400) {
      var cases = RandomCases(seed: seed)
      guard let closed = closed(cases.mapping()) else { continue }
      #expect(closed == [], "seed \(seed)")
      plans += 1
    }
    #expect(plans > 100)
  }
}
