/// What a mapping of output records makes of what, as edges from paths of the source to paths of the result.
package struct PlanGraph {
  /// A value that becomes another one, or that decides about it.
  package struct Edge {
    /// The path in a record; nil for what comes from nowhere in it.
    package let source: PathPattern?
    /// The path in the result.
    package let target: PathPattern
    /// What is done on the way.
    package let label: String
    /// Whether the value is only looked at, by a formula or a condition.
    package let isLook: Bool
  }

  /// A condition, and what it looks at.
  package struct Condition {
    package let text: String
    package let sources: [PathPattern]
    package let fields: [PathPattern]
  }

  package private(set) var edges: [Edge] = []
  package private(set) var conditions: [Condition] = []
  private let plan: PlanTables
  private let explanation: PlanExplanation
  /// The open objects: one that contains itself is not opened again.
  private var open: Set<Int32> = []

  init(_ plan: PlanTables) {
    self.plan = plan
    explanation = PlanExplanation(tables: plan)
    visit(plan.root, [], [])
  }

  private typealias Steps = [PathPattern.Step]

  // MARK: Values

  private mutating func visit(_ index: Int32, _ source: Steps, _ target: Steps) {
    let node = plan.nodes[index].pointee
    guard holdsObject(index) else {
      return add(source, target, explanation.head(of: index))
    }
    if node.opcode == .object { return visitObject(node.child, source, target) }
    if let path = plan.discriminator(of: node) {
      let steps = path.map { PathPattern.Step.key(String(decoding: $0, as: UTF8.self)) }
      add(source + steps, target, "chooses", isLook: true)
    }
    for (role, child) in node.children(in: plan) {
      switch role {
      case .element, .member: visit(child, source + [.wildcard], target + [.wildcard])
      case .original, .alternative, .choice: visit(child, source, target)
      // What it makes in between is not seen.
      case .source, .then: break
      }
    }
  }

  /// Whether there are fields in a value that are seen from here.
  private func holdsObject(_ index: Int32, _ depth: Int = 0) -> Bool {
    // A mapping that contains itself has an object on the way.
    if depth > 64 { return true }
    let node = plan.nodes[index].pointee
    return node.opcode == .object
      || node.children(in: plan).contains { role, child in
        switch role {
        case .element, .member, .original, .alternative, .choice: holdsObject(child, depth + 1)
        case .source, .then: false
        }
      }
  }

  private mutating func add(
    _ source: Steps?, _ target: Steps, _ label: String, isLook: Bool = false
  ) {
    edges.append(
      Edge(
        source: source.map { PathPattern($0) }, target: PathPattern(target), label: label,
        isLook: isLook))
  }

  // MARK: Fields

  private mutating func visitObject(_ number: Int32, _ source: Steps, _ target: Steps) {
    guard open.insert(number).inserted else { return add(source, target, "as above") }
    defer { open.remove(number) }
    let object = plan.objects[number].pointee
    for condition in [object.earlyCondition, object.lateCondition] where condition >= 0 {
      conditions.append(
        Condition(
          text: explanation.formula(condition),
          sources: operands(of: condition, source, isOfFields: false, object),
          fields: operands(of: condition, target, isOfFields: true, object)))
    }
    for field in object.firstField..<object.firstField + object.fieldCount {
      visitField(field, of: object, source, target + targetSteps(of: field))
    }
    if object.rest >= 0 { add(source + [.wildcard], target + [.wildcard], "other members") }
  }

  private func targetSteps(of field: Int32) -> Steps {
    plan.targets[Int(field)].map { .key($0) }
  }

  private mutating func visitField(
    _ field: Int32, of object: PlanObject, _ source: Steps, _ target: Steps
  ) {
    let entry = plan.fields[field].pointee
    if entry.making >= 0 {
      return visitMaking(plan.makings[entry.making].pointee, of: object, source, target)
    }
    if plan.constants.contains(field) {
      return add(nil, target, explanation.origin(of: field, in: object))
    }
    var sources = [field]
    for number in 0..<object.contestCount {
      let contest = plan.contests[object.firstContest + number].pointee
      if contest.field == field { sources = (0...contest.otherCount).map { contest[$0] } }
    }
    for other in sources {
      visit(entry.node, source + plan.sources[Int(other)].patternSteps, target)
    }
  }

  private mutating func visitMaking(
    _ making: PlanMaking, of object: PlanObject, _ source: Steps, _ target: Steps
  ) {
    if making.formula >= 0 {
      let label = explanation.formula(making.formula)
      let operands = operands(of: making.formula, source, isOfFields: false, object)
      for operand in operands { add(operand.steps, target, label, isLook: true) }
      if operands.isEmpty { add(nil, target, label) }
      return
    }
    for number in making.firstCase..<making.firstCase + making.caseCount {
      let one = plan.cases[number].pointee
      if one.condition >= 0 {
        let label = "when " + explanation.formula(one.condition)
        for operand in operands(of: one.condition, source, isOfFields: false, object) {
          add(operand.steps, target, label, isLook: true)
        }
      }
      visitField(one.field, of: object, source, target)
    }
  }

  /// What a formula looks at: paths of the source, or fields of the result.
  private func operands(
    of formula: Int32, _ steps: Steps, isOfFields: Bool, _ object: PlanObject
  ) -> [PathPattern] {
    let entry = plan.formulas[formula].pointee
    let count = entry.formula._withUnsafeGuaranteedRef { $0.sources.count }
    return (0..<Int32(count)).compactMap { number in
      let field = plan.formulaFields[entry.firstField + number].pointee
      let isHidden = object.hiddenFields.contains(field)
      if isHidden == isOfFields || isHidden && plan.constants.contains(field) { return nil }
      return PathPattern(
        steps + (isOfFields ? targetSteps(of: field) : plan.sources[Int(field)].patternSteps))
    }
  }
}

