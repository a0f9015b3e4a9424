// Instances of classes are changed where they are: no variable is needed.

extension Mapper where Value: AnyObject {
  /// Changes an instance of a class: properties in the document are written, the others keep their values.
  ///
  /// ```swift
  /// let settings = Settings()
  /// try mapper.update(settings, from: body)
  /// try mapper.update(self, from: body)
  /// ```
  ///
  /// All else is as for ``update(_:from:onNull:absent:)-4yopx``. A function after the mapping
  /// (``Mapping/postProcessed(_:)-((JSONValue,Value)->Value)``) must return the same instance.
  ///
  /// - Parameters:
  ///   - object: An instance whose mapping is made from fields with writable properties.
  ///   - bytes: One JSON document.
  ///   - null: What `null` does.
  ///   - absent: What happens to a property that the document does not have.
  /// - Returns: The issues.
  /// - Throws: ``MappingError``; if the mapping cannot update, or another instance is returned, with the code `invalidDefinition`.
  @discardableResult
  public func update(
    _ object: Value, from bytes: some FeedBuffer, onNull null: NullUpdate = .clear,
    absent: AbsentUpdate = .untouched
  ) throws(MappingError) -> [MappingError] {
    try bytes.withBytes { bytes throws(MappingError) in
      var object = object
      return try update(
        &object, contiguous: bytes, UpdateRules(null: null, absent: absent), keepsInstance: true)
    }
  }

  /// Changes an instance of a class, from a text: see ``update(_:from:onNull:absent:)-tcs9``.
  ///
  /// - Returns: The issues.
  /// - Throws: ``MappingError``.
  @discardableResult
  public func update(
    _ object: Value, from text: String, onNull null: NullUpdate = .clear,
    absent: AbsentUpdate = .untouched
  ) throws(MappingError) -> [MappingError] {
    try update(object, from: text.utf8, onNull: null, absent: absent)
  }
}
