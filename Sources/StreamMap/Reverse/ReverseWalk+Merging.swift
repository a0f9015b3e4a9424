// Encoding of a place that several fields share: some take it as a whole, others take parts of it.
extension ReverseWalk {
  /// The merged value of the fields that end at a place or below it; nil if all are nil.
  ///
  /// Each field writes as if it were alone. The results are merged into one value, in which the field that was declared
  /// first wins, and any value wins over null.
  func merged(at place: Int32, of object: UnsafeRawPointer) -> JSONValue? {
    var parts: [(field: Int32, value: JSONValue)] = []
    for field in fields(of: place) {
      if let part = recorded({ $0.emitField(field, of: object, at: Self.noPlace) }) {
        parts.append((field, part))
      }
    }
    var below: (field: Int32, isHeld: Bool) = (.max, collects(at: place))
    // Next to fields that take the whole object, nil is written as in an object without such fields.
    let isWhole = plan.objects[plan.places[place].pointee.object].pointee.rootPlace == place
    forEachChild(of: place) { child in
      below.field = min(below.field, firstField(from: child))
      below.isHeld =
        below.isHeld || holdsAnything(child, object) || (isWhole && writesNil(at: child))
    }
    if below.isHeld,
      let part = recorded({ walk in
        walk.emitBelow(place, object)
        return true
      })
    {
      parts.append((below.field, part))
    }
    parts.sort { $0.field < $1.field }
    guard let first = parts.first?.value else { return nil }
    return parts.dropFirst().reduce(first) { $0.merged(with: $1.value) }
  }

  /// The value of the events that `send` sends; nil if it sends none.
  private func recorded(_ send: (ReverseWalk) -> Bool) -> JSONValue? {
    let builder = JSONValueBuilder(depthLimit: JSONValue.maximumDepth)
    let walk = inner(sink: builder)
    let isSent = send(walk)
    if let error = walk.failure { adopt(error) }
    if builder.isTooDeep { fail(.limitExceeded, expected: JSONValue.depthMessage) }
    return isSent ? builder.value : nil
  }

  /// Whether the object at a place has a field for the members that are not the source of another field.
  func collects(at place: Int32) -> Bool {
    let owner = plan.objects[plan.places[place].pointee.object]
    return owner.pointee.rootPlace == place && owner.pointee.collector >= 0
  }

  /// The field at a place or below it that was declared first.
  private func firstField(from place: Int32) -> Int32 {
    let here = plan.places[place].pointee
    return (here.fieldStart..<here.fieldStart + here.subtreeFieldCount)
      .map { plan.placeFields[$0].pointee }.min() ?? .max
  }
}

extension JSONValue {
  /// This value, with the parts of another value that this one lacks: members of objects at any depth, elements of arrays.
  fileprivate func merged(with other: JSONValue) -> JSONValue {
    switch (self, other) {
    case (.null, _): return other
    case (.object(var members), .object(let others)):
      var indices: [ExactText: Int] = [:]
      for (index, member) in members.enumerated() { indices[ExactText(member.key)] = index }
      for other in others {
        if let index = indices[ExactText(other.key)] {
          members[index].value = members[index].value.merged(with: other.value)
        } else {
          members.append(other)
        }
      }
      return .object(members)
    case (.array(var elements), .array(let others)):
      for (index, other) in others.enumerated() {
        if index == elements.count {
          elements.append(other)
        } else {
          elements[index] = elements[index].merged(with: other)
        }
      }
      return .array(elements)
    default:
      return self
    }
  }
}
