extension Plan: CustomStringConvertible {
  /// What the mapping does, one field per line: its source, its target, what it accepts, and what replaces a missing value.
  public var description: String {
    var explanation = Explanation(tables: tables)
    explanation.root()
    return explanation.text
  }
}

/// Writes a plan as text.
private struct Explanation {
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

  /// The node in a few words.
  private func head(of index: Int32) -> String {
    let node = tables.nodes[index].pointee
    let detail = tables.details[Int(node.detail)]
    var text: String
    switch node.opcode {
    case .object: text = detail.name
    case .array:
      text =
        "array of " + head(of: node.child) + (node.omitsElements ? " (invalid ones left out)" : "")
    case .dictionary: text = "dictionary of " + head(of: node.child)
    case .transform: text = transform(node, detail)
    case .rewritten: text = head(of: node.child) + ", then " + head(of: node.second)
    default: text = detail.name
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
  private func transform(_ node: PlanNode, _ detail: PlanTables.Detail) -> String {
    let source = "from " + head(of: node.child)
    return detail.name.isEmpty ? source : "\(detail.name), \(source)"
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
    switch node.opcode {
    case .array, .dictionary, .transform:
      parts(of: node.child, indent: indent)
    case .rewritten: parts(of: node.second, indent: indent)
    case .object:
      if open.contains(node.child) {
        line(indent, "… as above")
        return
      }
      open.append(node.child)
      let object = tables.objects[node.child].pointee
      for field in object.firstField..<object.firstField + object.fieldCount {
        self.field(field, of: object, indent: indent)
      }
      open.removeLast()
    default: break
    }
  }

  private mutating func field(_ field: Int32, of object: PlanObject, indent: Int) {
    let node = tables.fields[field].pointee.node
    let source = tables.sources[Int(field)]
    let isConstant = tables.constants.contains(field)
    var from =
      isConstant ? "constant" : source.components.isEmpty ? "$" : source.relativeDescription
    for number in 0..<object.contestCount {
      let contest = tables.contests[object.firstContest + number].pointee
      guard contest.field == field else { continue }
      for other in contest.firstOther..<contest.firstOther + contest.otherCount {
        from += " or " + tables.sources[Int(other)].relativeDescription
      }
    }
    let names = tables.targets[Int(field)]
    let target = names.isEmpty ? "" : " → " + names.joined(separator: ".")
    line(indent, "\(from)\(target): " + (isConstant ? constant(node) : head(of: node)))
    if !isConstant { parts(of: node, indent: indent + 1) }
  }

  private func constant(_ node: Int32) -> String {
    phrase(tables.nodes[node].pointee.absent) ?? "nothing"
  }
}
