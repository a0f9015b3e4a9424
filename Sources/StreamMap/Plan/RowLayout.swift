/// Works out how a plan finds its values in rows, and the selection that reads them.
///
/// The objects that are made of the same value (alternatives, cases, fields that take their whole object) are a *group*: they share
/// one block of cells, with a cell for each place at which one of them looks. So the value is read once for all of them. An object
/// belongs to one group; where it is also made of other values, the node of its group opens these. `RowMaker.mayRepeat` bounds the
/// work of looking again, before the machine's limits do.
struct RowLayout {
  private typealias Node = Selection.Node

  /// What a value is wanted for: the parts of the nodes that are made of it.
  private struct Wants {
    var objects: [Int32] = []
    /// The dispatches that look for a member.
    var dispatches: [Int32] = []
    var arrays: [Int32] = []
    var dictionaries: [Int32] = []
    /// Whether it is wanted as it stands.
    var isWhole = false

    var namesMembers: Bool { !objects.isEmpty || !dispatches.isEmpty }
  }

  /// A place in a group's value.
  private final class Place {
    private(set) var members: [(key: String, place: Place)] = []
    /// The index of each key's entry in `members`.
    private var places: [ExactText: Int] = [:]
    var elements: [Int: Place] = [:]
    var fields: [Int32] = []
    /// Whether unknown members are looked for in what paths go through.
    var asksKeys = false
    /// Whether the value is kept as it stands, whatever is made of it.
    var isKept = false
    var cell: Int32 = 0

    func member(_ key: String) -> Place {
      if let known = places[ExactText(key)] { return members[known].place }
      places[ExactText(key)] = members.count
      let place = Place()
      members.append((key, place))
      return place
    }

    func element(_ index: Int) -> Place {
      if let known = elements[index] { return known }
      let place = Place()
      elements[index] = place
      return place
    }

    var leadsOn: Bool { !members.isEmpty || !elements.isEmpty }
  }

  private struct OpenGroup {
    var entry: Node
    var cellCount: Int32 = 0
    var steps: [RowTables.Step] = []
    /// The arrays whose elements are read where the value is one.
    var arrays: [Int32] = []
  }

  private let draft: PlanDraft
  private var selection: Selection
  private var groups: [OpenGroup] = []
  private var groupOfObject: [Int32]
  private var groupOfDispatch: [Int32]
  private var discriminators: [Int32]
  private var cells: [Int32]
  private var takesWhole: [Bool]
  private var kept: [[Int32]]
  // PERF: by number; a dictionary of another type is looked up among all conformances of the program.
  /// By node: what reads a value that it alone is made of; -1 where that is not known yet.
  private var single: [Node]
  /// The same for several nodes.
  private var several: [(nodes: [Int32], entry: Node)] = []
  /// By node: what opens an array or a dictionary; -1 where there is nothing yet.
  private var own: [Node]

  private init(_ draft: PlanDraft, _ selection: Selection) {
    self.draft = draft
    self.selection = selection
    groupOfObject = draft.objects.map { _ in -1 }
    groupOfDispatch = draft.dispatches.map { _ in -1 }
    discriminators = draft.dispatches.map { _ in 0 }
    cells = draft.fields.map { _ in 0 }
    takesWhole = draft.fields.map { _ in false }
    kept = draft.objects.map { _ in [] }
    single = draft.nodes.map { _ in -1 }
    own = single
  }

  /// The tables of a plan, whose selection gets what they need; nil if records cannot be made from rows.
  static func tables(of draft: PlanDraft, root: Int32, in selection: inout Selection) -> RowTables?
  {
    // A patch says what was there, member by member.
    if draft.objects.contains(where: { $0.patch != nil || $0.notesParts }) { return nil }
    var layout = RowLayout(draft, selection)
    var rows = layout.entry([root])
    if rows <= Selection.presence {
      // Nothing is looked at in a record: it is a row of one cell.
      rows = layout.selection.add(Selection.Parts())
    }
    // Some values are no part of the record: what was mapped once, and what a record tells of itself.
    for index in draft.nodes.indices where draft.nodes[index].opcode == .rewritten {
      _ = layout.entry([draft.nodes[index].second])
    }
    for fact in draft.facts { _ = layout.entry([draft.fields[Int(fact.field)].node]) }
    layout.openRest()
    layout.readInnerValues()
    let entries = layout.own.map { Int32($0 < 0 ? Selection.keep : $0) }
    if layout.selection.root <= Selection.presence {
      // The fixed nodes are those of other values, too: a record has one of its own, which has rows.
      let others = layout.selection.root == Selection.keep ? Selection.keep : Selection.skip
      layout.selection.root = layout.selection.add(
        Selection.Parts(otherMembers: others, otherElements: others))
    }
    layout.selection.rows = rows
    selection = layout.selection
    var steps: [RowTables.Step] = []
    var groups: [RowTables.Group] = []
    for group in layout.groups {
      groups.append(
        RowTables.Group(
          entry: Int32(group.entry), cellCount: group.cellCount, firstStep: Int32(steps.count),
          stepCount: Int32(group.steps.count)))
      steps += group.steps
    }
    return RowTables(
      cells: FlatTable(layout.cells), groups: FlatTable(groups),
      groupOfObject: FlatTable(layout.groupOfObject),
      groupOfDispatch: FlatTable(layout.groupOfDispatch),
      discriminators: FlatTable(layout.discriminators), steps: FlatTable(steps),
      entries: FlatTable(entries), readers: FlatTable(layout.single.map { Int32($0) }),
      takesWhole: FlatTable(layout.takesWhole),
      kept: layout.kept)
  }

