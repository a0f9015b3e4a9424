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
    case .object: text = inside(index).map { head(of: $0, isPart: isPart) } ?? detail.name
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
    if let path = path(inside: index) { text += " at \(path)" }
    if detail.isRedacted { text += ", redacted" }
    for rule in rules(of: node) where !text.hasSuffix(rule) { text += rule }
    let policy = policy(of: node)
    // What stands in for a value stands in for the one that it is made of, too; that is said once.
    return text.hasSuffix(policy) ? text : text + policy
  }

  /// What a value has to be besides its type, as in `, at least 1`.
  private func rules(of node: PlanNode) -> [String] {
    (node.firstCheck..<node.firstCheck + node.checkCount).compactMap { number in
      tables.checks[number].pointee._withUnsafeGuaranteedRef { $0.limit }.map { ", \($0)" }
    }
  }

  /// What becomes of a value that is missing or wrong.
  private func policy(of node: PlanNode) -> String {
    var text = ""
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

  /// The node of a value at a path in an object that stands for nothing else; nil if the node is none.
  private func inside(_ index: Int32) -> Int32? {
    let node = tables.nodes[index].pointee
    guard node.opcode == .object, tables.details[Int(node.detail)].name == "value" else {
      return nil
    }
    let object = tables.objects[node.child].pointee
    guard object.fieldCount == 1, object.earlyCondition < 0, object.lateCondition < 0,
      tables.fields[object.firstField].pointee.making < 0,
      !tables.constants.contains(object.firstField)
    else { return nil }
    return tables.fields[object.firstField].pointee.node
  }

  /// The path of that value.
  private func path(inside index: Int32) -> String? {
    guard inside(index) != nil else { return nil }
    let field = tables.objects[tables.nodes[index].pointee.child].pointee.firstField
    let source = tables.sources[Int(field)]
    return source.components.isEmpty ? "$" : source.relativeDescription
  }

  /// What is made from another value; code of the mapping's author has no name.
  private func transform(_ node: PlanNode, _ detail: PlanTables.Detail, isPart: Bool) -> String {
    if !detail.name.isEmpty, isAny(node.child) || isMadeOfParts(node.child) { return detail.name }
    let source = "from " + head(of: node.child, isPart: isPart)
    return detail.name.isEmpty ? source : "\(detail.name), \(source)"
  }

  /// Whether a node takes what a change asks for and says nothing of it: JSON, and lists and objects of it.
  private func isAny(_ index: Int32) -> Bool {
    let node = tables.nodes[index].pointee
    guard node.checkCount == 0, !tables.details[Int(node.detail)].isRedacted else { return false }
    switch node.opcode.family {
    case .json: return node.opcode == .rawJSON
    case .collection: return !node.omitsElements && isAny(node.child)
    case .choice:
      guard let dispatch = tables.dispatch(of: node) else { return false }
      return dispatch.path.isEmpty && dispatch.fallback == nil
        && dispatch.cases.allSatisfy { isAny($0.node) }
    case .scalar, .object, .change, .remap: return false
    }
  }

  /// Whether a node is an object of the parts of one text.
  private func isOfParts(_ index: Int32) -> Bool {
    let node = tables.nodes[index].pointee
    return node.opcode == .object && tables.details[Int(node.detail)].name == "parts"
  }

  /// Whether a node is an object whose fields are told where the value comes from: parts of a text, and lists as they are.
  private func isMadeOfParts(_ index: Int32) -> Bool {
    guard tables.nodes[index].pointee.opcode == .object, inside(index) == nil else { return false }
    let object = tables.objects[tables.nodes[index].pointee.child].pointee
    return object.fieldCount > 0
      && (object.firstField..<object.firstField + object.fieldCount).allSatisfy { field in
        tables.fields[field].pointee.making < 0
          && (isOfParts(index) || isAny(tables.fields[field].pointee.node))
      }
  }

  /// Where the parts of what is made of several come from, as in `first, last`, or `x as a, y as b` if they have names; nil if it is
  /// made of one, or a part is changed itself.
  private func parts(madeInto index: Int32) -> String? {
    var node = tables.nodes[index].pointee
    while node.opcode == .rewritten { node = tables.nodes[node.child].pointee }
    guard node.opcode == .transform, isMadeOfParts(node.child) else { return nil }
    let object = tables.objects[tables.nodes[node.child].pointee.child].pointee
    return (object.firstField..<object.firstField + object.fieldCount).map { field in
      let from = origin(of: field, in: object, isPart: true)
      let names = isOfParts(node.child) ? [] : tables.names[Int(field)]
      return names.isEmpty ? from : "\(from) as \(names.joined(separator: "."))"
    }.joined(separator: ", ")
  }

  /// The paths that are tried, each with what is there if that is not just any scalar.
  private func alternatives(of node: PlanNode) -> String {
    tables.alternatives(of: node).map { index in
      let whole = tables.nodes[index].pointee
      guard whole.opcode == .object, tables.details[Int(whole.detail)].name == "value" else {
        return head(of: index, isPart: true)
      }
      guard let inner = inside(index), let path = path(inside: index) else {
        return head(of: index, isPart: true)
      }
      let head = head(of: inner, isPart: true)
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
    if let inner = inside(index) { return parts(of: inner, indent: indent) }
    if node.opcode == .transform, isMadeOfParts(node.child) { return }
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

  /// A field; one of several has no name of its own.
  private mutating func field(
    _ field: Int32, of object: PlanObject, indent: Int, isCase: Bool = false
  ) {
    let node = tables.fields[field].pointee.node
    let making = tables.fields[field].pointee.making
    if making >= 0 {
      return made(field, tables.makings[making].pointee, of: object, indent: indent)
    }
    var from = parts(madeInto: node) ?? origin(of: field, in: object, isPart: true)
    for number in 0..<object.contestCount {
      let contest = tables.contests[object.firstContest + number].pointee
      guard contest.field == field else { continue }
      for other in contest.firstOther..<contest.firstOther + contest.otherCount {
        from += " or " + tables.sources[Int(other)].relativeDescription
      }
    }
    let target = isCase ? "" : name(of: field)
    if isFixed(field, node, in: object) { return line(indent, from + target) }
    line(indent, "\(from)\(target): " + head(of: node))
    parts(of: node, indent: indent + 1)
  }

  /// Whether a field is what it comes from as it is: a constant, or a value from outside the record.
  private func isFixed(_ field: Int32, _ node: Int32, in object: PlanObject) -> Bool {
    tables.constants.contains(field) && contextValue(of: node) == nil
      && fact(of: field, in: object) == nil
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
      self.field(one.field, of: object, indent: indent + 2, isCase: true)
    }
  }

  func formula(_ index: Int32) -> String {
    tables.formulas[index].pointee.formula._withUnsafeGuaranteedRef { $0.description }
  }

  /// Where a field comes from; with its constant, if it is one.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - object: Its object.
  ///   - isPart: Whether something may follow: then a constant is told to be one.
  /// - Returns: The text.
  func origin(of field: Int32, in object: PlanObject, isPart: Bool = false) -> String {
    guard tables.constants.contains(field) else {
      let source = tables.sources[Int(field)]
      return source.components.isEmpty ? "$" : source.relativeDescription
    }
    let node = tables.fields[field].pointee.node
    if let name = contextValue(of: node) { return name }
    if let fact = fact(of: field, in: object) { return "the \(fact) of the record" }
    let absent = tables.nodes[node].pointee.absent
    let isConstant =
      absent.kind != .substitute || !tables.substitutes[Int(absent.substitute)].isOfRecord
    return (isPart && isConstant ? "constant " : "") + constant(node)
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
