import StreamMap

/// Reads `where` and `when`: which records and elements are kept, and which case a field has.
struct ConditionReader {
  /// What the fields are that it may look at; nil if it may only look at the source.
  private let record: ObjectSpec?
  private let names: OutsideNames
  private let mistakes: FileMistakes

  init(_ names: OutsideNames, _ mistakes: FileMistakes, of record: ObjectSpec? = nil) {
    self.record = record
    self.names = names
    self.mistakes = mistakes
  }

  func condition(_ node: LocatedNode, _ name: String = "where") -> ConditionSpec? {
    let all = ConditionKey.condition.list
    guard case .map(let entries) = node.content else {
      let formula =
        node.string.map { "; a formula is { calc: \"\(ShownText.excerpt($0))\" }" } ?? ""
      mistakes.add(
        node.mark, "\(name) has to be a map with one of \(all); found \(node.phrase)\(formula)")
      return nil
    }
    if let entry = entries.first, entries.allSatisfy({ Self.isMember($0.key) }) {
      mistakes.add(
        entry.mark,
        "unknown key '\(entry.key)' in \(name): a condition on a value is \(Self.condition(on: entry))"
      )
      return nil
    }
    if let choice = entries.first(where: { Self.isListOfConditions($0) }) {
      mistakes.add(
        choice.mark,
        "\(name): one_of compares a value with those of a list; of several conditions one holds with any"
      )
      return nil
    }
    if let null = entries.first(where: { Self.asksForNull($0) }) {
      mistakes.add(
        null.mark, "unknown key '\(null.key)' in \(name): what is absent or null is exists: false")
      return nil
    }
    if entries.contains(where: { Self.isOfComparison($0.key) }) { return comparison(node, name) }
    guard let map = MapReader(node, name, ConditionKey.condition, mistakes) else { return nil }
    let present = map.present
    for key in present.dropFirst() {
      mistakes.add(
        map.mark(of: key),
        "\(name) has '\(present[0])' and '\(key)'; put several conditions into a list under all or any"
      )
    }
    switch present.first {
    case .all: return list(.all, map).map { .all($0) }
    case .any: return list(.any, map).map { .any($0) }
    case .not: return map[.not].flatMap { condition($0, "not") }.map { .not($0) }
    default:
      if !map.hasUnknown {
        mistakes.add(node.mark, "\(name) has to be a map with one of \(all)")
      }
      return nil
    }
  }

  /// Whether a key is none of a condition, nor a word for one: then it is probably a member of the records.
  private static func isMember(_ key: String) -> Bool {
    switch Suggestion.meant(
      by: key, among: ConditionKey.comparison.names + ConditionKey.combination.names)
    {
    case .name, .advice: false
    case .nothing, nil: true
    }
  }

  /// Whether `oneOf` stands before conditions, as in JSON Schema.
  private static func isListOfConditions(_ entry: LocatedNode.Entry) -> Bool {
    guard case .list(let elements) = entry.value.content, !elements.isEmpty,
      elements.allSatisfy({ if case .map = $0.content { true } else { false } })
    else { return false }
    return Suggestion.nameMeant(by: entry.key, among: ConditionKey.comparison.names)
      == RuleName.oneOf.name
  }

  /// Whether a word of others for `equals` compares with null, as `is: null`.
  private static func asksForNull(_ entry: LocatedNode.Entry) -> Bool {
    guard ConditionKey.comparison.key(named: entry.key) == nil,
      case .scalar(let scalar) = entry.value.content, scalar.value == .null
    else { return false }
    return Suggestion.nameMeant(by: entry.key, among: ConditionKey.comparison.names)
      == ConditionKey.equals.name
  }

  /// Whether a key looks at a value, or compares it, in our words or in others.
  private static func isOfComparison(_ key: String) -> Bool {
    if ConditionKey.combination.names.contains(key) { return false }
    switch Suggestion.meant(
      by: key, among: ConditionKey.combination.names + ConditionKey.comparison.names)
    {
    case .name(let name): return !ConditionKey.combination.names.contains(name)
    case .advice:
      if case .advice? = Suggestion.meant(by: key, among: ConditionKey.comparison.names) {
        return true
      }
      return false
    case .nothing, nil: return false
    }
  }

  /// The condition that `{ id: 5 }` was meant to be, or `{ id: { gt: 5 } }`.
  private static func condition(on entry: LocatedNode.Entry) -> String {
    func text(_ node: LocatedNode) -> String {
      if case .scalar(let scalar) = node.content { ShownText.excerpt(scalar.text) } else { "…" }
    }
    let start = "{ from: \(ShownText.excerpt(entry.key)), "
    switch entry.value.content {
    case .scalar(let scalar):
      return start + (scalar.value == .null ? "exists: false }" : "equals: \(text(entry.value)) }")
    case .list(let elements):
      return start + "one_of: [\(elements.prefix(3).map(text).joined(separator: ", "))] }"
    case .map(let entries):
      guard let first = entries.first,
        let rule = Suggestion.nameMeant(by: first.key, among: ConditionKey.comparison.names)
      else { return start + "equals: … }" }
      return start + "\(rule): \(text(first.value)) }"
    }
  }

