#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A number in the first of four types that holds its value unchanged.
package enum HeldNumber {
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case decimal(Decimal)

  /// Reads the text of a JSON number; nil if no type holds it.
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    if Self.isWhole(text) {
      if case .value(let integer) = NumberText.integer(text, as: Int64.self) {
        self = .int64(integer)
        return
      }
      if case .value(let integer) = NumberText.integer(text, as: UInt64.self) {
        self = .uint64(integer)
        return
      }
    }
    if let double = NumberText.double(text), Self.isShortest(double, text) {
      self = .double(double)
    } else if let decimal = NumberText.decimal(text) {
      self = .decimal(decimal)
    } else {
      return nil
    }
  }

  /// Whether the text has neither a fraction nor an exponent, and is not a zero with a sign.
  private static func isWhole(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.allSatisfy {
      $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
      && !(text.count == 2 && text[0] == UInt8(ascii: "-") && text[1] == UInt8(ascii: "0"))
  }

  /// Whether a Double prints as the number in the text: 0.1 does, 0.1000000000000000055 does not.
  private static func isShortest(_ double: Double, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberToText.capacity) { room in
      guard let start = room.baseAddress, let count = NumberToText.write(double, into: start),
        let digits = SignificantDigits(text),
        let shown = SignificantDigits(UnsafeBufferPointer(start: start, count: count))
      else { return false }
      return digits.isSameNumber(as: shown)
    }
  }
}
