#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Numbers in strings.
//
// Each type has a name of its own. With one name for all of them, the compiler takes minutes to check an object of ten
// fields.

extension Mapping where Value: Sendable {
  /// The number in a string, as JSON writes it or with a punctuation.
  fileprivate static func numberText(
    from text: Mapping<String>, _ punctuation: NumberPunctuation?,
    plain: Conversion<String, Value>, punctuated: (NumberPunctuation) -> Conversion<String, Value>
  ) -> Mapping {
    .converted(from: text, by: punctuation.map(punctuated) ?? plain)
  }
}

extension Mapping where Value == Int {
  /// A whole number in a string that fits the type: `.int(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func int(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Int8 {
  /// A whole number in a string that fits the type: `.int8(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func int8(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Int16 {
  /// A whole number in a string that fits the type: `.int16(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func int16(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Int32 {
  /// A whole number in a string that fits the type: `.int32(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func int32(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Int64 {
  /// A whole number in a string that fits the type: `.int64(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func int64(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == UInt {
  /// A whole number in a string that fits the type: `.uint(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func uint(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == UInt8 {
  /// A whole number in a string that fits the type: `.uint8(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func uint8(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == UInt16 {
  /// A whole number in a string that fits the type: `.uint16(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func uint16(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == UInt32 {
  /// A whole number in a string that fits the type: `.uint32(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func uint32(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == UInt64 {
  /// A whole number in a string that fits the type: `.uint64(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func uint64(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Float {
  /// A number in a string, correctly rounded: `.float(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func float(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Double {
  /// A number in a string, correctly rounded: `.double(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func double(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}

extension Mapping where Value == Decimal {
  /// A number in a string, of up to 38 significant digits, exactly: `.decimal(from: .string)`.
  ///
  /// The text is a number as in JSON or, with a punctuation, as people write it: see ``NumberPunctuation``.
  public static func decimal(
    from text: Mapping<String>, _ punctuation: NumberPunctuation? = nil
  ) -> Mapping {
    numberText(from: text, punctuation, plain: .number, punctuated: { .number($0) })
  }
}
