import StreamMap

/// A condition on mapped records, as a mapping file says it.
indirect enum ConditionSpec: Equatable {
  case all([ConditionSpec])
  case any([ConditionSpec])
  case not(ConditionSpec)
  /// A value of the record: whether it has to be there, and what else it has to be.
  case field([PathPattern.Step], exists: Bool?, [RuleSpec])

  var filter: RecordFilter {
    var members: [String] = []
    let test = test(&members)
    return RecordFilter(members, keeps: test)
  }

  /// The condition ready to be asked.
  private func test(_ members: inout [String]) -> @Sendable (RecordMembers) -> Bool {
    switch self {
    case .all(let conditions):
      let tests = conditions.map { $0.test(&members) }
      return { members in tests.allSatisfy { $0(members) } }
    case .any(let conditions):
      let tests = conditions.map { $0.test(&members) }
      return { members in tests.contains { $0(members) } }
    case .not(let condition):
      let test = condition.test(&members)
      return { !test($0) }
    case .field(let steps, let exists, let rules):
      // The reader sees to it that it is a member of the record.
      guard case .key(let key)? = steps.first else { return { _ in false } }
      let number = members.firstIndex(of: key) ?? members.count
      if number == members.count { members.append(key) }
      let exists = exists ?? true
      let holds = Self.test(of: rules)
      let inner = steps.dropFirst().map { ConditionStep($0) }
      if inner.isEmpty {
        return { members in
          let value = members[number]
          return value.isNull ? !exists : exists && holds(value)
        }
      }
      return { members in
        let value = inner.reduce(members[number]) { $1.value(in: $0) }
        return value.isNull ? !exists : exists && holds(value)
      }
    }
  }

  /// Whether a value keeps to all rules.
  // PERF: their checks alone, for the texts of a rule would be retained with it; and nearly always there is one.
  private static func test(of rules: [RuleSpec]) -> @Sendable (WrittenValue) -> Bool {
    guard let check = rules.first?.rule.check else { return { _ in true } }
    if rules.count == 1 { return { (try? check($0)) ?? false } }
    let others = test(of: Array(rules.dropFirst()))
    return { ((try? check($0)) ?? false) && others($0) }
  }
}

/// From a value to one inside it.
private enum ConditionStep: Sendable {
  case key(WrittenKey)
  case index(Int)
  /// To several: what comes of that is no value.
  case nowhere

  init(_ step: PathPattern.Step) {
    switch step {
    case .key(let key): self = .key(WrittenKey(key))
    case .index(let index): self = .index(index)
    case .wildcard, .elements, .descendants: self = .nowhere
    }
  }

  func value(in value: WrittenValue) -> WrittenValue {
    switch self {
    case .key(let key): value[key]
    case .index(let index): value[index]
    case .nowhere: .null
    }
  }
}
