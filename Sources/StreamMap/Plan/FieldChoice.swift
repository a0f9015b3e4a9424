/// Some of a mapping's fields, for the way back: those that are named, or those that are not.
///
/// Properties and keys are two things: a name is that of properties where the object has one of that name, else a path of
/// the JSON. Where it might be that of a property whose name is not known, it is neither.
struct FieldChoice {
  /// What is left of a name below a place.
  private struct Rest {
    /// Its index in `names`.
    let name: Int
    let steps: ArraySlice<PathPattern.Step>
    /// Whether it is a path of the JSON, not one of properties.
    let isPath: Bool

    func dropping(_ count: Int) -> Rest {
      Rest(name: name, steps: steps.dropFirst(count), isPath: isPath)
    }
  }

  private let names: [String]
  private let patterns: [[PathPattern.Step]]
  /// Whether the fields that are named stay, or the others.
  private let isKept: Bool
  private let registrations: Registrations
  private var used: Set<Int> = []
  private var ambiguous: Set<Int> = []
  /// The first object that has fields without a name that is known.
  private var unnamed: (object: String, fields: [Int])?
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

  /// What is wrong with the first name that cannot be used, of those that the choice was applied to.
  var mistake: String? {
    guard let name = names.indices.first(where: { ambiguous.contains($0) || !used.contains($0) })
    else { return nil }
    var text = "'\(names[name])', which no field has"
    if ambiguous.contains(name) {
      text = "'\(names[name])', a key of the JSON that may be the name of another field's property"
    }
    if let unnamed, !isPath(names[name]) {
      let fields = unnamed.fields.map(String.init).joined(separator: ", ")
      text +=
        " (the names of properties are not known of these fields of \(unnamed.object): \(fields); "
        + "give them with named(_:), or write a path of the JSON with its root: $.key)"
    }
    return text
  }

  private func isPath(_ name: String) -> Bool {
    name == "$" || name.hasPrefix("$.") || name.hasPrefix("$[") || name.hasPrefix("/")
  }

  /// The mapping with the chosen fields.
  mutating func apply(to definition: Definition) -> Definition {
    let rests = patterns.enumerated().map {
      Rest(name: $0, steps: $1[...], isPath: isPath(names[$0]))
    }
    return apply(to: definition, rests)
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
      return rest.dropping(1)
    }
  }

  private mutating func apply(
    to object: ObjectDefinition, of definition: Definition, _ names: [Rest]
  ) -> Definition {
    guard let operations = definition.operations else { return definition }
    let names = names.map { meaning(of: $0, in: object) }
    var chosen = object
    chosen.fields = []
    var properties: [PropertyAccess] = []
    for (field, property) in zip(object.fields, operations.properties) {
      guard let field = apply(to: field, of: object, names) else { continue }
      chosen.fields.append(field)
      properties.append(property)
    }
    return Definition(
      .object(chosen), policy: definition.policy,
      operations: ChosenFields(of: operations, properties), expected: definition.expected)
  }

  /// Whether a name is one of properties or of the JSON, as seen from an object.
  private mutating func meaning(of rest: Rest, in object: ObjectDefinition) -> Rest {
    if rest.isPath || object.isTransparent { return rest }
    let isProperty = object.fields.contains { $0.target.meets(rest.steps) }
    if isProperty { return rest }
    if !object.unnamed.isEmpty {
      unnamed = unnamed ?? (object.name, object.unnamed)
      let isKey = object.fields.contains { field in
        isNamed(field, by: rest, isPath: true)
          || self.rest(of: rest, behind: field, isPath: true) != nil
      }
      if isKey { ambiguous.insert(rest.name) }
    }
    return Rest(name: rest.name, steps: rest.steps, isPath: true)
  }

  /// The field, or what is chosen of it; nil where it is left out.
  private mutating func apply(
    to field: ObjectDefinition.Field, of object: ObjectDefinition, _ names: [Rest]
  ) -> ObjectDefinition.Field? {
    var inside: [Rest] = []
    let hitsBefore = hits
    for rest in names {
      // An object that stands for its value has no properties of its own.
      let isPath = rest.isPath || object.isTransparent
      if isNamed(field, by: rest, isPath: isPath) {
        used.insert(rest.name)
        hits += 1
      } else if let rest = self.rest(of: rest, behind: field, isPath: isPath) {
        inside.append(rest)
      } else if object.isTransparent, !rest.isPath {
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
  private func isNamed(_ field: ObjectDefinition.Field, by rest: Rest, isPath: Bool) -> Bool {
    if !isPath { return rest.steps.count <= field.target.count && field.target.meets(rest.steps) }
    guard case .path(let source) = field.source, rest.steps.count <= source.components.count else {
      return false
    }
    return zip(rest.steps, source.components).allSatisfy(Self.isSame)
  }

  /// What is left of a name that leads through the field; nil where it leads elsewhere.
  private func rest(of rest: Rest, behind field: ObjectDefinition.Field, isPath: Bool) -> Rest? {
    if !isPath {
      guard rest.steps.count > field.target.count, field.target.meets(rest.steps) else {
        return nil
      }
      return rest.dropping(field.target.count)
    }
    guard case .path(let source) = field.source, rest.steps.count > source.components.count,
      zip(rest.steps, source.components).allSatisfy(Self.isSame)
    else { return nil }
    return rest.dropping(source.components.count)
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

extension [String] {
  /// Whether these names of properties and the steps of a path are the same as far as both go, and there are names.
  fileprivate func meets(_ steps: ArraySlice<PathPattern.Step>) -> Bool {
    !isEmpty
      && zip(steps, self).allSatisfy { step, name in
        if case .key(let key) = step { ExactKey(key) == ExactKey(name) } else { false }
      }
  }
}
