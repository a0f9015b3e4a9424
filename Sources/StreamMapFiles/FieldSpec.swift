import StreamMap

/// A field as a mapping file says it.
struct FieldSpec: Equatable {
  enum Source: Equatable {
    case path(String, ValueSpec)
    case constant(JSONValue)
    case fact(RecordFact)
    /// The record's key or index, and what becomes of it.
    case step(RecordFact, ValueSpec)
    /// A value from outside the record, by its number and its name.
    case context(Int, String, RuleDomain)
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
    case .unknownKeys: OutputField(collecting: name)
    }
  }

  /// What is known of the field's values.
  var domain: RuleDomain {
    switch source {
    case .path(_, let value), .step(_, let value): value.kind.domain
    case .constant, .unknownKeys: .unknown
    case .context(_, _, let domain): domain
    case .fact(.file): .text
    case .fact: .number
    }
  }
}
