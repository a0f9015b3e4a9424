// Which parts of an object a mapping needs that takes the whole object. In an update, its field counts as present if
// one of these parts is there. The machine notes that while it plays the object to the field.

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
    if case .reference(let identity, let resolve) = kind {
      guard open.insert(identity).inserted else { return .nothing }
      defer { open.remove(identity) }
      return resolve(registrations).demand(registrations, &open)
    }
    // A function on the finished value receives the whole JSON value, but does not need any part of it.
    if case .split(let forward, let reverse) = kind, forward.operations?.process != nil {
      return reverse.demand(registrations, &open)
    }
    return children.filter(\.role.takesSameValue)
      .reduce(kind.demand) { max($0, $1.definition.demand(registrations, &open)) }
  }

  /// The same mapping; its objects tell the machine whether a part was there.
  func notingParts() -> Definition {
    if case .reference(var identity, let resolve) = kind {
      identity.form.notesParts = true
      return with(kind: .reference(identity, { resolve($0).notingParts() }))
    }
    let noting = mapChildren { $0.takesSameValue ? $1.notingParts() : $1 }
    guard case .object(var object) = noting.kind else { return noting }
    object.notesParts = true
    return noting.with(kind: .object(object))
  }
}
