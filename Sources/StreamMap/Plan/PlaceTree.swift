/// The paths of an object's fields as one tree, so that a shared prefix is walked once.
///
/// Several fields on one source, fields that take their whole source, and paths through a source that another field takes, are all
/// sets of fields of one place.
struct PlaceTree {
  private var members: [(key: String, tree: PlaceTree)] = []
  /// The index of each key's entry in `members`.
  private var places: [ExactText: Int] = [:]
  private var elements: [Int: PlaceTree] = [:]
  /// The fields whose paths end here, in their order.
  private var placeFields: [Int32] = []

  mutating func add(field: Int32, at path: ArraySlice<JSONPath.Component>) {
    switch path.first {
    case nil: placeFields.append(field)
    case .index(let index)?:
      elements[index, default: PlaceTree()].add(field: field, at: path.dropFirst())
    case .key(let key)?:
      members[place(of: key)].tree.add(field: field, at: path.dropFirst())
    }
  }

  /// The place of a member, which is made if there is none yet.
  private mutating func place(of key: String) -> Int {
    if let known = places[ExactText(key)] { return known }
    places[ExactText(key)] = members.count
    members.append((key, PlaceTree()))
    return members.count - 1
  }

  /// The kinds of values that suit the paths.
  var kinds: PlanKinds {
    PlanKinds(
      objects: !members.isEmpty || elements.isEmpty, arrays: !elements.isEmpty, all: isTaken)
  }

  /// Whether a field's path ends here.
  var isTaken: Bool { !placeFields.isEmpty }

  /// Makes a place for a member, although no field may end there.
  mutating func visit(_ key: String) { _ = place(of: key) }

  /// Makes the places on a path, although no field may end there; something may take the whole value at its end.
  mutating func visit(_ path: ArraySlice<JSONPath.Component>, isTaken: Bool = false) {
    switch path.first {
    case nil: if isTaken { isTakenWhole = true }
    case .index(let index)?:
      elements[index, default: PlaceTree()].visit(path.dropFirst(), isTaken: isTaken)
    case .key(let key)?:
      members[place(of: key)].tree.visit(path.dropFirst(), isTaken: isTaken)
    }
  }

  /// Whether something takes the value here with all its members, so that none of them is unknown.
  private var isTakenWhole = false

  /// What becomes of a member besides what fields make of it.
  mutating func set(_ role: PlanPlace.Role, of key: String) {
    members[place(of: key)].tree.role = role
  }

  private var role = PlanPlace.Role.named

  /// Whether members are looked at here even if no path leads to one.
  var looksAtMembers = false

  /// Appends the tree's places in depth-first order; returns the index of its root.
  ///
  /// `asksKeys`: whether members may be unknown in what only paths go through.
  func flatten(
    into draft: inout PlanDraft, step: JSONPath.Component?, object: Int32, parent: Int32 = -1,
    asksKeys: Bool
  )
    -> Int32
  {
    let asksKeys = asksKeys && (parent < 0 || !isTakenWhole && role == .named)
    let index = draft.places.count
    draft.steps.append(step)
    let fieldStart = draft.placeFields.count
    draft.placeFields += placeFields
    draft.places.append(
      PlanPlace(
        keys: nil, firstElement: 0, elementCount: 0, fieldStart: Int32(fieldStart),
        fieldCount: Int32(placeFields.count), subtreeFieldCount: 0, subtreePlaceCount: 0,
        object: object,
        parent: parent, role: role, asksKeys: asksKeys && !members.isEmpty)
    )
    var keys: [(key: String, value: Int32)] = []
    for (key, tree) in members {
      keys.append(
        (
          key,
          tree.flatten(
            into: &draft, step: .key(key), object: object, parent: Int32(index), asksKeys: asksKeys)
        ))
    }
    var placed: [PlanElement] = []
    for (number, tree) in elements.sorted(by: { $0.key < $1.key }) {
      let place = tree.flatten(
        into: &draft, step: .index(number), object: object, parent: Int32(index), asksKeys: asksKeys
      )
      placed.append(PlanElement(index: number, place: place))
    }
    if !keys.isEmpty || looksAtMembers {
      let table = KeyTable(keys)
      draft.keyTables.append(table)
      draft.places[index].keys = Unmanaged.passUnretained(table)
    }
    draft.places[index].firstElement = Int32(draft.elements.count)
    draft.places[index].elementCount = Int32(placed.count)
    draft.elements += placed
    draft.places[index].subtreeFieldCount = Int32(draft.placeFields.count - fieldStart)
    draft.places[index].subtreePlaceCount = Int32(draft.places.count - index)
    return Int32(index)
  }
}
