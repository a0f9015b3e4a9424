#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Multiples of a number, by exact arithmetic: 0.3 is a multiple of 0.1.

extension Rule where Value: BinaryInteger & Sendable {
  /// A multiple of this number; 0 is a multiple of every number.
  ///
  /// It is a ``mistake`` if the number is 0.
  public static func multipleOf(_ factor: Value) -> Rule {
    guard factor != 0 else { return Rule("multipleOf", mistake: "only 0 is a multiple of 0") }
    return Rule("multipleOf", expecting: "a multiple of \(factor)") { $0.isMultiple(of: factor) }
  }
}

extension Rule where Value == Double {
  /// A multiple of this number; both are taken as the decimal numbers of their shortest texts.
  ///
  /// It is a ``mistake`` if the number is 0 or not finite.
  public static func multipleOf(_ factor: Double) -> Rule { decimalMultiple(of: factor) }
}

extension Rule where Value == Float {
  /// A multiple of this number; both are taken as the decimal numbers of their shortest texts.
  ///
  /// It is a ``mistake`` if the number is 0 or not finite.
  public static func multipleOf(_ factor: Float) -> Rule { decimalMultiple(of: factor) }
}

extension Rule where Value == Decimal {
  /// A multiple of this number, exactly.
  ///
  /// It is a ``mistake`` if the number is 0 or NaN.
  public static func multipleOf(_ factor: Decimal) -> Rule { decimalMultiple(of: factor) }
}

extension Rule where Value: CustomStringConvertible & Sendable {
  fileprivate static func decimalMultiple(of factor: Value) -> Rule {
    guard let multiples = ExactNumber(factor.description).flatMap({ NumberMultiples(of: $0) })
    else {
      return Rule("multipleOf", mistake: "\(factor) has no multiples")
    }
    return Rule("multipleOf", expecting: "a multiple of \(factor)") { value in
      var text = value.description
      return text.withUTF8 { multiples.contains($0) }
    }
  }
}