// MARK: Graphviz

extension PlanGraph {
  /// The graph in the language of Graphviz.
  package func dot(named name: String) -> String {
    var lines = [
      "digraph \(Self.quoted(name)) {", "  rankdir=LR;", "  node [shape=box, style=rounded];",
    ]
    let sources = paths(edges.compactMap(\.source) + conditions.flatMap(\.sources))
    let targets = paths(edges.map(\.target))
    lines += cluster("source", "record", "s", sources)
    lines += cluster("result", "result", "t", targets)
    for (number, edge) in edges.enumerated() {
      let style = edge.isLook ? ", style=dashed" : ""
      let label = "[label=\(Self.quoted(edge.label))\(style)];"
      let end = Self.identifier("t", edge.target)
      if let source = edge.source {
        lines.append("  \(Self.identifier("s", source)) -> \(end) \(label)")
      } else {
        lines.append("  \"c\(number)\" [label=\(Self.quoted(edge.label)), shape=plaintext];")
        lines.append("  \"c\(number)\" -> \(end);")
      }
    }
    for (number, condition) in conditions.enumerated() {
      lines.append(
        "  \"w\(number)\" [label=\(Self.quoted("where " + condition.text)), shape=diamond];")
      lines += condition.sources.map {
        "  \(Self.identifier("s", $0)) -> \"w\(number)\" [style=dashed];"
      }
      lines += condition.fields.map {
        "  \(Self.identifier("t", $0)) -> \"w\(number)\" [style=dashed];"
      }
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  /// Each path once, in the order in which they come.
  private func paths(_ all: [PathPattern]) -> [PathPattern] {
    var known: Set<PathPattern> = []
    return all.filter { known.insert($0).inserted }
  }

  private func cluster(_ name: String, _ label: String, _ kind: String, _ paths: [PathPattern])
    -> [String]
  {
    ["  subgraph \"cluster_\(name)\" {", "    label=\(Self.quoted(label));"]
      + paths.map { "    \(Self.identifier(kind, $0)) [label=\(Self.quoted($0.description))];" }
      + ["  }"]
  }

  private static func identifier(_ kind: String, _ path: PathPattern) -> String {
    quoted("\(kind):\(path)")
  }

  /// A text as Graphviz has it: what would be an escape is a backslash.
  private static func quoted(_ text: String) -> String {
    let escaped = text.map { character -> String in
      switch character {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      default: String(character)
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}
