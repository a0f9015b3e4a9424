import StreamMap

/// A condition as a mapping file says it.
indirect enum ConditionSpec: Equatable, Sendable {
  case all([ConditionSpec])
  case any([ConditionSpec])
  case not(ConditionSpec)
  /// A value: whether it has to be there, and what else it has to be.
  case value(Subject, exists: Bool?, kind: JSONKind?, [RuleSpec])
  case calculated(FormulaText)

  enum Subject: Equatable, Sendable {
    /// A field of the output, and the way into it.
    case field([PathPattern.Step])
    case source(String)
    case calculated(FormulaText)
    case outside(OutsideSource)
  }

  var condition: Condition {
    switch self {
    case .all(let conditions): .all(conditions.map(\.condition))
    case .any(let conditions): .any(conditions.map(\.condition))
    case .not(let condition): .not(condition.condition)
    case .calculated(let formula): .calculated(formula)
    case .value(let subject, let exists, let kind, let rules):
      Self.condition(
        subject, exists: exists ?? true, (kind.map { [Self.rule($0)] } ?? []) + rules.map(\.rule))
    }
  }

  private static func condition(
    _ subject: Subject, exists: Bool, _ rules: [Rule<WrittenValue>]
  ) -> Condition {
    switch subject {
    case .source(let path): return .value(at: .path(path), exists: exists, rules)
    case .calculated(let formula): return .calculated(formula, exists: exists, rules)
    case .outside(let source): return .outside(source, exists: exists, rules)
    case .field(let steps):
      // The reader sees to it that they lead from a member of the record to one value.
      let path = steps.compactMap { step -> JSONPath.Component? in
        switch step {
        case .key(let key): .key(key)
        case .index(let index): .index(index)
        case .wildcard, .elements, .filter, .anyOf, .descendants: nil
        }
      }
      guard case .key(let name)? = path.first else { return .any([]) }
      return .field(name, inside: Array(path.dropFirst()), exists: exists, rules)
    }
  }

  private static func rule(_ kind: JSONKind) -> Rule<WrittenValue> {
    Rule("kind", expecting: kind.rawValue) { $0.kind == kind }
  }
}
