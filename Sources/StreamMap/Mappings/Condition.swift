/// A condition on the source of an output object or on its fields: which objects are kept, and which case a field has.
///
/// ```swift
/// let isSlow: Condition = .value(at: "ms", .min(1000))
/// let isKept: Condition = .all(
///   .value(at: "status", .min(500)), .not(.value(at: "path", .equalTo("/health"))),
///   .calculated("end > start"))
/// ```
///
/// An absent or null value keeps no rule. A path through a scalar leads nowhere: its value is absent. The value of a path is
/// not mapped for the condition, and does not have to be a field.
///
/// A condition costs as much as reading the values it looks at, and is evaluated in place, without a tree. Arrays and objects
/// that it looks at are bounded by ``Limits/capturedValue``.
public struct Condition: Sendable {
  let definition: ConditionDefinition

  private init(_ definition: ConditionDefinition) {
    self.definition = definition
  }

  // MARK: Values

  /// Whether the value at a path is there, is not null, and keeps all of these rules.
  ///
  /// - Parameters:
  ///   - path: Relative to the object; `$` is the object itself.
  ///   - rules: Without any, the value only has to be there.
  /// - Returns: The condition.
  public static func value(at path: FieldSource, _ rules: Rule<JSONValue>...) -> Condition {
    .value(at: path, exists: true, rules.map { Rule<WrittenValue>($0) })
  }

  /// Whether nothing is at a path, or null.
  ///
  /// - Parameter path: Relative to the object.
  /// - Returns: The condition.
  public static func nothing(at path: FieldSource) -> Condition {
    .value(at: path, exists: false, [])
  }

  /// Whether there is a value at a path that keeps the rules, or whether there is none.
  package static func value(
    at path: FieldSource, exists: Bool, _ rules: [Rule<WrittenValue>]
  ) -> Condition {
    switch path.source {
    case .path(let steps) where path.fallbacks.isEmpty:
      Condition(.value(.init(source: .value(.path(steps)), exists: exists, rules: rules)))
    case .invalid(let error): Condition(.mistake("\(error)"))
    default: Condition(.mistake("a condition looks at one path"))
    }
  }

  /// Whether a field of the output object is not null and keeps all of these rules.
  ///
  /// It is decided when the object is mapped, so an object that cannot be mapped fails whether it would be kept or not.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - rules: Without any, the field only has to have a value.
  /// - Returns: The condition.
  public static func field(_ name: String, _ rules: Rule<JSONValue>...) -> Condition {
    .field(name, inside: [], exists: true, rules.map { Rule<WrittenValue>($0) })
  }

  /// Whether there is a value in a field that keeps the rules, or whether there is none.
  package static func field(
    _ name: String, inside path: [JSONPath.Component], exists: Bool, _ rules: [Rule<WrittenValue>]
  ) -> Condition {
    let steps = path.map { step -> ConditionDefinition.Step in
      switch step {
      case .key(let key): .key(WrittenKey(key))
      case .index(let index): .index(index)
      }
    }
    return Condition(
      .value(.init(source: .value(.field(name)), steps: steps, exists: exists, rules: rules)))
  }

  /// Whether there is a value of what is outside the object that keeps the rules, or whether there is none.
  package static func outside(
    _ source: OutsideSource, exists: Bool, _ rules: [Rule<WrittenValue>]
  ) -> Condition {
    Condition(.value(.init(source: .value(.outside(source)), exists: exists, rules: rules)))
  }

  /// Whether a formula is true: see ``OutputField/init(_:calculated:_:)``.
  ///
  /// - Parameter formula: As in `"end > start and status != 404"`.
  /// - Returns: The condition.
  public static func calculated(_ formula: String) -> Condition {
    .calculated(FormulaText(formula))
  }

  /// Whether a formula is true.
  package static func calculated(_ formula: FormulaText) -> Condition {
    Condition(.calculated(formula))
  }

  /// Whether what a formula calculates is there and keeps the rules, or whether it is not there.
  package static func calculated(
    _ formula: FormulaText, exists: Bool, _ rules: [Rule<WrittenValue>]
  ) -> Condition {
    Condition(.value(.init(source: .calculated(formula), exists: exists, rules: rules)))
  }

  // MARK: Combinations

  /// Whether all of these hold; they are evaluated in this order, up to the first that does not.
  public static func all(_ conditions: Condition...) -> Condition { all(conditions) }

  /// Whether all of these hold; they are evaluated in this order, up to the first that does not.
  public static func all(_ conditions: [Condition]) -> Condition {
    Condition(.all(conditions.map(\.definition)))
  }

  /// Whether one of these holds; they are evaluated in this order, up to the first that does.
  public static func any(_ conditions: Condition...) -> Condition { any(conditions) }

  /// Whether one of these holds; they are evaluated in this order, up to the first that does.
  public static func any(_ conditions: [Condition]) -> Condition {
    Condition(.any(conditions.map(\.definition)))
  }

  /// Whether a condition does not hold.
  public static func not(_ condition: Condition) -> Condition {
    Condition(.not(condition.definition))
  }
}
