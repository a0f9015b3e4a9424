/// The encoders of a mapper for what is asked for besides the default, made when they are first needed.
final class EncoderVariants: Sendable {
  private struct Variant: Hashable {
    let fields: EncodingOptions.Fields
    let nils: EncodingOptions.Nils
  }

  private let definition: Definition
  private let registrations: Registrations
  private let plan: Plan
  private let known = Locked<[Variant: RecordEncoders]>([:])
  /// More than a program has by itself; one that makes them of its input starts anew.
  private static let most = 64

  init(_ definition: Definition, _ registrations: Registrations, _ plan: Plan) {
    self.definition = definition
    self.registrations = registrations
    self.plan = plan
  }

  func encoders(_ options: EncodingOptions) throws(MappingError) -> RecordEncoders {
    let variant = Variant(fields: options.fields, nils: options.nils)
    if let encoders = known.withLock({ $0[variant] }) { return encoders }
    let encoders = RecordEncoders(
      try plan(of: options.fields).tables, writesNils: options.nils == .null)
    known.withLock { known in
      if known.count >= Self.most { known.removeAll() }
      known[variant] = encoders
    }
    return encoders
  }

  private func plan(of fields: EncodingOptions.Fields) throws(MappingError) -> Plan {
    switch fields {
    case .all: plan
    case .only(let names): try plan(of: names, isKept: true)
    case .except(let names): try plan(of: names, isKept: false)
    }
  }

  private func plan(of names: [String], isKept: Bool) throws(MappingError) -> Plan {
    do {
      var choice = try FieldChoice(names, isKept: isKept, registrations)
      let chosen = choice.apply(to: definition)
      if let mistake = choice.mistake {
        throw MappingError(
          .invalidDefinition, expected: "names of fields, or paths to them", found: mistake)
      }
      return try PlanCompiler.compile(chosen, registrations)
    } catch let error as MappingError {
      throw error
    } catch {
      throw MappingError(
        .invalidDefinition, found: "fields that cannot be chosen", underlying: [error])
    }
  }
}
