extension Field {
  /// The field, whose object an update merges into instead of replacing it.
  ///
  /// ```swift
  /// let window = field("window", \.window, window).mergingUpdates()
  /// ```
  ///
  /// In an update (``Mapper/update(_:from:onNull:absent:)-4yopx``) the object that the property holds stays the same one, and
  /// those of its properties that are not in the document keep their values. Without this, an update replaces the object
  /// by a new one. Dictionaries are always replaced, and arrays unless `mergingUpdates(by:)` says how elements are
  /// found.
  // Optionals have the other function: they are not updated as a whole.
  @_disfavoredOverload
  public func mergingUpdates() -> Field {
    merging(.inside, PropertyAccess(updating: property))
  }

  /// The field of an Optional property, whose object an update merges into; if the property is nil, a new object is made.
  public func mergingUpdates<Wrapped>() -> Field where Value == Wrapped? {
    merging(.inside, PropertyAccess(updatingOptional: property))
  }

  /// The field of an array, into whose elements an update merges those of the document, each found by its identifier.
  ///
  /// ```swift
  /// let items = field("items", \.items, .array(of: item)).mergingUpdates(by: \Item.id)
  /// ```
  ///
  /// An element of the document changes the element that has its identifier, as `mergingUpdates()` changes an object. If there is
  /// none, it comes to the end of the array; then it has to have all that decoding needs. Elements that the document does not have stay.
  /// The rules for the array are checked after the change. Two elements of the document with one identifier are an error.
  ///
  /// - Parameter id: The property by which elements are found. The mapping of an element, which is made from fields, has a field for it;
  ///   an element of the document without it is an error. Identifiers are compared by `==` of their type.
  /// - Returns: The field.
  /// - Complexity: Linear in both arrays, on average.
  public func mergingUpdates<Element, ID: Hashable & Sendable>(
    by id: KeyPath<Element, ID> & Sendable
  )
    -> Field where Value == [Element]
  {
    merging(.elements(ElementMerge(by: id)), PropertyAccess(updating: property))
  }

  /// The field of an Optional array, into whose elements an update merges those of the document; if the property is nil, an array is made.
  ///
  /// - Parameter id: The property by which elements are found, as for an array that is not Optional.
  /// - Returns: The field.
  public func mergingUpdates<Element, ID: Hashable & Sendable>(
    by id: KeyPath<Element, ID> & Sendable
  )
    -> Field where Value == [Element]?
  {
    merging(.elements(ElementMerge(by: id)), PropertyAccess(updatingOptional: property))
  }

  private func merging(_ update: ObjectDefinition.Update, _ access: PropertyAccess) -> Field {
    var field = self
    field.update = update
    field.updating = access
    return field
  }
}
