/// Some of a mapping's fields, for the way back: those that are named, or those that are not.
struct FieldChoice {
  /// What is left of a name below a place.
  private struct Rest {
    /// Its index in `names`.
    let name: Int
    let steps: ArraySlice<PathPattern.Step>
  }

  private let names: [String]
  private let patterns: [[PathPattern.Step]]
  /// Whether the fields that are named stay, or the others.
  private let isKept: Bool
  private let registrations: Registrations
  private var used: Set<Int> = []
  /// How often a name was met.
  private var hits = 0

  /// - Throws: ``PathSyntaxError`` where a name is neither that of a property nor a path.
  init(_ names: [String], isKept: Bool, _ registrations: Registrations) throws(PathSyntaxError) {
    var patterns: [[PathPattern.Step]] = []
    for name in names {
      var steps = try PathPattern(parsing: name).steps
      // All elements of a value are the value.
      while steps.last == .everyElement { steps.removeLast() }
      patterns.append(steps)
    }
    self.names = names
    self.patterns = patterns
    self.isKept = isKept
    self.registrations = registrations
  }

  /// A name that no field had, of those that the choice was applied to.
  var firstUnused: String? { names.indices.first { !used.contains($0) }.map { names[$0] } }

  /// The mapping with the chosen fields.
  mutating func apply(to definition: Definition) -> Definition {
    apply(to: definition, patterns.enumerated().map { Rest(name: $0, steps: $1[...]) })
  }

  private mutating func apply(to definition: Definition, _ names: [Rest]) -> Definition {
    let definition = definition.resolved(registrations)
    switch definition.kind {
    case .object(let object): return apply(to: object, of: definition, names)
    case .array(let element, let rule):
      return definition.with(kind: .array(apply(to: element, inside(names)), onInvalid: rule))
    case .dictionary(let value, let duplicateKeys):
      return definition.with(
        kind: .dictionary(apply(to: value, inside(names)), duplicateKeys: duplicateKeys))
    case .transform(let inner): return definition.with(kind: .transform(apply(to: inner, names)))
    case .split(let forward, let reverse):
      return definition.with(kind: .split(forward, reverse: apply(to: reverse, names)))
    case .firstOf(let alternatives, let reportsEarlier):
      let chosen = alternatives.map { apply(to: $0, names) }
      return definition.with(kind: .firstOf(chosen, reportsEarlier: reportsEarlier))
    case .dispatch(let dispatch):
      return definition.with(kind: .dispatch(dispatch.map { apply(to: $0, names) }))
    case .scalar, .json, .rewritten, .reference, .mistake: return definition
    }
  }

  /// The names as seen from an element or a member.
  private func inside(_ names: [Rest]) -> [Rest] {
    names.map { rest in
      guard rest.steps.first == .everyElement else { return rest }
      return Rest(name: rest.name, steps: rest.steps.dropFirst())
    }
  }

  private mutating func apply(
    to object: ObjectDefinition, of definition: Definition, _ names: [Rest]
  ) -> Definition {
    guard let operations = definition.operations else { return definition }
    var chosen = object
    chosen.fields = []
    var properties: [PropertyAccess] = []
    for (field, property) in zip(object.fields, operations.properties) {
      guard let field = apply(to: field, names) else { continue }
      chosen.fields.append(field)
      properties.append(property)
    }
    return Definition(
      .object(chosen), policy: definition.policy,
      operations: ChosenFields(of: operations, properties), expected: definition.expected)
  }

  /// The field, or what is chosen of it; nil where it is left out.
  private mutating func apply(
    to field: ObjectDefinition.Field, _ names: [Rest]
  ) -> ObjectDefinition.Field? {
    var inside: [Rest] = []
    let hitsBefore = hits
    for rest in names {
      if isNamed(field, by: rest) {
        used.insert(rest.name)
        hits += 1
      } else if let rest = self.rest(of: rest, behind: field) {
        inside.append(rest)
      }
    }
    let isWhole = hits > hitsBefore
    // What is named inside is looked at in any case: a name is only wrong where nothing has it.
    let definition = inside.isEmpty ? field.definition : apply(to: field.definition, inside)
    if isWhole { return isKept ? field : nil }
    // A name that leads through the field to nothing in it chooses nothing of it.
    if hits == hitsBefore { return isKept ? nil : field }
    return ObjectDefinition.Field(
      source: field.source, target: field.target, definition: definition, property: field.property,
      isUpdatedInside: field.isUpdatedInside)
  }

  /// Whether a name is the field's, or that of something that the field is in.
  private func isNamed(_ field: ObjectDefinition.Field, by rest: Rest) -> Bool {
    if rest.steps.count == 1, rest.steps.first == .key(field.target) { return true }
    guard case .path(let source) = field.source, rest.steps.count <= source.components.count else {
      return false
    }
    return zip(rest.steps, source.components).allSatisfy(Self.isSame)
  }

  /// What is left of a name that leads through the field; nil where it leads elsewhere.
  private func rest(of rest: Rest, behind field: ObjectDefinition.Field) -> Rest? {
    guard case .path(let source) = field.source, rest.steps.count > source.components.count,
      zip(rest.steps, source.components).allSatisfy(Self.isSame)
    else { return nil }
    return Rest(name: rest.name, steps: rest.steps.dropFirst(source.components.count))
  }

  private static func isSame(_ step: PathPattern.Step, _ component: JSONPath.Component) -> Bool {
    switch (step, component) {
    case (.key(let key), .key(let other)): ExactKey(key) == ExactKey(other)
    case (.index(let index), .index(let other)): index == other
    case (.everyElement, .index): true
    default: false
    }
  }
}
