import StreamMap

/// A value as a mapping file says it.
struct ValueSpec: Equatable, Sendable {
  indirect enum Kind: Equatable, Sendable {
    case scalar(ScalarSpec)
    case object(ObjectSpec)
    /// The record of the file that this is in: it contains itself.
    case ownRecord
    case array(of: ValueSpec, omitsInvalid: Bool)
    case dictionary(of: ValueSpec, DuplicateKeyPolicy)
    /// The value at a path inside.
    case inside(String, ValueSpec, DuplicateKeyPolicy)
    /// The first of several, each found from the same value on.
    case firstOf([ValueSpec])
    /// The texts at several paths as one text.
    case composed(TemplateSpec, ScalarSpec, DuplicateKeyPolicy)
    case dispatch(DispatchSpec)
    /// What is calculated, or one of several cases.
    case made(FieldSpec, DuplicateKeyPolicy)
    /// A value that gets another form, which is then mapped.
    case shaped(ShapeSpec, ValueSpec)
    /// An array of scalars as one text.
    case joinedElements(ValueSpec, separator: String)
    /// The number of elements or members.
    case count(DuplicateKeyPolicy)
  }

  /// The substitute for a value that is absent, null or wrong.
  enum Policy: Equatable, Sendable {
    case required
    case nullable
    case `default`(JSONValue)
    case optionally(JSONValue)
  }

  var kind: Kind
  var rules: [RuleSpec]
  var policy: Policy
  /// Whether errors must not tell of it.
  var isRedacted = false
  /// For an array's element: which are kept, if not all.
  var condition: ConditionSpec?
  /// What becomes of duplicates where the condition looks.
  var conditionDuplicates = DuplicateKeyPolicy.last

  init(_ kind: Kind, rules: [RuleSpec] = [], policy: Policy = .required) {
    self.kind = kind
    self.rules = rules
    self.policy = policy
  }
}

/// An object as a mapping file says it.
struct ObjectSpec: Equatable, Sendable {
  var fields: [FieldSpec] = []
  var keys = KeyPolicies()
  /// What is kept of the members that no field names; nil for none.
  var rest: RestSpec?
  /// What a file's record is inside of it, if it contains itself.
  var own: OwnRecord?

  /// How many fields there are, those of objects inside included.
  // Complexity: O(n) in the result. What used files bring is bounded when it is put in.
  var fieldCount: Int { fields.reduce(0) { $0 + 1 + $1.source.fieldCount } }
}

/// A record as it is where it contains itself.
final class OwnRecord: Equatable, Sendable {
  let object: ObjectSpec
  private let knot = OutputMapping.Knot()

  /// That of the file whose mapping is being made.
  @TaskLocal private static var current: OwnRecord?

  init(_ object: ObjectSpec) {
    self.object = object
  }

  static func == (a: OwnRecord, b: OwnRecord) -> Bool { a.object == b.object }

  /// Makes a mapping, in which the record is this one.
  func inside(_ make: () -> OutputMapping) -> OutputMapping {
    Self.$current.withValue(self, operation: make)
  }

  /// The mapping where the record contains itself.
  static var mapping: OutputMapping {
    // A file is refused that has none.
    guard let own = current else { return .raw }
    return .contained(own.knot) { own.inside { own.object.fieldMapping } }
  }
}

extension FieldSpec.Source {
  var fieldCount: Int {
    switch self {
    case .path(_, let value), .step(_, let value), .calculated(_, let value),
      .ofContext(_, _, let value):
      value.fieldCount
    case .cases(let cases):
      cases.cases.reduce(cases.otherwise?.fieldCount ?? 0) { $0 + $1.source.fieldCount }
    case .constant, .fact, .context, .unknownKeys: 0
    }
  }
}

/// What becomes of keys that no field has for its source, or that occur twice.
struct KeyPolicies: Equatable {
  var unknown = UnknownKeyPolicy.ignore
  var duplicates = DuplicateKeyPolicy.last
}

/// One of several values, chosen by what is there.
struct DispatchSpec: Equatable, Sendable {
  enum Choice: Equatable, Sendable {
    case kind([(JSONKind, ValueSpec)])
    /// By the text at a path of keys.
    case member([String], [(String, ValueSpec)])

    static func == (a: Choice, b: Choice) -> Bool {
      switch (a, b) {
      case (.kind(let a), .kind(let b)): a.elementsEqual(b, by: ==)
      case (.member(let a, let aCases), .member(let b, let bCases)):
        a == b && aCases.elementsEqual(bCases) { $0.0 == $1.0 && $0.1 == $1.1 }
      default: false
      }
    }
  }