  /// The condition that one without a subject was meant to be: `{ exists: id }`, or `{ range: { id: { gte: 5 } } }`.
  private static func subject(missingIn map: MapReader<ConditionKey>) -> String {
    guard let key = map.present.first, let node = map[key] else { return "{ from: id, equals: … }" }
    switch node.content {
    case .scalar where key == .exists && node.string != nil:
      return "{ from: \(ShownText.excerpt(node.string ?? "")), exists: true }"
    case .map(let entries):
      guard let member = entries.first else { break }
      if case .scalar(let scalar) = member.value.content {
        return
          "{ from: \(ShownText.excerpt(member.key)), \(key): \(ShownText.excerpt(scalar.text)) }"
      }
      return condition(on: member)
    default: break
    }
    return "{ from: id, \(key): … }"
  }

  private func list(_ key: ConditionKey, _ map: MapReader<ConditionKey>) -> [ConditionSpec]? {
    guard let nodes = map.list(key) else { return nil }
    if nodes.isEmpty { mistakes.add(map.mark(of: key), "\(key) has no conditions") }
    let conditions = nodes.compactMap { condition($0, key.name) }
    return conditions.count == nodes.count ? conditions : nil
  }

  private func comparison(_ node: LocatedNode, _ name: String) -> ConditionSpec? {
    guard let map = MapReader(node, name, ConditionKey.comparison, mistakes) else {
      return nil
    }
    let subjects = map.present(ConditionKey.subjects)
    for key in subjects.dropFirst() {
      mistakes.add(
        map.mark(of: key), "\(name) has '\(subjects[0])' and '\(key)'; keep one of them")
    }
    let isAlone = map.present.count == 1 && !map.hasUnknown
    if subjects.isEmpty, !map.hasUnknown {
      mistakes.add(
        node.mark, "\(name) needs a value to look at: from, as in \(Self.subject(missingIn: map))")
    }
    guard subjects.count == 1, let key = subjects.first, let subject = map[key],
      let (asked, domain) = whatIsAsked(key, subject, map, isAlone: isAlone)
    else { return nil }
    if isAlone, case .calculated(let formula) = asked { return .calculated(formula) }
    let reader = RuleReader(mistakes)
    var rules: [RuleSpec] = map.present.compactMap { key in
      guard case .rule(let name) = key, let value = map[key] else { return nil }
      return reader.rule(name, value, at: map.mark(of: key), domain)
    }
    if let value = map[.equals], case .scalar(let scalar) = value.content, scalar.value == .null {
      mistakes.add(
        value.mark, "equals compares with a value: for what is absent or null write exists: false")
    } else if let value = map[.equals],
      let rule = reader.rule(.equalTo, value, at: map.mark(of: .equals), domain)
    {
      rules.append(rule)
    }
    let exists = map.bool(.exists)
    let kind = map.choice(.kind, JSONKind.self)
    if kind == .null {
      mistakes.add(map.mark(of: .kind), "a null value does not exist here: write exists: false")
    }
    if isAlone {
      mistakes.add(
        map.mark,
        "'\(subject.string ?? "")' needs a comparison: equals, min, max, one_of, matches, exists …")
    }
    if exists == false, !rules.isEmpty || kind != nil {
      mistakes.add(
        map.mark(of: .exists), "exists: false stands alone: what is absent cannot be compared")
    }
    return .value(asked, exists: exists, kind: kind, rules)
  }

  /// What a condition looks at, and what is known of that.
  private func whatIsAsked(
    _ key: ConditionKey, _ node: LocatedNode, _ map: MapReader<ConditionKey>, isAlone: Bool
  ) -> (ConditionSpec.Subject, RuleDomain)? {
    if key == .calc {
      let formula = FormulaReader(mistakes).formula(node, names, isCondition: isAlone)
      return formula.map { (.calculated($0), .unknown) }
    }
    if key == .context {
      return map.string(.context).flatMap { name in
        names.contextValue(node, name, mistakes).map { number in
          (.outside(.context(number, name)), names.context[number].value.kind.domain)
        }
      }
    }
    if key == .meta {
      return map.choice(.meta, RecordFact.self).map { fact in
        (.outside(.fact(fact)), fact == .key || fact == .file ? .text : .number)
      }
    }
    guard let text = PathReader(mistakes).single(node, key.name) else { return nil }
    if key == .from { return (.source(text), .unknown) }
    guard let record else {
      mistakes.add(
        node.mark, "field is only for the file's 'where': here, from looks at the source")
      return nil
    }
    guard let pattern = try? PathPattern(parsing: text) else { return nil }
    return domain(of: pattern.steps, node, record).map { (.field(pattern.steps), $0) }
  }

  /// What is known of the values at a path in the mapped record; nil if there is no such field.
  private func domain(of steps: [PathPattern.Step], _ node: LocatedNode, _ record: ObjectSpec)
    -> RuleDomain?
  {
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
