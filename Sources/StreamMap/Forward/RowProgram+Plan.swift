extension RowProgram {
  /// The program of a plan for output records; nil where it has more than what is plain: rules, functions, conditions, formulas,
  /// facts of the record, nulls that are left out.
  convenience init?(_ plan: PlanTables, builder: TextBuilder, limits: Limits) {
    guard !builder.omitsNulls, plan.nodes[plan.root].pointee.opcode == .object else { return nil }
    var compiler = Compiler(plan: plan, builder: builder)
    guard let root = compiler.value(plan.root) else { return nil }
    self.init(compiler.parts, root: root, mostElements: limits.elements)
  }

  private struct Compiler {
    let plan: PlanTables
    let builder: TextBuilder
    var parts = Parts()

    mutating func value(_ index: Int32) -> UInt32? {
      let node = plan.nodes[index].pointee
      guard let rows = plan.rows, node.checkCount == 0 else { return nil }
      let (null, absent) = (text(node.null), text(node.absent))
      switch node.opcode {
      case .scalar:
        return scalar(node.scalar).map { parts.add($0, null: null, absent: absent) }
      case .array:
        return value(node.child).map { parts.addArray(of: $0, null: null, absent: absent) }
      case .object:
        let steps = (rows.firstSteps[node.child].pointee..<rows.firstSteps[node.child + 1].pointee)
          .map { UInt32(rows.steps[$0].pointee.cell) }
        return members(plan.objects[node.child].pointee, rows).map {
          parts.addObject($0, steps: steps, null: null, absent: absent)
        }
      // A row has no such values: only a constant is one, and it is never there.
      case .rawJSON, .jsonValue: return absent.map { parts.add(.any, null: nil, absent: $0) }
      default: return nil
      }
    }

    private mutating func members(_ object: PlanObject, _ rows: RowTables) -> [Member]? {
      guard object.isPlain, object.fieldCount > 0 else { return nil }
      var members: [Member] = []
      for field in object.firstField..<object.firstField + object.fieldCount {
        let name = Array(builder.names[Int(field)])
        guard !name.isEmpty, let value = value(plan.fields[field].pointee.node) else { return nil }
        members.append(
          Member(cell: UInt32(rows.cells[field].pointee), value: value, name: name))
      }
      return members
    }

    /// What is written instead of a value; nil where that is not the same for all records.
    private func text(_ action: PlanAction) -> [UInt8]? {
      if action.isReported { return nil }
      switch action.kind {
      case .fail, .take, .leave, .contested: return nil
      case .useNil: return Array("null".utf8)
      case .substitute: return builder.text(ofSubstitute: action.substitute)
      }
    }

    /// Numbers that are surely values of their types: those of so few digits that none is out of range.
    private func scalar(_ type: ScalarType) -> Scalar? {
      switch type {
      case .any: .any
      case .string: .string
      case .bool: .boolean
      case .number: .number
      case .int, .int64: .integer(most: 18, takesMinus: true)
      case .int32: .integer(most: 9, takesMinus: true)
      case .int16: .integer(most: 4, takesMinus: true)
      case .int8: .integer(most: 2, takesMinus: true)
      case .uint, .uint64: .integer(most: 18, takesMinus: false)
      case .uint32: .integer(most: 9, takesMinus: false)
      case .uint16: .integer(most: 4, takesMinus: false)
      case .uint8: .integer(most: 2, takesMinus: false)
      case .double: .decimal(most: 255)
      case .float: .decimal(most: 38)
      case .decimal: .decimal(most: 28)
      case .url, .uuid, .date: nil
      }
    }
  }
}
