/// What a mapping asks of its source: as much of it as can be said before any feed is read.
///
/// All that it says has to hold; rules and conversions may ask for more.
package struct SourceShape: Sendable {
  package struct Member: Sendable {
    package let key: String
    package var shape: SourceShape
    package var isRequired: Bool
  }

  /// What kinds of values are taken; nil for all.
  package var kinds: Set<JSONKind>?
  /// The type of a scalar, where it is one.
  package var scalar: ScalarType?
  /// What is asked of an object's members.
  package var members: [Member] = []
  /// What is asked of each element of an array: none or one.
  package var elements: [SourceShape] = []
  /// What is asked of each member of a dictionary: none or one.
  package var values: [SourceShape] = []
  /// One shape of each list has to hold.
  package var alternatives: [[SourceShape]] = []

  /// Anything.
  init(kinds: Set<JSONKind>? = nil) {
    self.kinds = kinds
  }

  /// The same, or null.
  fileprivate var orNull: SourceShape {
    var shape = self
    shape.kinds?.insert(.null)
    for index in shape.alternatives.indices {
      shape.alternatives[index].append(SourceShape(kinds: [.null]))
    }
    return shape
  }

  /// What is asked where both are.
  mutating func merge(_ other: SourceShape) {
    if let otherKinds = other.kinds {
      kinds = kinds.map { $0.intersection(otherKinds) } ?? otherKinds
    }
    scalar = scalar ?? other.scalar
    for member in other.members {
      if let place = members.firstIndex(where: { $0.key == member.key }) {
        members[place].shape.merge(member.shape)
        if member.isRequired { members[place].isRequired = true }
      } else {
        members.append(member)
      }
    }
    Self.merge(&elements, other.elements)
    Self.merge(&values, other.values)
    alternatives += other.alternatives
  }

  private static func merge(_ shapes: inout [SourceShape], _ others: [SourceShape]) {
    for other in others {
      if shapes.isEmpty { shapes = [other] } else { shapes[0].merge(other) }
    }
  }
}

extension Definition {
  /// What the mapping asks of its source.
  var source: SourceShape {
    let policy = policy ?? Policy()
    // A wrong value is replaced.
    if !policy.invalid.fails { return SourceShape() }
    let takesNull = !policy.null.fails
    // What is asked of each alternative need not hold where all may be absent.
    if kind.isAtSeveralPlaces, takesNull || !policy.absent.fails { return SourceShape() }
    return takesNull ? ofKind.orNull : ofKind
  }

  private var ofKind: SourceShape {
    if case .scalar(let type, _) = kind {
      var shape = SourceShape(kinds: type.kind.map { [$0] } ?? [.string, .number, .boolean])
      shape.scalar = type
      return shape
    }
    if case .array(let element, let rule) = kind {
      var shape = SourceShape(kinds: [.array])
      if case .fail = rule { shape.elements = [element.source] }
      return shape
    }
    if case .dictionary(let value, _) = kind {
      var shape = SourceShape(kinds: [.object])
      shape.values = [value.source]
      return shape
    }
    if case .object(let object) = kind { return object.source }
    if case .dispatch(let dispatch) = kind { return dispatch.source }
    // All else asks what its parts ask of the same value, or one of them.
    let shapes = children.filter(\.role.takesSameValue).map(\.definition.source)
    if shapes.count == 1 { return shapes[0] }
    var shape = SourceShape()
    if !shapes.isEmpty { shape.alternatives = [shapes] }
    return shape
  }
}

extension DispatchDefinition {
  fileprivate var source: SourceShape {
    var shapes = cases.map { label, definition in
      var shape = definition.source
      switch choice {
      case .kind:
        if let kind = JSONKind(rawValue: label) { shape.merge(SourceShape(kinds: [kind])) }
      case .member(let keys):
        shape.merge(
          SourceShape(
            at: keys.map { JSONPath.Component.key($0) }[...], SourceShape(), isRequired: true))
      }
      return shape
    }
    if let fallback { shapes.append(fallback.source) }
    var shape = SourceShape()
    shape.alternatives = [shapes]
    return shape
  }
}

extension ObjectDefinition {
  fileprivate var source: SourceShape {
    // Objects for which the condition does not hold need not be as the fields ask.
    if condition != nil { return SourceShape() }
    var shape = SourceShape()
    if !isTransparent, rest != nil || fields.contains(where: \.isInside) { shape.kinds = [.object] }
    for field in fields where field.making == nil {
      guard case .path(let path) = field.source else { continue }
      let isRequired = (field.definition.policy ?? Policy()).absent.fails && field.fallbacks.isEmpty
      shape.merge(
        SourceShape(at: path.components[...], field.definition.source, isRequired: isRequired))
    }
    return shape
  }
}

extension ObjectDefinition.Field {
  /// Whether it looks for a member of the object.
  fileprivate var isInside: Bool {
    if case .path(let path) = source, case .key? = path.components.first { true } else { false }
  }
}

extension SourceShape {
  /// A value at a path; what leads to one that is not required may be anything else.
  fileprivate init(
    at path: ArraySlice<JSONPath.Component>, _ shape: SourceShape, isRequired: Bool
  ) {
    switch path.first {
    case nil: self = isRequired ? shape : SourceShape()
    case .index?: self.init(kinds: isRequired ? [.array] : nil)
    case .key(let key)?:
      self.init(kinds: isRequired ? [.object] : nil)
      var inner = SourceShape(at: path.dropFirst(), shape, isRequired: isRequired)
      // Itself, it may be absent, but not of another kind.
      if path.count == 1 { inner = shape }
      members = [Member(key: key, shape: inner, isRequired: isRequired)]
    }
  }
}
