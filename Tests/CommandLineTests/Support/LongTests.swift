import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Marks a test that takes seconds: `scripts/test --quick` leaves it out.
  static var long: Self {
    .disabled(if: ProcessInfo.processInfo.environment["STREAMMAP_QUICK"] != nil, "It is long.")
  }
}
