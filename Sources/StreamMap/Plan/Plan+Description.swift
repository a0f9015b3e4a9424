extension Plan: CustomStringConvertible {
  /// What the mapping does, one field per line: its source, its target, what it accepts, and what replaces a missing value.
  public var description: String {
    var explanation = PlanExplanation(tables: tables)
    explanation.root()
    return explanation.text
  }
}

/// Writes a plan as text.
struct PlanExplanation {
  let tables: PlanTables
  var text = ""
  /// The open objects: a recursive object is named, not opened again.
  private var open: [Int32] = []

  init(tables: PlanTables) {
    self.tables = tables
  }

  mutating func root() {
    line(0, "$: " + head(of: tables.root))
    parts(of: tables.root, indent: 1)
  }

  private mutating func line(_ indent: Int, _ content: String) {
    if !text.isEmpty { text += "\n" }
    text += String(repeating: "  ", count: indent) + content
  }

  /// The node in a few words; one that is a part of others names no parts of its own.
  func head(of index: Int32, isPart: Bool = false) -> String {
    let node = tables.nodes[index].pointee
    let detail = tables.details[Int(node.detail)]
    var text: String
    switch node.opcode {
    case .object: text = detail.name
    case .array:
      text =
        "array of " + head(of: node.child, isPart: isPart)
        + (node.omitsElements ? " (invalid ones left out)" : "")
    case .dictionary: text = "dictionary of " + head(of: node.child, isPart: isPart)
    case .transform: text = transform(node, detail, isPart: isPart)
    case .rewritten where contextValue(of: index) != nil:
      text = head(of: node.second, isPart: isPart)
    case .rewritten:
      text =
        head(of: node.child, isPart: isPart) + ", then " + head(of: node.second, isPart: isPart)
    case .firstOf: text = isPart ? "first of several" : "first of " + alternatives(of: node)
    case .dispatch where detail.name.isEmpty: text = isPart ? "one of several" : choices(of: node)
    case .scalar, .jsonValue, .rawJSON, .dispatch: text = detail.name
    }
    if detail.isRedacted { text += ", redacted" }
    let absent = phrase(node.absent)
    // For a field with several sources, another node tells what null becomes.
    let null = phrase(
      node.null.kind == .contested ? tables.nodes[node.null.substitute].pointee.null : node.null)
    if let absent, absent == null {
      text += ", absent or null: \(absent)"
    } else {
      if let absent { text += ", absent: \(absent)" }
      if let null { text += ", null: \(null)" }
    }
    if let invalid = phrase(node.invalid) { text += ", invalid: \(invalid)" }
    return text
  }

  /// What is made from another value; code of the mapping's author has no name.
  private func transform(_ node: PlanNode, _ detail: PlanTables.Detail, isPart: Bool) -> String {
    let source = "from " + head(of: node.child, isPart: isPart)
    return detail.name.isEmpty ? source : "\(detail.name), \(source)"
  }

  /// The paths that are tried, each with what is there if that is not just any scalar.
  private func alternatives(of node: PlanNode) -> String {
    tables.alternatives(of: node).map { index in
      let whole = tables.nodes[index].pointee
      guard whole.opcode == .object, tables.details[Int(whole.detail)].name == "value" else {
        return head(of: index, isPart: true)
      }
      let field = tables.objects[whole.child].pointee.firstField
      let source = tables.sources[Int(field)]
      let head = head(of: tables.fields[field].pointee.node, isPart: true)
      let path = source.components.isEmpty ? "$" : source.relativeDescription
      return head == "any" ? path : "\(path) (\(head))"
    }.joined(separator: ", ")
  }

  /// What chooses, and the cases.
  private func choices(of node: PlanNode) -> String {
    let dispatch = tables.dispatches[Int(node.child)]
    let path = dispatch.path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    let cases =
      dispatch.cases.map { "\($0.label) is \(head(of: $0.node, isPart: true))" }
      + (dispatch.fallback.map { ["others are \(head(of: $0, isPart: true))"] } ?? [])
    return "by \(path.isEmpty ? "kind" : path): " + cases.joined(separator: ", ")
  }

  private func phrase(_ action: PlanAction) -> String? {
    let text: String
    switch action.kind {
    case .fail, .take, .leave, .contested: return nil
    case .useNil: text = "nil"
    case .substitute: text = tables.substitutes[Int(action.substitute)].name
    }
    return action.isReported ? text + " and an issue" : text
  }

