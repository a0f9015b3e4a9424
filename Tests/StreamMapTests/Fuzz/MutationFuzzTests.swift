import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Random damage: never a trap, always an address, the same verdict by every route, and that of Foundation's parser.
@Suite(.long) struct MutationFuzzTests {
  @Test func `random damage is judged alike by every route, with true addresses`() throws {
    let json = try Mapper(output: .raw)
    let nothing = try Mapper(output: FeedCase.nothing)
    var rejected = 0
    var accepted = 0
    for seed in FuzzCount.seeds(TestExtent.isLong ? 1500 : 500) {
      var cases = RandomCases(seed: seed &+ 1 << 32)
      let bytes = cases.mutated(Array(cases.text().utf8))
      let sizes = [1, 1 + cases.below(8), 1 + cases.below(40)]
      let format = cases.one(of: [FeedFormat.json, .json, .ndjson, .concatenated, .sequence, .auto])
      let whole = try Routes.run(json, bytes, at: [], format: format, pieceSizes: sizes) {
        $0.description
      }
      let passed = try Routes.run(nothing, bytes, at: [], format: format, pieceSizes: sizes) {
        $0.description
      }
      let comment =
        "seed \(seed): \(format) \(String(decoding: bytes, as: UTF8.self).debugDescription)"
      if whole.map(FeedCase.address) != passed.map(FeedCase.address) {
        Issue.record("\(comment)\n\(whole.map(FeedCase.address))\n\(passed.map(FeedCase.address))")
      }
      for error in whole.compactMap(\.error) {
        guard let position = error.position, 0...bytes.count ~= position.bytes.upperBound else {
          Issue.record("\(comment)\n\(error)")
          continue
        }
        if MarkedFeed.position(position.bytes, in: bytes) != position {
          Issue.record("\(comment)\n\(error)")
        }
      }
      guard format == .json else { continue }
      let isAccepted = whole.first?.error == nil
      if isAccepted { accepted += 1 } else { rejected += 1 }
      if isAccepted != foundationAccepts(bytes), !mayDiffer(bytes, whole.first?.error) {
        Issue.record(
          "\(comment)\naccepted: \(isAccepted)\n\(whole.first?.error?.description ?? "")")
      }
    }
    #expect(rejected > 100 && accepted > (TestExtent.isLong ? 20 : 10))
  }

  private func foundationAccepts(_ bytes: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
  }

  private static func hasHugeNumber(_ json: NaiveJSON) -> Bool {
    switch json.value {
    case .number(let text): Double(text)?.isInfinite ?? true
    case .array(let elements): elements.contains(where: hasHugeNumber)
    case .object(let members): members.contains { hasHugeNumber($0.value) }
    case .null, .bool, .string: false
    }
  }

  /// Where the two may differ.
  private func mayDiffer(_ bytes: [UInt8], _ error: MappingError?) -> Bool {
    // It refuses numbers that a Double cannot hold.
    if error == nil { return NaiveJSON(bytes).map(Self.hasHugeNumber) ?? false }
    // Foundation reads UTF-16 and UTF-32 too.
    if error?.expected == "UTF-8" { return true }
    // It also takes a comma after the last member or element.
    return ["a key '}'", "a value ']'"].contains("\(error?.expected ?? "") \(error?.found ?? "")")
  }
}
