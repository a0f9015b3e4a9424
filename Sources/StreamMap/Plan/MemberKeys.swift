// The keys that mappings of a whole object look for in it. They do not belong to fields of the object, but they are not
// unknown either.

extension ObjectDefinition {
  /// Whether it matters which keys are known.
  var asksForUnknownKeys: Bool {
    unknownKeys != .ignore || rest != nil
      || fields.contains { field in if case .unknown = field.source { true } else { false } }
  }

  /// The keys that the fields which take the whole object look for.
  func keysOfWholeFields(_ registrations: Registrations) -> [String] {
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
      return ([first] + field.fallbacks.compactMap(\.components.first)).compactMap { step in
        if case .key(let key) = step { key } else { nil }
      }
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

extension Definition {
  /// The mapping, for objects in which this key was already looked for: the key by which a dispatch chose the mapping.
  func knowing(_ key: String) -> Definition {
    switch kind {
    case .object(var object):
      object.knownKeys.append(key)
      return with(kind: .object(object))
    case .reference(var identity, let resolve):
      identity.form.knownKeys.append(key)
      return with(kind: .reference(identity, { resolve($0).knowing(key) }))
    case .transform(let inner): return with(kind: .transform(inner.knowing(key)))
    case .split(let forward, let reverse):
      return with(kind: .split(forward.knowing(key), reverse: reverse))
    case .firstOf(let alternatives, let reportsEarlier):
      return with(
        kind: .firstOf(alternatives.map { $0.knowing(key) }, reportsEarlier: reportsEarlier))
    case .dispatch(let dispatch): return with(kind: .dispatch(dispatch.map { $0.knowing(key) }))
    case .scalar, .json, .array, .dictionary, .rewritten, .mistake: return self
    }
  }
}
