/// The kind of an error: stable names that programs can act on.
///
/// ```swift
/// if error.code == .numberOutOfRange { … }
/// error.code.category  // .data
/// ```
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ErrorCode: String, Sendable, Hashable, Codable, CaseIterable {
  // The value does not fit the mapping.
  /// A required value is absent.
  case missing
  /// A required value is `null`.
  case null
  /// The value has another kind than the mapping accepts.
  case wrongType
  /// The value has the right kind, but the mapping does not accept it (a text that is not a date, an unknown enum case).
  case invalidValue
  /// A conversion written by the mapping's author failed.
  case conversionFailed
  /// A number does not fit its type.
  case numberOutOfRange
  /// A value breaks a rule; ``MappingError/rule`` names it.
  case validationFailed
  /// None of several alternatives accepts the value; their errors are among the underlying errors, first the error of
  /// the alternative that got furthest.
  case noAlternative
  /// A key that is not the source of a field, where that is not allowed.
  case unknownKey
  /// A key that occurred before, where that is not allowed.
  case duplicateKey
  /// Several errors, each among the underlying ones.
  case severalErrors

  // The feed is not JSON.
  /// The feed breaks the grammar of RFC 8259.
  case syntax
  /// The feed is not well-formed UTF-8, or a `\u` escape is half of a surrogate pair.
  case invalidUTF8
  /// The feed or one of its records ends too early.
  case truncated

  // The environment.
  /// A limit was reached; ``MappingError/expected`` names the property that raises it.
  case limitExceeded
  /// Reading or writing failed.
  case io
  /// One of your conversions or hooks threw `CancellationError`.
  ///
  /// Asynchronous records throw that error themselves if their task is cancelled; it is not an error of a record.
  case cancelled
  /// The mapping itself is wrong, which is found when it is compiled, before any feed is read.
  case invalidDefinition

  /// The coarse kinds of errors, for programs that only need to know where to look.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Category: String, Sendable, Hashable, Codable, CaseIterable {
    /// The data does not fit the mapping.
    case data
    /// The feed is not JSON.
    case syntax
    /// A limit was reached.
    case limit
    /// The environment failed.
    case io
    /// The mapping is wrong.
    case definition
  }

  /// The code for an error that the author's code threw.
  static func thrown(_ error: any Error) -> ErrorCode {
    error is CancellationError ? .cancelled : .conversionFailed
  }

  /// The coarse kind of the error.
  public var category: Category {
    switch self {
    case .missing, .null, .wrongType, .invalidValue, .conversionFailed, .numberOutOfRange,
      .validationFailed, .noAlternative, .unknownKey, .duplicateKey, .severalErrors:
      .data
    case .syntax, .invalidUTF8, .truncated: .syntax
    case .limitExceeded: .limit
    case .io, .cancelled: .io
    case .invalidDefinition: .definition
    }
  }
}
