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
    self.init(
      .scalar(type, options), operations: operations, expected: type.expected(with: options))
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
    let parts = mapChildren { role, child in
      switch role {
      case .forward: child.storingOptional(policy: policy)
      case .then, .reverse, .alternative: child.storingOptional(policy: child.policy ?? Policy())
      case .element, .member, .field, .original, .source: child
      }
    }
    return parts.changed {
      $0.policy = policy
      $0.operations = operations?.optional()
      if case .reference = $0.kind { $0.wrapsReference = true }
    }
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
  var looksAtOutput: Bool { kind.isMadeOfAnother || !checks.isEmpty }

  /// What any of these mappings accepts, for messages; for a mapping that wraps another, the description of the inner one.
  static func expected(ofAny definitions: [Definition]) -> String {
    var seen: Set<ExactText> = []
    return definitions.map(\.innermost.expected).filter { seen.insert(ExactText($0)).inserted }
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
      /// The paths of the members that are known in it, besides those of its fields.
      var knownKeys: [[ExactText]] = []
    }

    static func == (a: Identity, b: Identity) -> Bool { a.object == b.object && a.form == b.form }
    func hash(into hasher: inout Hasher) {
      hasher.combine(object)
      hasher.combine(form)
    }
  }
}
