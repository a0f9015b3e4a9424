// The nodes that a node's value is made by. As with definitions, a walk looks at what each is for.

extension PlanNode {
  /// What a node is for in the one that it is a part of.
  enum Role {
    /// Makes each element of an array.
    case element
    /// Makes each member of a dictionary.
    case member
    /// Makes the value that code makes another one from.
    case original
    /// Makes the `JSONValue` that a second node maps.
    case source
    /// Maps that `JSONValue`.
    case then
    /// Makes the value, where those before it cannot.
    case alternative
    /// Makes the value, where a part of it says so.
    case choice
  }

  /// The nodes that make the value, but those of an object's fields.
  func children(in plan: some NodeTable) -> [(role: Role, node: Int32)] {
    switch opcode {
    case .scalar, .jsonValue, .rawJSON, .object: []
    case .array: [(.element, child)]
    case .dictionary: [(.member, child)]
    case .transform: [(.original, child)]
    case .rewritten: [(.source, child), (.then, second)]
    case .firstOf: plan.alternatives(of: self).map { (.alternative, $0) }
    case .dispatch: plan.dispatches[Int(child)].nodes.map { (.choice, $0) }
    }
  }
}

extension PlanTables.Dispatch {
  /// Those of the cases, in their order, and the one for all others.
  var nodes: [Int32] { cases.map(\.node) + [fallback].compactMap(\.self) }
}

/// What has the nodes of a plan: the plan, or the draft of one.
protocol NodeTable {
  var dispatches: [PlanTables.Dispatch] { get }
  /// The nodes of a first-of.
  func alternatives(of node: PlanNode) -> [Int32]
}

extension PlanTables: NodeTable {
  func alternatives(of node: PlanNode) -> [Int32] {
    (node.child..<node.child + node.second).map { alternatives[$0].pointee }
  }
}

extension PlanDraft: NodeTable {
  func alternatives(of node: PlanNode) -> [Int32] {
    Array(alternatives[Int(node.child)..<Int(node.child + node.second)])
  }
}
