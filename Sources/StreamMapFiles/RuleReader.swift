import StreamMap

/// Reads rules about values.
struct RuleReader {
  private let mistakes: FileMistakes

  init(_ mistakes: FileMistakes) {
    self.mistakes = mistakes
  }

  /// A map of rules, all of which have to be kept.
  func rules(_ node: LocatedNode, _ name: String, _ domain: RuleDomain) -> [RuleSpec] {
    guard case .map(let entries) = node.content else {
      mistakes.add(
        node.mark, "\(name) has to be a map of rules, as in { min: 0 }; found \(node.phrase)")
      return []
    }
    guard let map = MapReader(node, name, RuleName.keys, mistakes) else { return [] }
    if entries.isEmpty { mistakes.add(node.mark, "\(name) has no rules") }
    return map.present.compactMap { name in
      map[name].flatMap { rule(name, $0, at: map.mark(of: name), domain) }
    }
  }

  /// A rule that compares values with those of a node.
  func rule(_ name: RuleName, _ node: LocatedNode, at mark: FileMark, _ domain: RuleDomain)
    -> RuleSpec?
  {
    if let domains = name.domains, domain != .unknown, !domains.contains(domain) {
      let owners = domains.map(\.plural).joined(separator: " or ")
      mistakes.add(mark, "\(name) is about \(owners); here are \(domain.plural)")
      return nil
    }
    guard let operand = operand(of: name, node, domain) else { return nil }
    let spec = RuleSpec(name: name, operand: operand, domain: domain)
    if let mistake = spec.rule.mistake {
      mistakes.add(node.mark, "\(name): \(mistake)")
      return nil
    }
    return spec
  }

  private func operand(of name: RuleName, _ node: LocatedNode, _ domain: RuleDomain)
    -> RuleSpec.Operand?
  {
    switch name {
    case .min, .max, .greaterThan, .greaterThanOrEqualTo, .lessThan, .lessThanOrEqualTo,
      .multipleOf:
      return limit(node, name, domain).map { .values([$0]) }
    case .range:
      guard let pair = pair(node, name) else { return nil }
      let limits = pair.compactMap { limit($0, name, domain) }
      return limits.count == 2 ? .values(limits) : nil
    case .equalTo: return value(node, name, domain).map { .values([$0]) }
    case .oneOf:
      guard case .list(let elements) = node.content else {
        mistakes.add(node.mark, "one_of has to be a list of values; found \(node.phrase)")
        return nil
      }
      let values = elements.compactMap { value($0, name, domain) }
      return values.count == elements.count ? .values(values) : nil
    case .matches, .matchesAnywhere:
      if let text = node.string { return .pattern(text) }
      mistakes.add(node.mark, "\(name) has to be a pattern; found \(node.phrase)")
      return nil
    case .length, .minLength, .maxLength, .count, .minCount, .maxCount:
      return count(node, name).map { .count($0, $0) }
    case .lengthRange, .countRange:
      guard let counts = pair(node, name)?.compactMap({ count($0, name) }), counts.count == 2
      else { return nil }
      return .count(counts[0], counts[1])
    case .unique:
      if case .scalar(let scalar) = node.content, scalar.value == .bool(true) {
        return RuleSpec.Operand.none
      }
      mistakes.add(node.mark, "unique has to be true; found \(node.phrase)")
      return nil
    case .not: return .rules(rules(node, "not", domain))
    case .either, .all:
      guard case .list(let elements) = node.content else {
        mistakes.add(
          node.mark, "\(name) has to be a list of rules; found \(node.phrase)")
        return nil
      }
      return .rules(
        elements.map { element in
          RuleSpec(
            name: .all, operand: .rules(rules(element, name.name, domain)), domain: domain)
        })
    }
  }

  // MARK: Operands

  private func limit(_ node: LocatedNode, _ name: RuleName, _ domain: RuleDomain) -> JSONValue? {
    guard let value = node.json(mistakes) else { return nil }
    if domain == .date {
      if Moment(value.string) != nil { return value }
      mistakes.add(
        node.mark,
        "\(name) of dates has to be a date, as 2026-01-31 or 2026-01-31T12:00:00Z; "
          + "found \(node.phrase)")
      return nil
    }
    if case .number = value { return value }
    let hint = Self.nameElsewhere(node).map { "; \($0)" } ?? ""
    mistakes.add(node.mark, "\(name) has to be a number; found \(node.phrase)\(hint)")
    return nil
  }

  /// What to write for a value that is said elsewhere, as in `{ arg: most }` or `$most`; nil if a value stands here.
  private static func nameElsewhere(_ node: LocatedNode) -> String? {
    var name = node.string.flatMap { $0.hasPrefix("$") ? String($0.dropFirst()) : nil }
    if case .map(let entries) = node.content, entries.count == 1,
      [ValueKey.arg.name, ValueKey.context.name].contains(where: { $0 == entries[0].key })
    {
      name = entries[0].value.string
    }
    return name.map { "a formula compares with it, as in { calc: \"n > $\($0)\" }" }
  }

  private func value(_ node: LocatedNode, _ name: RuleName, _ domain: RuleDomain) -> JSONValue? {
    guard let value = node.json(mistakes) else { return nil }
    if case .object = value, let hint = Self.nameElsewhere(node) {
      mistakes.add(node.mark, "the value itself has to stand here; found \(node.phrase); \(hint)")
      return nil
    }
    let fits: Bool
    switch (domain, value) {
    case (_, .null): fits = false
    case (.number, .number), (.text, .string), (.boolean, .bool), (.array, .array),
      (.object, .object), (.unknown, _):
      fits = true
    case (.date, _): fits = Moment(value.string) != nil
    default: fits = false
    }
    if fits { return value }
    let plural = domain == .unknown ? "values that are not null" : domain.plural
    mistakes.add(node.mark, "\(name) is about \(plural) here; found \(node.phrase)")
    return nil
  }

  private func count(_ node: LocatedNode, _ name: RuleName) -> Int? {
    if case .scalar(let scalar) = node.content, case .number(let text)? = scalar.value,
      let count = Int(text)
    {
      return count
    }
    mistakes.add(node.mark, "\(name) has to be a whole number; found \(node.phrase)")
    return nil
  }

  private func pair(_ node: LocatedNode, _ name: RuleName) -> [LocatedNode]? {
    if case .list(let elements) = node.content, elements.count == 2 { return elements }
    mistakes.add(
      node.mark, "\(name) has to be a list of two, as in [0, 10]; found \(node.phrase)")
    return nil
  }
}