  /// Gives groups to the objects and dispatches that have none yet.
  ///
  /// Whatever a maker makes of a value of any origin, there is a group that opens it.
  private mutating func openRest() {
    for index in draft.nodes.indices {
      let node = draft.nodes[index]
      let isOpen =
        switch node.opcode.family {
        case .object: groupOfObject[Int(node.child)] >= 0
        case .choice: draft.discriminator(of: node) == nil || groupOfDispatch[Int(node.child)] >= 0
        case .scalar, .json, .collection, .change, .remap: true
        }
      if !isOpen { _ = entry([Int32(index)]) }
    }
  }

  /// Says how values inside a record are read as rows, if one node alone is made of them.
  private mutating func readInnerValues() {
    for index in selection.parts.indices {
      let node = selection.parts[index].onlyNode
      // PERF: tokens are a shorter way to arrays of scalars, and of such arrays (`ElementRuns`): half as long for coordinates.
      if node < 0 || makesScalarsOnly(node, depth: 0) { continue }
      let rows = entry([node])
      if rows > Selection.presence, selection.parts[rows - 3].opens {
        selection.parts[index].rows = rows
      }
    }
  }

  /// Whether a node makes scalars, or arrays of nothing but these.
  private func makesScalarsOnly(_ index: Int32, depth: Int) -> Bool {
    let node = draft.nodes[Int(index)]
    // A mapping may contain itself.
    return node.opcode == .scalar
      || node.opcode == .array && depth < 8 && makesScalarsOnly(node.child, depth: depth + 1)
  }

  // MARK: What a value is wanted for

  private func wants(_ nodes: [Int32]) -> Wants {
    var wants = Wants()
    for node in nodes { collect(node, &wants) }
    return wants
  }

  private func collect(_ index: Int32, _ wants: inout Wants) {
    let node = draft.nodes[Int(index)]
    switch node.opcode.family {
    case .scalar: break
    case .json: wants.isWhole = true
    case .collection:
      for (role, _) in node.children(in: draft) {
        if role == .element, !wants.arrays.contains(index) { wants.arrays.append(index) }
        if role == .member, !wants.dictionaries.contains(index) { wants.dictionaries.append(index) }
      }
    case .change, .remap, .choice:
      if draft.discriminator(of: node) != nil {
        if wants.dispatches.contains(node.child) { return }
        wants.dispatches.append(node.child)
      }
      for (role, child) in node.children(in: draft) where role.takesSameValue {
        collect(child, &wants)
      }
    case .object:
      if wants.objects.contains(node.child) { return }
      wants.objects.append(node.child)
      for field in wholeFields(of: node.child) {
        collect(draft.fields[Int(field)].node, &wants)
      }
    }
  }

  /// The fields that take the value of an object as a whole.
  private func wholeFields(of object: Int32) -> ArraySlice<Int32> {
    let root = draft.places[Int(draft.objects[Int(object)].rootPlace)]
    return draft.placeFields[Int(root.fieldStart)..<Int(root.fieldStart + root.fieldCount)]
  }

  // MARK: Nodes

  /// The node that reads a value that all of these nodes are made of.
  private mutating func entry(_ nodes: [Int32]) -> Node {
    let key = nodes.count == 1 ? nodes : Array(Set(nodes)).sorted()
    if let known = known(key) { return known }
    let wants = wants(key)
    for node in wants.arrays + wants.dictionaries { _ = ownEntry(node) }
    let entry: Node
    if wants.namesMembers {
      entry = groupEntry(wants, key)
    } else if wants.arrays.count + wants.dictionaries.count == 1, !wants.isWhole {
      entry = ownEntry((wants.arrays + wants.dictionaries)[0])
    } else if wants.arrays.isEmpty {
      entry = Selection.keep
    } else {
      entry = selection.add(Selection.Parts(reopens: wants.isWhole))
      remember(entry, for: key)
      selection.parts[entry - 3].otherElements = elements(of: wants)
    }
    remember(entry, for: key)
    return entry
  }

