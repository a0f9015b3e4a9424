import StreamMap

/// The keys of a condition.
enum ConditionKey: MapKey {
  case all, any, not
  case field, from, calc, context, meta
  case exists, equals, kind
  case rule(RuleName)

  static let allCases =
    combinations + subjects + [.exists, .equals, .kind]
    + RuleName.allCases.filter(\.isComparison).map { .rule($0) }

  /// What makes one condition of others.
  static let combinations: [ConditionKey] = [.all, .any, .not]
  /// What a condition looks at.
  static let subjects: [ConditionKey] = [.field, .from, .calc, .context, .meta]

  static let condition = KeyTable(combinations + subjects)
  static let combination = KeyTable(combinations)
  /// What a condition on a value has.
  static let comparison = KeyTable(allCases.filter { !combinations.contains($0) })

  var name: String {
    switch self {
    case .all: "all"
    case .any: "any"
    case .not: "not"
    case .field: "field"
    case .from: "from"
    case .calc: "calc"
    case .context: "context"
    case .meta: "meta"
    case .exists: "exists"
    case .equals: "equals"
    case .kind: "kind"
    case .rule(let name): name.name
    }
  }

  var spec: KeySpec {
    switch self {
    case .all: KeySpec(.list(of: .part(.condition), atLeast: 1), "All of these hold.")
    case .any: KeySpec(.list(of: .part(.condition), atLeast: 1), "One of these holds.")
    case .not: KeySpec(.part(.condition), "This does not hold.")
    case .field: KeySpec(.part(.path), "A member of the mapped record.")
    case .from:
      KeySpec(.part(.path), "A path in the source, relative to the record or the element.")
    case .calc:
      KeySpec(
        .scalar, "A formula: alone, it has to be true; else its value is compared.")
    case .context:
      KeySpec(.text(), "A value from outside the record, by its name under the file's context.")
    case .meta: KeySpec(.choice(RecordFact.self), "What the record tells of itself.")
    case .exists: KeySpec(.flag, "Whether it is there and not null.")
    case .equals: KeySpec(.notNull, "It is this value.")
    case .kind:
      KeySpec(
        .values { JSONKind.allCases.filter { $0 != .null }.map { .string($0.rawValue) } },
        "It is a value of this kind.")
    case .rule(let name): name.spec
    }
  }
}
