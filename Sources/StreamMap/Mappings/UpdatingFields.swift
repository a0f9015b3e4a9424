extension Field {
  /// The field, whose object an update merges into instead of replacing it.
  ///
  /// ```swift
  /// let window = field("window", \.window, window).mergingUpdates()
  /// ```
  ///
  /// In an update (``Mapper/update(_:from:onNull:absent:)-4yopx``) the object that the property holds stays the same one, and
  /// those of its properties that are not in the document keep their values. Without this, an update replaces the object
  /// by a new one. Arrays and dictionaries are always replaced.
  // Optionals have the other function: they are not updated as a whole.
  @_disfavoredOverload
  public func mergingUpdates() -> Field {
    var field = self
    field.updating = PropertyAccess(updating: property)
    return field
  }

  /// The field of an Optional property, whose object an update merges into; if the property is nil, a new object is made.
  public func mergingUpdates<Wrapped>() -> Field where Value == Wrapped? {
    var field = self
    field.updating = PropertyAccess(updatingOptional: property)
    return field
  }
}
