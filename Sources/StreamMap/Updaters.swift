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
  private let mappers = Locked<[NullUpdate: Mapper<Patch>]>([:])

  init(_ definition: Definition, _ registrations: Registrations) {
    self.definition = definition
    self.registrations = registrations
  }

  func update(
    _ value: inout Value, from bytes: some Collection<UInt8>, onNull null: NullUpdate,
    limits: Limits, parser: RecordParser
  ) throws(MappingError) -> [MappingError] {
    var mapper = try mapper(null, limits)
    if mapper.parser != parser { mapper.parser = parser }
    let record = mapper.decode(bytes)
    let hidesValues = mapper.plan.tables.hidesValues
    let patch = try record.get()
    let missing = withUnsafePointer(to: value) { patch.missing(in: UnsafeRawPointer($0)) }
    if let missing { throw Self.error(missing, record, hidesValues) }
    let restore = withUnsafePointer(to: value) { patch.keep(of: UnsafeRawPointer($0)) }
    withUnsafeMutablePointer(to: &value) { patch.apply(to: UnsafeMutableRawPointer($0)) }
    let broken = withUnsafePointer(to: value) { patch.brokenRules(in: UnsafeRawPointer($0)) }
    guard let first = broken.first else { return record.issues }
    withUnsafeMutablePointer(to: &value) { restore(UnsafeMutableRawPointer($0)) }
    if broken.count == 1 { throw Self.error(first, record, hidesValues) }
    throw MappingError(
      .severalErrors, position: record.position, record: record.number,
      underlying: broken.map { Self.error($0, record, hidesValues) })
  }

  private static func error(
    _ failure: Patch.Failure, _ record: Record<Patch>, _ hidesValues: Bool
  ) -> MappingError {
    let place = failure.place
    let rule = failure.rule as? RuleFailure
    let shown = rule?.shown(hidesValues)
    return MappingError(
      rule == nil ? .missing : .validationFailed, path: place.path, target: place.target,
      position: place.position, record: record.number,
      expected: failure.missing ?? shown?.expected, rule: shown?.rule,
      underlying: shown?.underlying ?? [])
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
