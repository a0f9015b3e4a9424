// The keys that mappings of an object as a whole look for in it. They are no fields' of the object, but they are not unknown
// either.

extension ObjectDefinition {
  /// Whether it matters which keys are known.
  var asksForUnknownKeys: Bool {
    unknownKeys != .ignore
      || fields.contains { field in if case .unknown = field.source { true } else { false } }
  }

  /// The keys that fields look for which take the whole object.
  func keysOfWholeTakers(_ registrations: Registrations) -> [String] {
    var open: Set<Definition.Identity> = []
    return fields.flatMap { field in
      guard case .path(let path) = field.source, path.components.isEmpty else { return [String]() }
      return field.definition.memberKeys(registrations, &open)
    }
  }

  fileprivate func memberKeys(
    _ registrations: Registrations, _ open: inout Set<Definition.Identity>
  ) -> [String] {
    fields.flatMap { field in
      guard case .path(let path) = field.source else { return [String]() }
      guard let first = path.components.first else {
        return field.definition.memberKeys(registrations, &open)
      }
      if case .key(let key) = first { return [key] }
      return []
    }
  }
}

extension Definition {
  fileprivate func memberKeys(_ registrations: Registrations, _ open: inout Set<Identity>)
    -> [String]
  {
    switch kind {
    case .scalar, .json, .array, .dictionary, .mistake: return []
    case .object(let object): return object.memberKeys(registrations, &open)
    case .transform(let inner), .rewritten(let inner, _), .split(let inner, _):
      return inner.memberKeys(registrations, &open)
    case .firstOf(let alternatives, _):
      return alternatives.flatMap { $0.memberKeys(registrations, &open) }
    case .dispatch(let dispatch):
      var keys = dispatch.cases.flatMap { $0.definition.memberKeys(registrations, &open) }
      keys += dispatch.fallback?.memberKeys(registrations, &open) ?? []
      if case .member(let path) = dispatch.choice { keys += path.prefix(1) }
      return keys
    case .reference(let identity, let resolve):
      guard open.insert(identity).inserted else { return [] }
      defer { open.remove(identity) }
      return resolve(registrations).memberKeys(registrations, &open)
    }
  }
}
