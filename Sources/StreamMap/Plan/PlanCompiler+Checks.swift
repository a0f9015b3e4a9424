// What can only be checked once all nodes are known.
extension PlanCompiler {
  /// Reports a mapping that leads to itself without a container in between: it would never reach a value.
  mutating func checkEnds() {
    var isKnown = Array(repeating: false, count: draft.nodes.count)
    for start in draft.nodes.indices where !isKnown[start] {
      var open = [Int32(start)]
      var visited: Set<Int32> = []
      while let index = open.popLast() {
        isKnown[Int(index)] = true
        let node = draft.nodes[Int(index)]
        var next: [Int32] = []
        for (role, child) in node.children(in: draft) {
          switch role {
          case .original, .source, .then, .alternative, .choice: next.append(child)
          // These are values of their own.
          case .element, .member: break
          }
        }
        if node.opcode == .object { next = wholeFields(of: draft.objects[Int(node.child)]) }
        if next.contains(Int32(start)) {
          report(
            "\(draft.details[start].name) contains itself without a member or an element in between, so a value would never end"
          )
          return
        }
        open += next.filter { visited.insert($0).inserted }
      }
    }
  }

  /// Reports cases that a member of an object chooses, but that take no objects: nothing could be decoded by them, and what they
  /// encode has no place for the member.
  mutating func checkChoices() {
    // The nodes of other mistakes say nothing.
    guard mistakes.isEmpty else { return }
    for (node, path) in choices where !takesObjects(node) {
      mistakes.append(
        DefinitionError.Mistake(
          path: path,
          reason: "the case takes no objects, but the member that chooses it is in an object"))
    }
  }

  private func takesObjects(_ start: Int32) -> Bool {
    var open = [start]
    var visited = Set(open)
    while let index = open.popLast() {
      let node = draft.nodes[Int(index)]
      var next: [Int32] = []
      switch node.opcode.family {
      case .scalar: break
      case .json: return true
      case .collection: if node.opcode == .dictionary { return true }
      case .object:
        if draft.objects[Int(node.child)].takes.contains(.object) { return true }
      case .change, .remap, .choice:
        if draft.discriminator(of: node) != nil { return true }
        if let dispatch = draft.dispatch(of: node) {
          let label = dispatch.labels[ExactText(JSONKind.object.rawValue)]
          next = [label, dispatch.fallback].compactMap(\.self)
        } else {
          next = node.children(in: draft).filter(\.role.takesSameValue).map(\.node)
        }
      }
      open += next.filter { visited.insert($0).inserted }
    }
    return false
  }

  /// The nodes of fields that take the object itself, or the members that no other field takes.
  private func wholeFields(of object: PlanObject) -> [Int32] {
    let root = draft.places[Int(object.rootPlace)]
    var fields = (0..<root.fieldCount).map { draft.placeFields[Int(root.fieldStart + $0)] }
    if object.collector >= 0 { fields.append(object.collector) }
    return fields.map { draft.fields[Int($0)].node }
  }
}
