#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Conversions between numbers and their texts.

extension Conversion where Source == String, Target: FixedWidthInteger & Sendable {
  /// A whole number of at most 128 bits that fits the type, from a text in JSON's notation, and back.
  ///
  /// The text is a number by RFC 8259 and nothing else: no space, plus sign or leading zero, which can easily be
  /// misread. `1.0` and `1e3` are whole. The conversion does not depend on any locale.
  ///
  /// ```swift
  /// let count: Conversion<String, Int> = .number
  /// try count.forward("12")   // 12
  /// try count.forward("007")  // throws: expected a text that is an integer (Int)
  /// ```
  public static var number: Conversion { number(punctuation: nil) }

  /// A whole number as people write it: see ``NumberPunctuation``.
  public static func number(_ punctuation: NumberPunctuation) -> Conversion {
    number(punctuation: punctuation)
  }

  private static func number(punctuation: NumberPunctuation?) -> Conversion {
    let expected = "a text that is an integer (\(typeName(Target.self)))"
    return numberText(punctuation, expected) { text in
      switch NumberText.integer(text, as: Target.self) {
      case .value(let value): return value
      case .invalid: throw ConversionFailure(expected: expected)
      case .outOfRange: throw ConversionFailure(expected: expected, code: .numberOutOfRange)
      }
    } write: {
      NumberToText.write($0, into: $1)
    }
  }
}

extension Conversion where Source == String, Target == Double {
  /// A number from a text in JSON's notation, correctly rounded; the reverse gives the shortest text with the same value.
  ///
  /// See ``Conversion/number-6dz39`` of integers for the allowed texts. A number beyond the range is an error. In the
  /// reverse, a number that is not finite is an error.
  public static var number: Conversion { number(punctuation: nil) }

  /// A number as people write it: see ``NumberPunctuation``.
  public static func number(_ punctuation: NumberPunctuation) -> Conversion {
    number(punctuation: punctuation)
  }

  private static func number(punctuation: NumberPunctuation?) -> Conversion {
    numberText(punctuation, "a text that is a number (Double)") {
      NumberText.double($0)
    } write: {
      NumberToText.write($0, into: $1)
    }
  }
}

extension Conversion where Source == String, Target == Float {
  /// A number from a text in JSON's notation, correctly rounded; the reverse gives the shortest text with the same value.
  ///
  /// See ``Conversion/number-6dz39`` of integers for the allowed texts. A number beyond the range is an error. In the
  /// reverse, a number that is not finite is an error.
  public static var number: Conversion { number(punctuation: nil) }

  /// A number as people write it: see ``NumberPunctuation``.
  public static func number(_ punctuation: NumberPunctuation) -> Conversion {
    number(punctuation: punctuation)
  }

  private static func number(punctuation: NumberPunctuation?) -> Conversion {
    numberText(punctuation, "a text that is a number (Float)") {
      NumberText.float($0)
    } write: {
      NumberToText.write($0, into: $1)
    }
  }
}

extension Conversion where Source == String, Target == Decimal {
  /// A number from a text in JSON's notation, exact to 38 significant digits, and back.
  ///
  /// See ``Conversion/number-6dz39`` of integers for the allowed texts. A number with more digits is an error.
  public static var number: Conversion { number(punctuation: nil) }

  /// A number as people write it: see ``NumberPunctuation``.
  public static func number(_ punctuation: NumberPunctuation) -> Conversion {
    number(punctuation: punctuation)
  }

  private static func number(punctuation: NumberPunctuation?) -> Conversion {
    numberText(punctuation, "a text that is a number (Decimal, at most 38 digits)") {
      NumberText.decimal($0)
    } write: {
      NumberToText.write($0, into: $1)
    }
  }
}

extension Conversion where Source == String, Target: Sendable {
  /// The common part of the conversions for all kinds of numbers.
  ///
  /// `read` receives the text of a JSON number, and returns nil if the number is too large or cannot be exact. `write`
  /// writes a text of at most `NumberToText.capacity` bytes, and returns nil if the number is not finite.
  fileprivate static func numberText(
    _ punctuation: NumberPunctuation?, _ expected: String,
    read: @escaping @Sendable (UnsafeBufferPointer<UInt8>) throws -> Target?,
    write: @escaping @Sendable (Target, UnsafeMutablePointer<UInt8>) -> Int?
  ) -> Conversion {
    let name = punctuation.map { "number " + $0.name } ?? "number"
    if let mistake = punctuation?.mistake { return Conversion(name, mistake: mistake) }
    return Conversion(name) { text in
      var json = text
      if let punctuation {
        guard let translated = punctuation.json(text) else {
          throw ConversionFailure(expected: expected)
        }
        json = translated
      }
      return try json.withUTF8 { bytes in
        guard NumberText.isNumber(bytes) else { throw ConversionFailure(expected: expected) }
        guard let value = try read(bytes) else {
          throw ConversionFailure(expected: expected, code: .numberOutOfRange)
        }
        return value
      }
    } reverse: { value in
      var count: Int?
      var json = String(unsafeUninitializedCapacity: NumberToText.capacity) { buffer in
        count = buffer.baseAddress.flatMap { write(value, $0) }
        return count ?? 0
      }
      guard count != nil else { throw ConversionFailure(expected: "a finite number") }
      // In JSON, the fraction tells a Double from an Int; in a text, it means nothing.
      if json.hasSuffix(".0") { json.removeLast(2) }
      return punctuation.map { $0.text(json: json) } ?? json
    }
  }
}
