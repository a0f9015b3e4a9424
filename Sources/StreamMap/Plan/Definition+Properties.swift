extension Definition {
  /// The mapping for encoding, with each member named by its property: at any depth, also where fields share a path.
  func byProperties() -> Definition {
    if case .reference(var identity, let resolve) = kind {
      identity.form.isByProperties = true
      return with(kind: .reference(identity, { resolve($0).byProperties() }))
    }
    if case .object(let object) = kind { return with(kind: .object(object.byProperties())) }
    return mapChildren { role, child in
      switch role {
      case .element, .member, .original, .then, .reverse, .alternative: child.byProperties()
      // They encode nothing.
      case .source, .forward, .field: child
      }
    }
  }
}

extension ObjectDefinition {
  fileprivate func byProperties() -> ObjectDefinition {
    var object = self
    object.fields = fields.map { field in
      var field = field
      field.definition = field.definition.byProperties()
      // An object that stands for a part of another has no properties of its own.
      if !isTransparent, case .path = field.source {
        if field.target.isEmpty {
          // It keeps its source, by which the mistake names it.
          field.definition = Definition(
            .mistake("the name of its property is not known; give it with named(_:)"),
            operations: field.definition.operations, expected: field.definition.expected)
        } else {
          field.source = .path(JSONPath(field.target.map { .key($0) }))
          field.fallbacks = []
        }
      }
      return field
    }
    return object
  }
}
