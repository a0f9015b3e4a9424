// Values that only the result may show.

extension Mapping {
  /// The mapping, for values that errors must not reveal: passwords, tokens, personal data.
  ///
  /// ```swift
  /// field("card_number", \.cardNumber, .string.validated(.length(16)).redacted())
  /// ```
  ///
  /// Errors never contain values of the feed, but they contain keys in their paths, and the messages of your own conversions
  /// and rules. If any part of a mapping is redacted,
  ///
  /// - the paths of errors in that part end at its field,
  /// - the errors of the whole mapping leave out what conversions and rules throw or say about themselves,
  /// - malformed text in a record is located by line, column and bytes only,
  /// - the command writes rejected records without their text.
  ///
  /// Where a record is, which its key or index tells, is in every address: that is not kept out.
  ///
  /// Decoded values and encoded JSON contain the redacted values as usual.
  ///
  /// - Returns: The mapping with its values kept out of errors.
  public func redacted() -> Mapping { Mapping(definition.redacted()) }
}

extension OutputMapping {
  /// The mapping, for values that errors must not reveal: see ``Mapping/redacted()``.
  public func redacted() -> OutputMapping { OutputMapping(definition.redacted()) }
}
