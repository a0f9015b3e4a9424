/// The encoders of a mapper for options other than the default, each made when it is first needed.
final class EncoderVariants: Sendable {
  private struct Variant: Equatable {
    let fields: EncodingOptions.Fields
    let nils: EncodingOptions.Nils
    let keys: EncodingOptions.Keys
  }

  private let definition: Definition
  private let registrations: Registrations
  private let plan: Plan
  private let limits: Limits
  // PERF: not a dictionary, because the first of a kind searches all conformances of the program, for each program that
  // never encodes.
  private let known = Locked<[(variant: Variant, encoders: RecordEncoders)]>([])
  /// More variants than a program itself uses; if a program takes options from its input and reaches this, the cache is emptied.
  private static let most = 64

  init(
    _ definition: Definition, _ registrations: Registrations, _ plan: Plan, _ limits: Limits
  ) {
    self.definition = definition
    self.registrations = registrations
    self.plan = plan
    self.limits = limits
  }

  func encoders(_ options: EncodingOptions) throws(MappingError) -> RecordEncoders {
    let variant = Variant(fields: options.fields, nils: options.nils, keys: options.keys)
    let earlier = known.withLock { known in known.first { $0.variant == variant } }
    if let earlier { return earlier.encoders }
    let encoders = RecordEncoders(
      try plan(of: variant).tables, limits, writesNils: options.nils == .null)
    known.withLock { known in
      if known.count >= Self.most { known.removeAll() }
      known.append((variant, encoders))
    }
    return encoders
  }

  private func plan(of variant: Variant) throws(MappingError) -> Plan {
    let chosen =
      switch variant.fields {
      case .all: definition
      case .only(let names): try choice(of: names, isKept: true)
      case .except(let names): try choice(of: names, isKept: false)
      }
    let named = variant.keys == .sources ? chosen : chosen.byProperties()
    do throws(DefinitionError) {
      return try PlanCompiler.compile(named, registrations)
    } catch {
      throw MappingError(
        .invalidDefinition, found: "fields that cannot be chosen", underlying: [error])
    }
  }

  private func choice(of names: [String], isKept: Bool) throws(MappingError) -> Definition {
    var choice: FieldChoice
    do throws(PathSyntaxError) {
      choice = try FieldChoice(names, isKept: isKept, registrations)
    } catch {
      throw MappingError(
        .invalidDefinition, found: "fields that cannot be chosen", underlying: [error])
    }
    let chosen = choice.apply(to: definition)
    guard let mistake = choice.mistake else { return chosen }
    throw MappingError(
      .invalidDefinition, expected: "names of fields, or paths to them", found: mistake)
  }
}
