/// What kind of thing went wrong: stable names for programs to act on.
///
/// ```swift
/// if error.code == .numberOutOfRange { … }
/// error.code.category  // .data
/// ```
public enum ErrorCode: String, Sendable, Hashable, Codable, CaseIterable {
  // The value does not fit the mapping.
  /// A required value is absent.
  case missing
  /// A required value is `null`.
  case null
  /// The value is of another kind than the mapping takes.
  case wrongType
  /// The value is of the right kind, but not one the mapping takes (a text that is no date, an unknown enum case).
  case invalidValue
  /// A conversion that the mapping's author wrote failed.
  case conversionFailed
  /// A number does not fit its type.
  case numberOutOfRange
  /// A value breaks a rule; ``MappingError/rule`` names it.
  case validationFailed
  /// None of several alternatives takes the value; what each of them says is among the underlying errors, that of the one
  /// that got furthest first.
  case noAlternative
  /// A key that no field has for its source, where that is not allowed.
  case unknownKey
  /// A key that occurred before, where that is not allowed.
  case duplicateKey
  /// Several errors, each among the underlying ones.
  case severalErrors

  // The feed is no JSON.
  /// The feed breaks the grammar of RFC 8259.
  case syntax
  /// The feed is no well-formed UTF-8, or a `\u` escape is half of a surrogate pair.
  case invalidUTF8
  /// The feed, or a record of it, ends too early.
  case truncated

  // The surroundings.
  /// A limit was reached; ``MappingError/expected`` names it and the option that raises it.
  case limitExceeded
  /// Reading or writing failed.
  case io
  /// A conversion or hook of yours threw `CancellationError`.
  ///
  /// Asynchronous records throw that themselves where their task is cancelled; it is no error of a record.
  case cancelled
  /// The mapping itself is wrong: found when it is compiled, before any feed is read.
  case invalidDefinition

  /// The coarse kinds of error, for those who only care where to look.
  public enum Category: String, Sendable, Hashable, Codable, CaseIterable {
    /// The data does not fit the mapping.
    case data
    /// The feed is not JSON.
    case syntax
    /// A limit was hit.
    case limit
    /// The surroundings failed.
    case io
    /// The mapping is wrong.
    case definition
  }

  /// That of what the author's code threw.
  static func thrown(_ error: any Error) -> ErrorCode {
    error is CancellationError ? .cancelled : .conversionFailed
  }

  /// Where to look.
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
