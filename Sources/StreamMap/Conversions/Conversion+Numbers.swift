import Foundation

// Between numbers and their text.

extension Conversion where Source == String, Target: FixedWidthInteger & Sendable {
  /// A whole number that fits, of at most 128 bits, from its text as JSON would have it; and back.
  ///
  /// The text is a number by RFC 8259 and nothing else: no space, plus sign or leading zero, which are read as
  /// something else too easily. `1.0` and `1e3` are whole. It does not depend on any locale.
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
      case .notInteger: throw ConversionFailure(expected: expected)
      case .outOfRange: throw ConversionFailure(expected: expected, code: .numberOutOfRange)
      }
    } write: {
      NumberToText.write($0, into: $1)
    }
  }
}

extension Conversion where Source == String, Target == Double {
  /// A number from its text as JSON would have it, correctly rounded; and back, in the shortest text that gives it.
  ///
  /// See ``Conversion/number`` of integers for what the text may be. One beyond the range is an error, and so is a
  /// number that is not finite on the way back.
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
  /// A number from its text as JSON would have it, correctly rounded; and back, in the shortest text that gives it.
  ///
  /// See ``Conversion/number`` of integers for what the text may be. One beyond the range is an error, and so is a
  /// number that is not finite on the way back.
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
  /// A number from its text as JSON would have it, exact to 38 significant digits; and back.
  ///
  /// See ``Conversion/number`` of integers for what the text may be. One with more digits is an error.
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
  /// What all kinds of numbers have in common.
  ///
  /// `read` gets the text of a JSON number, and gives nil where it is too large or cannot be exact. `write` writes one,
  /// of at most `NumberToText.capacity` bytes, and gives nil where the number is not finite.
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
      // The fraction that tells a Double from an Int in JSON tells nothing in a text.
      if json.hasSuffix(".0") { json.removeLast(2) }
      return punctuation.map { $0.text(json: json) } ?? json
    }
  }
}
