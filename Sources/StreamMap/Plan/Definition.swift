/// A mapping without Swift types: all mappings are reduced to this form before they are compiled.
///
/// Immutable and shared: one definition may be part of many mappings. The typed part is in `operations`; a mapping to
/// output records has none.
final class Definition: Sendable {
  indirect enum Kind: Sendable {
    case scalar(ScalarType, ScalarOptions?)
    /// The sub-tree as a `JSONValue` or as raw text.
    case json(JSONForm)
    case array(Definition, onInvalid: ElementRule)
    /// The rule is nil if the mapping does not set one.
    case dictionary(Definition, duplicateKeys: DuplicateKeyPolicy?)
    case object(ObjectDefinition)
    /// Another value, which code of the mapping's author makes from this one.
    case transform(Definition)
    /// One mapping makes a `JSONValue`, which another one then maps.
    case rewritten(Definition, then: Definition)
    /// One mapping for decoding, another one for encoding.
    case split(Definition, reverse: Definition)
    /// The first of several mappings that accepts the value.
    case firstOf([Definition], reportsEarlier: Bool)
    /// One of several mappings, chosen by the value itself.
    case dispatch(DispatchDefinition)
    /// A mapping that is found by its identity, so that it can contain itself.
    case reference(Identity, @Sendable (Registrations) -> Definition)
    /// A mapping that cannot be compiled, for this reason.
    case mistake(String)
  }

  enum JSONForm: Sendable { case value, raw }

  /// What happens to an array if an element has no value.
  enum ElementRule: Sendable {
    /// The array has no value either.
    case fail
    /// The element is left out and reported.
    case omit
  }

  /// What a definition says.
  struct Content: Sendable {
    var kind: Kind
    /// Nil only for a reference: it has the policy of its target.
    var policy: Policy?
    /// Nil in output records and for a reference, which has the operations of its target.
    var operations: ValueOperations?
    /// What the mapping takes, for messages: `a date (RFC 3339)`.
    var expected: String
    /// For a reference: whether its target is stored in an Optional here.
    var wrapsReference = false
    /// The rules that a value must keep.
    var checks: [ValueCheck] = []
    /// Whether errors must not show anything from this part of the feed.
    var isRedacted = false
  }

  private let content: Content

  private init(_ content: Content) {
    self.content = content
  }

  convenience init(
    _ kind: Kind, policy: Policy? = Policy(), operations: ValueOperations? = nil, expected: String
  ) {
    self.init(Content(kind: kind, policy: policy, operations: operations, expected: expected))
  }

  /// A scalar.
  convenience init(
    _ type: ScalarType, _ options: ScalarOptions? = nil, operations: ValueOperations? = nil
  ) {
    let added = options.map { " " + $0.description } ?? ""
    self.init(
      .scalar(type, options), operations: operations, expected: type.expected + added)
  }

  var kind: Kind { content.kind }
  var policy: Policy? { content.policy }
  var operations: ValueOperations? { content.operations }
  var expected: String { content.expected }
  var wrapsReference: Bool { content.wrapsReference }
  var checks: [ValueCheck] { content.checks }
  var isRedacted: Bool { content.isRedacted }

  /// The same mapping with other content.
  func changed(_ change: (inout Content) -> Void) -> Definition {
    var content = content
    change(&content)
    return Definition(content)
  }

  /// The same mapping with its values kept out of errors.
  func redacted() -> Definition { changed { $0.isRedacted = true } }

  func with(policy: Policy) -> Definition { changed { $0.policy = policy } }

  func with(kind: Kind) -> Definition { changed { $0.kind = kind } }

  func with(checks more: [ValueCheck]) -> Definition { changed { $0.checks += more } }

  /// The same mapping storing an Optional.
  func storingOptional(policy: Policy) -> Definition {
    if wrapsReference || operations?.isOptional == true {
      return Definition(
        .mistake("an Optional of an Optional: JSON has one null, so the two cannot be told apart"),
        expected: expected)
    }
    var changed = content
    changed.policy = policy
    changed.operations = operations?.optional()
    switch kind {
    case .reference: changed.wrapsReference = true
    case .rewritten(let source, let then):
      changed.kind = .rewritten(source, then: then.storingOptional(policy: then.policy ?? Policy()))
    case .split(let forward, let reverse):
      changed.kind = .split(
        forward.storingOptional(policy: policy),
        reverse: reverse.storingOptional(policy: reverse.policy ?? Policy()))
    case .firstOf(let alternatives, let reportsEarlier):
      changed.kind = .firstOf(
        alternatives.map { $0.storingOptional(policy: $0.policy ?? Policy()) },
        reportsEarlier: reportsEarlier)
    case .dispatch(let dispatch):
      changed.kind = .dispatch(
        dispatch.map { $0.storingOptional(policy: $0.policy ?? Policy()) })
    default: break
    }
    return Definition(changed)
  }

  /// The target of a reference, with the reference's own policy and storage.
  func merged(over target: Definition) -> Definition {
    let policy = (policy ?? Policy()).around(target.policy ?? Policy())
    let merged = target.changed {
      $0.policy = policy
      $0.checks += checks
      $0.isRedacted = isRedacted || target.isRedacted
    }
    return wrapsReference ? merged.storingOptional(policy: policy) : merged
  }

