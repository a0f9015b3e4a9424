/// Thrown by a conversion that knows what it would have taken.
///
/// What it names becomes the ``MappingError/expected`` of the error, which has the code that it gives. Any other error
/// that a conversion throws becomes an underlying error of ``ErrorCode/conversionFailed``.
///
/// ```swift
/// let celsius = Conversion<Double, Celsius>("celsius") { degrees in
///   guard degrees >= -273.15 else { throw ConversionFailure(expected: "a temperature") }
///   return Celsius(degrees)
/// }
/// ```
public struct ConversionFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What would have been right, as in `a date (yyyy-MM-dd)`.
  public let expected: String
  /// What kind of failure it is; of use are ``ErrorCode/invalidValue`` and ``ErrorCode/numberOutOfRange``.
  public let code: ErrorCode

  /// A failure that names what was expected.
  public init(expected: String, code: ErrorCode = .invalidValue) {
    self.expected = expected
    self.code = code
  }

  /// As in `expected a date (yyyy-MM-dd)`.
  public var description: String { "expected " + expected }
}
