import StreamMap

/// A field as a mapping file says it.
struct FieldSpec: Equatable, Sendable {
  indirect enum Source: Equatable, Sendable {
    case path(String, ValueSpec)
    case constant(JSONValue)
    case fact(RecordFact)
    /// The record's key or index, and what becomes of it.
    case step(RecordFact, ValueSpec)
    /// A value from outside the record, by its number and its name.
    case context(Int, String, RuleDomain)
    /// What becomes of such a value.
    case ofContext(Int, String, ValueSpec)
    /// What a formula makes of other values.
    case calculated(FormulaText, ValueSpec)
    case cases(CasesSpec)
    /// The members that no other field has for its source.
    case unknownKeys
  }

  var name: String
  var source: Source

  var field: OutputField {
    switch source {
    case .path(let path, let value): OutputField(name, from: .path(path), value.mapping)
    case .constant(let value): OutputField(name, constant: value)
    case .fact(let fact): OutputField(name, fact)
    case .step(let fact, let value): OutputField(name, fact, value.mapping)
    case .context(let number, let value, _):
      OutputField(name, contextValue: number, named: value)
    case .ofContext(let number, let name, let value):
      OutputField(self.name, contextValue: number, named: name, value.mapping)
    case .calculated(let formula, let value):
      OutputField(name, calculated: formula, value.mapping)
    case .cases(let cases): cases.field(name)
    case .unknownKeys: OutputField(collecting: name)
    }
  }

  /// What is known of the field's values.
  var domain: RuleDomain {
    switch source {
    case .path(_, let value), .step(_, let value), .calculated(_, let value),
      .ofContext(_, _, let value):
      value.kind.domain
    case .constant, .unknownKeys, .cases: .unknown
    case .context(_, _, let domain): domain
    case .fact(.file): .text
    case .fact: .number
    }
  }
}

/// A field that is one of several, as a mapping file says it.
struct CasesSpec: Equatable, Sendable {
  struct Case: Equatable, Sendable {
    let condition: ConditionSpec
    let source: FieldSpec.Source
  }

  let cases: [Case]
  let otherwise: FieldSpec.Source?
  let isNullable: Bool
  let isRedacted: Bool

  func field(_ name: String) -> OutputField {
    func field(_ source: FieldSpec.Source) -> OutputField {
      FieldSpec(name: name, source: source).field
    }
    let field = OutputField(
      name, cases: cases.map { ($0.condition.condition, field($0.source)) },
      otherwise: otherwise.map { field($0) }, isNullable: isNullable)
    return isRedacted ? field.redacted() : field
  }
}
