/// What null does to a property in an update.
enum PatchNullRule: Sendable { case clear, keep, fail }

extension Definition {
  /// The mapping of an update: it makes a patch, and takes any part of the fields.
  func patched(_ null: PatchNullRule, _ registrations: Registrations) -> Definition {
    switch kind {
    case .reference(var identity, let resolve):
      identity.isPatch = true
      return Definition(
        .reference(identity, { [checks] in resolve($0).with(checks: checks).patched(null, $0) }),
        policy: policy, expected: expected, wrapsReference: wrapsReference,
        isRedacted: isRedacted)
    case .object(var object):
      guard
        let operations = operations?.patched(by: checks.map { check in { check.failure(of: $0) } })
      else { break }
      object.isPatch = true
      let access = self.operations?.properties ?? []
      object.fields = object.fields.enumerated().map { number, field in
        let isWritable = access.indices.contains(number) && access[number].makeStep != nil
        return Self.patched(field, isWritable: isWritable, null, registrations)
      }
      return Definition(
        .object(object), policy: policy, operations: operations, expected: expected,
        isRedacted: isRedacted)
    default: break
    }
    return Definition(
      .mistake("only what is made from fields can be updated"), expected: expected)
  }

  private static func patched(
    _ field: ObjectDefinition.Field, isWritable: Bool, _ null: PatchNullRule,
    _ registrations: Registrations
  ) -> ObjectDefinition.Field {
    var definition = field.definition
    if field.isUpdatedInside {
      let policy = definition.resolved(registrations).policy ?? Policy()
      for action in [policy.absent, policy.null, policy.invalid] {
        guard case .supply = action else { continue }
        definition = Definition(
          .mistake("a default would replace what the update is to change inside"),
          operations: definition.operations, expected: definition.expected)
        return ObjectDefinition.Field(
          source: field.source, target: field.target, definition: definition,
          property: field.property)
      }
      definition = definition.patched(null, registrations)
    }
    switch null {
    case .clear: break
    case .keep: definition = definition.taking(null: .leave, registrations)
    case .fail: definition = definition.taking(null: .fail, registrations)
    }
    if !isWritable {
      definition = Definition(
        .mistake("the property cannot be written: an update needs a var"),
        operations: definition.operations, expected: definition.expected)
    }
    return ObjectDefinition.Field(
      source: field.source, target: field.target, definition: definition, property: field.property,
      isUpdatedInside: field.isUpdatedInside)
  }

  private func taking(null action: Policy.Action, _ registrations: Registrations) -> Definition {
    var policy = resolved(registrations).policy ?? Policy()
    policy.null = action
    return with(policy: policy)
  }
}
