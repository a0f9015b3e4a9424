// Which parts of an object a mapping needs that takes the whole object. In an update, its field counts as present if
// one of these parts is there.

/// The parts of an object that a mapping needs.
enum ObjectDemand: Int, Comparable {
  /// None: the mapping takes no objects.
  case nothing
  /// The parts that its fields' paths lead to.
  case parts
  /// The whole object, whatever it contains.
  case everything

  static func < (a: ObjectDemand, b: ObjectDemand) -> Bool { a.rawValue < b.rawValue }
}

extension Definition {
  /// The parts of an object that the mapping needs.
  func demand(_ registrations: Registrations) -> ObjectDemand {
    var open: Set<Identity> = []
    return demand(registrations, &open)
  }

  private func demand(_ registrations: Registrations, _ open: inout Set<Identity>) -> ObjectDemand {
    switch kind {
    case .scalar, .array, .mistake: return .nothing
    case .json, .dictionary: return .everything
    case .object(let object):
      var demand = ObjectDemand.parts
      for field in object.fields {
        guard case .path(let path) = field.source, path.components.isEmpty else { continue }
        demand = max(demand, field.definition.demand(registrations, &open))
      }
      return demand
    case .transform(let inner), .rewritten(let inner, _):
      return inner.demand(registrations, &open)
    case .split(let forward, let reverse):
      // A function on the finished value receives the whole JSON value, but does not need any part of it.
      let value = forward.operations?.process == nil ? forward : reverse
      return value.demand(registrations, &open)
    case .firstOf(let alternatives, _):
      return alternatives.map { $0.demand(registrations, &open) }.max() ?? .nothing
    case .dispatch(let dispatch):
      let all = dispatch.cases.map(\.definition) + (dispatch.fallback.map { [$0] } ?? [])
      return all.map { $0.demand(registrations, &open) }.max() ?? .nothing
    case .reference(let identity, let resolve):
      guard open.insert(identity).inserted else { return .nothing }
      defer { open.remove(identity) }
      return resolve(registrations).demand(registrations, &open)
    }
  }

  /// The same mapping; its objects tell the machine whether a part was there.
  func notingParts() -> Definition {
    switch kind {
    case .object(var object):
      object.notesParts = true
      object.fields = object.fields.map { field in
        guard case .path(let path) = field.source, path.components.isEmpty else { return field }
        var field = field
        field.definition = field.definition.notingParts()
        return field
      }
      return with(kind: .object(object))
    case .reference(var identity, let resolve):
      identity.form.notesParts = true
      return with(kind: .reference(identity, { resolve($0).notingParts() }))
    case .transform(let inner): return with(kind: .transform(inner.notingParts()))
    case .rewritten(let source, let then):
      return with(kind: .rewritten(source.notingParts(), then: then))
    case .split(let forward, let reverse):
      return with(kind: .split(forward.notingParts(), reverse: reverse))
    case .firstOf(let alternatives, let reportsEarlier):
      return with(
        kind: .firstOf(alternatives.map { $0.notingParts() }, reportsEarlier: reportsEarlier))
    case .dispatch(let dispatch):
      return with(kind: .dispatch(dispatch.map { $0.notingParts() }))
    case .scalar, .json, .array, .dictionary, .mistake: return self
    }
  }
}
