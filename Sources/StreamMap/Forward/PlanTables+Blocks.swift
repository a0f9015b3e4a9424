// Which parts of a plan are made of the cells of one block.
extension PlanTables {
  /// The fields of alternatives that are each one field of the same block as an object; nil if one of them is anything else, or makes
  /// something of a value that is missing or wrong.
  func scalarAlternatives(of node: PlanNode, inBlockOf object: Int32) -> [Int32]? {
    guard node.opcode == .firstOf, node.checkCount == 0, !node.reportsEarlier else { return nil }
    var all: [Int32] = []
    for number in node.child..<node.child + node.second {
      let alternative = nodes[alternatives[number].pointee].pointee
      guard !alternative.absent.isKnown, !alternative.invalid.isKnown,
        let fields = plainFields(alternative, inBlockOf: object), fields.count == 1,
        names[Int(fields.lowerBound)].isEmpty
      else { return nil }
      let field = nodes[self.fields[fields.lowerBound].pointee.node].pointee
      guard field.opcode == .scalar, !field.absent.isKnown, !field.invalid.isKnown else {
        return nil
      }
      all.append(fields.lowerBound)
    }
    return all
  }

  /// The alternatives of a node that are tried one after the other, up to the first that may be right where it is wrong.
  ///
  /// Where errors of those tried in vain are kept, that is the first one.
  func triedInTurn(_ node: PlanNode) -> ArraySlice<Int32> {
    let all = (node.child..<node.child + node.second).map { alternatives[$0].pointee }
    let last = all.firstIndex { node.reportsEarlier || nodes[$0].pointee.invalid.isKnown }
    return all.prefix((last ?? all.count) + 1)
  }

  /// The fields of an object that is made of the same block as another one, and is nothing but its fields.
  func plainFields(_ node: PlanNode, inBlockOf object: Int32) -> Range<Int32>? {
    guard let rows, node.opcode == .object, node.checkCount == 0 else { return nil }
    let inner = objects[node.child].pointee
    guard inner.isPlain, !inner.hasFormulas,
      rows.groupOfObject[node.child].pointee == rows.groupOfObject[object].pointee
    else { return nil }
    return inner.firstField..<inner.firstField + inner.fieldCount
  }
}

extension PlanNode {
  /// The kind of its values, if those of any other kind are wrong; nil if some are not.
  var strictKind: JSONKind? {
    opcode == .scalar && options == nil ? scalar.family.kind : nil
  }
}

extension PlanAction {
  /// Whether something is known to be done about a value that is missing or wrong, so that there is no error.
  var isKnown: Bool { kind != .fail || isReported }
}

extension PlanNode {
  /// Whether it takes a value as it stands.
  var isJSON: Bool { opcode == .rawJSON || opcode == .jsonValue }

  /// Whether it takes every value as it stands.
  var keepsJSON: Bool { isJSON && checkCount == 0 && null.kind == .take }

  /// Whether it takes strings, and any other value is wrong.
  var isStrictString: Bool { scalar == .string && strictKind != nil }
}

extension RowProgram.Step {
  /// A step that goes through an object or an array, not through both.
  init(_ step: RowTables.Step) {
    self.init(
      cell: UInt32(step.cell), inside: UInt32(step.inside), depth: UInt32(step.depth),
      isArray: step.takesArrays)
  }
}
