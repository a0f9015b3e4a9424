// Values that nothing but what is built may show.

extension Mapping {
  /// The mapping, for values that errors must not tell of: passwords, tokens, personal data.
  ///
  /// ```swift
  /// field("card_number", \.cardNumber, .string.validated(.length(16)).redacted())
  /// ```
  ///
  /// Errors never hold values of the feed, but they hold what is around them: keys in their paths, and what your own
  /// conversions and rules throw. With a redacted part in a mapping
  ///
  /// - the paths of errors in it end at the field that it is in,
  /// - what conversions and rules throw is left out of the errors of the whole mapping, and so is what they say of themselves,
  /// - what is malformed in a record is addressed by line, column and bytes only,
  /// - the command writes rejected records without their text.
  ///
  /// What is built has the value as ever; what is encoded, too.
  ///
  /// - Returns: The mapping with its values kept out of errors.
  public func redacted() -> Mapping { Mapping(definition.redacted()) }
}

extension OutputMapping {
  /// The mapping, for values that errors must not tell of: see ``Mapping/redacted()``.
  public func redacted() -> OutputMapping { OutputMapping(definition.redacted()) }
}
