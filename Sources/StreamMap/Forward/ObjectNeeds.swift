/// What objects need in their blocks: without it, they are surely wrong.
struct ObjectNeeds {
  private struct Need: BitwiseCopyable {
    let cell: Int32
    /// The first bytes of values that are surely right: this one, and so many after it.
    let first: UInt8
    let others: UInt8
    let need: FieldNeed

    init(_ cell: Int32, _ need: FieldNeed) {
      self.cell = cell
      self.need = need
      switch need.kind {
      case .number: (first, others) = (UInt8(ascii: "0"), 9)
      case .boolean: (first, others) = (UInt8(ascii: "t"), 0)
      case .string, .null, .object, .array, nil: (first, others) = (UInt8(ascii: "\""), 0)
      }
    }
  }

  /// Where the needs and the steps of an object start; those of the next one follow.
  private struct Start: BitwiseCopyable {
    let need: Int32
    let step: Int32
  }

  // PERF: the tables of all objects, one after the other.
  private let needs: FlatTable<Need>
  /// The cells of what paths go through.
  private let steps: FlatTable<Int32>
  private let starts: FlatTable<Start>

  init(_ plan: PlanTables) {
    let all = plan.needs()
    var (needs, steps): ([Need], [Int32]) = ([], [])
    var starts = [Start(need: 0, step: 0)]
    if let rows = plan.rows {
      for number in 0..<Int32(plan.objects.count) {
        let object = plan.objects[number].pointee
        for field in object.firstField..<object.firstField + object.fieldCount
        where all[Int(field)].value {
          needs.append(Need(rows.cells[field].pointee, all[Int(field)]))
        }
        let group = rows.groups[rows.groupOfObject[number].pointee].pointee
        steps += (group.firstStep..<group.firstStep + group.stepCount).map {
          Int32(rows.steps[$0].pointee.cell)
        }
        starts.append(Start(need: Int32(needs.count), step: Int32(steps.count)))
      }
    }
    self.needs = FlatTable(needs)
    self.steps = FlatTable(steps)
    self.starts = FlatTable(starts)
  }

  /// Whether an object, whose block is open, surely lacks something.
  func areMissing(of object: Int32, in block: UnsafeMutablePointer<RowCell>) -> Bool {
    let (first, next) = (starts[object].pointee, starts[object + 1].pointee)
    for number in first.step..<next.step {
      // A null on the way may be no error.
      let kind = block[Int(steps[number].pointee)].kind
      if !kind.isContainer, kind != .absent { return false }
    }
    let end = needs.start + Int(next.need)
    var need = needs.start + Int(first.need)
    while need < end {
      let cell = block + Int(need.pointee.cell)
      if cell.pointee.kind.byte &- need.pointee.first > need.pointee.others,
        need.pointee.need.isMissing(in: cell.pointee)
      {
        return true
      }
      need += 1
    }
    return false
  }
}

/// What makes an object surely wrong: how the value of one of its fields is wrong.
struct FieldNeed: BitwiseCopyable {
  /// Whether there has to be a right value.
  var value = false
  /// Whether null is wrong, too.
  var noNull = false
  /// The kind of a needed value; nil if that is not all that decides.
  var kind: JSONKind?

  /// Whether a cell does not have what is needed.
  fileprivate func isMissing(in cell: RowCell) -> Bool {
    switch cell.kind {
    case .absent: value
    case .null: noNull
    default: value && cell.kind.isWrong(for: kind)
    }
  }
}

extension RowCell.Kind {
  /// Whether it is surely a value of another kind.
  func isWrong(for kind: JSONKind?) -> Bool {
    guard let kind, let json, json != .null else { return false }
    return json != kind
  }
}

extension PlanTables {
  /// By field: what makes its object wrong.
  func needs() -> [FieldNeed] {
    let sources = sourcesInRows
    var needs = [FieldNeed](repeating: FieldNeed(), count: fields.count)
    guard let rows else { return needs }
    for object in (0..<objects.count).map({ objects.start[$0] }) where !object.isTransparent {
      for field in object.firstField..<object.firstField + object.fieldCount {
        let node = nodes[fields[field].pointee.node].pointee
        guard fields[field].pointee.making < 0, sources[Int(field)] == .cell,
          !rows.takesWhole[field].pointee, !node.absent.isKnown, !node.invalid.isKnown
        else { continue }
        needs[Int(field)] = FieldNeed(
          value: true, noNull: !node.null.isKnown && !node.null.isAsked, kind: node.strictKind)
      }
    }
    return needs
  }
}
