/// An error that a conversion throws to name what it expected.
///
/// Its text becomes the ``MappingError/expected`` of the error, and its code the code of the error. Any other error
/// that a conversion throws becomes an underlying error of ``ErrorCode/conversionFailed``.
///
/// ```swift
/// let celsius = Conversion<Double, Celsius>("celsius") { degrees in
///   guard degrees >= -273.15 else { throw ConversionFailure(expected: "a temperature") }
///   return Celsius(degrees)
/// }
/// ```
public struct ConversionFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What the conversion accepts, as in `a date (yyyy-MM-dd)`.
  public let expected: String
  /// The kind of failure; useful codes are ``ErrorCode/invalidValue`` and ``ErrorCode/numberOutOfRange``.
  public let code: ErrorCode

  /// A failure that names what was expected.
  public init(expected: String, code: ErrorCode = .invalidValue) {
    self.expected = expected
    self.code = code
  }

  /// The text, as in `expected a date (yyyy-MM-dd)`.
  public var description: String { "expected " + expected }
}
