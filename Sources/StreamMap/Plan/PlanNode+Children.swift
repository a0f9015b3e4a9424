// What each kind of node is, and the nodes that its value is made by. As with definitions, a walk looks at what each of these is for.

extension PlanNode {
  enum Opcode: UInt8, BitwiseCopyable {
    // One token: see `PlanNode.scalar`.
    case scalar
    // Whole sub-trees.
    case jsonValue, rawJSON
    // Containers.
    case array, dictionary, object
    // One inner value: converted by code, or by a second mapping.
    case transform, rewritten
    // One of several nodes.
    case firstOf, dispatch
  }
}

extension PlanNode.Opcode {
  /// How a value comes from JSON.
  ///
  /// What walks over a plan looks at this, unless the kind alone matters: so a new kind says here what it is.
  enum Family: Equatable {
    /// From one token.
    case scalar
    /// It is a whole sub-tree.
    case json
    /// From elements or members, each by the same node.
    case collection
    /// From the fields of an object.
    case object
    /// Code makes it of another node's value.
    case change
    /// A second node makes it of the JSON that another one made.
    case remap
    /// One of several nodes makes it.
    case choice(Choice)
  }

  /// How one of several nodes is chosen.
  enum Choice {
    /// The first one that makes a value.
    case first
    /// By the kind of the value, or by a member of it.
    case dispatch
  }

  var family: Family {
    switch self {
    case .scalar: .scalar
    case .jsonValue, .rawJSON: .json
    case .array, .dictionary: .collection
    case .object: .object
    case .transform: .change
    case .rewritten: .remap
    case .firstOf: .choice(.first)
    case .dispatch: .choice(.dispatch)
    }
  }

  /// Whether the builder alone does not make the value from a scalar.
  var isBeyondScalars: Bool { self != .scalar }

  /// Whether the value is the first of several nodes that is made, and the errors of the others are kept only where they are asked for.
  var triesAlternatives: Bool { family == .choice(.first) }

  /// Whether a value can be made of nothing.
  var takesAbsent: Bool {
    switch family {
    case .object, .change, .remap, .choice(.first): true
    case .scalar, .json, .collection, .choice(.dispatch): false
    }
  }
}

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

    /// Whether it is given the same JSON as the whole.
    var takesSameValue: Bool {
      switch self {
      case .original, .source, .alternative, .choice: true
      case .element, .member, .then: false
      }
    }
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

extension NodeTable {
  /// How a dispatch chooses; nil for other nodes.
  func dispatch(of node: PlanNode) -> PlanTables.Dispatch? {
    node.opcode.family == .choice(.dispatch) ? dispatches[Int(node.child)] : nil
  }

  /// The path of the member by which a dispatch chooses; nil for other nodes, and if it goes by the kind of the value.
  func discriminator(of node: PlanNode) -> [[UInt8]]? {
    dispatch(of: node).flatMap { $0.path.isEmpty ? nil : $0.path }
  }
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
