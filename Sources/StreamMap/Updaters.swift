import Synchronization

/// What `null` does to a property in an update.
public enum NullUpdate: Sendable, Hashable, CaseIterable {
  /// What the mapping makes of null: nil in an Optional property, a default where there is one, else an error.
  case clear
  /// Nothing: the property keeps what it holds.
  case keep
  /// It is an error.
  case fail

  var rule: PatchNullRule {
    switch self {
    case .clear: .clear
    case .keep: .keep
    case .fail: .fail
    }
  }
}

/// The mappings of a mapper's updates, compiled when they are first needed.
final class Updaters<Value>: Sendable {
  private let definition: Definition
  private let registrations: Registrations
  private let mappers = Mutex<[NullUpdate: Mapper<Patch>]>([:])

  init(_ definition: Definition, _ registrations: Registrations) {
    self.definition = definition
    self.registrations = registrations
  }

  func update(
    _ value: inout Value, from bytes: some Collection<UInt8>, onNull null: NullUpdate,
    limits: Limits
  ) throws(MappingError) -> [MappingError] {
    let record = try mapper(null, limits).decode(bytes)
    let patch = try record.get()
    if let missing = withUnsafePointer(to: value, { patch.missing(in: UnsafeRawPointer($0)) }) {
      throw MappingError(
        .missing, position: record.position, record: record.number, expected: missing)
    }
    if Value.self is AnyClass || definition.checks.isEmpty {
      apply(patch, to: &value)
    } else {
      var changed = value
      apply(patch, to: &changed)
      try check(changed, record)
      value = changed
    }
    return record.issues
  }

  private func apply(_ patch: Patch, to value: inout Value) {
    withUnsafeMutablePointer(to: &value) { patch.apply(to: UnsafeMutableRawPointer($0)) }
  }

  /// Holds the changed value against the rules of the mapping as a whole.
  private func check(_ value: Value, _ record: Record<Patch>) throws(MappingError) {
    var failures: [RuleFailure]?
    withUnsafePointer(to: value) { value in
      for check in definition.checks {
        check.add(failureOf: UnsafeRawPointer(value), isOptional: false, to: &failures)
      }
    }
    guard let failure = failures?.first else { return }
    throw MappingError(
      .validationFailed, position: record.position, record: record.number,
      expected: failure.expected, rule: failure.rule,
      underlying: failure.underlying.map { [$0] } ?? [])
  }

  private func mapper(_ null: NullUpdate, _ limits: Limits) throws(MappingError) -> Mapper<Patch> {
    if let known = mappers.withLock({ $0[null] }) { return known }
    do throws(DefinitionError) {
      let mapper = try Mapper<Patch>(
        Mapping(definition.patched(null.rule, registrations)),
        registry: Registry(registrations), limits: limits)
      mappers.withLock { $0[null] = mapper }
      return mapper
    } catch {
      throw MappingError(
        .invalidDefinition, found: "a mapping that cannot update", underlying: [error])
    }
  }
}
