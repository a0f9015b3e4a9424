/// Works out which parts of a record a plan needs.
///
/// Several parts of a plan may want a value: a field that takes it, and paths that go through it. A selection node stands for
/// such a set of wants. Equal sets share a node, so recursive mappings end.
struct SelectionBuilder {
  /// What wants a value: a node of the plan; a place that paths go through; the scalar that chooses a case of a
  /// dispatch (the rest of the way to it); what only needs to know that the value is there; or one that wants
  /// all of it.
  private enum Want: Hashable {
    case node(Int32)
    case place(Int32)
    case choice([[UInt8]])
    case presence
    case everything
  }

  private let draft: PlanDraft
  private var selection = Selection()
  private var known: [Set<Want>: Selection.Node] = [:]

  init(_ draft: PlanDraft) {
    self.draft = draft
  }

  consuming func selection(of root: Int32) -> Selection {
    var builder = self
    builder.selection.hidesValues = builder.draft.hidesValues
    builder.selection.root = builder.node([.node(root)])
    return builder.selection
  }

  private mutating func node(_ given: Set<Want>) -> Selection.Node {
    if given.isEmpty { return Selection.skip }
    let wants = withWholeFields(given)
    if let node = known[wants] { return node }
    var inside: Set<Want> = []
    for want in wants {
      switch want {
      case .place, .choice: inside.insert(want)
      case .presence: break
      case .everything: return Selection.keep
      case .node(let node):
        guard let parts = parts(of: node) else { return Selection.keep }
        inside.formUnion(parts)
      }
    }
    if inside.isEmpty { return Selection.presence }
    // The node is reserved before its parts are looked at: they may lead back here.
    let node = selection.add(Selection.Parts())
    known[wants] = node
    var parts = union(inside)
    if given.count == 1, case .node(let only)? = given.first { parts.onlyNode = only }
    selection.parts[node - 3] = parts
    return node
  }

  /// Adds the wants of the fields that take the whole source of an object mapping.
  private func withWholeFields(_ wants: Set<Want>) -> Set<Want> {
    var all = wants
    var new = Array(wants)
    while let want = new.popLast() {
      guard case .node(let node) = want, let parts = parts(of: node) else { continue }
      for case .node(let index) in parts where draft.nodes[Int(index)].opcode == .object {
        let root = draft.places[Int(draft.objects[Int(draft.nodes[Int(index)].child)].rootPlace)]
        for entry in root.fieldStart..<root.fieldStart + root.fieldCount {
          let taken = Want.node(draft.fields[Int(draft.placeFields[Int(entry)])].node)
          if all.insert(taken).inserted { new.append(taken) }
        }
      }
    }
    return all
  }

  /// What wants the parts of a node's value: its arrays, dictionaries and objects, and the scalars that choose
  /// between them; nil if the node wants the whole value.
  private func parts(of node: Int32) -> Set<Want>? {
    let here = draft.nodes[Int(node)]
    switch here.opcode.family {
    case .scalar: return []
    case .json: return nil
    case .collection, .object: return [.node(node)]
    case .change, .remap, .choice:
      var all: Set<Want> = []
      if let path = draft.discriminator(of: here) { all.insert(.choice(path)) }
      for (role, child) in here.children(in: draft) where role.takesSameValue {
        guard let parts = parts(of: child) else { return nil }
        all.formUnion(parts)
      }
      return all
    }
  }

  private mutating func union(_ wants: Set<Want>) -> Selection.Parts {
    var members: [ExactText: Wanted] = [:]
    var elements: [Int: Set<Want>] = [:]
    var otherMembers: Set<Want> = []
    // For each object: the members that it names, and what wants all others.
    var objects: [(named: Set<ExactText>, unnamed: Set<Want>)] = []
    var otherElements: Set<Want> = []
    for want in wants {
      switch want {
      case .presence, .everything: break
      case .choice(let path):
        let key = ExactText(String(decoding: path.first ?? [], as: UTF8.self))
        let rest = Array(path.dropFirst())
        members[key, default: Wanted()].wants.insert(rest.isEmpty ? .presence : .choice(rest))
      case .place(let place):
        var named: [ExactText: Wanted] = [:]
        collect(place, &named, &elements)
        for (key, member) in named {
          members[key, default: Wanted(place: member.place)].wants.formUnion(member.wants)
        }
        if draft.places[Int(place)].asksKeys { objects.append((Set(named.keys), [.presence])) }
      case .node(let index):
        let node = draft.nodes[Int(index)]
        switch node.opcode.family {
        case .collection:
          for (role, child) in node.children(in: draft) {
            if role == .element { otherElements.insert(.node(child)) }
            if role == .member { otherMembers.insert(.node(child)) }
          }
        // These have no parts of their own.
        case .scalar, .json, .change, .remap, .choice: break
        case .object:
          let object = draft.objects[Int(node.child)]
          var named: [ExactText: Wanted] = [:]
          collect(object.rootPlace, &named, &elements)
          for (key, member) in named {
            members[key, default: Wanted(place: member.place)].wants.formUnion(member.wants)
          }
          if object.wantsUnknownKeys {
            objects.append((Set(named.keys), [object.keepsUnknown ? .everything : .presence]))
          }
        }
      }
    }
    var parts = Selection.Parts()
    parts.otherMembers = node(objects.reduce(otherMembers) { $0.union($1.unnamed) })
    parts.otherElements = node(otherElements)
    for (key, member) in members {
      let unnamed = objects.filter { !$0.named.contains(key) }
      let all = unnamed.reduce(member.wants.union(otherMembers)) { $0.union($1.unnamed) }
      // If several want parts, each of them knows the member by its own place.
      parts.members[key] = Selection.Member(
        node: node(all),
        tag: wants.count == 1 ? member.place.map { Int($0) + 1 } ?? 0 : 0)
    }
    for (index, wants) in elements {
      parts.elements[index] = Selection.Member(node: node(wants.union(otherElements)))
    }
    return parts
  }

  /// What wants a member, and a place that stands for it.
  private struct Wanted {
    var wants: Set<Want> = []
    var place: Int32?
  }

  private func collect(
    _ place: Int32, _ members: inout [ExactText: Wanted], _ elements: inout [Int: Set<Want>]
  ) {
    let first = Int(place) + 1
    let end = Int(place) + Int(draft.places[Int(place)].subtreePlaceCount)
    var child = first
    while child < end {
      let here = draft.places[child]
      var wants: Set<Want> = []
      for entry in 0..<Int(here.fieldCount) {
        let field = draft.placeFields[Int(here.fieldStart) + entry]
        wants.insert(.node(draft.fields[Int(field)].node))
      }
      if here.leadsOn { wants.insert(.place(Int32(child))) }
      if here.role == .kept { wants.insert(.everything) }
      switch draft.steps[child] {
      case .key(let key)?:
        members[ExactText(key), default: Wanted(place: Int32(child))].wants.formUnion(wants)
      case .index(let index)?: elements[index, default: []].formUnion(wants)
      case nil: break
      }
      child += Int(here.subtreePlaceCount)
    }
  }
}
