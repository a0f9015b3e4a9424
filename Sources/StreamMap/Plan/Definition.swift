/// What a mapping says, without Swift types: the form that mappings of all kinds are reduced to before they are
/// compiled.
///
/// Immutable and shared: one definition may stand in many mappings. The typed part is in `operations`; a mapping to
/// output records has none.
final class Definition: Sendable {
  indirect enum Kind: Sendable {
    case scalar(ScalarKind)
    /// The sub-tree as a `JSONValue` or as raw text.
    case json(JSONForm)
    case array(Definition, onInvalid: ElementRule)
    /// The rule is nil where the mapping does not say.
    case dictionary(Definition, duplicateKeys: DuplicateKeyRule?)
    case object(ObjectDefinition)
    /// Another value, made from this one by code of the mapping's author.
    case transform(Definition)
    /// A value made by one mapping as a `JSONValue`, which another one then maps.
    case rewritten(Definition, then: Definition)
    /// One mapping forward, another one back.
    case split(Definition, reverse: Definition)
    /// The first of several that takes the value.
    case firstOf([Definition], reportsEarlier: Bool)
    /// One of several, chosen by what the value shows of itself.
    case dispatch(DispatchDefinition)
    /// A mapping that is found by its identity, so that it can contain itself.
    case reference(Identity, @Sendable (Registrations) -> Definition)
    /// Cannot be compiled, for the reason given.
    case mistake(String)
  }

  enum JSONForm: Sendable { case value, raw }

  /// What becomes of an array whose element has no value.
  enum ElementRule: Sendable {
    /// It has none either.
    case fail
    /// The element is left out and reported.
    case omit
  }

  let kind: Kind
  /// Nil, of a reference only: the policy of what it refers to.
  let policy: Policy?
  /// Nil in output records, and of a reference: those of what it refers to.
  let operations: ValueOperations?
  /// Of a reference: whether what it refers to is stored in an Optional here.
  let wrapsReference: Bool
  /// What the mapping takes, for messages: `a date (RFC 3339)`.
  let expected: String
  /// What a value must be, besides being one.
  let checks: [ValueCheck]
  /// Whether errors must not tell anything that the feed has here.
  let isRedacted: Bool

  init(
    _ kind: Kind, policy: Policy? = Policy(), operations: ValueOperations? = nil, expected: String,
    wrapsReference: Bool = false, checks: [ValueCheck] = [], isRedacted: Bool = false
  ) {
    self.kind = kind
    self.policy = policy
    self.operations = operations
    self.expected = expected
    self.wrapsReference = wrapsReference
    self.checks = checks
    self.isRedacted = isRedacted
  }

  /// The same mapping with its values kept out of errors.
  func redacted() -> Definition {
    Definition(
      kind, policy: policy, operations: operations, expected: expected,
      wrapsReference: wrapsReference, checks: checks, isRedacted: true)
  }

  func with(policy: Policy) -> Definition {
    Definition(
      kind, policy: policy, operations: operations, expected: expected,
      wrapsReference: wrapsReference, checks: checks, isRedacted: isRedacted)
  }

  func with(kind: Kind) -> Definition {
    Definition(
      kind, policy: policy, operations: operations, expected: expected,
      wrapsReference: wrapsReference, checks: checks, isRedacted: isRedacted)
  }

  func with(checks more: [ValueCheck]) -> Definition {
    Definition(
      kind, policy: policy, operations: operations, expected: expected,
      wrapsReference: wrapsReference, checks: checks + more, isRedacted: isRedacted)
  }

  /// The same mapping storing an Optional.
  func storingOptional(policy: Policy) -> Definition {
    if wrapsReference || operations?.isOptional == true {
      return Definition(
        .mistake("an Optional of an Optional: JSON has one null, so the two cannot be told apart"),
        expected: expected)
    }
    var wraps = false
    var kind = kind
    switch kind {
    case .reference: wraps = true
    case .rewritten(let source, let then):
      kind = .rewritten(source, then: then.storingOptional(policy: then.policy ?? Policy()))
    case .split(let forward, let reverse):
      kind = .split(
        forward.storingOptional(policy: policy),
        reverse: reverse.storingOptional(policy: reverse.policy ?? Policy()))
    case .firstOf(let alternatives, let reportsEarlier):
      kind = .firstOf(
        alternatives.map { $0.storingOptional(policy: $0.policy ?? Policy()) },
        reportsEarlier: reportsEarlier)
    case .dispatch(let dispatch):
      kind = .dispatch(dispatch.map { $0.storingOptional(policy: $0.policy ?? Policy()) })
    default: break
    }
    return Definition(
      kind, policy: policy, operations: operations?.optional(), expected: expected,
      wrapsReference: wraps, checks: checks, isRedacted: isRedacted)
  }

