/// Chooses some of a mapping's fields for encoding: those that are named, or all others.
///
/// Properties and keys are separate. A name means properties if the object has a property of that name, else a path of
/// the JSON. If the name might belong to a property whose name is not known, it is neither.
struct FieldChoice {
  /// The rest of a name below a place.
  private struct Rest {
    /// Its index in `names`.
    let name: Int
    let steps: ArraySlice<PathPattern.Step>
    /// Whether it is a path of the JSON, not a path of properties.
    let isPath: Bool

    func dropping(_ count: Int) -> Rest {
      Rest(name: name, steps: steps.dropFirst(count), isPath: isPath)
    }
  }

  private let names: [String]
  private let patterns: [[PathPattern.Step]]
  /// Whether the named fields stay, or the others.
  private let isKept: Bool
  private let registrations: Registrations
  private var used: Set<Int> = []
  private var ambiguous: Set<Int> = []
  /// The first object that has fields whose names are not known.
  private var unnamed: (object: String, fields: [Int])?
  /// How often a name matched.
  private var hits = 0

  /// - Throws: ``PathSyntaxError`` if a name is neither a property's name nor a path.
  init(_ names: [String], isKept: Bool, _ registrations: Registrations) throws(PathSyntaxError) {
    var patterns: [[PathPattern.Step]] = []
    for name in names {
      var steps = try PathPattern(parsing: name).steps
      // Naming all that is in a value is the same as naming the value.
      while steps.last?.meansAll == true { steps.removeLast() }
      patterns.append(steps)
    }
    self.names = names
    self.patterns = patterns
    self.isKept = isKept
    self.registrations = registrations
  }

  /// The mistake in the first name that cannot be used, for the mappings to which the choice was applied.
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
        " (the property names of these fields of \(unnamed.object) are not known: \(fields); "
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
    if case .object(let object) = definition.kind {
      return apply(to: object, of: definition, names)
    }
    return definition.mapChildren { role, child in
      switch role {
      case .element, .member: apply(to: child, inside(names))
      case .original, .reverse, .alternative: apply(to: child, names)
      case .source, .then, .forward, .field: child
      }
    }
  }

  /// The names as seen from an element or a member.
  private func inside(_ names: [Rest]) -> [Rest] {
    names.map { rest in
      guard rest.steps.first?.meansAll == true else { return rest }
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

  /// Whether a name means properties or a path of the JSON, as seen from an object.
  private mutating func meaning(of rest: Rest, in object: ObjectDefinition) -> Rest {
    if rest.isPath || object.isTransparent { return rest }
    let isProperty = object.fields.contains { $0.target.meets(rest.steps) }
    if isProperty { return rest }
    if !object.unnamed.isEmpty {
      unnamed = unnamed ?? (object.name, object.unnamed)
      let isKey = object.fields.contains { field in
        isNamed(field, by: rest, isPath: true)
          || self.rest(of: rest, after: field, isPath: true) != nil
      }
      if isKey { ambiguous.insert(rest.name) }
    }
    return Rest(name: rest.name, steps: rest.steps, isPath: true)
  }

  /// The field, or the chosen part of it; nil if the field is left out.
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
      } else if let rest = self.rest(of: rest, after: field, isPath: isPath) {
        inside.append(rest)
      } else if object.isTransparent, !rest.isPath {
        inside.append(rest)
      }
    }
    let isWhole = hits > hitsBefore
    // Names inside are always looked at: a name is only wrong if nothing at all has it.
    let definition = inside.isEmpty ? field.definition : apply(to: field.definition, inside)
    if isWhole { return isKept ? field : nil }
    // A name that leads through the field but matches nothing inside chooses nothing of it.
    if hits == hitsBefore { return isKept ? nil : field }
    return ObjectDefinition.Field(
      source: field.source, target: field.target, definition: definition, property: field.property,
      update: field.update)
  }

  /// Whether a name means the field, or something that contains the field.
  private func isNamed(_ field: ObjectDefinition.Field, by rest: Rest, isPath: Bool) -> Bool {
    if !isPath { return rest.steps.count <= field.target.count && field.target.meets(rest.steps) }
    guard case .path(let source) = field.source, rest.steps.count <= source.components.count else {
      return false
    }
    return zip(rest.steps, source.components).allSatisfy(Self.isSame)
  }

  /// The rest of a name that leads through the field; nil if the name leads elsewhere.
  private func rest(of rest: Rest, after field: ObjectDefinition.Field, isPath: Bool) -> Rest? {
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
    case (.key(let key), .key(let other)): ExactText(key) == ExactText(other)
    case (.index(let index), .index(let other)): index == other
    case (.wildcard, _): true
    default: false
    }
  }
}

extension PathPattern.Step {
  /// Whether the step leads to every element of an array.
  fileprivate var meansAll: Bool { self == .wildcard || self == .elements(from: 0, to: nil, by: 1) }
}

extension [String] {
  /// Whether these property names and the steps of a path agree as far as both go, and there is at least one name.
  fileprivate func meets(_ steps: ArraySlice<PathPattern.Step>) -> Bool {
    !isEmpty
      && zip(steps, self).allSatisfy { step, name in
        if case .key(let key) = step { ExactText(key) == ExactText(name) } else { false }
      }
  }
}
