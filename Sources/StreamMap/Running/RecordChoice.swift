/// Which records of a feed are mapped, by their numbers; the others are read and checked to be JSON, and nothing else.
///
/// It depends on nothing but the number, so it is the same on all threads.
package struct RecordChoice: Sendable, Hashable {
  /// A random part of the records.
  ///
  /// A hash of the seed, the feed's number and the record's number decides whether a record is in it (the finaliser of
  /// SplitMix64).
  package struct Sample: Sendable, Hashable {
    /// From 0 to 1.
    let share: Double
    let seed: UInt64

    package init(share: Double, seed: UInt64) {
      self.share = share
      self.seed = seed
    }

    fileprivate func takes(_ number: Int, ofFeed feed: Int) -> Bool {
      let key = Self.mixed(seed &+ Self.step &* UInt64(truncatingIfNeeded: feed))
      let hash = Self.mixed(key &+ Self.step &* UInt64(truncatingIfNeeded: number))
      // The upper 53 bits, as a number from 0 to 1.
      return Double(hash >> 11) * 0x1p-53 < share
    }

    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private static func mixed(_ value: UInt64) -> UInt64 {
      var value = value
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  /// How many records come before the first one.
  let skipped: Int
  let sample: Sample?
  /// The feed's number in the run.
  let feed: Int

  /// - Parameters:
  ///   - skipped: How many records are passed over at the beginning.
  ///   - sample: Which of the others are mapped; nil for all.
  ///   - feed: The feed's number in the run.
  package init(skipping skipped: Int, _ sample: Sample?, ofFeed feed: Int) {
    self.skipped = skipped
    self.sample = sample
    self.feed = feed
  }

  /// Whether a record is mapped, by its number from 1.
  func takes(_ number: Int) -> Bool {
    number > skipped && sample?.takes(number, ofFeed: feed) ?? true
  }
}
