import StreamMap

/// Reads `where`: which records are kept.
struct ConditionReader {
  private let record: ObjectSpec
  private let mistakes: FileMistakes

  init(_ record: ObjectSpec, _ mistakes: FileMistakes) {
    self.record = record
    self.mistakes = mistakes
  }

  func condition(_ node: LocatedNode, _ name: String = "where") -> ConditionSpec? {
    guard case .map(let entries) = node.content else {
      mistakes.add(
        node.mark, "\(name) has to be a map with all, any, not or field; found \(node.phrase)")
      return nil
    }
    let keys = entries.map(\.key)
    if keys.contains("field") { return comparison(node, name) }
    guard let map = MapReader(node, name, keys: MappingKeys.condition, mistakes) else { return nil }
    let present = map.present(MappingKeys.condition)
    for key in present.dropFirst() {
      mistakes.add(
        map.mark(of: key),
        "\(name) has '\(present[0])' and '\(key)'; put several conditions into a list under all or any"
      )
    }
    switch present.first {
    case "all": return list("all", map).map { .all($0) }
    case "any": return list("any", map).map { .any($0) }
    case "not": return map["not"].flatMap { condition($0, "not") }.map { .not($0) }
    default:
      if !map.hasUnknown {
        mistakes.add(node.mark, "\(name) has to be a map with all, any, not or field")
      }
      return nil
    }
  }

  private func list(_ key: String, _ map: MapReader) -> [ConditionSpec]? {
    guard let nodes = map.list(key) else { return nil }
    if nodes.isEmpty { mistakes.add(map.mark(of: key), "\(key) has no conditions") }
    let conditions = nodes.compactMap { condition($0, key) }
    return conditions.count == nodes.count ? conditions : nil
  }

  private func comparison(_ node: LocatedNode, _ name: String) -> ConditionSpec? {
    guard let map = MapReader(node, name, keys: MappingKeys.comparison, mistakes),
      let field = map["field"], let text = PathReader(mistakes).single(field, "field"),
      let pattern = try? PathPattern(parsing: text),
      let domain = domain(of: pattern.steps, field)
    else { return nil }
    let reader = RuleReader(mistakes)
    var rules = reader.rules(map, RuleName.allCases.filter(\.isComparison), domain)
    if let value = map["equals"],
      let rule = reader.rule(.equalTo, value, at: map.mark(of: "equals"), domain)
    {
      rules.append(rule)
    }
    let exists = map.bool("exists")
    if map.present(MappingKeys.comparison).count == 1, !map.hasUnknown {
      mistakes.add(
        map.mark, "'\(text)' needs a comparison: equals, min, max, one_of, matches, exists …")
    }
    if exists == false, !rules.isEmpty {
      mistakes.add(
        map.mark(of: "exists"), "exists: false stands alone: what is absent cannot be compared")
    }
    return .field(pattern.steps, exists: exists, rules)
  }

  /// What is known of the values at a path in the mapped record; nil where there is no such field.
  private func domain(of steps: [PathPattern.Step], _ node: LocatedNode) -> RuleDomain? {
    var object = record
    var domain = RuleDomain.object
    for (number, step) in steps.enumerated() {
      guard case .key(let key) = step else { return .unknown }
      guard let field = object.fields.first(where: { $0.name == key }) else {
        mistakes.add(
          node.mark, "field: the mapped record has no '\(key)'",
          suggestion: Suggestion.nearest(to: key, among: object.fields.map(\.name)))
        return nil
      }
      domain = field.domain
      guard number + 1 < steps.count else { return domain }
      guard case .path(_, let value) = field.source, case .object(let inner) = value.kind else {
        return .unknown
      }
      object = inner
    }
    if steps.isEmpty { mistakes.add(node.mark, "field has to be a member of the mapped record") }
    return steps.isEmpty ? nil : domain
  }
}
