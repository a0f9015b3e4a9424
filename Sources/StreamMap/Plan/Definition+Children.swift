// The mappings that a mapping is made of. What walks over them looks at what each is for, not at the kind of the whole: so a new kind
// says here, once, what its parts are for.

extension Definition {
  /// What a mapping is for in the one that it is a part of.
  enum Role {
    /// Maps each element of an array.
    case element
    /// Maps each member of a dictionary.
    case member
    /// Maps the value of a field.
    case field(ObjectDefinition.Field)
    /// Makes the value that code makes another one from.
    case original
    /// Makes the `JSONValue` that a second mapping maps.
    case source
    /// Maps that `JSONValue`.
    case then
    /// Decodes.
    case forward
    /// Encodes.
    case reverse
    /// Maps the value, if it is the one that is chosen.
    case alternative

    /// Whether it is given the same JSON, to decode it, as the whole mapping.
    var takesSameValue: Bool {
      switch self {
      case .original, .source, .forward, .alternative: true
      case .element, .member, .then, .reverse: false
      case .field(let field):
        if case .path(let path) = field.source { path.components.isEmpty } else { false }
      }
    }

    /// Whether what it makes is what the whole mapping makes.
    var makesResult: Bool {
      switch self {
      case .then, .forward, .alternative: true
      case .element, .member, .field, .original, .source, .reverse: false
      }
    }
  }

  /// The mapping with other parts; what it refers to is no part.
  func mapChildren(_ change: (Role, Definition) -> Definition) -> Definition {
    kind.mapChildren(change).map(with(kind:)) ?? self
  }

  /// The parts of the mapping, in their order.
  var children: [(role: Role, definition: Definition)] {
    var children: [(role: Role, definition: Definition)] = []
    _ = kind.mapChildren { role, definition in
      children.append((role, definition))
      return definition
    }
    return children
  }
}

extension Definition.Kind {
  /// The kind with other parts; nil for one without any.
  fileprivate func mapChildren(
    _ change: (Definition.Role, Definition) -> Definition
  ) -> Definition.Kind? {
    switch self {
    case .scalar, .json, .reference, .mistake: nil
    case .array(let element, let rule): .array(change(.element, element), onInvalid: rule)
    case .dictionary(let value, let duplicateKeys):
      .dictionary(change(.member, value), duplicateKeys: duplicateKeys)
    case .object(let object): .object(object.map { change(.field($0), $0.definition) })
    case .transform(let inner): .transform(change(.original, inner))
    case .rewritten(let source, let then):
      .rewritten(change(.source, source), then: change(.then, then))
    case .split(let forward, let reverse):
      .split(change(.forward, forward), reverse: change(.reverse, reverse))
    case .firstOf(let alternatives, let reportsEarlier):
      .firstOf(alternatives.map { change(.alternative, $0) }, reportsEarlier: reportsEarlier)
    case .dispatch(let dispatch): .dispatch(dispatch.map { change(.alternative, $0) })
    }
  }
}

extension Definition.Kind {
  /// Whether another value is made first.
  var isMadeOfAnother: Bool {
    switch self {
    case .transform, .rewritten: true
    case .scalar, .json, .array, .dictionary, .object, .split, .firstOf, .dispatch, .reference,
      .mistake:
      false
    }
  }

  /// The parts of an object that it needs itself, besides those that its parts need.
  var demand: ObjectDemand {
    switch self {
    case .json, .dictionary: .everything
    case .object: .parts
    case .scalar, .array, .transform, .rewritten, .split, .firstOf, .dispatch, .reference, .mistake:
      .nothing
    }
  }

  /// Whether it has alternatives, each of which may lie at another place.
  var isAtSeveralPlaces: Bool {
    switch self {
    case .firstOf: true
    case .json, .scalar, .array, .dictionary, .object, .reference, .transform, .rewritten, .split,
      .dispatch, .mistake:
      false
    }
  }
}

extension ObjectDefinition {
  fileprivate func map(_ change: (ObjectDefinition.Field) -> Definition) -> ObjectDefinition {
    var changed = self
    changed.fields = fields.map { $0.map(change) }
    return changed
  }
}

extension ObjectDefinition.Field {
  /// The field with other mappings of its own, and of the cases that it is made from.
  func map(_ change: (ObjectDefinition.Field) -> Definition) -> ObjectDefinition.Field {
    var field = self
    field.definition = change(self)
    if case .cases(let cases) = making {
      field.making = .cases(
        cases.map { ObjectDefinition.Case(when: $0.when, field: $0.field.map(change)) })
    }
    return field
  }
}
