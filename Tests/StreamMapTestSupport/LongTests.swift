import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Marks a test that takes more than half a second of processor time, or starts the command dozens of times: `scripts/test --quick`
  /// leaves it out.
  static var long: Self {
    .disabled(if: ProcessInfo.processInfo.environment["STREAMMAP_QUICK"] != nil, "It is long.")
  }
}

/// How much tests try of what would take minutes: `scripts/test` takes a sample of it, `scripts/test --long` all.
enum TestExtent {
  /// Whether to try all.
  static let isLong = ProcessInfo.processInfo.environment["STREAMMAP_LONG"] != nil

  /// All, or every so many.
  static func sample<Elements: Collection>(_ all: Elements, every step: Int) -> [Elements.Element] {
    isLong ? Array(all) : all.enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }
}