  /// What a reference stands for, with the reference's own policy and storage.
  func merged(over target: Definition) -> Definition {
    let policy = (policy ?? Policy()).around(target.policy ?? Policy())
    if wrapsReference {
      let target = isRedacted ? target.redacted() : target
      return target.with(checks: checks).storingOptional(policy: policy)
    }
    return Definition(
      target.kind, policy: policy, operations: target.operations, expected: target.expected,
      wrapsReference: target.wrapsReference, checks: target.checks + checks,
      isRedacted: isRedacted || target.isRedacted)
  }

  /// What a reference stands for in the end; itself where it is none.
  func resolved(_ registrations: Registrations) -> Definition {
    var here = self
    // A mapping that refers only to itself is reported when it is compiled.
    for _ in 0..<100 {
      guard case .reference(_, let resolve) = here.kind else { break }
      here = here.merged(over: resolve(registrations))
    }
    return here
  }

  /// Whether the value, of an output record, is read as a `JSONValue`: by rules, or by code that makes another one of it.
  var looksAtOutput: Bool {
    switch kind {
    case .transform, .rewritten: true
    default: !checks.isEmpty
    }
  }

  /// What any of these mappings makes a value of, for messages: of one that takes its value from inside, that.
  static func expected(ofAny definitions: [Definition]) -> String {
    var seen: Set<String> = []
    return definitions.map(\.innermost.expected).filter { seen.insert($0).inserted }
      .joined(separator: ", or ")
  }

  private var innermost: Definition {
    guard case .object(let object) = kind, object.isTransparent, object.fields.count == 1 else {
      return self
    }
    return object.fields[0].definition.innermost
  }

  /// Names a mapping that is referred to.
  struct Identity: Sendable, Hashable {
    let object: ObjectIdentifier
    let name: String
    /// How it differs from what the mapping says by itself.
    var form = Form()

    struct Form: Sendable, Hashable {
      /// Whether it stands for the patch of what the mapping makes; which one.
      var patch: PatchRole?
      /// Whether it notes the parts that it finds: see ``ObjectDefinition/notesParts``.
      var notesParts = false
      /// Whether its members are named by properties.
      var isByProperties = false
      /// The keys that are known in it besides those of its fields.
      var knownKeys: [String] = []
    }

    static func == (a: Identity, b: Identity) -> Bool { a.object == b.object && a.form == b.form }
    func hash(into hasher: inout Hasher) {
      hasher.combine(object)
      hasher.combine(form)
    }
  }
}

/// Several mappings of which a value chooses one.
struct DispatchDefinition: Sendable {
  enum Choice: Sendable {
    /// By the kind of its token.
    case kind
    /// By the text of a scalar in it: the keys that lead there.
    case member([String])
  }

  let choice: Choice
  /// A kind's name, or the scalar's text, and the mapping that it stands for.
  var cases: [(label: String, definition: Definition)]
  var fallback: Definition?

  /// By kind, null is taken by a case of its own, or by the mapping for all others.
  var policy: Policy {
    guard case .kind = choice else { return Policy() }
    if let own = cases.first(where: { $0.label == JSONKind.null.rawValue })?.definition {
      return Policy(null: .take(isSaid: own.policy?.null.fails == false))
    }
    guard let null = fallback.map({ ($0.policy ?? Policy()).null }) else { return Policy() }
    return Policy(null: .take(isSaid: null.isSaid && !null.fails))
  }

  func map(_ change: (Definition) -> Definition) -> DispatchDefinition {
    var changed = self
    changed.cases = cases.map { ($0.label, change($0.definition)) }
    changed.fallback = fallback.map(change)
    return changed
  }
}

/// What becomes of members that no field has for its source.
enum UnknownKeyRule: UInt8, Sendable, BitwiseCopyable { case ignore, report, fail }

/// What becomes of a member whose key occurred before.
enum DuplicateKeyRule: UInt8, Sendable, BitwiseCopyable {
  case last, first, report, fail

  /// Whether it replaces the earlier one.
  var replaces: Bool { self == .last || self == .report }
}

/// The fields of an object mapping.
struct ObjectDefinition: Sendable {
  struct Field: Sendable {
    var source: Source
    /// The name in what is built, one for each step of a key path; none where it is not known.
    let target: [String]
    var definition: Definition
    /// Where it comes from when there is nothing at its source, or null: the first of these paths where there is something.
    var fallbacks: [JSONPath] = []
    /// The property behind the field, to find two fields on one property; nil for output records.
    let property: (AnyKeyPath & Sendable)?
    /// Whether an update changes what the property holds.
    var isUpdatedInside = false
    /// Of a patch, of a field that takes its whole object: whether it is absent where none of its parts is there.
    var needsParts = false
  }

