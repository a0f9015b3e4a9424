import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Random changes of texts, numbers and forms by every route, held against the reference interpreter.
///
/// STREAMMAP_FUZZ_COUNT raises the number of cases, STREAMMAP_FUZZ_SEED sets where they start.
@Suite(.long) struct ShapeFuzzTests {
  @Test func `random changes of values agree with the reference interpreter by every route`() throws
  {
    var limits = Limits()
    limits.errorsPerRecord = 100_000
    var compared = 0
    var made = 0
    for seed in FuzzCount.seeds(600) {
      var cases = RandomCases(seed: seed)
      let mapping = cases.shapes()
      let mapper = try Mapper(output: mapping, limits: limits)
      let selects = "\(mapper.plan)".contains(": all of ")
      for _ in 0..<4 {
        let text = cases.shapedText()
        let bytes = Array(text.utf8)
        let records = try Routes.run(
          mapper, bytes, at: [], format: .json, pieceSizes: [1, 1 + cases.below(30)]
        ) { $0.description }
        let json = try #require(NaiveJSON(bytes), "seed \(seed)")
        // If keys are equal inside a value that is kept as it stands, the interpreter has only the last one; paths select in such values.
        if Self.repeatsKeys(json, selects ? 1 : 0) { continue }
        let expected = ReferenceInterpreter.map(json, by: mapping.definition)
        if records.first?.value != nil { made += 1 }
        if let problem = Routes.difference(records[0], expected) {
          Issue.record("seed \(seed): \(problem)\n\(text)\n\(mapper.plan)")
        }
        compared += 1
      }
    }
    #expect(compared > 1000)
    // What always fails shows little.
    #expect(made * 200 > compared)
  }

  /// Whether an object inside a field's value has a key twice, also if the value is the text of JSON.
  private static func repeatsKeys(_ json: NaiveJSON, _ depth: Int) -> Bool {
    switch json.value {
    case .object(let members):
      if depth > 1, Set(members.map(\.exactKey)).count < members.count { return true }
      return members.contains { repeatsKeys($0.value, depth + 1) }
    case .array(let elements): return elements.contains { repeatsKeys($0, depth + 1) }
    case .string(let text):
      // The naive parser takes JSON alone.
      let bytes = Array(text.utf8)
      let isJSON =
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
      return isJSON && NaiveJSON(bytes).map { repeatsKeys($0, 2) } ?? false
    case .null, .bool, .number: return false
    }
  }
}
