// What a mapping does with the members of an object. A member that a field takes is neither kept nor collected with the others.
// One that a formula or a condition only looks at is no field's, but not unknown either.

/// A path in an object at which a part of the mapping looks.
struct MemberUse: Sendable {
  /// Relative to the object.
  let path: JSONPath
  /// Whether a field takes what is there.
  let isTaken: Bool
  /// Whether it belongs to a mapping of the whole object that looks itself for members that come twice.
  var looksForDuplicates = false

  /// The key of the member; nil for an element, and for the object itself.
  var key: String? { if case .key(let key)? = path.components.first { key } else { nil } }
}

extension ObjectDefinition {
  /// Whether it matters which keys are known.
  var asksForUnknownKeys: Bool {
    unknownKeys != .ignore || rest != nil
      || fields.contains { field in if case .unknown = field.source { true } else { false } }
  }

  /// The places of the object at which its fields and its condition look.
  func memberUses(_ registrations: Registrations) -> [MemberUse] {
    var open: Set<Definition.Identity> = []
    return uses(registrations, &open)
  }

  fileprivate func uses(
    _ registrations: Registrations, _ open: inout Set<Definition.Identity>
  ) -> [MemberUse] {
    var found = (condition?.uses ?? []) + (askedBefore?.uses ?? [])
    for field in fields { found += field.uses(registrations, &open) }
    return found
  }

  /// The same, as seen from an object that a field maps as a whole.
  fileprivate func usesInside(
    _ registrations: Registrations, _ open: inout Set<Definition.Identity>
  ) -> [MemberUse] {
    let rule = registrations.keyRules(of: self).duplicate
    return uses(registrations, &open).map { use in
      var use = use
      if rule == .fail || rule == .report { use.looksForDuplicates = true }
      return use
    }
  }
}

extension ObjectDefinition.Field {
  fileprivate func uses(
    _ registrations: Registrations, _ open: inout Set<Definition.Identity>
  ) -> [MemberUse] {
    switch making {
    case .calculated(let formula): return formula.uses
    case .cases(let cases):
      return cases.flatMap { one in
        (one.when?.uses ?? []) + one.field.uses(registrations, &open)
      }
    case nil: break
    }
    guard case .path(let path) = source else { return [] }
    if path.components.isEmpty { return definition.memberUses(registrations, &open) }
    return ([path] + fallbacks).map { MemberUse(path: $0, isTaken: true) }
  }
}

extension FormulaText {
  fileprivate var uses: [MemberUse] {
    var code = FormulaCode()
    return (try? add(to: &code)).map { code.sources.uses } ?? []
  }
}

extension ConditionDefinition {
  fileprivate var uses: [MemberUse] { (try? formula())?.sources.uses ?? [] }
}

extension [FormulaSource] {
  /// What a formula only looks at.
  fileprivate var uses: [MemberUse] {
    compactMap { source in
      guard case .path(let path) = source, !path.components.isEmpty else { return nil }
      return MemberUse(path: path, isTaken: false)
    }
  }
}

extension Definition {
  fileprivate func memberUses(_ registrations: Registrations, _ open: inout Set<Identity>)
    -> [MemberUse]
  {
    if case .object(let object) = kind { return object.usesInside(registrations, &open) }
    if case .reference(let identity, let resolve) = kind {
      guard open.insert(identity).inserted else { return [] }
      defer { open.remove(identity) }
      return resolve(registrations).memberUses(registrations, &open)
    }
    var uses = children.filter(\.role.takesSameValue)
      .flatMap { $0.definition.memberUses(registrations, &open) }
    if case .dispatch(let dispatch) = kind, case .member(let keys) = dispatch.choice, !keys.isEmpty
    {
      // If it comes twice, the first one chooses. The mapping that it chose looks for the second one.
      uses.append(
        MemberUse(
          path: JSONPath(keys.map { .key($0) }), isTaken: true, looksForDuplicates: true))
    }
    return uses
  }
}

extension Definition {
  /// The mapping, for objects in which this member was already looked for: the one by which a dispatch chose the mapping.
  func knowing(_ keys: [String]) -> Definition {
    if case .reference(var identity, let resolve) = kind {
      identity.form.knownKeys.append(keys.map { ExactText($0) })
      return with(kind: .reference(identity, { resolve($0).knowing(keys) }))
    }
    if case .object(var object) = kind {
      object.knownKeys.append(keys)
      return with(kind: .object(object))
    }
    return mapChildren { role, child in
      switch role {
      case .original, .forward, .alternative: child.knowing(keys)
      case .element, .member, .field, .source, .then, .reverse: child
      }
    }
  }
}
