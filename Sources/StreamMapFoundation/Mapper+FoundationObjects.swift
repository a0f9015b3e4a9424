import Foundation
import StreamMap

// Conversions between values and trees of Foundation's types, without JSON text in between.

extension Mapper {
  /// Decodes a value made of Foundation's types, such as one from `JSONSerialization`.
  ///
  /// ```swift
  /// let record = mapper.decode(foundationObject: ["name": "Ann", "age": 31])
  /// ```
  ///
  /// - Objects are dictionaries whose keys are strings (`[String: Any]`, `NSDictionary`); their members are taken in the
  ///   order of the keys' Unicode scalars. Arrays are Swift's or `NSArray`.
  /// - Strings, booleans, integers of any type, `Double`, `Float`, `CGFloat`, `Decimal` and `NSNumber` are taken as
  ///   they are: numbers keep their exact value. `NSNull` and nil are null.
  /// - A value of another type, a number that is not finite, or nesting beyond `Limits.depth` is an error.
  ///
  /// - Parameter value: One record.
  /// - Returns: The value and its issues, or the error. Errors have paths, but no positions.
  public func decode(foundationObject value: Any) -> Record<Value> {
    decode { events throws(MappingError) in
      try FoundationSource.send(value, to: events, depthLimit: limits.depth)
    }
  }

  /// Encodes a value as Foundation's types: `[String: Any]`, `[Any]`, `String`, `NSNumber` and `NSNull`.
  ///
  /// ```swift
  /// let person = try mapper.encode(asFoundationObject: ann) as? [String: Any]
  /// person?["age"] as? Int
  /// ```
  ///
  /// With `EncodingOptions.keys`, the keys are the names of the properties instead of those of the JSON:
  ///
  /// ```swift
  /// var options = EncodingOptions()
  /// options.keys = .properties
  /// let byName = try mapper.encode(asFoundationObject: ann, options: options) as? [String: Any]
  /// ```
  ///
  /// Numbers keep their value. A number without a fraction and an exponent is an `Int64`, or a `UInt64` if it does not
  /// fit an `Int64`. Any other number is the `Double` that prints as the same number, or an `NSDecimalNumber` if there
  /// is no such `Double`. A property of type Double is always a Double, `5.0`.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - options: Which fields are written, what nil becomes, and what the members are called; its other options are for
  ///     text.
  /// - Returns: The value in Foundation's types.
  /// - Throws: `MappingError` with its path if a part of the value has no JSON or a number fits none of these
  ///   types.
  public func encode(
    asFoundationObject value: Value, options: EncodingOptions = EncodingOptions()
  ) throws(MappingError) -> Any {
    let builder = FoundationBuilder()
    try encode(value, to: builder, options: options)
    if let failure = builder.failure { throw failure }
    return builder.value ?? NSNull()
  }
}
