extension Definition {
  /// The mapping for encoding, with each member named by its property: at any depth, also where fields share a path.
  func byProperties() -> Definition {
    switch kind {
    case .object(var object):
      object.fields = object.fields.map { field in
        var field = field
        field.definition = field.definition.byProperties()
        // An object that stands for a part of another has no properties of its own.
        if !object.isTransparent, case .path = field.source {
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
      return with(kind: .object(object))
    case .reference(var identity, let resolve):
      identity.form.isByProperties = true
      return with(kind: .reference(identity, { resolve($0).byProperties() }))
    case .array(let element, let rule):
      return with(kind: .array(element.byProperties(), onInvalid: rule))
    case .dictionary(let value, let duplicateKeys):
      return with(kind: .dictionary(value.byProperties(), duplicateKeys: duplicateKeys))
    case .transform(let inner): return with(kind: .transform(inner.byProperties()))
    case .rewritten(let source, let then):
      return with(kind: .rewritten(source, then: then.byProperties()))
    case .split(let forward, let reverse):
      return with(kind: .split(forward, reverse: reverse.byProperties()))
    case .firstOf(let alternatives, let reportsEarlier):
      return with(
        kind: .firstOf(alternatives.map { $0.byProperties() }, reportsEarlier: reportsEarlier))
    case .dispatch(let dispatch):
      return with(kind: .dispatch(dispatch.map { $0.byProperties() }))
    case .scalar, .json, .mistake: return self
    }
  }
}
