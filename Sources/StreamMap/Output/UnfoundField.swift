/// What a mapping looked for in feeds and never found.
package struct Unfound: Sendable {
  /// The fields, in the mapping's order; those in objects that were never there are not among them.
  package let fields: [UnfoundField]
  /// The paths of values from outside the records that never occurred.
  package let context: [PathPattern]
  /// Whether there were records, and no field found anything in any of them.
  package let isAll: Bool

  init(_ plan: Plan, _ context: ContextPlan?, _ found: FieldFinds.Found) {
    fields = UnfoundFields(plan.tables, found).fields
    self.context = (context?.values ?? []).enumerated()
      .filter { !found.context.contains($0.offset) }.map(\.element.definition.path)
    isAll = found.fields.isEmpty && !found.objects.isEmpty
  }
}

/// A field of output records that never found anything.
package struct UnfoundField: Sendable, Hashable {
  /// Where the field looks, from the record on: several paths where the first of them that finds something counts.
  ///
  /// The elements of arrays and the members of dictionaries are `[*]`.
  package let paths: [PathPattern]
  /// Whether a record without it cannot be mapped.
  package let isRequired: Bool
}

/// Finds in a plan the fields that never found anything.
struct UnfoundFields {
  private let plan: PlanTables
  private let found: FieldFinds.Found
  private(set) var fields: [UnfoundField] = []
  private var known: Set<[PathPattern]> = []
  /// The open objects: one that contains itself is not opened again.
  private var open: Set<Int32> = []

  init(_ plan: PlanTables, _ found: FieldFinds.Found) {
    self.plan = plan
    self.found = found
    visit(plan.root, [])
  }

  private mutating func visit(_ index: Int32, _ steps: [PathPattern.Step]) {
    let node = plan.nodes[index].pointee
    if node.opcode == .object { return visitObject(node.child, steps) }
    var alternatives: [Int32] = []
    for (role, child) in node.children(in: plan) {
      switch role {
      case .element, .member: visit(child, steps + [.wildcard])
      case .original, .source, .choice: visit(child, steps)
      case .alternative: alternatives.append(child)
      case .then: break
      }
    }
    if !alternatives.isEmpty { visitAlternatives(alternatives, of: node, steps) }
  }

  private mutating func visitObject(_ number: Int32, _ steps: [PathPattern.Step]) {
    guard open.insert(number).inserted else { return }
    defer { open.remove(number) }
    let object = plan.objects[number].pointee
    let written = object.firstField..<object.firstField + object.fieldCount
    for field in Array(written) + object.hiddenFields
    where !plan.constants.contains(field) && !plan.mayMiss(field) {
      var sources = [field]
      for contest in 0..<object.contestCount {
        let contest = plan.contests[object.firstContest + contest].pointee
        if contest.field == field { sources = (0...contest.otherCount).map { contest[$0] } }
      }
      let node = plan.fields[field].pointee.node
      let paths = sources.map { steps + plan.sources[Int($0)].patternSteps }
      let isFound = sources.contains {
        plan.sources[Int($0)].components.isEmpty || found.fields.contains($0)
      }
      if isFound {
        visit(node, paths[0])
      } else if found.objects.contains(number), !leadsBack(node) {
        add(paths.map { PathPattern($0) }, node)
      }
    }
  }

  /// Whether a node makes an open object again: the innermost of these has no other in it.
  private func leadsBack(_ index: Int32) -> Bool {
    let node = plan.nodes[index].pointee
    if node.opcode == .object { return open.contains(node.child) }
    return node.children(in: plan).contains { leadsBack($0.node) }
  }

  private mutating func add(_ paths: [PathPattern], _ node: Int32) {
    guard known.insert(paths).inserted else { return }
    let isRequired = plan.nodes[node].pointee.absent.kind == .fail
    fields.append(UnfoundField(paths: paths, isRequired: isRequired))
  }

  /// Alternatives are reported only if none found anything: they exist because some are absent.
  private mutating func visitAlternatives(
    _ alternatives: [Int32], of node: PlanNode, _ steps: [PathPattern.Step]
  ) {
    let before = (fields, known)
    fields = []
    known = []
    var paths: [PathPattern] = []
    for alternative in alternatives {
      let count = fields.count
      visit(alternative, steps)
      if fields.count == count {
        (fields, known) = before
        return
      }
      paths += fields[count...].flatMap(\.paths)
    }
    (fields, known) = before
    guard known.insert(paths).inserted else { return }
    fields.append(UnfoundField(paths: paths, isRequired: node.absent.kind == .fail))
  }
}

extension JSONPath {
  /// The steps as a pattern has them.
  var patternSteps: [PathPattern.Step] {
    components.map { component in
      switch component {
      case .key(let key): .key(key)
      case .index(let index): .index(index)
      }
    }
  }
}
