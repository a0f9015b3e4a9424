/// Which patch a mapping makes.
enum PatchRole: Sendable, Hashable {
  /// The patch of the whole update.
  case outermost
  /// The patch of the value that a property holds, or will hold.
  case inside
  /// The patch of an array's element, which is found by this property: that stays as it is, so it need not be writable.
  case element(PropertyIdentity)

  /// Whether the patch makes an object where there is none to change.
  var makesWhole: Bool { self != .outermost }

  func identifies(by field: ObjectDefinition.Field) -> Bool {
    guard case .element(let identifier) = self else { return false }
    return field.property.map(PropertyIdentity.init) == identifier
  }
}

extension Definition {
  /// The mapping of an update: it makes a patch, and accepts any subset of the fields.
  func patched(_ rules: UpdateRules, _ registrations: Registrations) -> Definition {
    if storesOptional(registrations) {
      return Self.mistake("an Optional cannot be updated; update the value in it", like: self)
    }
    let patched = patched(rules, .outermost, registrations)
    // A substitute for the whole value is not a patch.
    var policy = patched.policy ?? patched.resolved(registrations).policy ?? Policy()
    policy.absent = .fail
    policy.invalid = .fail
    if case .take = policy.null {} else { policy.null = .fail }
    if rules.null == .keep {
      let name = expected
      policy.null = .substitute(Substitute({ Patch.empty(name) }, name: "nothing"), reported: false)
    }
    return patched.with(policy: policy)
  }

  private func storesOptional(_ registrations: Registrations) -> Bool {
    wrapsReference || operations?.isOptional == true
      || resolved(registrations).operations?.isOptional == true
  }

  private static func mistake(_ reason: String, like definition: Definition) -> Definition {
    Definition(
      .mistake(reason), operations: definition.operations, expected: definition.expected)
  }

  private func patched(
    _ rules: UpdateRules, _ role: PatchRole, _ registrations: Registrations
  ) -> Definition {
    if case .reference(var identity, let resolve) = kind {
      identity.form.patch = role
      return changed {
        $0.kind = .reference(
          identity, { [checks] in resolve($0).with(checks: checks).patched(rules, role, $0) })
        $0.checks = []
      }
    }
    if case .object(var object) = kind,
      let operations = operations?.patched(makesWhole: role.makesWhole, by: checkFunctions)
    {
      object.patch = rules.absent
      let access = self.operations?.properties ?? []
      object.fields = object.fields.enumerated().map { number, field in
        let isWritable =
          access.indices.contains(number) && access[number].makePropertyPatch != nil
          || role.identifies(by: field)
        return Self.patched(field, isWritable: isWritable, rules, registrations)
      }
      return patch(.object(object), operations)
    }
    if case .rewritten(let source, let then) = kind {
      return around(then.with(checks: checks).patched(rules, role, registrations)) {
        .rewritten(source, then: $0)
      }
    }
    if case .split(let forward, let value) = kind {
      guard let process = forward.operations?.process else {
        return forward.with(policy: policy ?? forward.policy ?? Policy()).with(checks: checks)
          .patched(rules, role, registrations)
      }
      return processed(value.patched(rules, role, registrations), by: process)
    }
    return Self.mistake("only a mapping made from fields can update a value", like: self)
  }

  /// The rules, for the object that an update changes.
  private var checkFunctions: [@Sendable (UnsafeRawPointer) -> (any Error)?] {
    checks.map { check in { check.failure(of: $0) } }
  }

  /// A patch made inside another mapping, as a part of this one.
  private func around(_ patch: Definition, _ kind: (Definition) -> Kind) -> Definition {
    self.patch(
      kind(patch), ScalarOperations<Patch>(isOptional: operations?.isOptional == true))
  }

  /// A patch after which a function receives the changed value.
  private func processed(_ patch: Definition, by process: @escaping Patch.Process) -> Definition {
    let json = Definition(
      .json(.value), policy: Policy(null: .take(isSaid: false)),
      operations: ScalarOperations<JSONValue>(),
      expected: "a JSON value")
    var both = ObjectDefinition(
      name: expected,
      fields: [("json", json), ("value", patch.with(policy: Policy()))].map { name, definition in
        ObjectDefinition.Field(
          source: .path(JSONPath()), target: [name], definition: definition, property: nil)
      })
    both.isTransparent = true
    let operations = ObjectOperations<Patch>.processed(
      by: process, expected: expected, JSONValue.self, then: checkFunctions,
      ofOptional: patch.wrapsReference || patch.operations?.isOptional == true)
    return self.patch(
      .object(both), self.operations?.isOptional == true ? operations.optional() : operations)
  }

