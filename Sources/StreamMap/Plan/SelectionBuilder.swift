/// Works out what of a record a plan wants to see.
///
/// A value may be wanted by several: a field that takes it and paths that go through it. A selection node stands for
/// such a set; equal sets share a node, so recursive mappings end.
struct SelectionBuilder {
  /// One who wants a value: a node of the plan, or a place that paths go through.
  private enum Want: Hashable {
    case node(Int32)
    case place(Int32)
  }

  private let draft: PlanDraft
  private var selection = Selection()
  private var known: [Set<Want>: Selection.Node] = [:]

  init(_ draft: PlanDraft) {
    self.draft = draft
  }

  consuming func selection(of root: Int32) -> Selection {
    var builder = self
    builder.selection.root = builder.node([.node(root)])
    return builder.selection
  }

  private mutating func node(_ given: Set<Want>) -> Selection.Node {
    if given.isEmpty { return Selection.skip }
    let wants = withWholeTakers(given)
    if let node = known[wants] { return node }
    var parts: [Want] = []
    for want in wants {
      switch want {
      case .place: parts.append(want)
      case .node(let node):
        switch container(of: node) {
        case .all: return Selection.keep
        case .none: break
        case .some(let container): parts.append(.node(container))
        }
      }
    }
    if parts.isEmpty { return Selection.shell }
    // Reserved before its parts are looked at: they may lead back here.
    let node = selection.add(Selection.Parts())
    known[wants] = node
    selection.parts[node - 3] = union(parts)
    return node
  }

  /// An object mapping whose fields take its whole source wants what they want, too.
  private func withWholeTakers(_ wants: Set<Want>) -> Set<Want> {
    var all = wants
    var new = Array(wants)
    while let want = new.popLast() {
      guard case .node(let node) = want, case .some(let index) = container(of: node),
        draft.nodes[Int(index)].opcode == .object
      else { continue }
      let root = draft.places[Int(draft.objects[Int(draft.nodes[Int(index)].child)].rootPlace)]
      for taker in root.firstTaker..<root.firstTaker + root.takerCount {
        let taken = Want.node(draft.fields[Int(draft.takers[Int(taker)])].node)
        if all.insert(taken).inserted { new.append(taken) }
      }
    }
    return all
  }

  private enum Container {
    case none, all
    case some(Int32)
  }

  /// The array, dictionary or object that a node stands for, through transforms.
  private func container(of node: Int32) -> Container {
    switch draft.nodes[Int(node)].opcode {
    case .transform: container(of: draft.nodes[Int(node)].child)
    case .jsonValue, .rawJSON: .all
    case .array, .dictionary, .object: .some(node)
    default: .none
    }
  }

  private mutating func union(_ wants: [Want]) -> Selection.Parts {
    var members: [ExactKey: Wanted] = [:]
    var elements: [Int: Set<Want>] = [:]
    var otherMembers: Set<Want> = []
    var otherElements: Set<Want> = []
    for want in wants {
      switch want {
      case .place(let place): collect(place, &members, &elements)
      case .node(let index):
        let node = draft.nodes[Int(index)]
        switch node.opcode {
        case .array: otherElements.insert(.node(node.child))
        case .dictionary: otherMembers.insert(.node(node.child))
        default: collect(draft.objects[Int(node.child)].rootPlace, &members, &elements)
        }
      }
    }
    var parts = Selection.Parts()
    parts.otherMembers = node(otherMembers)
    parts.otherElements = node(otherElements)
    for (key, member) in members {
      // Where several want parts, each of them knows the member by a place of its own.
      parts.members[key] = Selection.Member(
        node: node(member.wants.union(otherMembers)),
        tag: wants.count == 1 ? Int(member.place) + 1 : 0)
    }
    for (index, wants) in elements { parts.elements[index] = node(wants.union(otherElements)) }
    return parts
  }

  /// Who wants a member, and a place that stands for it.
  private struct Wanted {
    var wants: Set<Want> = []
    var place: Int32
  }

  private func collect(
    _ place: Int32, _ members: inout [ExactKey: Wanted], _ elements: inout [Int: Set<Want>]
  ) {
    let first = Int(place) + 1
    let end = Int(place) + Int(draft.places[Int(place)].subtreePlaceCount)
    var child = first
    while child < end {
      let here = draft.places[child]
      var wants: Set<Want> = []
      for taker in 0..<Int(here.takerCount) {
        let field = draft.takers[Int(here.firstTaker) + taker]
        wants.insert(.node(draft.fields[Int(field)].node))
      }
      if here.leadsOn { wants.insert(.place(Int32(child))) }
      switch draft.steps[child] {
      case .key(let key)?:
        members[ExactKey(key), default: Wanted(place: Int32(child))].wants.formUnion(wants)
      case .index(let index)?: elements[index, default: []].formUnion(wants)
      case nil: break
      }
      child += Int(here.subtreePlaceCount)
    }
  }
}
