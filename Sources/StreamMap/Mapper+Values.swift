// Conversions between values, without JSON text in between.

extension Mapper {
  /// Converts a value to another mapper's type: the other mapper maps this mapper's JSON, which is never written as text.
  ///
  /// ```swift
  /// let row = try orders.convert(order, to: rows).get()
  /// ```
  ///
  /// - Parameters:
  ///   - value: A value of this mapper's type.
  ///   - other: Maps what ``encode(_:)`` would write.
  /// - Returns: The other value and its issues, or the error of either mapper. Errors have paths, but no positions.
  public func convert<Other>(_ value: Value, to other: Mapper<Other>) -> Record<Other> {
    other.record { sink throws(MappingError) in try send(value, to: sink) }
  }
}

// MARK: Values of other modules

extension Mapper {
  /// Decodes a value whose events another module sends.
  package func decode(_ send: (EventPort) throws(MappingError) -> Void) -> Record<Value> {
    record { sink throws(MappingError) in try send(EventPort(sink)) }
  }

  /// Encodes a value as events that another module receives.
  package func encode(
    _ value: Value, to receiver: some EventReceiver, options: EncodingOptions
  ) throws(MappingError) {
    try send(value, to: ReceiverSink(receiver), options: options)
  }
}
