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
    var update = Update.replacing
    /// In a patch, for a field that takes its whole object: whether the field is absent if none of its parts is there.
    var needsParts = false
    /// How the value is made when the object ends; nil if it comes from the source.
    var making: Making?
  }

  /// What an update does to the property of a field.
  enum Update: Sendable {
    /// The property gets a new value.
    case replacing
    /// The value of the property is changed inside.
    case inside
    /// The elements of an array are changed, each found by its identifier.
    case elements(ElementMerge)
  }

  /// How a field of an output object is made from others.
  indirect enum Making: Sendable {
    case calculated(FormulaText)
    /// The value of the first field whose condition holds.
    case cases([Case])
  }

  /// One of several fields, chosen by a condition; the last one may be without.
  struct Case: Sendable {
    let when: ConditionDefinition?
    let field: Field
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
    /// The members that are not the source of another field, as one object.
    case unknown
    /// What the record tells of itself.
    case fact(RecordFact)
    case path(JSONPath)
    case invalid(PathSyntaxError)

    var path: JSONPath? { if case .path(let path) = self { path } else { nil } }
  }

  /// The type's name, for messages and the explanation.
  let name: String
  var fields: [Field]
  /// Output records only: the result is the value of the only field, without an object around it.
  var isTransparent = false
  /// Whether its fields are parts of one value: if everything that it lacks is absent, the value is absent, too.
  var isOfParts = false
  /// Output records only: objects for which it does not hold are left out.
  var condition: ConditionDefinition?
  /// What is asked about the object before it is mapped, by the mapping around it.
  var askedBefore: ConditionDefinition?
  /// Whether the condition is that of a mapping inside, and any value is asked about.
  var asksForInner = false
  /// Nil if the mapping does not set it.
  var unknownKeys: UnknownKeyPolicy?
  var duplicateKeys: DuplicateKeyPolicy?
  /// Output records only: members that no field names are kept, except what is at these paths; nil if they are not.
  var rest: [String]?
  /// The paths, each of keys, of members that are known although no field looks for them.
  var knownKeys: [[String]] = []
  /// The rule for absent values of a patch; nil if the result is an object.
  var patch: AbsentUpdate?
  /// Whether the object tells the machine that a part of it was there: its result may belong to a field of a patch.
  var notesParts = false

  /// The part of the condition that is decided before there is an output object, and the rest.
  var conditionParts: (early: ConditionDefinition?, late: ConditionDefinition?) {
    condition?.parts(asksOutside: asksForInner) ?? (nil, nil)
  }

  /// What the object accepts, for messages.
  var expected: String {
    var (takesObjects, takesArrays) = (rest != nil, false)
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
    return Policy(null: takesWhole || isChosen ? .take(isSaid: false) : .unsaid)
  }

  /// Whether it stands for a value that conditions choose: they are asked about values of all kinds.
  var isChosen: Bool {
    if isTransparent, case .cases? = fields.first?.making { return true }
    return false
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
    // PERF: joining searches for conformances, and most names are one.
    if let only = target.first, target.count == 1 { return only }
    if !target.isEmpty { return target.joined(separator: ".") }
    switch source {
    case .path(let path): return "from \(path)"
    case .constant: return "a constant"
    case .unknown: return "the other members"
    case .fact(let fact): return "the \(fact) of the record"
    case .invalid: return "from a path that cannot be read"
    }
  }
}
