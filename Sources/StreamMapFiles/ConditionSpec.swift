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
    return RecordFilter(members) { test.holds($0) }
  }

  private func test(_ members: inout [String]) -> ConditionTest {
    switch self {
    case .all(let conditions): return .all(conditions.map { $0.test(&members) })
    case .any(let conditions): return .any(conditions.map { $0.test(&members) })
    case .not(let condition): return .not(condition.test(&members))
    case .field(let steps, let exists, let rules):
      // The reader sees to it that it is a member of the record.
      guard case .key(let key)? = steps.first else { return .any([]) }
      let index = members.firstIndex(of: key) ?? members.count
      if index == members.count { members.append(key) }
      return .member(
        index, Array(steps.dropFirst()), exists: exists ?? true, .all(rules.map(\.rule)))
    }
  }
}

/// A condition ready to be asked.
private indirect enum ConditionTest: Sendable {
  case all([ConditionTest])
  case any([ConditionTest])
  case not(ConditionTest)
  case member(Int, [PathPattern.Step], exists: Bool, Rule<JSONValue>)

  func holds(_ members: [JSONValue?]) -> Bool {
    switch self {
    case .all(let tests): return tests.allSatisfy { $0.holds(members) }
    case .any(let tests): return tests.contains { $0.holds(members) }
    case .not(let test): return !test.holds(members)
    case .member(let index, let steps, let exists, let rule):
      var value = members[index]
      for step in steps {
        switch step {
        case .key(let key): value = value?[key]
        case .index(let index): value = value?[index]
        case .everyElement, .elements, .descendants: value = nil
        }
      }
      guard let value, value != .null else { return !exists }
      return exists && rule.failure(of: value) == nil
    }
  }
}