  /// What the fields are called in what is built: by their number where their names are not known.
  var targets: [[String]] {
    if isTransparent { return fields.map { _ in [] } }
    return fields.enumerated().map { $1.target.isEmpty ? ["field \($0 + 1)"] : $1.target }
  }

  /// The numbers of the fields that are written without a name that is known.
  var unnamed: [Int] {
    if isTransparent { return [] }
    return fields.indices.filter { index in
      if case .constant = fields[index].source { return false }
      return fields[index].target.isEmpty
    }.map { $0 + 1 }
  }

  /// Where a field comes from.
  enum Source: Sendable {
    /// Nowhere: the field's policy for absent values supplies it.
    case constant
    /// The members that no other field has for its source, as one object.
    case unknown
    case path(JSONPath)
    case invalid(PathSyntaxError)

    var path: JSONPath? { if case .path(let path) = self { path } else { nil } }
  }

  /// The type's name, for messages and the explanation.
  let name: String
  var fields: [Field]
  /// Output records only: what is built is the value of the one field, without an object around it.
  var isTransparent = false
  /// Nil where the mapping does not say.
  var unknownKeys: UnknownKeyRule?
  var duplicateKeys: DuplicateKeyRule?
  /// Keys that no field looks for, and that are known nevertheless.
  var knownKeys: [String] = []
  /// What is made is a patch; nil where it is an object.
  var patch: AbsentRule?
  /// Whether the machine is told that a part of it was there: what it makes may be a field's of a patch.
  var notesParts = false

  /// What it takes, for messages.
  var expected: String {
    var (takesObjects, takesArrays) = (false, false)
    for case .path(let path) in fields.map(\.source) {
      switch path.components.first {
      case .key?: takesObjects = true
      case .index?: takesArrays = true
      case nil: break
      }
    }
    if takesArrays { return takesObjects ? "an object or an array" : "an array" }
    return "an object"
  }

  /// What it takes as a whole may be any value: null, too.
  var policy: Policy {
    let takesWhole = fields.contains { field in
      if case .path(let path) = field.source { path.components.isEmpty } else { false }
    }
    return Policy(null: takesWhole ? .take(isSaid: false) : .unsaid)
  }

  /// The policy of the one field of an object that stands for its value: where nothing can be inside, nothing is.
  func policy(around inner: Policy) -> Policy {
    Policy(
      absent: inner.absent, null: inner.absent.isSaid ? inner.absent : policy.null,
      invalid: inner.invalid)
  }
}

/// What a scalar becomes.
enum ScalarKind: Sendable, Hashable {
  case string
  case bool
  case integer(IntegerKind)
  case float
  case double
  case decimal
  case url(schemes: [String])
  case uuid
  case date
  /// Output records only: any number, any scalar, as written.
  case number
  case any
}

/// The integer types.
enum IntegerKind: UInt8, Sendable, CaseIterable {
  case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64

  /// As in “expected an integer (Int8)”.
  var name: String {
    switch self {
    case .int: "Int"
    case .int8: "Int8"
    case .int16: "Int16"
    case .int32: "Int32"
    case .int64: "Int64"
    case .uint: "UInt"
    case .uint8: "UInt8"
    case .uint16: "UInt16"
    case .uint32: "UInt32"
    case .uint64: "UInt64"
    }
  }
}

extension ScalarKind {
  /// As in “expected …”.
  var expected: String {
    switch self {
    case .string: "a string"
    case .bool: "true or false"
    case .integer(let kind): "an integer (\(kind.name))"
    case .float: "a number (Float)"
    case .double: "a number (Double)"
    case .decimal: "a number (Decimal, at most 38 digits)"
    case .url(let schemes) where schemes.isEmpty: "a URL"
    case .url(let schemes): "a URL (\(schemes.joined(separator: ", ")))"
    case .uuid: "a UUID"
    case .date: "a date (RFC 3339)"
    case .number: "a number"
    case .any: "a string, number or boolean"
    }
  }

  /// The name in explanations and mapping files.
  var name: String {
    switch self {
    case .string: "string"
    case .bool: "bool"
    case .integer(let kind): kind.name.lowercased()
    case .float: "float"
    case .double: "double"
    case .decimal: "decimal"
    case .url(let schemes) where schemes.isEmpty: "url"
    case .url(let schemes): "url(\(schemes.joined(separator: ", ")))"
    case .uuid: "uuid"
    case .date: "date"
    case .number: "number"
    case .any: "any"
    }
  }
}

extension ObjectDefinition.Field {
  /// The name as it is written, or where there is none, where the value comes from.
  var name: String {
    if !target.isEmpty { return target.joined(separator: ".") }
    switch source {
    case .path(let path): return "from \(path)"
    case .constant: return "a constant"
    case .unknown: return "the other members"
    case .invalid: return "from a path that cannot be read"
    }
  }
}