  private func known(_ key: [Int32]) -> Node? {
    if key.count == 1 { return single[Int(key[0])] < 0 ? nil : single[Int(key[0])] }
    return several.first { $0.nodes == key }?.entry
  }

  private mutating func remember(_ entry: Node, for key: [Int32]) {
    if key.count == 1 {
      single[Int(key[0])] = entry
    } else if known(key) == nil {
      several.append((key, entry))
    }
  }

  /// The node that reads the elements of all arrays of a value.
  private mutating func elements(of wants: Wants) -> Node {
    entry(wants.arrays.map { draft.nodes[Int($0)].child })
  }

  /// The node that opens an array or a dictionary.
  private mutating func ownEntry(_ index: Int32) -> Node {
    if own[Int(index)] >= 0 { return own[Int(index)] }
    let entry = selection.add(Selection.Parts())
    own[Int(index)] = entry
    let node = draft.nodes[Int(index)]
    let child = self.entry([node.child])
    if node.opcode == .array {
      selection.parts[entry - 3].otherElements = child
    } else {
      selection.parts[entry - 3].otherMembers = child
      selection.parts[entry - 3].cellCount = 1
    }
    return entry
  }

  /// The node that opens the objects and dispatches of a value.
  private mutating func groupEntry(_ wants: Wants, _ key: [Int32]) -> Node {
    separateStrictObjects(wants)
    let old = Set(
      wants.objects.map { groupOfObject[Int($0)] }
        + wants.dispatches.map { groupOfDispatch[Int($0)] })
    let isMixed = wants.isWhole || !wants.dictionaries.isEmpty
    if old.count == 1, let group = old.first, group >= 0, groups[Int(group)].arrays == wants.arrays
    {
      if isMixed { reopen(groups[Int(group)].entry) }
      return groups[Int(group)].entry
    }
    guard old.contains(-1) else { return Selection.keep }
    return addGroup(wants, isMixed: isMixed || old.count > 1, key)
  }

  /// Objects that look at members that they do not name have groups of their own, where others are made of the same value.
  private mutating func separateStrictObjects(_ wants: Wants) {
    for object in wants.objects where draft.objects[Int(object)].wantsUnknownKeys {
      guard groupOfObject[Int(object)] < 0 else { continue }
      var own = Wants()
      own.objects.append(object)
      for field in wholeFields(of: object) { collect(draft.fields[Int(field)].node, &own) }
      if own.objects.count == wants.objects.count, object == wants.objects[0],
        own.dispatches.count == wants.dispatches.count
      {
        continue
      }
      own.objects.removeAll {
        groupOfObject[Int($0)] >= 0 || $0 != object && draft.objects[Int($0)].wantsUnknownKeys
      }
      own.dispatches.removeAll { groupOfDispatch[Int($0)] >= 0 }
      _ = addGroup(own, isMixed: true, nil)
    }
  }

  private mutating func reopen(_ entry: Node) {
    selection.parts[entry - 3].reopens = true
  }

