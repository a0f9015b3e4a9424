/// The same numbers on every machine and with every version of Swift: SplitMix64 (Steele, Lea and
/// Flood, 2014).
struct SeededGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from the range.
  mutating func number(_ range: Range<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// True in this percentage of calls.
  mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[number(0..<choices.count)]
  }
}
