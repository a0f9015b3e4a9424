/// A compiled mapping: immutable, shared by any number of threads.
///
/// You rarely need a plan yourself: ``Mapper`` compiles one. Its ``description`` explains what a mapping does, place by
/// place:
///
/// ```swift
/// print(try Mapper(person).plan)
/// // $: Person
/// //   first_name → firstName: string
/// //   homepage → homepage: url, absent or null: nil
/// ```
public struct Plan: Sendable {
  let tables: PlanTables
}

/// The tables of a plan.
///
/// A class, so that a plan is one word and the tables exist once.
final class PlanTables: Sendable {
  /// Data for errors, the explanation and the selection; events do not touch it.
  struct Detail: Sendable {
    let expected: String
    let name: String
    let options: ScalarOptions?
    let isRedacted: Bool
  }

  /// One of several nodes, chosen by the value.
  struct Dispatch: Sendable {
    /// The keys that lead to the scalar that chooses; empty if the value's kind chooses.
    let path: [[UInt8]]
    /// By kind: the nodes; by member: an index in `nodes` for each label.
    let labels: [ExactText: Int32]
    /// In the order of their declaration.
    let cases: [(label: String, node: Int32)]
    let fallback: Int32?
    /// The text for “expected …”.
    let expected: String
  }

  let root: Int32
  let nodes: FlatTable<PlanNode>
  /// Whether there are arrays of plain scalars, or of arrays of these: see `ElementRuns`.
  let hasRuns: Bool
  let objects: FlatTable<PlanObject>
  let fields: FlatTable<PlanField>
  let contests: FlatTable<PlanContest>
  let facts: FlatTable<PlanFact>
  let rests: [PlanRest]
  let formulas: FlatTable<PlanFormula>
  /// The fields that formulas read.
  let formulaFields: FlatTable<Int32>
  let makings: FlatTable<PlanMaking>
  let cases: FlatTable<PlanCase>
  /// How many values a formula has on its stack at most.
  let mostFormulaValues: Int
  /// By field: whether a condition looks at it after it is written.
  let decides: Set<Int32>
  /// The fields that a formula reads without saying what happens where they are missing.
  let needed: Set<Int32>
  /// The slot offsets of `fields`, as constructors read them.
  let offsets: FlatTable<Int>
  let places: FlatTable<PlanPlace>
  let elements: FlatTable<PlanElement>
  /// The fields (indices in `fields`) of each place.
  let placeFields: FlatTable<Int32>
  /// The nodes; the first one that accepts a value makes it.
  let alternatives: FlatTable<Int32>
  let dispatches: [Dispatch]
  /// Rules by node.
  let checks: FlatTable<Unmanaged<ValueCheck>>

  let details: [Detail]
  let substitutes: [Substitute]
  /// By field: its names in the result (none if its value stands for its object), and its path from its object.
  let targets: [[String]]
  /// By field: its names where it is written; they are no part of the result if the field is a part of one value.
  let names: [[String]]
  let sources: [JSONPath]
  /// By field: whether errors must not show anything from its part of the feed.
  let redacted: [Bool]
  /// Whether errors must not show anything from records.
  let redactsRecord: Bool
  /// Whether there is anything that errors must not show.
  let hidesValues: Bool
  /// Whether there is a hook that looks at the issues of a value.
  let seesIssues: Bool
  /// Whether a field is for the record's key or index in what is around it.
  let asksForStep: Bool
  /// Whether a field is for the record's number or line.
  let asksForCounts: Bool
  /// The fields that have no source.
  let constants: Set<Int32>
  /// The fields of patches that are absent where none of their parts is there.
  let needParts: Set<Int32>
  /// By place: the last step of its path; nil for the root of an object.
  let steps: [JSONPath.Component?]
  /// Which parts of a record the plan needs.
  let selection: Selection
  /// The same, where each text is a record; nil until it is asked for.
  private let wholeTexts = Locked<FeedSelection?>(nil)
  /// How its values are found in rows; nil if they cannot be made from rows.
  let rows: RowTables?
  // Keeps alive the objects to which the tables hold unmanaged references.
  private let operations: [ValueOperations]
  private let rules: [ValueCheck]
  private let keyTables: [KeyTable]
  private let formulaObjects: [Formula]