  private mutating func addGroup(_ wants: Wants, isMixed: Bool, _ key: [Int32]?) -> Node {
    let entry = selection.add(Selection.Parts())
    if let key { remember(entry, for: key) }
    let number = groups.count
    groups.append(OpenGroup(entry: entry))
    let root = Place()
    var reopens = isMixed
    var otherMembers = Selection.skip
    var fieldPlaces: [(field: Int32, place: Place)] = []
    let own = wants.objects.filter { groupOfObject[Int($0)] < 0 }
    for object in own {
      groupOfObject[Int(object)] = Int32(number)
      let here = draft.objects[Int(object)]
      if !wholeFields(of: object).isEmpty { reopens = true }
      for field in wholeFields(of: object) { self.takesWhole[Int(field)] = true }
      if here.wantsUnknownKeys {
        otherMembers = here.keepsUnknown ? Selection.keep : Selection.presence
      }
      add(here.rootPlace, at: root, &fieldPlaces)
    }
    var discriminatorPlaces: [(dispatch: Int32, place: Place)] = []
    for dispatch in wants.dispatches where groupOfDispatch[Int(dispatch)] < 0 {
      groupOfDispatch[Int(dispatch)] = Int32(number)
      let place = draft.dispatches[Int(dispatch)].path.reduce(root) {
        $0.member(String(decoding: $1, as: UTF8.self))
      }
      discriminatorPlaces.append((dispatch, place))
    }
    let hasElements = !root.elements.isEmpty
    let opensArrays = !wants.arrays.isEmpty && !hasElements
    // Where several are made of the value, each may have to look at it again. A list whose elements are looked up by their
    // indices has cells for these alone.
    let others = hasElements ? wants.arrays.count : 0
    if wants.objects.count + wants.dispatches.count + others > 1 { reopens = true }
    groups[number].arrays = wants.arrays
    var count: Int32 = 1
    var steps: [RowTables.Step] = []
    self.number(root, depth: 0, &count, &steps)
    // A value whose parts have cells is of the kind that the paths go through.
    if root.leadsOn { steps.removeFirst() }
    for (field, place) in fieldPlaces { cells[Int(field)] = place.cell }
    for object in own {
      let here = draft.objects[Int(object)]
      for field in here.firstField..<here.hiddenFields.upperBound
      where draft.constants.contains(field) { cells[Int(field)] = count }
      kept[Int(object)] = root.members.filter(\.place.isKept).map(\.place.cell)
    }
    count += 1
    for (dispatch, place) in discriminatorPlaces { discriminators[Int(dispatch)] = place.cell }
    groups[number].cellCount = count
    groups[number].steps = steps
    var parts = self.parts(at: root)
    parts.otherMembers = otherMembers
    parts.cellCount = Int(count)
    parts.reopens = reopens
    if opensArrays {
      parts.otherElements = elements(of: wants)
    }
    // It may have been asked for meanwhile.
    parts.reopens = parts.reopens || selection.parts[entry - 3].reopens
    selection.parts[entry - 3] = parts
    return entry
  }

  /// Adds the places of an object.
  private func add(
    _ index: Int32, at place: Place, _ fieldPlaces: inout [(field: Int32, place: Place)]
  ) {
    let here = draft.places[Int(index)]
    var child = index + 1
    while child < index + here.subtreePlaceCount {
      let next = draft.places[Int(child)]
      let inner: Place
      switch draft.steps[Int(child)] {
      case .key(let key)?: inner = place.member(key)
      case .index(let number)?: inner = place.element(number)
      case nil: return
      }
      for entry in next.fieldStart..<next.fieldStart + next.fieldCount {
        let field = draft.placeFields[Int(entry)]
        inner.fields.append(draft.fields[Int(field)].node)
        fieldPlaces.append((field, inner))
      }
      if next.asksKeys { inner.asksKeys = true }
      if next.role == .kept { inner.isKept = true }
      add(child, at: inner, &fieldPlaces)
      child += next.subtreePlaceCount
    }
  }

  /// Numbers the places below one, members before elements, and notes which of them lead on.
  private func number(
    _ place: Place, depth: Int32, _ count: inout Int32, _ steps: inout [RowTables.Step]
  ) {
    let first = count
    let own = steps.count
    if place.leadsOn {
      steps.append(RowTables.Step(cell: place.cell, inside: 0, insideMembers: 0, depth: depth))
    }
    for (_, member) in place.members {
      member.cell = count
      count += 1
      number(member, depth: depth + 1, &count, &steps)
    }
    let members = count - first
    for (_, element) in place.elements.sorted(by: { $0.key < $1.key }) {
      element.cell = count
      count += 1
      number(element, depth: depth + 1, &count, &steps)
    }
    if place.leadsOn {
      steps[own] = RowTables.Step(
        cell: place.cell, inside: count - first, insideMembers: members, depth: depth)
    }
  }

  /// What reads the parts of a place's value.
  private mutating func parts(at place: Place) -> Selection.Parts {
    var parts = Selection.Parts()
    for (key, member) in place.members {
      parts.members[ExactText(key)] = Selection.Member(
        node: entry(at: member), tag: Int(member.cell))
    }
    for (index, element) in place.elements {
      parts.elements[index] = Selection.Member(node: entry(at: element), tag: Int(element.cell))
    }
    return parts
  }

  private mutating func entry(at place: Place) -> Node {
    guard place.leadsOn else {
      if place.isKept { return Selection.keep }
      return place.fields.isEmpty ? Selection.presence : entry(place.fields)
    }
    var parts = parts(at: place)
    parts.otherMembers = place.asksKeys ? Selection.presence : Selection.skip
    parts.reopens =
      place.isKept || place.fields.contains { draft.nodes[Int($0)].opcode.isBeyondScalars }
    for node in place.fields { _ = entry([node]) }
    return selection.add(parts)
  }
}
