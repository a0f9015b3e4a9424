/// The mappings of a mapper's updates, compiled when they are first needed.
final class Updaters<Value>: Sendable {
  private let definition: Definition
  private let registrations: Registrations
  private let mappers = Locked<[UpdateRules: Mapper<Patch>]>([:])

  init(_ definition: Definition, _ registrations: Registrations) {
    self.definition = definition
    self.registrations = registrations
  }

  func update(
    _ value: inout Value, from bytes: some Collection<UInt8>, by rules: UpdateRules, limits: Limits,
    parser: RecordParser
  ) throws(MappingError) -> [MappingError] {
    var mapper = try mapper(rules, limits)
    if mapper.parser != parser { mapper.parser = parser }
    let record = mapper.decode(bytes)
    let hidesValues = mapper.plan.tables.hidesValues
    let patch = try record.get()
    let missing = withUnsafePointer(to: value) { patch.missing(in: UnsafeRawPointer($0)) }
    if let missing { throw Self.error(missing, record, hidesValues) }
    let old = value
    let restore = withUnsafePointer(to: value) { patch.keep(of: UnsafeRawPointer($0)) }
    let failures = withUnsafeMutablePointer(to: &value) { value in
      patch.apply(to: UnsafeMutableRawPointer(value))
      return patch.finish(UnsafeMutableRawPointer(value))
    }
    guard let first = failures.first else { return record.issues }
    withUnsafeMutablePointer(to: &value) { restore(UnsafeMutableRawPointer($0)) }
    // A function on the finished value may have changed more, or returned another value.
    value = old
    if failures.count == 1 { throw Self.error(first, record, hidesValues) }
    throw MappingError(
      .severalErrors, position: record.position, record: record.number,
      underlying: failures.map { Self.error($0, record, hidesValues) })
  }

  private static func error(
    _ failure: Patch.Failure, _ record: Record<Patch>, _ hidesValues: Bool
  ) -> MappingError {
    func error(
      _ code: ErrorCode, _ expected: String?, found: String? = nil, rule: String? = nil,
      _ underlying: [any Error] = []
    ) -> MappingError {
      MappingError(
        code, path: failure.origin.path, target: failure.origin.target,
        position: failure.origin.position, record: record.number, expected: expected, found: found,
        rule: rule, underlying: underlying)
    }
    switch failure.cause {
    case .missing(let expected): return error(.missing, expected)
    case .rule(let broken):
      let shown = (broken as? RuleFailure)?.shown(hidesValues)
      return error(
        .validationFailed, shown?.expected, rule: shown?.rule, shown?.underlying ?? [])
    case .thrown(let thrown as RuleFailure, _):
      let shown = thrown.shown(hidesValues)
      return error(.validationFailed, shown.expected, rule: shown.rule, shown.underlying)
    case .thrown(let thrown as ConversionFailure, let type):
      return error(thrown.code, hidesValues ? type : thrown.expected, found: "another value")
    case .thrown(let thrown, let type):
      return error(.conversionFailed, type, hidesValues ? [] : [thrown])
    }
  }

  private func mapper(_ rules: UpdateRules, _ limits: Limits) throws(MappingError) -> Mapper<Patch>
  {
    if let known = mappers.withLock({ $0[rules] }) { return known }
    do throws(DefinitionError) {
      let mapper = try Mapper<Patch>(
        Mapping(definition.patched(rules, registrations)),
        registry: Registry(registrations), limits: limits)
      mappers.withLock { $0[rules] = mapper }
      return mapper
    } catch {
      throw MappingError(
        .invalidDefinition, found: "a mapping that cannot update", underlying: [error])
    }
  }
}