  init(_ draft: PlanDraft, root: Int32) {
    self.root = root
    let isPlainScalar = draft.nodes.map { !$0.opcode.isBeyondScalars && $0.checkCount == 0 }
    let nodes = FlatTable(
      draft.nodes.indices.map { index in
        var node = draft.nodes[index]
        node.isPlainScalar = isPlainScalar[index]
        node.isPlainArray =
          node.opcode == .array && isPlainScalar[Int(node.child)]
          && !draft.nodes[Int(node.child)].storesOptional
        node.isMadeInPlace = draft.isMadeInPlace(node)
        return node
      })
    hasRuns = draft.nodes.contains {
      guard $0.opcode == .array else { return false }
      let element = nodes[$0.child].pointee
      return element.isPlainScalar || element.isPlainArray
    }
    self.nodes = nodes
    objects = FlatTable(draft.objects)
    fields = FlatTable(draft.fields)
    contests = FlatTable(draft.contests)
    facts = FlatTable(draft.facts)
    rests = draft.rests
    asksForStep = draft.facts.contains { $0.fact.isStep }
    asksForCounts =
      draft.facts.contains { $0.fact.isCounted }
      || draft.substitutes.contains { $0.fact?.isCounted ?? false }
    formulas = FlatTable(draft.formulas)
    formulaFields = FlatTable(draft.formulaFields)
    formulaObjects = draft.formulaObjects
    makings = FlatTable(draft.makings)
    cases = FlatTable(draft.cases)
    mostFormulaValues = draft.formulaObjects.reduce(0) { max($0, $1.mostValues) }
    decides = draft.decides
    needed = draft.needed
    offsets = FlatTable(draft.fields.map { Int($0.offset) })
    places = FlatTable(
      draft.places.map { place in
        var place = place
        if place.onlyNode >= 0, isPlainScalar[Int(place.onlyNode)] {
          place.onlyScalar = place.onlyNode
        }
        return place
      })
    elements = FlatTable(draft.elements)
    placeFields = FlatTable(draft.placeFields)
    alternatives = FlatTable(draft.alternatives)
    dispatches = draft.dispatches
    details = draft.details
    substitutes = draft.substitutes
    targets = draft.targets
    names = draft.names
    sources = draft.sources
    redacted = draft.redacted
    redactsRecord = draft.redactsRecord
    hidesValues = draft.hidesValues
    seesIssues = draft.nodes.contains(where: \.seesIssues)
    constants = draft.constants
    needParts = draft.needParts
    steps = draft.steps
    operations = draft.operations
    rules = draft.checks
    checks = FlatTable(draft.checks.map(Unmanaged.passUnretained))
    keyTables = draft.keyTables
    var selection = SelectionBuilder(draft).selection(of: root)
    rows = RowLayout.tables(of: draft, root: root, in: &selection)
    self.selection = selection
  }

  /// The selection for texts that are records, which is made once.
  ///
  /// - Throws: ``DefinitionError`` if no memory is left.
  func wholeText() throws(DefinitionError) -> FeedSelection {
    let known = wholeTexts.withLock { $0 }
    if let known { return known }
    let made = try FeedSelection(selection, at: [])
    return wholeTexts.withLock { known in
      let kept = known ?? made
      known = kept
      return kept
    }
  }
}

extension PlanTables {
  /// The rules of a node that the value breaks; nil if it breaks none.
  @inline(__always)
  func failures(
    of value: UnsafeRawPointer, as node: UnsafePointer<PlanNode>, isOptional: Bool
  ) -> [RuleFailure]? {
    var failures: [RuleFailure]?
    for number in 0..<node.pointee.checkCount {
      checks[node.pointee.firstCheck + number].pointee._withUnsafeGuaranteedRef { check in
        check.add(failureOf: value, isOptional: isOptional, to: &failures)
      }
    }
    return failures
  }
}

/// The tables while they are being made.
struct PlanDraft {
  var nodes: [PlanNode] = []
  var objects: [PlanObject] = []
  var fields: [PlanField] = []
  var contests: [PlanContest] = []
  var facts: [PlanFact] = []
  var rests: [PlanRest] = []
  var places: [PlanPlace] = []
  var elements: [PlanElement] = []
  var placeFields: [Int32] = []
  var alternatives: [Int32] = []
  var dispatches: [PlanTables.Dispatch] = []
  var checks: [ValueCheck] = []
  var details: [PlanTables.Detail] = []
  var substitutes: [Substitute] = []
  var targets: [[String]] = []
  var names: [[String]] = []
  var sources: [JSONPath] = []
  var redacted: [Bool] = []
  var redactsRecord = false
  var constants: Set<Int32> = []
  var needParts: Set<Int32> = []
  var steps: [JSONPath.Component?] = []
  var operations: [ValueOperations] = []
  var keyTables: [KeyTable] = []
  var formulas: [PlanFormula] = []
  var formulaFields: [Int32] = []
  var formulaObjects: [Formula] = []
  var makings: [PlanMaking] = []
  var cases: [PlanCase] = []
  var decides: Set<Int32> = []
  var needed: Set<Int32> = []

  /// Whether a node's value is an object whose fields, and nothing else, are made where they are in it.
  func isMadeInPlace(_ node: PlanNode) -> Bool {
    guard node.opcode == .object, let operations = node.operations?.takeUnretainedValue(),
      operations.isMadeOfFields
    else { return false }
    let object = objects[Int(node.child)]
    let made = fields[Int(object.firstField)..<Int(object.firstField + object.fieldCount)]
    return made.count == operations.properties.count
      && zip(made, operations.properties).allSatisfy { field, property in
        nodes[Int(field.node)].operations?.takeUnretainedValue().holds(property) ?? false
      }
  }

  /// Whether some value is kept out of errors.
  var hidesValues: Bool { redactsRecord || redacted.contains(true) }
}
