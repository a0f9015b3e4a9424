/// How the fields of a plan's objects find their values in rows.
///
/// Each object has a block of cells, one for each of its places, in their order. There are tables only for plans that can be
/// made from rows as a whole. A row has no order and no addresses, and a record in which anything is wrong is mapped again from
/// its tokens, so these plans may contain whatever depends on a value alone.
struct RowTables: Sendable {
  /// A member that only paths go through.
  struct Step: BitwiseCopyable {
    let cell: Int32
    /// How many cells after it are for what is inside.
    let inside: Int32
  }

  /// By field: its cell in its object's block; that of the object itself, in which there is never a value, if it has no source.
  let cells: FlatTable<Int32>
  /// By object, with an end after the last one: the first of its steps.
  let firstSteps: FlatTable<Int32>
  let steps: FlatTable<Step>

  /// Nil if the plan cannot be made from rows.
  init?(_ draft: PlanDraft, root: Int32) {
    var visit = Visit(draft: draft)
    guard visit.takes(root) else { return nil }
    var cells = draft.fields.map { _ in Int32(0) }
    var firstSteps: [Int32] = []
    var steps: [Step] = []
    for object in draft.objects {
      firstSteps.append(Int32(steps.count))
      for cell in 0..<object.placeCount {
        let place = draft.places[Int(object.rootPlace + cell)]
        if place.leadsOn, cell > 0 {
          steps.append(Step(cell: cell, inside: place.subtreePlaceCount - 1))
        }
        for number in place.fieldStart..<place.fieldStart + place.fieldCount {
          cells[Int(draft.placeFields[Int(number)])] = cell
        }
      }
    }
    firstSteps.append(Int32(steps.count))
    self.cells = FlatTable(cells)
    self.firstSteps = FlatTable(firstSteps)
    self.steps = FlatTable(steps)
  }

  /// Looks whether all nodes below one can be made from rows.
  private struct Visit {
    let draft: PlanDraft
    /// The nodes that are being looked at: a value that contains itself may be deeper than the stack.
    var open: Set<Int32> = []
    var taken: Set<Int32> = []

    mutating func takes(_ index: Int32) -> Bool {
      if taken.contains(index) { return true }
      guard open.insert(index).inserted else { return false }
      let node = draft.nodes[Int(index)]
      let takes: Bool
      switch node.opcode {
      case .array: takes = self.takes(node.child)
      case .transform: takes = !node.seesIssues && self.takes(node.child)
      case .object: takes = takesObject(draft.objects[Int(node.child)])
      case .rawJSON: takes = node.isOperand
      case .jsonValue, .dictionary, .rewritten, .firstOf, .dispatch: takes = false
      case .scalar: takes = true
      }
      open.remove(index)
      if takes { taken.insert(index) }
      return takes
    }

    private mutating func takesObject(_ object: PlanObject) -> Bool {
      guard object.isPlain || object.isPlainWithFormulas && takesMakings(of: object) else {
        return false
      }
      for place in object.rootPlace + 1..<object.rootPlace + object.placeCount {
        let here = draft.places[Int(place)]
        guard here.elementCount == 0, here.fieldCount == 0 || here.keys == nil else { return false }
        // A container is in a row for one field only.
        guard here.fieldCount < 2 || fieldNodes(of: here).allSatisfy(isScalar) else { return false }
      }
      let own = object.firstField..<object.firstField + object.fieldCount
      return (Array(own) + object.hiddenFields).allSatisfy {
        draft.constants.contains($0) || takes(draft.fields[Int($0)].node)
      }
    }

    /// A calculated value is a scalar here.
    private func takesMakings(of object: PlanObject) -> Bool {
      (Array(object.firstField..<object.firstField + object.fieldCount) + object.hiddenFields)
        .map { draft.fields[Int($0)] }
        .filter { $0.making >= 0 && draft.makings[Int($0.making)].formula >= 0 }
        .allSatisfy { draft.nodes[Int($0.node)].opcode == .scalar }
    }

    private func fieldNodes(of place: PlanPlace) -> [Int32] {
      draft.placeFields[Int(place.fieldStart)..<Int(place.fieldStart + place.fieldCount)].map {
        draft.fields[Int($0)].node
      }
    }

    private func isScalar(_ index: Int32) -> Bool {
      let node = draft.nodes[Int(index)]
      return node.opcode == .transform
        ? isScalar(node.child) : node.isOperand || !node.opcode.isBeyondScalars
    }
  }
}
