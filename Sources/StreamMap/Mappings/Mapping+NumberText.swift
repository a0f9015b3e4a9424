import Foundation

// Numbers that come as strings.
//
// A name for each type, as the types themselves have: with one name for all of them, the compiler takes minutes to check
// an object of ten fields.

extension Mapping where Value: Sendable {
  /// The number that a string is, as JSON writes it or with a punctuation.
  fileprivate static func numberText(
    from text: Mapping<String>, _ punctuation: NumberPunctuation?,
    plain: Conversion<String, Value>, punctuated: (NumberPunctuation) -> Conversion<String, Value>
  ) -> Mapping {
    .converted(from: text, by: punctuation.map(punctuated) ?? plain)
  }
}

extension Mapping where Value == Int {
  /// A whole number that fits, that comes as a string, `.int(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func int(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Int8 {
  /// A whole number that fits, that comes as a string, `.int8(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func int8(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Int16 {
  /// A whole number that fits, that comes as a string, `.int16(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func int16(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Int32 {
  /// A whole number that fits, that comes as a string, `.int32(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func int32(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Int64 {
  /// A whole number that fits, that comes as a string, `.int64(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func int64(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == UInt {
  /// A whole number that fits, that comes as a string, `.uint(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func uint(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == UInt8 {
  /// A whole number that fits, that comes as a string, `.uint8(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func uint8(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == UInt16 {
  /// A whole number that fits, that comes as a string, `.uint16(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func uint16(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == UInt32 {
  /// A whole number that fits, that comes as a string, `.uint32(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func uint32(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == UInt64 {
  /// A whole number that fits, that comes as a string, `.uint64(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func uint64(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Float {
  /// A number, correctly rounded, that comes as a string, `.float(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func float(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Double {
  /// A number, correctly rounded, that comes as a string, `.double(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func double(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Decimal {
  /// A number, exact to 38 significant digits, that comes as a string, `.decimal(from: .string)`.
  ///
  /// The text is what JSON has for the number, or, with a punctuation, what people write: see ``NumberPunctuation``.
  public static func decimal(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}
