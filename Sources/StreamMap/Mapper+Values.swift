import Foundation

// From values to values, without JSON text between.

extension Mapper {
  /// Decodes a value made of Foundation's types, such as `JSONSerialization` gives.
  ///
  /// ```swift
  /// let record = mapper.decode(foundation: ["name": "Ann", "age": 31])
  /// ```
  ///
  /// - Objects are dictionaries whose keys are strings (`[String: Any]`, `NSDictionary`); their members are taken in the
  ///   order of the keys' Unicode scalars. Arrays are Swift's or `NSArray`.
  /// - Strings, booleans, integers of any type, `Double`, `Float`, `CGFloat`, `Decimal` and `NSNumber` are what they are:
  ///   numbers are taken exactly. `NSNull` and nil are null.
  /// - A value of another type, a number that is not finite and nesting beyond ``Limits/depth`` are errors.
  ///
  /// - Parameter value: One record.
  /// - Returns: The value and its issues, or the error. Errors have paths, but no positions.
  public func decode(foundation value: Any) -> Record<Value> {
    record { sink throws(MappingError) in
      try FoundationSource.send(value, to: sink, depthLimit: limits.depth)
    }
  }

  /// Encodes a value as Foundation's types: `[String: Any]`, `[Any]`, `String`, `NSNumber` and `NSNull`.
  ///
  /// ```swift
  /// let person = try mapper.encodeFoundation(ann) as? [String: Any]
  /// person?["age"] as? Int
  /// ```
  ///
  /// By the names of the properties instead of the keys of the JSON, with ``EncodingOptions/keys-swift.property``:
  ///
  /// ```swift
  /// var options = EncodingOptions()
  /// options.keys = .properties
  /// let byName = try mapper.encodeFoundation(ann, options: options) as? [String: Any]
  /// ```
  ///
  /// Numbers keep their value. Written without fraction and exponent they are an `Int64`, where they do not fit one a `UInt64`;
  /// all others are the `Double` that shows as the same number, or where there is none an `NSDecimalNumber`. A property
  /// of type Double is always a Double, `5.0`.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - options: Which fields are written, what nil becomes, and what the members are called; its other options are for
  ///     text.
  /// - Returns: The value in Foundation's types.
  /// - Throws: ``MappingError`` with its path where a part of the value has no JSON, or a number fits none of these.
  public func encodeFoundation(_ value: Value, options: EncodingOptions = EncodingOptions())
    throws(MappingError) -> Any
  {
    let builder = FoundationBuilder()
    try send(value, to: builder, options: options)
    if let failure = builder.failure { throw failure }
    return builder.value ?? NSNull()
  }

  /// Makes a value of another mapper's type of a value: the JSON of the one is mapped by the other, without being written.
  ///
  /// ```swift
  /// let row = try orders.convert(order, to: rows).get()
  /// ```
  ///
  /// - Parameters:
  ///   - value: A value of this mapper's type.
  ///   - other: Maps what ``encode(_:)`` would write.
  /// - Returns: The other value and its issues, or the error, of this mapper or of the other. Errors have paths, but no
  ///   positions.
  public func convert<Other>(_ value: Value, to other: Mapper<Other>) -> Record<Other> {
    other.record { sink throws(MappingError) in try send(value, to: sink) }
  }
}
