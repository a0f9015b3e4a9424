/// The mappings of a mapper's updates, compiled when they are first needed.
final class Updaters<Value>: Sendable {
  private let definition: Definition
  private let registrations: Registrations
  // PERF: not a dictionary, because the first of a kind searches all conformances of the program, for each program that
  // never updates. There are only a few rules.
  private let mappers = Locked<[(rules: UpdateRules, mapper: Mapper<Patch>)]>([])

  init(_ definition: Definition, _ registrations: Registrations) {
    self.definition = definition
    self.registrations = registrations
  }

  // With `keepsInstance`, the value must stay the same instance of a class.
  func update(
    _ value: inout Value, from bytes: UnsafeBufferPointer<UInt8>, by rules: UpdateRules,
    limits: Limits, parser: RecordParser, keepsInstance: Bool = false
  ) throws(MappingError) -> [MappingError] {
    var mapper = try mapper(rules, limits)
    if mapper.parser != parser { mapper.parser = parser }
    let record = mapper.decode(contiguous: bytes)
    let hidesValues = mapper.plan.tables.hidesValues
    let patch = try record.get()
    let missing = withUnsafePointer(to: value) { patch.missing(in: UnsafeRawPointer($0)) }
    if let missing { throw Self.error(missing, record, hidesValues) }
    let old = value
    let restore = withUnsafePointer(to: value) { patch.keep(of: UnsafeRawPointer($0)) }
    let findings = withUnsafeMutablePointer(to: &value) { value in
      patch.apply(to: UnsafeMutableRawPointer(value))
      return patch.finish(UnsafeMutableRawPointer(value))
    }.map { Self.error($0, record, hidesValues) }
    let failures = findings.filter { $0.severity == .fatal }
    if keepsInstance, failures.isEmpty, (value as AnyObject) !== (old as AnyObject) {
      value = old
      withUnsafeMutablePointer(to: &value) { restore(UnsafeMutableRawPointer($0)) }
      throw MappingError(
        .invalidDefinition, position: record.position, record: record.number,
        found:
          "a function after the mapping that returns another instance; give a variable, as &object")
    }
    guard let first = failures.first else {
      return Array((record.issues + findings).prefix(max(limits.errorsPerRecord, 1)))
    }
    withUnsafeMutablePointer(to: &value) { restore(UnsafeMutableRawPointer($0)) }
    // A function on the finished value may have changed more, or returned another value.
    value = old
    if failures.count == 1 { throw first }
    throw MappingError(
      .severalErrors, position: record.position, record: record.number, underlying: failures)
  }

  private static func error(
    _ finding: Patch.Finding, _ record: Record<Patch>, _ hidesValues: Bool
  ) -> MappingError {
    let origin = finding.origin
    switch finding.cause {
    case .missing(let expected):
      return MappingError(
        .missing, path: origin.path, target: origin.target, position: origin.position,
        record: record.number, expected: expected)
    case .thrown(let error, let expected):
      // Only mappings made from fields update values.
      let thrown = ThrownError(error, expected: expected, from: .object, hidesValues: hidesValues)
      return MappingError(
        thrown.code, severity: finding.severity, path: origin.path, target: origin.target,
        position: origin.position, record: record.number, expected: thrown.expected,
        found: thrown.found, rule: thrown.rule, underlying: thrown.underlying)
    }
  }

  private func mapper(_ rules: UpdateRules, _ limits: Limits) throws(MappingError) -> Mapper<Patch>
  {
    let earlier = mappers.withLock { known in known.first { $0.rules == rules } }
    if let earlier { return earlier.mapper }
    do throws(DefinitionError) {
      let mapper = try Mapper<Patch>(
        Mapping(definition.patched(rules, registrations)),
        registry: Registry(registrations), limits: limits)
      mappers.withLock { $0.append((rules, mapper)) }
      return mapper
    } catch {
      throw MappingError(
        .invalidDefinition, found: "a mapping that cannot update", underlying: [error])
    }
  }
}
