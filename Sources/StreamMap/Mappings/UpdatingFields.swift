extension Field {
  /// The field, whose value an update (``Mapper/update(_:from:onNull:absent:)``) changes instead of replacing it: the object that the
  /// property holds stays the same one, and properties of it that the feed does not have keep their values.
  ///
  /// Without this an update replaces what the property holds by a new value. Arrays and dictionaries are always replaced.
  // An Optional is not updated as a whole: the other function is for it.
  @_disfavoredOverload
  public func updatedInside() -> Field {
    var field = self
    field.updating = PropertyAccess(updating: property)
    return field
  }

  /// The field of an Optional property, whose value an update changes where there is one; where there is none, one is made.
  public func updatedInside<Wrapped>() -> Field where Value == Wrapped? {
    var field = self
    field.updating = PropertyAccess(updatingOptional: property)
    return field
  }
}