  /// The final target of a reference; the definition itself if it is not a reference.
  func resolved(_ registrations: Registrations) -> Definition {
    var here = self
    // A mapping that refers only to itself is reported at compile time.
    for _ in 0..<100 {
      guard case .reference(_, let resolve) = here.kind else { break }
      here = here.merged(over: resolve(registrations))
    }
    return here
  }

  /// Whether a value of an output record is read as a `JSONValue`: by rules, or by code that makes another value from it.
  var looksAtOutput: Bool {
    switch kind {
    case .transform, .rewritten: true
    default: !checks.isEmpty
    }
  }

  /// What any of these mappings accepts, for messages; for a mapping that wraps another, the description of the inner one.
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

  /// Names a mapping that references lead to.
  struct Identity: Sendable, Hashable {
    let object: ObjectIdentifier
    let name: String
    /// How it differs from the mapping as declared.
    var form = Form()

    struct Form: Sendable, Hashable {
      /// Which patch of the mapping's value it makes; nil if it makes none.
      var patch: PatchRole?
      /// Whether it notes the parts that it finds: see ``ObjectDefinition/notesParts``.
      var notesParts = false
      /// Whether properties name its members.
      var isByProperties = false
      /// The keys that are known in it, besides those of its fields.
      var knownKeys: [String] = []
    }

    static func == (a: Identity, b: Identity) -> Bool { a.object == b.object && a.form == b.form }
    func hash(into hasher: inout Hasher) {
      hasher.combine(object)
      hasher.combine(form)
    }
  }
}

/// Several mappings, of which a value chooses one.
struct DispatchDefinition: Sendable {
  enum Choice: Sendable {
    /// By the kind of the value's token.
    case kind
    /// By the text of a scalar inside the value; the keys lead to it.
    case member([String])
  }

  let choice: Choice
  /// The name of a kind, or the text of the scalar, and the mapping that it stands for.
  var cases: [(label: String, definition: Definition)]
  var fallback: Definition?

  /// If the kind chooses, null has its own case, or else the mapping for all others takes it.
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

/// The fields of an object mapping.
struct ObjectDefinition: Sendable {
  struct Field: Sendable {
    var source: Source
    /// The name in the result, one part for each step of a key path; empty if it is not known.
    let target: [String]
    var definition: Definition
    /// Where the field comes from if its source is absent or null: the first of these paths that has a value.
    var fallbacks: [JSONPath] = []
    /// The property behind the field, to find two fields for one property; nil for output records.
    let property: (AnyKeyPath & Sendable)?
    /// Whether an update changes the value inside the property.
    var isUpdatedInside = false
    /// In a patch, for a field that takes its whole object: whether the field is absent if none of its parts is there.
    var needsParts = false
  }

  /// The names of the fields in the result; their numbers where the names are not known.
  var targets: [[String]] {
    if isTransparent { return fields.map { _ in [] } }
    return fields.enumerated().map { $1.target.isEmpty ? ["field \($0 + 1)"] : $1.target }
  }

  /// The numbers of the fields that are written and whose names are not known.
  var unnamed: [Int] {
    if isTransparent { return [] }
    return fields.indices.filter { index in
      if case .constant = fields[index].source { return false }
      return fields[index].target.isEmpty
    }.map { $0 + 1 }
  }

  /// Where a field comes from.
  enum Source: Sendable {
    /// Nowhere: the field's policy for absent values supplies its value.
    case constant
    /// The members that are no other field's source, as one object.
    case unknown
    case path(JSONPath)
    case invalid(PathSyntaxError)

    var path: JSONPath? { if case .path(let path) = self { path } else { nil } }
  }

  /// The type's name, for messages and the explanation.
  let name: String
  var fields: [Field]
  /// Output records only: the result is the value of the only field, without an object around it.
  var isTransparent = false
  /// Nil if the mapping does not set it.
  var unknownKeys: UnknownKeyPolicy?
  var duplicateKeys: DuplicateKeyPolicy?
  /// Keys that are known although no field looks for them.
  var knownKeys: [String] = []
  /// The rule for absent values of a patch; nil if the result is an object.
  var patch: AbsentUpdate?
  /// Whether the object tells the machine that a part of it was there: its result may belong to a field of a patch.
  var notesParts = false

  /// What the object accepts, for messages.
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

  /// An object that takes its source as a whole may accept any value, including null.
  var policy: Policy {
    let takesWhole = fields.contains { field in
      if case .path(let path) = field.source { path.components.isEmpty } else { false }
    }
    return Policy(null: takesWhole ? .take(isSaid: false) : .unsaid)
  }

  /// The policy of an object whose only field stands for its value: where the field can have no value, the object has none.
  func policy(around inner: Policy) -> Policy {
    Policy(
      absent: inner.absent, null: inner.absent.isSaid ? inner.absent : policy.null,
      invalid: inner.invalid)
  }
}

extension ObjectDefinition.Field {
  /// The name in the result; without one, the source of the value.
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