  /// The mapping of an array's patch: each element is its identifier and its patch.
  private func merged(
    by merge: ElementMerge, _ rules: UpdateRules, _ registrations: Registrations
  ) -> Definition {
    let whole = resolved(registrations)
    guard case .array(let element, let onInvalid) = whole.kind else {
      return Self.mistake(
        "mergingUpdates(by:) is for a field whose mapping is an array", like: self)
    }
    guard var identifier = element.field(of: merge.identifier, registrations) else {
      return Self.mistake(
        "mergingUpdates(by:) needs elements that are mapped from fields, with a field for the identifier",
        like: self)
    }
    let target = element.resolved(registrations)
    if target.policy?.hasSubstitute == true {
      return Self.mistake(
        "an array has either mergingUpdates(by:) or elements with a default: the default would replace the element that the update changes",
        like: self)
    }
    if identifier.definition.storesOptional(registrations) {
      return Self.mistake(
        "mergingUpdates(by:) needs an identifier that is not Optional", like: self)
    }
    // The patch has the same field, and reports what is wrong with it; but not that it is absent, if an absent field stays as it is.
    let isNil = Policy.Action.useNil(reported: false)
    identifier = ObjectDefinition.Field(
      source: identifier.source, target: ["id"],
      definition: identifier.definition.storingOptional(
        policy: Policy(
          absent: rules.absent == .required ? isNil : .fail, null: isNil, invalid: isNil)),
      fallbacks: identifier.fallbacks, property: nil)
    let change = ObjectDefinition.Field(
      source: .path(JSONPath()), target: ["value"],
      definition: element.patched(rules, .element(merge.identifier), registrations).with(
        policy: Policy()),
      property: nil)
    let both = ObjectDefinition(
      name: target.expected, fields: [identifier, change], isTransparent: true)
    let elements = target.patch(.object(both), merge.element)
    let array = Definition(
      .array(elements, onInvalid: onInvalid), operations: merge.array, expected: whole.expected)
    let operations = merge.patch(whole.checkFunctions)
    let isOptional = wrapsReference || self.operations?.isOptional == true
    return patch(.transform(array), isOptional ? operations.optional() : operations)
      .with(policy: whole.policy ?? Policy())
  }

  /// The field of an object that fills this property.
  private func field(
    of property: PropertyIdentity, _ registrations: Registrations
  ) -> ObjectDefinition.Field? {
    let here = resolved(registrations)
    if case .object(let object) = here.kind {
      return object.fields.first { $0.property.map(PropertyIdentity.init) == property }
    }
    if case .split(let forward, let value) = here.kind {
      return (forward.operations?.process == nil ? forward : value).field(
        of: property, registrations)
    }
    return nil
  }

  /// The patch of this mapping: its rules are the patch's own, in the operations.
  private func patch(_ kind: Kind, _ operations: ValueOperations) -> Definition {
    changed {
      $0.kind = kind
      $0.operations = operations
      $0.checks = []
    }
  }

  private static func patched(
    _ field: ObjectDefinition.Field, isWritable: Bool, _ rules: UpdateRules,
    _ registrations: Registrations
  ) -> ObjectDefinition.Field {
    var changed = field
    var definition = field.definition
    switch field.update {
    case .replacing: break
    case .inside, .elements:
      if definition.resolved(registrations).policy?.hasSubstitute == true {
        changed.definition = mistake(
          "a field has either mergingUpdates() or a default: the default would replace the value that the update changes",
          like: definition)
        return changed
      }
      if case .elements(let merge) = field.update {
        definition = definition.merged(by: merge, rules, registrations)
      } else {
        definition = definition.patched(rules, .inside, registrations)
      }
    }
    if case .path(let path) = field.source, path.components.isEmpty,
      definition.demand(registrations) == .parts
    {
      changed.needsParts = true
      definition = definition.notingParts()
    }
    switch rules.null {
    case .clear: break
    case .keep: definition = definition.taking(null: .leave, registrations)
    case .fail: definition = definition.taking(null: .fail, registrations)
    }
    if !isWritable {
      definition = mistake(
        "the property cannot be written: an update needs a var", like: definition)
    }
    changed.definition = definition
    return changed
  }

  private func taking(null action: Policy.Action, _ registrations: Registrations) -> Definition {
    var policy = resolved(registrations).policy ?? Policy()
    policy.null = action
    return with(policy: policy)
  }
}