  /// The fields of the object that a node is or holds.
  private mutating func parts(of index: Int32, indent: Int) {
    let node = tables.nodes[index].pointee
    if node.opcode == .object { return fields(of: node.child, indent: indent) }
    for (role, child) in node.children(in: tables) {
      switch role {
      case .element, .member, .original, .then: parts(of: child, indent: indent)
      // One line names them all.
      case .source, .alternative, .choice: break
      }
    }
  }

  private mutating func fields(of number: Int32, indent: Int) {
    if open.contains(number) { return line(indent, "… as above") }
    open.append(number)
    let object = tables.objects[number].pointee
    for condition in [object.earlyCondition, object.lateCondition] where condition >= 0 {
      line(indent, "where " + formula(condition))
    }
    for field in object.firstField..<object.firstField + object.fieldCount {
      self.field(field, of: object, indent: indent)
    }
    if object.rest >= 0 { line(indent, "other members: as they stand" + exceptions(in: object)) }
    open.removeLast()
  }

  private mutating func field(_ field: Int32, of object: PlanObject, indent: Int) {
    let node = tables.fields[field].pointee.node
    let making = tables.fields[field].pointee.making
    if making >= 0 {
      return made(field, tables.makings[making].pointee, of: object, indent: indent)
    }
    let source = tables.sources[Int(field)]
    let isConstant = tables.constants.contains(field)
    let fact = fact(of: field, in: object)
    var from = source.components.isEmpty ? "$" : source.relativeDescription
    if isConstant {
      from = contextValue(of: node) ?? fact.map { "the \($0) of the record" } ?? "constant"
    }
    for number in 0..<object.contestCount {
      let contest = tables.contests[object.firstContest + number].pointee
      guard contest.field == field else { continue }
      for other in contest.firstOther..<contest.firstOther + contest.otherCount {
        from += " or " + tables.sources[Int(other)].relativeDescription
      }
    }
    let names = tables.targets[Int(field)]
    let target = names.isEmpty ? "" : " → " + names.joined(separator: ".")
    let isPlainConstant = isConstant && fact == nil
    line(indent, "\(from)\(target): " + (isPlainConstant ? constant(node) : head(of: node)))
    if !isPlainConstant { parts(of: node, indent: indent + 1) }
  }

  private func exceptions(in object: PlanObject) -> String {
    let paths = tables.rests[Int(object.rest)].exceptions
    return paths.isEmpty ? "" : ", except " + paths.joined(separator: ", ")
  }

  private func name(of field: Int32) -> String {
    let names = tables.targets[Int(field)]
    return names.isEmpty ? "" : " → " + names.joined(separator: ".")
  }

  /// A field that is made from others.
  private mutating func made(
    _ field: Int32, _ making: PlanMaking, of object: PlanObject, indent: Int
  ) {
    let node = tables.fields[field].pointee.node
    if making.formula >= 0 {
      return line(
        indent, "\(formula(making.formula))\(name(of: field)): \(head(of: node)), one way")
    }
    line(indent, "cases\(name(of: field)), one way")
    for number in making.firstCase..<making.firstCase + making.caseCount {
      let one = tables.cases[number].pointee
      line(indent + 1, one.condition < 0 ? "otherwise" : "when " + formula(one.condition))
      self.field(one.field, of: object, indent: indent + 2)
    }
  }

  func formula(_ index: Int32) -> String {
    tables.formulas[index].pointee.formula._withUnsafeGuaranteedRef { $0.description }
  }

  /// Where a field comes from that comes from nowhere in the record.
  func origin(of field: Int32, in object: PlanObject) -> String {
    contextValue(of: tables.fields[field].pointee.node)
      ?? fact(of: field, in: object).map { "the \($0) of the record" }
      ?? constant(tables.fields[field].pointee.node)
  }

  /// The name of the value from outside the record that a node is made of, if it is made of one.
  private func contextValue(of index: Int32) -> String? {
    let node = tables.nodes[index].pointee
    guard node.opcode == .rewritten else { return nil }
    let invalid = tables.nodes[node.child].pointee.invalid
    guard invalid.kind == .substitute else { return nil }
    let substitute = tables.substitutes[Int(invalid.substitute)]
    return substitute.contextValue.map { _ in substitute.name }
  }

  private func fact(of field: Int32, in object: PlanObject) -> RecordFact? {
    (0..<object.factCount).map { tables.facts[object.firstFact + $0].pointee }
      .first { $0.field == field }?.fact
  }

  private func constant(_ node: Int32) -> String {
    phrase(tables.nodes[node].pointee.absent) ?? "nothing"
  }
}
