extension PlanDraft {
  /// By node: whether `WholeMaker` can make its value.
  ///
  /// It can make scalars, arrays, dictionaries whose last member counts, objects in which each member is one
  /// field's, and what the mapping's code makes of these. Like a row, such a value has no state besides its parts.
  var nodesMadeWhole: [Bool] {
    // A mapping may contain itself. So all nodes may be, at first, and those that contain one that is not are taken
    // out until nothing changes.
    var isWhole = nodes.map { _ in true }
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for index in nodes.indices where isWhole[index] && !isMadeWhole(nodes[index], of: isWhole) {
        isWhole[index] = false
        hasChanged = true
      }
    }
    return isWhole
  }

  /// Whether a node is made whole if those that it contains are as given.
  private func isMadeWhole(_ node: PlanNode, of others: [Bool]) -> Bool {
    switch node.opcode {
    case .scalar: true
    case .array: others[Int(node.child)]
    case .dictionary: node.duplicateKeys == .last && others[Int(node.child)]
    case .object: isMadeWhole(objects[Int(node.child)], of: others)
    case .transform: !node.seesIssues && others[Int(node.child)]
    case .jsonValue, .rawJSON, .rewritten, .firstOf, .dispatch: false
    }
  }

  private func isMadeWhole(_ object: PlanObject, of others: [Bool]) -> Bool {
    guard object.isPlain else { return false }
    let inside = object.rootPlace + 1..<object.rootPlace + object.placeCount
    return inside.allSatisfy { places[Int($0)].onlyField >= 0 }
      && (object.firstField..<object.firstField + object.fieldCount).allSatisfy {
        constants.contains($0) || others[Int(fields[Int($0)].node)]
      }
  }
}
