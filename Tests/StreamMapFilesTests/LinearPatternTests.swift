import Testing

@testable import StreamMapFiles

/// Patterns of mapping files, without a feed.
@Suite struct LinearPatternTests {
  @Test func `a pattern whose automaton does not fit into memory takes linear time`() throws {
    // Its automaton has some 2^20 states.
    let linear = try LinearPattern("(a|b)*a(a|b){20}")
    var random = SystemRandomNumberGenerator()
    let letters = (0..<100_000).map { _ in UInt8(ascii: Bool.random(using: &random) ? "a" : "b") }
    letters.withUnsafeBufferPointer {
      let expected = $0[$0.count - 21] == UInt8(ascii: "a")
      #expect(linear.matches($0, isWhole: true) == expected)
    }
  }
}