  var choice: Choice
  var otherwise: ValueSpec?
}

// MARK: Mappings

extension ValueSpec {
  var mapping: OutputMapping {
    let mapping = isRedacted ? shown.redacted() : shown
    return condition.map {
      mapping.filtered(by: $0.condition, duplicateKeys: conditionDuplicates)
    } ?? mapping
  }

  /// The mapping as if nothing were redacted.
  private var shown: OutputMapping {
    guard mayMakeNull, policy != .required, case .shaped(let shape, let then) = kind else {
      return substituted(required)
    }
    return substituted(shape.mapping(into: made(then)))
  }

  /// Whether one of the forms that it is given may be null.
  private var mayMakeNull: Bool {
    guard case .shaped(let shape, let then) = kind else { return false }
    return shape.mayMakeNull || then.mayMakeNull
  }

  /// What a form becomes, with what stands in for it where it is null.
  private func made(_ then: ValueSpec) -> OutputMapping {
    guard then.policy == .required, then.rules.isEmpty,
      case .shaped(let shape, let next) = then.kind
    else {
      return substituted(validated(then.mapping))
    }
    return substituted(shape.mapping(into: made(next)))
  }

  /// A mapping with what stands in for its value.
  private func substituted(_ mapping: OutputMapping) -> OutputMapping {
    switch policy {
    case .required: mapping
    // As for the others, the cases of a dispatch and alternatives do not see what is null.
    case .nullable: .nullable(mapping.withoutStandIns)
    case .default(let value): mapping.default(value)
    case .optionally(let value): mapping.default(value, when: .missingOrInvalid)
    }
  }

  private func validated(_ mapping: OutputMapping) -> OutputMapping {
    rules.isEmpty ? mapping : mapping.validated(rules.map(\.rule))
  }

  /// The mapping without what stands in for its value.
  private var required: OutputMapping {
    let mapping: OutputMapping
    switch kind {
    case .scalar(let scalar): mapping = scalar.mapping
    case .object(let object): mapping = object.mapping
    case .ownRecord: mapping = OwnRecord.mapping
    case .array(let element, let omitsInvalid):
      mapping = .array(of: element.mapping, omitsInvalid: omitsInvalid)
    case .dictionary(let value, let duplicates):
      mapping = OutputMapping.dictionary(of: value.mapping).duplicateKeys(duplicates)
    case .inside(let path, let value, let duplicates):
      mapping = OutputMapping.at(.path(path), value.mapping).duplicateKeys(duplicates)
    case .firstOf(let alternatives): return firstOf(alternatives)
    case .composed(let template, let scalar, let duplicates):
      let text = template.mapping(duplicates)
      mapping = scalar.takesAnyText ? text : scalar.fromText(of: text)
    case .dispatch(let dispatch): mapping = dispatch.mapping
    case .made(let field, let duplicates):
      mapping = .value(of: field.field, duplicateKeys: duplicates)
    case .shaped(let shape, let then): mapping = shape.mapping(into: then.mapping)
    case .joinedElements(let array, let separator):
      mapping = array.mapping.joined(by: separator)
    case .count(let duplicates): mapping = .count(duplicateKeys: duplicates)
    }
    return validated(mapping)
  }

  private func firstOf(_ alternatives: [ValueSpec]) -> OutputMapping {
    // What breaks a rule is no reason not to try the next.
    .firstOf(alternatives.map { validated($0.mapping) }, reportsEarlier: false)
  }
}

extension ObjectSpec {
  var mapping: OutputMapping { own?.inside { fieldMapping } ?? fieldMapping }

  fileprivate var fieldMapping: OutputMapping {
    OutputMapping.object(fields.map(\.field), rest: rest?.rest ?? .dropped)
      .unknownKeys(keys.unknown).duplicateKeys(keys.duplicates)
  }
}

extension DispatchSpec {
  fileprivate var mapping: OutputMapping {
    switch choice {
    case .kind(let cases):
      .dispatch(byKind: cases.map { ($0.0, $0.1.mapping) }, otherwise: otherwise?.mapping)
    case .member(let path, let cases):
      .dispatch(on: .keys(path), cases.map { ($0.0, $0.1.mapping) }, otherwise: otherwise?.mapping)
    }
  }
}
