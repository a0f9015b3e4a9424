// Fields with several sources.
extension PlanCompiler {
  /// The fields, followed by one more field of the same kind for each further source of a field.
  mutating func allSources(
    of object: ObjectDefinition, _ nodes: inout [Int32], first: Int32
  ) -> [ObjectDefinition.Field] {
    var fields = object.fields
    for (number, field) in object.fields.enumerated() where !field.fallbacks.isEmpty {
      contested.append((copy: reserveNode(), original: nodes[number]))
      nodes[number] = Int32(draft.nodes.count - 1)
      draft.contests.append(
        PlanContest(
          field: first + Int32(number), firstOther: first + Int32(fields.count),
          otherCount: Int32(field.fallbacks.count)))
      for path in [field.source.path].compactMap({ $0 }) + field.fallbacks {
        if path.components.isEmpty {
          within(.field(number + 1, field.name)) {
            $0.report("the whole object, $, is always there: it cannot be one of several sources")
          }
        }
      }
      for path in field.fallbacks {
        var other = field
        other.source = .path(path)
        fields.append(other)
        nodes.append(nodes[number])
      }
    }
    return fields
  }

  /// Makes the nodes of fields with several sources: like the fields' own nodes, but a null does not decide.
  mutating func fillContested() {
    for (copy, original) in contested {
      draft.nodes[Int(copy)] = draft.nodes[Int(original)]
      draft.nodes[Int(copy)].null = PlanAction(
        kind: .contested, isReported: false, substitute: original)
    }
  }

  mutating func checkTargets(_ object: ObjectDefinition) {
    var properties: [AnyKeyPath: Int] = [:]
    var names: [[ExactText]: Int] = [:]
    for (number, field) in object.fields.enumerated() {
      if field.target.contains("") { report("the name of field \(number + 1) is empty") }
      if let property = field.property,
        let earlier = properties.updateValue(number, forKey: property)
      {
        let name = field.target.isEmpty ? "the same property" : "'\(field.name)'"
        report("fields \(earlier + 1) and \(number + 1) both map to \(name)")
      } else if !field.target.isEmpty,
        let earlier = names.updateValue(number, forKey: field.target.map { ExactText($0) })
      {
        report("fields \(earlier + 1) and \(number + 1) both map to '\(field.name)'")
      }
    }
  }
}
