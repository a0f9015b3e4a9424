import StreamMap

/// A field as a mapping file says it.
struct FieldSpec: Equatable {
  enum Source: Equatable {
    case path(String)
    case constant(JSONValue)
  }

  var name: String
  var source: Source
  var value: ValueSpec

  var field: OutputField {
    switch source {
    case .path(let path): OutputField(name, from: .path(path), value.mapping)
    case .constant(let value): OutputField(name, constant: value)
    }
  }
}

/// A value as a mapping file says it.
struct ValueSpec: Equatable {
  indirect enum Kind: Equatable {
    case scalar(TypeName, schemes: [String])
    case object([FieldSpec])
    case array(of: ValueSpec, omitsInvalid: Bool)
    case dictionary(of: ValueSpec)
    /// The value at a path inside.
    case inside(String, ValueSpec)
  }

  /// What stands in for a value that is absent, null or wrong.
  enum Policy: Equatable {
    case required
    case nullable
    case `default`(JSONValue)
    case optionally(JSONValue)
  }

  var kind: Kind
  var policy: Policy

  init(_ kind: Kind, policy: Policy = .required) {
    self.kind = kind
    self.policy = policy
  }

  var mapping: OutputMapping {
    switch policy {
    case .required: required
    case .nullable: required.nullable()
    case .default(let value): required.default(value)
    case .optionally(let value): required.optionally(default: value)
    }
  }

  /// The mapping without its policy.
  var required: OutputMapping {
    switch kind {
    case .scalar(let type, let schemes): type.mapping(schemes: schemes)
    case .object(let fields): .object(fields.map(\.field))
    case .array(let element, let omitsInvalid):
      .array(of: element.mapping, omitsInvalid: omitsInvalid)
    case .dictionary(let value): .dictionary(of: value.mapping)
    case .inside(let path, let value): .value(at: .path(path), value.mapping)
    }
  }
}
